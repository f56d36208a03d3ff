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
  integer,
  nodeId,
  oneOf,
  orNull,
  pageLimit,
  pageOffset,
  preset,
  slug,
  text,
  tick,
  tokenId,
} from '#core/schema.ts'
import { condition, STEPS_MAX } from '#numerics/reactor/schema.ts'

/** Schemas of the reactor's endpoints: what they take, and what they answer. */

/** Seconds that a long-poll or an observation may wait, unless it says less. */
export const WAIT_SECONDS_DEFAULT = 25
const WAIT_SECONDS_MAX = 60
/** Steps that one observation answered at once may take. */
const OBSERVED_MAX = 64
/** Rows of one page of a trajectory, and of one with proofs. */
export const PAGE_MAX = 500
export const PROVED_PAGE_MAX = 50
export const ROWS_DEFAULT = 50
const SHARE_CHARS_MAX = 128

/** The reactor that a call is about. */
export const reactor = () =>
  Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{32}$',
      description: 'Id of the reactor; the newest one of the caller when left out.',
    }),
  )

const wait = () =>
  preset(
    finite({
      minimum: 0,
      maximum: WAIT_SECONDS_MAX,
      default: WAIT_SECONDS_DEFAULT,
      description: 'The longest wait before it answers anyhow.',
      'x-unit': 's',
    }),
  )

const afterStep = (description: string) => Type.Optional(count({ maximum: STEPS_MAX, description }))

export const stepInput = closed({
  reactor: reactor(),
  step: Type.Optional(
    integer({
      minimum: 1,
      maximum: STEPS_MAX,
      description: 'The number that the step must get: a repeat of the call then takes no second one.',
    }),
  ),
  publish: Type.Optional(
    Type.Boolean({
      description: 'Whether the envelope stands in the public record; as the account has set if left out.',
    }),
  ),
})

const observeMembers = {
  reactor: reactor(),
  steps: Type.Optional(
    integer({
      minimum: 1,
      maximum: STEPS_MAX,
      description: 'Steps after which it ends; the contract’s when left out.',
    }),
  ),
  of: Type.Optional(
    text(64, {
      minLength: 1,
      description: 'Ends it by a condition: value, errorPct, errorSum or a observed quantity.',
    }),
  ),
  op: Type.Optional(oneOf(['<', '<=', '>', '>='], { description: 'How it is compared; with `of`.' })),
  than: Type.Optional(finite({ description: 'With what; with `of`.' })),
} as const

export const watchInput = closed({
  ...observeMembers,
  after: afterStep('Begins after this step, as Last-Event-ID does; with the next one when left out.'),
})

export const observeInput = closed({
  ...observeMembers,
  steps: preset(
    integer({ minimum: 1, maximum: OBSERVED_MAX, default: 1, description: 'Steps after which it answers.' }),
  ),
  after: afterStep('Begins after this step; with the next one when left out.'),
  wait: wait(),
})

export const reactorInput = closed({ reactor: reactor() })

export const trajectoryInput = closed({
  reactor: reactor(),
  after: afterStep('The last step that the reader has.'),
  limit: preset(
    integer({
      minimum: 1,
      maximum: PAGE_MAX,
      default: ROWS_DEFAULT,
      description: 'Rows of the page; 50 at most with proofs.',
    }),
  ),
  proofs: preset(
    Type.Boolean({ default: false, description: 'Whether each row carries its entry and the proof of it.' }),
  ),
  rerun: preset(
    Type.Boolean({
      default: false,
      description:
        'Whether the second half is computed again: from the state after half the steps to the newest digest.',
    }),
  ),
})

export const nextInput = closed({
  reactor: reactor(),
  after: afterStep('The last step that the caller has; the newest one when left out.'),
  wait: wait(),
  node: Type.Optional(
    Type.String({ ...nodeId(), description: 'Node on which the reactor runs, if it is another one.' }),
  ),
  share: Type.Optional(
    text(SHARE_CHARS_MAX, { minLength: 1, description: 'Share token of its machine there, if that is private.' }),
  ),
})

const observed = Type.Record(Type.String(), orNull(finite()))

/** A reactor, as its readers see it. */
export const reactorView = Type.Object({
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
      details: anything(),
    }),
  ),
  price: credits({ description: 'Credits of one step.' }),
})

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
  observed,
  seq: orNull(count(), { description: 'Number of its entry in the chain of the machine.' }),
  took_ms: orNull(finite({ minimum: 0 })),
} as const

/** One step of a trajectory. */
export const stepRow = Type.Object(stepMembers)

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

const entryProof = orNull(
  Type.Object({
    slug: slug(),
    genesis_hash: hex64(),
    entry: entrySchema,
    hash: hex64(),
    proof: orNull(closed({ path: Type.Array(hex64(), { maxItems: LEVELS_MAX }), ...inLogMembers }), {
      description: 'Null until the entry is under a checkpoint, at the end of its tick.',
    }),
  }),
)

export const trajectoryResult = Type.Object({
  ok: Type.Boolean(),
  reactor: reactorView,
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

const spread = Type.Object({ least: finite(), mean: finite(), largest: finite(), last: finite() })

export const telemetryResult = Type.Object({
  ok: Type.Boolean(),
  reactor: reactorView,
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

/** A page of the caller's reactors. */
export const listInput = closed({ limit: pageLimit(), offset: pageOffset() })

export const listResult = Type.Object({
  ok: Type.Boolean(),
  total: count(),
  limit: count(),
  offset: count(),
  reactors: Type.Array(reactorView),
})

export const stateResult = Type.Object({
  ok: Type.Boolean(),
  reactor: reactorView,
  step: count(),
  digest: hex64({ description: 'Digest of the state.' }),
  inputs_digest: hex64(),
  input: anything({ description: 'The full inputs that take up here: the state, bit for bit.' }),
})

export const nextResult = Type.Object({
  ok: Type.Boolean(),
  reactor: Type.String(),
  node: Type.String(),
  moved: Type.Boolean(),
  step: orNull(stepRow, { description: 'The step after `after`; null when the wait was over first.' }),
  entry: entryProof,
})

export const observeResult = Type.Object({
  ok: Type.Boolean(),
  reactor: reactorView,
  steps: Type.Array(stepRow),
  next_after: count({ description: 'Where the next observation goes on.' }),
})
