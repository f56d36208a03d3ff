import type { Json } from '#core/canonical.ts'
import { type Cause, contractDigest, fireId } from '#core/contract/cause.ts'
import type { ContractStanding } from '#core/contract/standing.ts'
import { digest } from '#core/digest.ts'
import type { ZoneTable } from '#numerics/contracts/cron/cron.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { type ComputeOutcome, contextDigest, decide, type Stimulus } from '#numerics/contracts/fire/decide.ts'
import { jitterOf, nextDues } from '#numerics/contracts/fire/dues.ts'
import { readyContract } from '#numerics/contracts/fire/ready.ts'
import { ofFires } from './core.ts'

const ID = '0123456789abcdef0123456789abcdef'
const ID_HASH = 'ab'.repeat(32)
const CONTRACT = contractDigest(ID_HASH, ID)
/** A tick of the year 2027. */
const NOW = 2_316_602_000
const UTC: ZoneTable = { v: 1, zone: 'UTC', from: 1_767_225_600, until: 2_145_916_800, offset: 0, changes: [] }

const definition = {
  v: 1,
  name: 'pump watch',
  context: { n: { type: 'integer', initial: 0, max: 9 }, peak: { type: 'number', initial: 0 } },
  events: { reading: { data: { p: { type: 'number' }, note: { type: 'text', optional: true } } } },
  windows: { mean: { event: 'reading', field: 'p', fn: 'avg', ticks: 600 } },
  oracles: {
    limit: { from: { kind: 'machine', slug: 'site', event: 'set', field: 'p' }, type: 'number', max_age: 99 },
  },
  states: {
    calm: { initial: true, exit: [{ kind: 'set', n: { $: 'context.n + 1' } }] },
    high: { entry: [{ kind: 'emit', event: 'reading', data: { p: { $: 'context.peak' } } }] },
    over: { terminal: true },
  },
  transitions: [
    {
      ...{ id: 'rise', from: 'calm', to: 'high', trigger: { kind: 'event', event: 'reading' }, on_refused: 'over' },
      guard: 'event.data.p > oracle.limit && window.mean > 3',
      actions: [
        { kind: 'set', peak: { $: 'max(context.peak, event.data.p)' } },
        { kind: 'compute', solver: 'heat', inputs: { nx: { $: 'context.n' } }, bind: { n: '/value' } },
      ],
    },
    { id: 'fall', from: 'high', to: 'calm', trigger: { kind: 'after', ticks: 50 } },
    { id: 'look', from: 'calm', to: 'calm', trigger: { kind: 'cron', expression: '*/5 * * * *', jitter: 9 } },
    { id: 'often', from: 'calm', to: 'calm', trigger: { kind: 'recurring', every_ticks: 100 } },
    { id: 'end', from: 'high', to: 'over', trigger: { kind: 'always' }, guard: 'context.n > 8' },
  ],
}

const causes: readonly Cause[] = [
  { trigger: '0123456789abcdef', due: 1_800_000_000 },
  { slug: 'pump-7', seq: 42 },
  { trigger: '0123456789abcdef', entered: 'cd'.repeat(32) },
  { key: 'order 7' },
  { fire: 'cd'.repeat(32), action: 2 },
]

const reading = (p: unknown, at: number | null = NOW): Stimulus['of'] => ({
  ...{ kind: 'event', name: 'reading', from: null, data: { p: p as Json }, at },
})

const made = () => {
  const { contract } = lintContract(definition, { cron: () => undefined })
  if (contract === undefined) throw new Error('the contract of the vectors has a fault')
  const ready = readyContract({ ...contract, zones: { UTC } })
  const start = beginning(ready, CONTRACT, NOW - 20)
  const [fall = '', look = ''] = [...ready.triggers.values()].map(({ id }) => id)
  const high: ContractStanding = { ...start, state: 'high', entered: { fire: 'cd'.repeat(32), tick: NOW - 50 } }
  const cases: readonly {
    of: Stimulus['of']
    due?: number
    standing?: ContractStanding
    limit?: number
    outcomes?: readonly ComputeOutcome[]
  }[] = [
    { of: reading(5), limit: 4 },
    { of: reading(5), limit: 4, outcomes: [{ bound: { n: 3 } }] },
    { of: reading(5), limit: 4, outcomes: [{ bound: { n: 9 } }] },
    { of: reading(5), limit: 4, outcomes: [{ bound: { n: 10 } }] },
    { of: reading(5), limit: 4, outcomes: [{ bound: {} }] },
    { of: reading(5), limit: 4, outcomes: [{ refused: { reason: 'gate', message: 'No.' } }] },
    { of: reading(2), limit: 4 },
    { of: reading(5) },
    { of: reading('x'), limit: 4 },
    { of: reading(5, null), limit: 4 },
    { of: { kind: 'trigger', trigger: fall }, due: NOW, standing: high },
    { of: { kind: 'trigger', trigger: look }, due: 1_800_000_000 },
    { of: { kind: 'trigger', trigger: look }, due: 1_800_000_000, standing: high },
    { of: { kind: 'transition', id: 'look' } },
    { of: { kind: 'now' }, standing: { ...start, context: { n: 9, peak: 0 } } },
  ]
  return { contract, ready, start, cases }
}

/** Names of fires, due instants, and decisions: where a contract stands, what it is asked, and what comes of it. */
export const fireVectors = () => {
  const { contract, ready, start, cases } = made()
  return {
    about:
      'Names of fires by their causes; due instants of a definition; and decisions: where it stands, what it is ' +
      'asked with the outcomes of its computations, and what comes of it: wire/contract.md.',
    digests: ofFires.map((purpose) => {
      const value = { purpose, n: 1 }
      return { purpose, value, digest: digest(purpose, value) }
    }),
    contract: { id: ID, id_hash: ID_HASH, digest: CONTRACT },
    fires: causes.map((cause) => ({ cause, fire: fireId(CONTRACT, cause) })),
    definition: contract.definition,
    zones: { UTC },
    beginning: { tick: NOW - 20, standing: start, context: contextDigest(start.context) },
    triggers: [...ready.triggers.values()].map(({ id, trigger }) => ({ id, trigger })),
    dues: nextDues(ready, start, { armedTick: NOW, countMax: 12 }).map((due) => {
      const fire = fireId(CONTRACT, { trigger: due.trigger, due: due.due })
      const trigger = ready.triggers.get(due.trigger)
      return { ...due, fire, jitter: trigger === undefined ? 0 : jitterOf(trigger, fire) }
    }),
    decisions: cases.map(({ of, due = null, standing = start, limit, outcomes = [] }, i) => {
      const cause: Cause = { key: `decision ${i}` }
      const readings: Stimulus['readings'] = limit === undefined ? {} : { limit }
      const stimulus: Stimulus = { fire: fireId(CONTRACT, cause), cause, tick: NOW, due, attempt: 0, of, readings }
      return { standing, stimulus, outcomes, decision: decide(ready, standing, stimulus, outcomes) }
    }),
  }
}
