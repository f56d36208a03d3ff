import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Rules, trustRules } from '#core/dispute/rules.ts'
import { brokenRules, HUNT_SEEDS_MAX, hunt } from './simulate/broken.ts'
import { chanceOf } from './simulate/chance.ts'
import { explore } from './simulate/model.ts'
import { simulate } from './simulate/run.ts'
import { measure, passedSkipping, tables } from './simulate/tables.ts'

// A mesh of strangers in virtual time, by the product's own rules, documents and ledger: `node scripts/simulate.ts`.

const USAGE = `usage: node scripts/simulate.ts [--nodes 1000] [--jobs 10000] [--cheats 0.2] [--seed n]
                                [--mode safety|liveness]
                                [--segments 128] [--broken all|name] [--seeds n] [--model] [--json]
  --mode      safety: faults all the time, and nothing false may be believed; liveness: then all heals, and must end
  --segments  segments of a job that steps
  --seeds     small worlds of as many seeds instead of one large one
  --broken    with a rule broken, until a world shows it: all, or one of
              ${Object.keys(brokenRules).join(', ')}
  --model     every interleaving of a small world instead
  --json      what one world measured, as one line of JSON
What fails says the seed and the commit; the same words with that seed fail in the same way, bit for bit.`

const SEED_MAX = 0xffff_ffff
const SKIPPING_DRAWS = 20_000

const usage = (why: string): never => {
  console.error(`${why}\n${USAGE}`)
  process.exit(2)
}

const number = (text: string, what: string, [least, most]: readonly [number, number]): number => {
  const value = Number(text)
  return value >= least && value <= most ? value : usage(`--${what}: ${least} to ${most}`)
}

const asked = () => {
  const options = {
    nodes: { type: 'string', default: '1000' },
    jobs: { type: 'string', default: '10000' },
    cheats: { type: 'string', default: '0.2' },
    seed: { type: 'string', default: '1' },
    mode: { type: 'string', default: 'liveness' },
    segments: { type: 'string', default: '128' },
    broken: { type: 'string' },
    seeds: { type: 'string' },
    model: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error))
  }
}

const commit = (): string => {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'of no commit'
  }
}

const broke = (seed: number, it: { readonly invariant: string; readonly detail: string }): void => {
  console.error(`seed ${seed}, commit ${commit()}: ${it.invariant} does not hold. ${it.detail}`)
  process.exitCode = 1
}

const one = (values: ReturnType<typeof asked>): void => {
  const mode =
    values.mode === 'safety' || values.mode === 'liveness' ? values.mode : usage('--mode: safety or liveness')
  const seed = number(values.seed, 'seed', [0, SEED_MAX])
  const world = simulate({
    ...{ seed, mode, rules: trustRules, cheats: number(values.cheats, 'cheats', [0, 1]) },
    nodes: number(values.nodes, 'nodes', [8, 10_000]),
    jobs: number(values.jobs, 'jobs', [1, 1_000_000]),
    segments: number(values.segments, 'segments', [2, 4_096]),
  })
  const [first] = world.violations
  if (first !== undefined) return broke(seed, first)
  const measured = measure(world)
  const passed = passedSkipping(chanceOf(seed), SKIPPING_DRAWS, 128)
  if (values.json) {
    const counts = { works: world.works.size, challenges: world.challenges.size }
    console.log(JSON.stringify({ mode, seed, commit: commit(), ...counts, ...measured, passedSkipping: passed }))
    return
  }
  console.log(
    `${mode}, seed ${seed}, ${values.nodes} nodes, ${world.works.size} works, ${world.challenges.size} challenges\n`,
  )
  console.log(tables(measured, passed))
}

const many = (rules: Rules, name: string, seeds: number): void => {
  const find = hunt(rules, { from: 1, to: seeds })
  if (rules === trustRules) {
    if (find === undefined) console.log(`${seeds} worlds: every invariant holds`)
    else broke(find.seed, find)
  } else if (find === undefined) {
    console.error(`${name}: not found in ${seeds} worlds`)
    process.exitCode = 1
  } else console.log(`${name}: seed ${find.seed}, ${find.invariant}. ${find.detail}`)
}

const values = asked()
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const seeds = values.seeds === undefined ? undefined : number(values.seeds, 'seeds', [1, 1_000_000])
if (values.model) console.log(explore().text)
else if (values.broken !== undefined) {
  const named = Object.entries(brokenRules).filter(([name]) => values.broken === 'all' || values.broken === name)
  if (named.length === 0) usage('--broken: all, or a rule')
  for (const [name, rules] of named) many(rules, name, seeds ?? HUNT_SEEDS_MAX)
} else if (seeds !== undefined) many(trustRules, 'trust', seeds)
else one(values)
