import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { API } from 'typescript/unstable/sync'
import { copyOfTree } from './mutate/copy.ts'
import { reasonOf } from './mutate/known.ts'
import { neighboursOf, ownersOf } from './mutate/owners.ts'
import { type Mutant, mutantsOf, mutated } from './mutate/sites.ts'
import { runFiles } from './test-file.ts'
import { seedOf } from './test-seed.ts'
import { closingLine, verdict } from './test-verdict.ts'

// Changes literals, signs, comparisons and terms of sources, one at a time in a copy of the tree, and runs the tests
// that own the file: `npm run mutate -- --files src/core --count 150`. A mutant that all of them pass has survived:
// what it stands for is not tested, or it is no change at all (mutate/known.ts says which, and why).

const MUTANT_MS_MAX = 60_000
const COUNT = 150

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: 'src/core', multiple: false },
    count: { type: 'string', default: String(COUNT) },
    seed: { type: 'string' },
  },
})
const seed = seedOf(values.seed)

/** Every mutant of the files, as the compiler parses them. */
const allOf = (files: readonly string[]): readonly Mutant[] => {
  // Without libraries and imports: what is asked for is the syntax alone.
  const project = `${process.cwd()}/mutate.json`
  writeFileSync(project, JSON.stringify({ compilerOptions: { noLib: true, noResolve: true, types: [] }, files }))
  const api = new API({ cwd: process.cwd() })
  try {
    const [parsed] = api.updateSnapshot({ openProject: project }).getProjects()
    return files.flatMap((file) => {
      const root = parsed?.program.getSourceFile(`${process.cwd()}/${file}`)
      if (root === undefined) throw new Error(`the compiler does not know ${file}`)
      return mutantsOf(file, root, readFileSync(file, 'utf8'))
    })
  } finally {
    api.close()
  }
}

/** The same for the same seed, wherever other places came or went. */
const drawn = (all: readonly Mutant[], count: number): readonly Mutant[] => {
  const lot = ({ file, source, start, becomes }: Mutant): string =>
    createHash('sha256').update(`${seed} ${file} ${source} ${start} ${becomes}`).digest('hex')
  return all
    .map((it) => ({ it, lot: lot(it) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, count)
    .map(({ it }) => it)
}

type Fate = 'caught' | 'endless' | 'survived'

/** What the last file that failed said. */
let said = ''

/** Whether tests catch what stands in the tree now: by failing, or by not coming to an end. */
const fateIn = async (files: readonly string[]): Promise<Fate> => {
  let fate: Fate = 'survived'
  const left = await runFiles({ dir: 'test', files, seed, watchdogMs: MUTANT_MS_MAX, bail: true }, (ending) => {
    if (verdict(ending, false).failed > 0) said = `${ending.file}\n${ending.output}`
    if (ending.signal !== null) fate = 'endless'
    else if (verdict(ending, false).failed > 0 && fate === 'survived') fate = 'caught'
  })
  return left.length > 0 && fate === 'survived' ? 'caught' : fate
}

const shown = ({ file, line, source, was, becomes }: Mutant): string =>
  `${file}:${line}: ${JSON.stringify(was)} → ${JSON.stringify(becomes)}\n    ${source}`

process.chdir(copyOfTree())
process.env['NODE_COMPILE_CACHE'] = `${process.cwd()}/.build/compiled`
const files = globSync('src/**/*.ts')
  .filter((file) => values.files.split(',').some((part) => file.startsWith(part)) && !/\/kernels\//.test(file))
  .sort()
const all = allOf(files)
const chosen = drawn(all, Number(values.count))
console.log(`${chosen.length} of ${all.length} mutants of ${files.length} files, seed ${seed}`)

const owners = [...new Set(chosen.flatMap(({ file }) => ownersOf(file)))]
if ((await fateIn(owners)) !== 'survived') throw new Error(`the tests fail without a mutant: ${said}`)

/** After so many mutants the run says how far it is. */
const TOLD_EVERY = 10

const fates: Record<Fate | 'known', number> = { caught: 0, endless: 0, survived: 0, known: 0 }
for (const [i, mutant] of chosen.entries()) {
  if (i % TOLD_EVERY === 0 && i > 0) console.log(`${i} of ${chosen.length}`)
  const why = reasonOf(mutant)
  if (why !== undefined) {
    fates.known += 1
    console.log(`known    ${shown(mutant)}\n    ${why}`)
    continue
  }
  const text = readFileSync(mutant.file, 'utf8')
  writeFileSync(mutant.file, mutated(text, mutant))
  const near = await fateIn(ownersOf(mutant.file))
  const fate = near === 'survived' ? await fateIn(neighboursOf(mutant.file)) : near
  writeFileSync(mutant.file, text)
  fates[fate] += 1
  if (fate !== 'caught') console.log(`${fate.padEnd(8)} ${shown(mutant)}`)
}
const { caught, endless, survived } = fates
console.log(`\n${caught} caught, ${endless} without an end, ${fates.known} known, ${survived} survived`)
console.log(closingLine(caught + endless + fates.known, survived, 0))
process.exitCode = survived > 0 ? 1 : 0
