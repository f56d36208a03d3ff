import Type from 'typebox'
import { count, hex64, integer, json, model, oneOf, orNull, tick, zid } from '#core/schema.ts'
import type { View } from '#core/view.ts'

/** What machines answer: the machine itself, its chain, its figures, its members and keys, its anchors. */

export const statuses = ['active', 'paused', 'archived'] as const
export const roles = ['admin', 'operator', 'viewer'] as const
export const scopes = ['read', 'write', 'admin'] as const
export const tiers = ['standard', 'low'] as const
export const anchorPolicies = ['nobody', 'members', 'anyone'] as const

const status = () => oneOf(statuses)

const head = model(
  'MachineHead',
  {
    id_hash: hex64(),
    seq: count({ description: 'Number of the last entry.' }),
    hash: hex64({ description: 'Hash of the last entry.' }),
    size: count({ description: "Leaves of the machine's tree." }),
    root: hex64({ description: 'Root of that tree.' }),
  },
  { description: 'What the log of the node says of the machine in every tick in which it moved.' },
)

/** A machine as it is shown; what only its members may know is null to others. */
export const machine = model('Machine', {
  id: Type.String({ description: 'UUID.' }),
  slug: Type.String(),
  parent_origin: Type.String(),
  origin_id: Type.String({ description: '`<parent_origin>:<slug>`.' }),
  is_public: Type.Boolean(),
  status: status(),
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
export type MachineView = View<typeof machine>

/** A machine that was spun up. */
export const createdMachine = model('CreatedMachine', {
  machine,
  api_key: Type.String({ description: 'Scope admin; shown only here.' }),
  key_id: Type.String(),
})
export type CreatedMachine = View<typeof createdMachine>

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
  body: json({ description: 'What the entry says; `sealed` members open to the owner alone.' }),
}
/** An entry as it is shown. */
export const block = model('Block', blockMembers)
export type BlockRow = View<typeof block>

const entry = Type.Object(
  {
    seq: count(),
    previous: hex64(),
    tick: tick(),
    type: Type.String(),
    body: json(),
  },
  { description: 'The hashed form: digest(`tickmesh/entry/1`, entry).' },
)

const entryProof = orNull(
  Type.Object({
    head,
    path: Type.Array(hex64()),
    head_index: count(),
    head_path: Type.Array(hex64()),
    checkpoint: Type.String({ description: 'C2SP signed note.' }),
  }),
  { description: 'Null until the tick of the entry is sealed.' },
)

/** One entry with its proof. */
export const provedBlock = model('ProvedBlock', { block, entry, proof: entryProof })
export type ProvedBlock = View<typeof provedBlock>

/** Where a machine stood after one entry. */
export const moment = model('Moment', {
  snapshot: Type.Object({
    ...blockMembers,
    size: count({ description: 'Entries up to here.' }),
    state_hash: orNull(hex64(), { description: 'The latest state snapshot.' }),
    status: status(),
  }),
})
export type MomentView = View<typeof moment>

const nextAfter = () => orNull(count(), { description: 'Where the next page begins; null at the end.' })

/** A page of a chain, for explorers. */
export const chainPage = model('ChainPage', {
  version: integer({ description: 'Version of this answer.' }),
  slug: Type.String(),
  rows: Type.Array(block),
  next_after: nextAfter(),
})
export type ChainPage = View<typeof chainPage>

/** A page of a machine's feed, for its members. */
export const eventPage = model('EventPage', { slug: Type.String(), events: Type.Array(block), next_after: nextAfter() })
export type EventPage = View<typeof eventPage>

/** The latest state snapshot and the head of the chain. */
export const machineState = model('MachineState', {
  slug: Type.String(),
  status: status(),
  state_hash: orNull(Type.String()),
  head,
  tick: tick({ description: 'Node tick of the last entry.' }),
})
export type MachineState = View<typeof machineState>

/** How long a chain is, how old, and how lively. */
export const stats = model('Stats', {
  slug: Type.String(),
  status: status(),
  genesis_tick: tick(),
  last_tick: tick(),
  age_ticks: count(),
  entries: count(),
  entries_in_window: count({ description: 'Entries in the last ticks.' }),
  window_ticks: count(),
})
export type Stats = View<typeof stats>

/** Counts by name. */
const tally = (description: string) => Type.Record(Type.String(), count(), { description })

/** What the newest entries are. */
export const analytics = model('Analytics', {
  slug: Type.String(),
  entries: count(),
  window: count({ description: 'Entries that were looked at.' }),
  first_tick: tick(),
  last_tick: tick(),
  ticks_moved: count({ description: 'Ticks in which the machine moved.' }),
  by_type: tally('Entries by type.'),
  by_event: tally('Events by name.'),
})
export type Analytics = View<typeof analytics>

/** Where the newest entries came from. */
export const sources = model('Sources', {
  slug: Type.String(),
  window: count({ description: 'Entries that were looked at.' }),
  by_source: tally('Entries by source.'),
  connections: tally('Connections by direction.'),
})
export type Sources = View<typeof sources>

/** What hashing a range again found. */
export const validation = model('Validation', {
  valid: Type.Boolean(),
  count: count({ description: 'Entries that were hashed.' }),
  broken_at: orNull(tick(), { description: 'Node tick of the first bad entry.' }),
  genesis_tick: tick(),
  message: orNull(Type.String()),
})
export type Validation = View<typeof validation>

/** A recorded entry, as its writer is told. */
export const recorded = model('Recorded', {
  slug: Type.String(),
  seq: count(),
  tickNumber: tick(),
  transitionId: Type.String(),
  transitionType: Type.String(),
  hash: hex64(),
  prevHash: hex64(),
})
export type RecordedView = View<typeof recorded>

/** Who has which role. */
export const member = model('Member', {
  zid: zid(),
  role: oneOf([...roles, 'owner']),
  added_tick: tick(),
  by_share: Type.Boolean({ description: 'Whether a share token let it in; it falls with the share.' }),
})
export type MemberView = View<typeof member>

/** A key of a machine as a list shows it: never its value. */
export const machineKey = model('MachineKey', {
  id: Type.String({ description: "First 16 digits of the key's SHA-256." }),
  name: Type.String(),
  scope: oneOf(scopes),
  rate_limit_tier: oneOf(tiers),
  created_tick: tick(),
  expires_at: orNull(Type.String()),
  revoked: Type.Boolean(),
})
export type KeyView = View<typeof machineKey>

/** A key of a machine, shown once. */
export const createdMachineKey = model('CreatedMachineKey', {
  ...machineKey.properties,
  api_key: Type.String({ description: 'Shown only here.' }),
})
export type CreatedMachineKey = View<typeof createdMachineKey>

/** A share token, shown once. */
export const shareToken = model('ShareToken', { share_token: Type.String({ description: 'Shown only here.' }) })
export type ShareToken = View<typeof shareToken>

/** What a share token made of its holder. */
export const unlocked = model('Unlocked', { slug: Type.String(), role: oneOf([...roles, 'owner', 'none']) })
export type Unlocked = View<typeof unlocked>

/** Opened members of a range. */
export const opened = model('Opened', {
  slug: Type.String(),
  entries: Type.Array(
    Type.Object({
      seq: count(),
      tick: tick(),
      type: Type.String(),
      members: json({ description: 'Null when their key was destroyed.' }),
    }),
  ),
  audit_seq: count({ description: 'Number of the entry that says so.' }),
})
export type Opened = View<typeof opened>

/** Where a machine anchors, and whom it lets anchor in itself. */
export const anchorConfig = model('AnchorConfig', {
  slug: Type.String(),
  mother: orNull(Type.String(), { description: 'Where this machine anchors.' }),
  accepts: oneOf(anchorPolicies, { description: 'Who may anchor in this one.' }),
  key_id: Type.String({ description: 'Names the key that makes its pseudonyms.' }),
  every_ticks: count({ description: 'Mesh ticks between two looks: it anchors by itself when its head has moved.' }),
  next_mesh_tick: orNull(count(), { description: 'When it is looked at next; null while nothing anchors by itself.' }),
  refused: Type.Boolean({ description: 'Whether the mother refused the latest one.' }),
})
export type AnchorConfig = View<typeof anchorConfig>

/** One pseudonym that anchors in a machine. */
export const anchoring = model('Anchoring', {
  pseudonym: Type.String(),
  anchors: count(),
  first_tick: tick(),
  last_tick: tick(),
})
export type Anchoring = View<typeof anchoring>

/** One anchor. */
export const anchor = model('Anchor', {
  seq: count(),
  tick: tick(),
  pseudonym: Type.String(),
  head: hex64({ description: 'digest(`tickmesh/head/1`, head): who has the head can open it.' }),
})
export type AnchorItem = View<typeof anchor>

/** A line of a public feed. */
export const feedItem = Type.Intersect([Type.Object({ slug: Type.String() }), block], { title: 'FeedItem' })
export type FeedItem = View<typeof feedItem>

/** A machine and how often it moved. */
export const activeMachine = model('ActiveMachine', { transitions: count(), machine })
export type ActiveMachine = View<typeof activeMachine>

/** Newest entries of public machines. */
export const recent = model('Recent', { tick: tick(), rows: Type.Array(feedItem) })
export type Recent = View<typeof recent>

/** How many public machines there are, in which status, and how lively. */
export const fleet = model('Fleet', {
  tick: tick(),
  machines: count(),
  active: count(),
  paused: count(),
  archived: count(),
  transitions: count({ description: 'Entries in the last ticks.' }),
  window_ticks: count(),
})
export type Fleet = View<typeof fleet>

/** One page of all public machines. */
export const machinePage = model('MachinePage', {
  machines: Type.Array(machine),
  next_after: orNull(Type.String(), { description: 'Where the next page begins; null at the end.' }),
})
export type MachinePage = View<typeof machinePage>

/** What an offline verification of a machine starts from. */
export const seals = model('Seals', {
  origin: Type.String({ description: 'Name of the log.' }),
  seals: Type.Array(
    Type.Object({
      size: count(),
      root: hex64(),
      tick: tick(),
      late: Type.Boolean(),
      note: Type.String(),
    }),
  ),
})
export type Seals = View<typeof seals>

/** What all answers about a token say of it. */
const token = {
  slug: Type.String(),
  asset: Type.String({ description: '`tally:` and the first 16 digits of the id hash.' }),
  name: Type.String(),
  symbol: Type.String(),
  max_supply: integer({ minimum: 1, description: 'Units that may ever come into being.' }),
}

/** A token that was made. */
export const tokenMade = model('TokenMade', {
  ...token,
  initial: count({ description: "Units that the machine's owner began with." }),
  recorded,
})
export type TokenMade = View<typeof tokenMade>

/** How much of a machine's token there is. */
export const tokenSupply = model('TokenSupply', {
  ...token,
  issued: count({ description: 'Units that ever came into being.' }),
  supply: count({ description: 'Units that accounts hold.' }),
  burned: count({ description: 'Units that are gone: they do not come back.' }),
  remaining: count({ description: 'Units that may still come into being.' }),
  genesis_seq: count({ description: 'Its entry in the chain.' }),
  genesis_tick: tick({ description: 'Node tick of that entry.' }),
})
export type TokenSupply = View<typeof tokenSupply>
