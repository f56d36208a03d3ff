import Type from 'typebox'
import { entrySchema, inLogMembers } from '#core/machine-proof.ts'
import { LEVELS_MAX } from '#core/merkle.ts'
import {
  anything,
  closed,
  count,
  credits,
  finite,
  hex64,
  model,
  oneOf,
  orNull,
  slug,
  tick,
  tokenId,
} from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { condition } from '#numerics/reactor/schema.ts'

/** What reactors answer. */

const quantities = Type.Record(Type.String(), orNull(finite()))

/** A reactor, as its readers see it. */
export const reactor = model('Reactor', {
  id: Type.String(),
  solver: Type.String({ description: 'Name and revision of the solver.' }),
  machine: orNull(slug(), { description: 'The machine whose chain holds an entry of each step.' }),
  id_hash: orNull(hex64()),
  node: Type.String(),
  contract: hex64({ description: 'Digest of the transition contract.' }),
  status: oneOf(['ready', 'stepping', 'complete', 'stopped', 'refused']),
  step: count({ description: 'Steps taken.' }),
  steps: count({ description: 'Steps of the contract.' }),
  seal: Type.Boolean(),
  stops: Type.Array(condition),
  observers: Type.Array(Type.String()),
  state: hex64({ description: 'Digest of the newest state.' }),
  value: orNull(finite(), { description: 'Value of the newest step.' }),
  unit: Type.String(),
  errorSum: finite({ minimum: 0, description: 'Errors of all steps added up, in percent.' }),
  created_tick: tick(),
  moved_tick: tick({ description: 'Node tick of the newest step.' }),
  ended: orNull(
    Type.Object({
      kind: oneOf(['complete', 'condition', 'refused']),
      why: Type.String(),
      code: orNull(Type.String()),
      details: Type.Unsafe<Readonly<Record<string, unknown>>>(anything()),
    }),
  ),
  price: credits({ description: 'Credits of one step.' }),
})
export type ReactorView = View<typeof reactor>

const stepMembers = {
  step: count(),
  tick: tick(),
  state: hex64(),
  previous: orNull(hex64()),
  inputs_digest: orNull(hex64()),
  result_digest: orNull(hex64()),
  errorPct: finite({ minimum: 0, description: 'Measured error of this step.' }),
  errorSum: finite({ minimum: 0, description: 'Errors since step 0.' }),
  value: orNull(finite()),
  token_id: orNull(tokenId()),
  observed: quantities,
  seq: orNull(count(), { description: 'Number of its entry in the chain of the machine.' }),
  took_ms: orNull(finite({ minimum: 0 })),
} as const

/** One step of a trajectory. */
export const stepRow = model('ReactorStep', stepMembers)
export type StepView = View<typeof stepRow>

/** What the answer of a step says beside the result and the receipt. */
export const besideStep = orNull(
  Type.Object({
    id: Type.String(),
    machine: orNull(slug()),
    status: oneOf(['ready', 'stepping', 'complete', 'stopped', 'refused']),
    steps: count(),
    ...stepMembers,
  }),
  { description: 'Where the reactor stands after it; null when the step could not be written down.' },
)
export type BesideStep = View<typeof besideStep>

const entryProof = orNull(
  model('StepProof', {
    slug: slug(),
    genesis_hash: hex64(),
    entry: entrySchema,
    hash: hex64(),
    proof: orNull(closed({ path: Type.Array(hex64(), { maxItems: LEVELS_MAX }), ...inLogMembers }), {
      description: 'Null until the entry is under a checkpoint, at the end of its tick.',
    }),
  }),
)
/** The entry of a step in its machine's chain, with its proof. */
export type StepProof = NonNullable<View<typeof entryProof>>

/** One page of a trajectory. */
export const trajectory = model('Trajectory', {
  reactor,
  rows: Type.Array(Type.Object({ ...stepMembers, entry: entryProof })),
  next_after: orNull(count(), { description: 'Where the next page begins; null at the end.' }),
  verified: Type.Object({
    valid: Type.Boolean({ description: 'Whether all digests follow from one another, and the entries say the same.' }),
    count: count({ description: 'States walked, the first included.' }),
    entries: count({ description: 'Entries of the chain that were held against them.' }),
    broken: orNull(Type.Object({ step: count(), why: Type.String() })),
  }),
  rerun: orNull(Type.Object({ from: count(), to: count(), agrees: Type.Boolean(), differs_at: orNull(count()) }), {
    description: 'What computing the second half again found.',
  }),
})
export type TrajectoryView = View<typeof trajectory>

const spread = model('Spread', { least: finite(), mean: finite(), largest: finite(), last: finite() })
/** Least, mean, largest and newest of something. */
export type Spread = View<typeof spread>

/** Counts, times, errors and conserved figures. */
export const telemetry = model('Telemetry', {
  reactor,
  steps_taken: count(),
  sealed: count({ description: 'Envelopes minted.' }),
  credits: credits({ description: 'Credits charged.' }),
  work: finite({ minimum: 0, description: 'Units of about 1e6 floating-point operations.' }),
  took_ms: orNull(spread),
  errorPct: orNull(spread),
  errorSum: finite({ minimum: 0 }),
  error_left: finite({ minimum: 0, description: 'Percent that may be added before sealing stops.' }),
  steps_left: orNull(count(), { description: 'Steps until then at the mean so far.' }),
  figures: Type.Record(Type.String(), spread, {
    description: 'Figures of the checks: what is conserved, and how well.',
  }),
  observed: Type.Record(Type.String(), spread),
  state_bytes: count(),
  ticks_per_step: orNull(finite({ minimum: 0 })),
  waiting: count({ description: 'Long-polls and observations that wait for it.' }),
})
export type TelemetryView = View<typeof telemetry>

/** A page of the caller's reactors. */
export const reactorPage = model('ReactorPage', {
  total: count(),
  limit: count(),
  offset: count(),
  reactors: Type.Array(reactor),
})

/** The newest state. */
export const reactorState = model('ReactorState', {
  reactor,
  step: count(),
  digest: hex64({ description: 'Digest of the state.' }),
  inputs_digest: hex64(),
  input: anything({ description: 'The full inputs that take up here: the state, bit for bit.' }),
})

/** What a long-poll is told. */
export const nextStep = model('NextStep', {
  reactor: Type.String(),
  node: Type.String(),
  moved: Type.Boolean(),
  step: orNull(stepRow, { description: 'The step after `after`; null when the wait was over first.' }),
  entry: entryProof,
})
export type NextView = View<typeof nextStep>

/** What an observation came to. */
export const observed = model('Observation', {
  reactor,
  steps: Type.Array(stepRow),
  next_after: count({ description: 'Where the next observation goes on.' }),
})
export type Observed = View<typeof observed>
