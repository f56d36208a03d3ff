import type { Json } from '#core/canonical.ts'
import { fireId } from '#core/contract/cause.ts'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { readCron, type ZoneTable } from '#numerics/contracts/cron/cron.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import type { ComputeOutcome, Stimulus } from '#numerics/contracts/fire/decide.ts'
import { type ReadyContract, readyContract } from '#numerics/contracts/fire/ready.ts'
import { printExpression } from '#numerics/contracts/language/grammar.ts'
import type { Random } from '../../../kit/random.ts'
import { expressionOf, TEXTS } from '../language/generate.ts'

/** Random sound definitions, where their contracts may stand, and what they may be asked about. */

export const UTC: ZoneTable = { v: 1, zone: 'UTC', from: 1_735_689_600, until: 2_145_916_800, offset: 0, changes: [] }
/** Name of a contract of which it does not matter which. */
export const CONTRACT = 'c0'.repeat(32)
/** A tick of the year 2027. */
export const NOW = 2_316_602_000

/** A definition that the linter finds no fault with, made ready. */
export const readyOf = (definition: unknown, zones: Readonly<Record<string, ZoneTable>> = { UTC }): ReadyContract => {
  const { contract, faults } = lintContract(definition, { cron: (it) => readCron(it).faults[0]?.reason })
  if (contract === undefined) throw new Error(JSON.stringify(faults))
  return readyContract({ ...contract, zones })
}

const EVENTS = ['go', 'stop'] as const
const DATA = {
  flow: { type: 'number' },
  extra: { type: 'number', optional: true },
  note: { type: 'text', optional: true, chars: 16 },
}

const drawnText = (random: Random, kind: 'number' | 'boolean' | 'text'): string =>
  printExpression(expressionOf(random, kind, random.integer(0, 3)))

const drawnAction = (random: Random): Json => {
  const number = (): Json => (random.integer(0, 3) === 0 ? random.integer(-5, 40) : { $: drawnText(random, 'number') })
  switch (random.integer(0, 8)) {
    case 0:
      return {
        kind: 'compute',
        solver: 'heat',
        inputs: { a: number(), deep: [{ b: number() }] },
        bind: { m: '/value' },
      }
    case 1:
      return { kind: 'compute', operators: ['NM19'], inputs: { x: number() } }
    case 2:
      return { kind: 'emit', event: random.pick(EVENTS), data: { flow: number() } }
    case 3:
      return { kind: 'transfer', to: 'zid', amount: number() }
    case 4:
      return {
        kind: 'notify',
        url: 'https://example.org/',
        body: { at: number(), text: { $: drawnText(random, 'text') } },
      }
    case 5:
      return { kind: 'call', contract: 'other', event: 'go', data: { flow: number() } }
    default:
      return { kind: 'set', [random.pick(['n', 'm', 'z', 'maybe'])]: number(), on: { $: drawnText(random, 'boolean') } }
  }
}

const listOf = <T>(random: Random, most: number, of: () => T): T[] =>
  Array.from({ length: random.integer(0, most) }, of)

const drawnTrigger = (random: Random): Json =>
  random.pick<() => Json>([
    () => ({ kind: 'event', event: random.pick(EVENTS) }),
    () => ({ kind: 'event', event: random.pick(EVENTS), from: 'pump-7' }),
    () => ({ kind: 'recurring', every_ticks: random.integer(1, 50) }),
    () => ({ kind: 'cron', expression: random.pick(['* * * * *', '*/5 * * * *', '0 3 * * 1']) }),
    () => ({ kind: 'one_shot', at_tick: NOW + random.integer(-9, 99) }),
    () => ({ kind: 'after', ticks: random.integer(1, 99) }),
    () => ({ kind: 'always' }),
  ])()

const STATES = ['a', 'b', 'c', 'd'] as const

const drawnTransition = (random: Random, i: number): Json => ({
  id: `t${i}`,
  from: [...new Set([random.pick(STATES), random.pick(STATES)])],
  to: random.pick(STATES),
  trigger: drawnTrigger(random),
  ...(random.integer(0, 2) === 0 ? {} : { guard: drawnText(random, 'boolean') }),
  actions: listOf(random, 3, () => drawnAction(random)),
  priority: random.integer(-1, 1),
  ...(random.integer(0, 1) === 0 ? {} : { on_refused: random.pick(STATES) }),
})

const drawnDefinition = (random: Random): { readonly [name: string]: Json; readonly transitions: readonly Json[] } => {
  const members = Object.fromEntries(
    ['n', 'm', 'z'].map((name) => [name, { type: 'number', initial: random.integer(-3, 9), max: 1e6 } satisfies Json]),
  )
  const states = STATES.map((name, i) => [
    name,
    {
      initial: i === 0,
      entry: random.integer(0, 3) === 0 ? [{ kind: 'set', n: { $: 'context.n + 1' } }] : [],
      exit: random.integer(0, 3) === 0 ? [{ kind: 'set', z: { $: 'state_ticks' } }] : [],
    },
  ])
  return {
    v: 1,
    name: 'drawn',
    context: {
      ...members,
      maybe: { type: 'number', initial: null, nullable: true },
      ...{ on: { type: 'boolean', initial: true }, off: { type: 'boolean', initial: false } },
      mode: { type: 'text', initial: '' },
    },
    events: { go: { data: DATA }, stop: { data: DATA } },
    windows: { avg: { event: 'go', field: 'flow', fn: 'avg', ticks: random.integer(1, 500) } },
    states: Object.fromEntries(states) as Json,
    transitions: Array.from({ length: random.integer(1, 8) }, (_, i) => drawnTransition(random, i)),
  }
}

/** A random definition: of what was drawn, the transitions that have no fault. */
export const drawnReady = (random: Random): ReadyContract => {
  const drawn = drawnDefinition(random)
  const { contract, faults } = lintContract(drawn, { cron: () => undefined })
  if (contract !== undefined) return readyContract({ ...contract, zones: { UTC } })
  const wrong = new Set(faults.map(({ path }) => Number(path.split('/')[2])))
  return readyOf({ ...drawn, transitions: drawn.transitions.filter((_, i) => !wrong.has(i)) })
}

/** A random standing, of which not every part need fit the definition. */
export const drawnStanding = (random: Random): ContractStanding => {
  const number = (): number => random.pick([0, 1, -1, 2.5, 10, 1e300, random.integer(-50, 50)])
  return {
    state: random.pick(STATES),
    entered: { fire: CONTRACT, tick: NOW - random.integer(0, 300) },
    context: {
      ...{ n: number(), m: number(), z: number(), maybe: random.pick([null, number()]) },
      ...{ on: random.integer(0, 1) === 0, off: false, mode: random.pick(TEXTS) },
    },
    windows: {
      avg: [{ part: NOW - 3, count: 2, sum: number(), min: number(), max: number(), last: number() }],
    },
    marks: {},
  }
}

const drawnData = (random: Random): Readonly<Record<string, Scalar>> => ({
  ...(random.integer(0, 19) === 0 ? {} : { flow: random.pick([0, 1, -2.5, 1e300, random.integer(-9, 99)]) }),
  ...(random.integer(0, 1) === 0 ? {} : { extra: random.integer(-9, 9) }),
  ...(random.integer(0, 1) === 0 ? {} : { note: random.pick(TEXTS) }),
  ...(random.integer(0, 19) === 0 ? { other: random.pick(['x', null, true]) } : {}),
})

/** A random stimulus. */
export const drawnStimulus = (random: Random, ready: ReadyContract): Stimulus => {
  const tick = NOW + random.integer(0, 99)
  const cause = { slug: 'pump-7', seq: random.integer(1, 1e6) }
  const transition = random.pick(
    [...ready.transitions.values()].map(({ id, trigger }) => ({ id, trigger })).concat({ id: 'none', trigger: '0' }),
  )
  const event = { name: random.pick(EVENTS), data: drawnData(random) }
  const of = random.pick<Stimulus['of']>([
    { kind: 'trigger', trigger: transition.trigger },
    { kind: 'trigger', trigger: transition.trigger },
    { kind: 'event', from: random.pick(['pump-7', null]), at: random.pick([null, tick - 1]), ...event },
    { kind: 'transition', id: transition.id },
    { kind: 'transition', id: transition.id, event },
    { kind: 'now' },
  ])
  const due = of.kind === 'trigger' ? tick : null
  return { fire: fireId(CONTRACT, cause), cause, tick, due, attempt: random.integer(0, 3), of, readings: {} }
}

/** Random outcomes, as many as a fire could ask for. */
export const drawnOutcomes = (random: Random): readonly ComputeOutcome[] =>
  Array.from({ length: 5 }, () =>
    random.pick<ComputeOutcome>([
      { bound: { m: random.pick([1, 2.5, -1e300, 1e7]) } },
      { bound: { m: random.pick(['x', null, [1]]) } },
      { bound: {} },
      { bound: { m: 3 } },
      { refused: { reason: 'gate', message: 'It does not balance.' } },
      { stubbed: true },
    ]),
  )
