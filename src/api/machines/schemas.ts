import Type from 'typebox'
import { codesOf } from '#core/fault.ts'
import {
  anything,
  count,
  hex64,
  integer,
  oneOf,
  orNull,
  PAGE_ROWS_DEFAULT,
  PAGE_ROWS_MAX,
  slug as slugSchema,
  text,
  tick,
} from '#core/schema.ts'

/** The machine that a path names. */
export const slug = () => slugSchema({ description: 'Slug of the machine.' })

export const statuses = ['active', 'paused', 'archived'] as const

/** What every endpoint about one machine may refuse. */
export const seen = ['NOT_FOUND'] as const
/** And one that asks for a role. */
export const guarded = ['NOT_FOUND', 'SCOPE_REQUIRED'] as const
/** And one that changes something. */
export const changing = ['NOT_FOUND', 'SCOPE_REQUIRED', 'RATE_LIMITED', ...codesOf('commit'), 'NODE_BUSY'] as const
/** And one that appends on a writer's behalf. */
export const writing = [...changing, 'MACHINE_NOT_ACTIVE', 'NOT_CANONICAL'] as const

export const head = Type.Object(
  {
    id_hash: hex64(),
    seq: count({ description: 'Number of the last entry.' }),
    hash: hex64({ description: 'Hash of the last entry.' }),
    size: count({ description: "Leaves of the machine's tree." }),
    root: hex64({ description: 'Root of that tree.' }),
  },
  { description: 'What the log of the node says of the machine in every tick in which it moved.' },
)

export const machine = Type.Object({
  id: Type.String({ description: 'UUID.' }),
  slug: Type.String(),
  parent_origin: Type.String(),
  origin_id: Type.String({ description: '`<parent_origin>:<slug>`.' }),
  is_public: Type.Boolean(),
  status: oneOf(statuses),
  genesis_tick: tick(),
  genesis_hash: hex64(),
  id_hash: hex64({ description: 'Recomputed from slug and genesis hash.' }),
  display_name: orNull(Type.String()),
  purpose: orNull(Type.String()),
  created_at: Type.String({ description: 'ISO 8601: the beginning of the genesis tick.' }),
  head: Type.Intersect([
    head,
    Type.Object({ tick: tick({ description: 'Node tick of the last entry.' }), state_hash: orNull(hex64()) }),
  ]),
  role: oneOf(['none', 'viewer', 'operator', 'admin', 'owner'], { description: 'What the caller is to it.' }),
  owner_zid: orNull(Type.String(), { description: 'For members.' }),
  shared: orNull(Type.Boolean(), { description: 'For members: whether a share token is out.' }),
  updated_at: orNull(Type.String(), { description: 'For members.' }),
})

const blockMembers = {
  id: Type.String({ description: '`<slug>:<seq>`.' }),
  originId: Type.String(),
  seq: count({ description: 'Number in the chain, from 0.' }),
  tickNumber: tick(),
  stateHash: hex64({ description: "The entry's hash, which the next one names." }),
  prevHash: hex64({ description: 'Hash of the entry before it; of the first one, the genesis hash.' }),
  transitionType: Type.String(),
  transitionId: Type.String({ description: 'UUID (version 8) made of the hash.' }),
  createdAt: Type.String({ description: 'ISO 8601: the beginning of its tick.' }),
  body: anything({ description: 'What the entry says; `sealed` members open to the owner alone.' }),
}
export const block = Type.Object(blockMembers)
export const snapshot = Type.Object({
  ...blockMembers,
  size: count({ description: 'Entries up to here.' }),
  state_hash: orNull(hex64(), { description: 'The latest state snapshot.' }),
  status: oneOf(statuses),
})

export const entry = Type.Object(
  {
    seq: count(),
    previous: hex64(),
    tick: tick(),
    type: Type.String(),
    body: anything(),
  },
  { description: 'The hashed form: digest(`tickmesh/entry/1`, entry).' },
)

export const entryProof = orNull(
  Type.Object({
    head,
    path: Type.Array(hex64()),
    head_index: count(),
    head_path: Type.Array(hex64()),
    checkpoint: Type.String({ description: 'C2SP signed note.' }),
  }),
  { description: 'Null until the tick of the entry is sealed.' },
)

export const recorded = Type.Object({
  ok: Type.Boolean(),
  slug: Type.String(),
  seq: count(),
  tickNumber: tick(),
  transitionId: Type.String(),
  transitionType: Type.String(),
  hash: hex64(),
  prevHash: hex64(),
})

/** A node tick of a query. */
export const atTick = (description: string) => integer({ minimum: 0, description })

/** `limit` of a list. */
export const limit = (most: number = PAGE_ROWS_MAX) =>
  Type.Optional(
    integer({ minimum: 1, maximum: most, default: PAGE_ROWS_DEFAULT, description: 'Rows at most; 50 unless said.' }),
  )
/** `after` of a chain's page. */
export const afterSeq = () => Type.Optional(count({ description: 'Number of the last entry that the caller has.' }))
/** The filter by name. */
export const eventName = () =>
  Type.Optional(text(64, { minLength: 1, description: 'Only events of this name, or entries of this type.' }))

/** Counts by name. */
export const tally = (description: string) => Type.Record(Type.String(), count(), { description })
