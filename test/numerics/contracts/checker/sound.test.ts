// Goal: what the checker proves of a contract never happens, whatever happens to it, and what it refutes does. Method:
// random small definitions with random claims; of each, random events, instants, wishes and results of computations,
// decided one after the other beside what was said; every counterexample is played.
// TICKMESH_CHECKER_DEFINITIONS asks for more of them.
import assert from 'node:assert/strict'
import type { ContractStanding } from '#core/contract/standing.ts'
import { meshTickAt } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { checkContract } from '#numerics/contracts/checker/check.ts'
import type { ContractFinding } from '#numerics/contracts/checker/finding.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import type { Stimulus } from '#numerics/contracts/fire/decide.ts'
import { type ReadyContract, readyContract } from '#numerics/contracts/fire/ready.ts'
import { compileExpression } from '#numerics/contracts/language/evaluate.ts'
import { parseExpression } from '#numerics/contracts/language/grammar.ts'
import { type Random, seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { CONTRACT, drawnOutcomes, drawnReady, drawnStimulus, NOW, UTC } from '../fire/drawn.ts'
import { decideAll, play, playSimulated, standingValues } from './play.ts'

const test = suite('contracts/checker/sound')
const DEFINITIONS = Number(process.env['TICKMESH_CHECKER_DEFINITIONS'] ?? 150)
/** What happens to each definition. */
const STIMULI = 60
const FROM = 1_800_000_000
const START = meshTickAt(BigInt(FROM) * NS_PER_SECOND)

const drawnClaim = (random: Random): string => {
  const member = `context.${random.pick(['n', 'm', 'z'])}`
  const bound = random.integer(-6, 14)
  return random.pick([
    `${member} > ${bound}`,
    `${member} < ${bound} && state == "${random.pick(['b', 'c', 'd'])}"`,
    `state == "${random.pick(['b', 'c', 'd'])}" && !context.on`,
    `${member} == context.${random.pick(['n', 'm', 'z'])} + ${bound}`,
    `context.maybe != null && context.maybe > ${bound}`,
    `state_ticks > ${bound * 20} && state != "a"`,
    `window.avg != null && window.avg > ${bound * 10}`,
  ])
}

/** A random definition with claims that do not hold at its start. */
const drawn = (random: Random): ReadyContract => {
  const { definition } = drawnReady(random)
  const zones = { UTC }
  const of = (claims: readonly { never: string }[]): ReadyContract =>
    readyContract({ definition: { ...definition, claims }, version: '', zones })
  const claims = Array.from({ length: 4 }, () => ({ never: drawnClaim(random) }))
  const ready = of(claims)
  const values = standingValues(ready, beginning(ready, CONTRACT, START), START)
  return of(claims.filter((_, i) => ready.claims[i]?.run(values) !== true))
}

const named = (findings: readonly ContractFinding[], rule: ContractFinding['rule']): ReadonlySet<string> =>
  new Set(findings.filter((it) => it.rule === rule && it.answer === 'proved').map(({ path }) => path))

/** Pairs that were proved exclusive, as tests of their guards. */
const exclusivePairs = ({ definition: { transitions } }: ReadyContract, findings: readonly ContractFinding[]) => {
  const told = findings
    .filter(({ rule }) => rule === 'exclusive')
    .map(({ path, reason }) => `${path} ${reason.split(' ')[0]}`)
  const guards = transitions.map(({ guard = 'true' }) => compileExpression(parseExpression(guard)))
  return transitions.flatMap((b, j) =>
    transitions.slice(0, j).flatMap((a, i) => {
      const alike = a.priority === b.priority && JSON.stringify(a.trigger) === JSON.stringify(b.trigger)
      if (!alike || told.includes(`/transitions/${j} ${a.id}`)) return []
      const states = a.from.filter((it) => b.from.includes(it))
      return [{ ids: `${a.id} ${b.id}`, states, trigger: a.trigger, guards: [guards[i], guards[j]] }]
    }),
  )
}

/** What guards read when a stimulus is decided. */
const guardValues = (
  ready: ReadyContract,
  before: ContractStanding,
  after: ContractStanding,
  { of, ...stimulus }: Stimulus,
) => {
  const { tick, due, attempt } = stimulus
  const event = 'data' in of ? { event: { data: of.data } } : {}
  const values = standingValues(ready, { ...before, windows: after.windows }, tick)
  return { ...values, fire: { tick, due, attempt }, oracle: {}, ...event }
}

const stimuli = (random: Random, ready: ReadyContract, i: number): Stimulus => {
  const stimulus = drawnStimulus(random, ready)
  const tick = NOW + 10 * i + random.integer(0, 9)
  const { of } = stimulus
  const due = of.kind === 'trigger' ? tick : null
  return { ...stimulus, tick, due, of: of.kind === 'event' ? { ...of, at: random.pick([null, tick]) } : of }
}

test('nothing that is proved is ever broken, and every counterexample plays', () => {
  const random = seeded()
  const count = { unreachable: 0, guards: 0, exclusive: 0, proved: 0, refuted: 0, endless: 0, open: 0 }
  for (let k = 0; k < DEFINITIONS; k += 1) {
    const ready = drawn(random)
    const { definition } = ready
    const { findings } = checkContract(definition, { from: FROM, zones: { UTC } })
    const shown = (what: string): string => `${what} of ${JSON.stringify(definition)}`
    const [dead, stuck, proved] = [
      named(findings, 'unreachable'),
      named(findings, 'guard-never'),
      named(findings, 'claim'),
    ]
    const pairs = exclusivePairs(ready, findings)
    count.unreachable += dead.size
    count.guards += stuck.size
    count.exclusive += pairs.length
    count.proved += proved.size
    for (const { rule, answer, trace, path } of findings) {
      if (rule === 'claim' && answer === 'unknown') count.open += 1
      if (answer !== 'refuted' || rule === 'exclusive') continue
      count[rule === 'claim' ? 'refuted' : 'endless'] += 1
      const { broken, refused } = play(ready, trace ?? [], START)
      const simulated = playSimulated(ready, trace ?? [], START)
      const claim = Number(path.split('/')[2])
      assert.ok(rule === 'claim' ? broken.has(claim) : refused.has('chain'), shown(path))
      const waits = trace?.at(-1)?.event === undefined && trace?.at(-1)?.due === undefined
      assert.ok(rule !== 'claim' || waits || simulated.has(claim), shown(`${path}, simulated,`))
    }
    let standing = beginning(ready, CONTRACT, NOW - 10)
    for (let i = 0; i < STIMULI; i += 1) {
      const stimulus = stimuli(random, ready, i)
      const before = standing
      const decision = decideAll(ready, before, stimulus, drawnOutcomes(random))
      standing = decision.after
      assert.ok(!dead.has(`/states/${standing.state}`), shown(`${standing.state} is reached`))
      for (const id of decision.kind === 'fired' ? decision.steps : []) {
        const index = definition.transitions.findIndex((it) => it.id === id)
        assert.ok(!stuck.has(`/transitions/${index}/guard`), shown(`${id} is taken`))
      }
      const values = standingValues(ready, standing, stimulus.tick)
      for (const [c, claim] of ready.claims.entries())
        if (proved.has(`/claims/${c}/never`)) assert.notEqual(claim.run(values), true, shown(claim.text))
      const read = guardValues(ready, before, standing, stimulus)
      for (const { ids, states, trigger, guards } of pairs) {
        const asked = trigger.kind === 'event' ? 'event' in read && decision.kind !== 'refused' : !('event' in read)
        if (!asked || !states.includes(before.state)) continue
        assert.ok(!guards.every((it) => it?.(read) === true), shown(`both of ${ids}`))
      }
    }
  }
  console.log(`  ${JSON.stringify(count)}`)
  for (const it of ['unreachable', 'guards', 'exclusive', 'proved', 'refuted'] as const) assert.ok(count[it] > 0, it)
}, 120_000)

test.run()
