import Type from 'typebox'
import { count, finite, hex64, meshTick, model, nodeId, orNull, tick, tokenId } from '#core/schema.ts'
import type { View } from '#core/view.ts'

/** What the explorer answers: the node looking at itself. */

const words = (description: string) => Type.String({ description })

const kernelNote = model('KernelNote', {
  notice: words('What a sealed result is.'),
  url: words('Path of the kernel metadata.'),
  prompt: words('Path of the kernel prompt.'),
  markdown: words('Path of the kernel prompt in Markdown.'),
  version: words('Kernel version.'),
  protocol: Type.Array(Type.String(), { minItems: 7, maxItems: 7, description: 'The seven protocol strings.' }),
})
/** The block that every pulse carries: what a caller must know to compute here. */
export type KernelNote = View<typeof kernelNote>

/** The pulse payload, with the names the interface document gives. */
export const pulse = model('Pulse', {
  protocol: words('Name of this payload.'),
  doctrine: words('What the modulation does and does not do.'),
  genesisAt: words('Genesis of this node, ISO 8601.'),
  sinceGenesis: tick(),
  tick: tick(),
  phase: finite({ minimum: 0, maximum: 1, description: 'How far into the tick, 0 to 1.' }),
  genesisTick: meshTick({ description: 'Mesh tick of the genesis.' }),
  genesisUnixMs: count({ description: 'Genesis in Unix milliseconds.' }),
  clockSource: words('Which clock is read.'),
  R_t: finite({ description: 'Modulation at this phase, for S = 1.' }),
  fieldStrength: finite({ description: 'R_t − S: how far the modulation stands from its mean.' }),
  timeToNextTick: finite({ minimum: 0, description: 'Seconds to the next tick.' }),
  pulseHz: finite({ description: 'Pulse frequency in Hz, a caption.' }),
  tickSec: finite({ description: 'Tick period in seconds, a caption: use tick_ns for arithmetic.' }),
  alpha: finite({ description: 'Modulation amplitude.' }),
  precision: finite({ description: 'Precision bound in percent.' }),
  timestamp: words('ISO 8601.'),
  modulation: words('The formula of the modulation.'),
  tick_ns: count({ description: 'Tick period in nanoseconds, exact.' }),
  mesh_tick: meshTick(),
  _kernel: kernelNote,
})
export type PulseView = View<typeof pulse>

const check = model('ReadinessCheck', { name: Type.String(), ok: Type.Boolean(), detail: Type.String() })
/** One check of readiness. */
export type Check = View<typeof check>

/** Every check of readiness. */
export const readiness = model('Readiness', {
  ok: Type.Boolean({ description: 'Whether every check passed.' }),
  checks: Type.Array(check),
})
export type Readiness = View<typeof readiness>

const checkpoint = model('Checkpoint', {
  size: count({ description: 'Leaves under the checkpoint.' }),
  root: words('Merkle root, hex.'),
  tick: tick(),
  cosignatures: count({ description: 'Cosignatures of witnesses.' }),
  note: words('C2SP signed note.'),
})
export type CheckpointView = View<typeof checkpoint>

/** The seal log as it stands. */
export const logState = model('LogState', {
  origin: words('Name of the log.'),
  leaves: count({ description: 'Durable leaves.' }),
  checkpoint: orNull(checkpoint, { description: 'The newest checkpoint; null before the first.' }),
})
export type LogStateView = View<typeof logState>

const clockJump = model('ClockJump', { tick: tick({ description: 'Node tick before it.' }), step_ns: Type.String() })
/** A forward step of the wall clock that was followed: ticks in between are missing for ever. */
export type ClockJumpView = View<typeof clockJump>

/** What the node is and does, for people and monitors. */
export const nodeStatus = model('NodeStatus', {
  node: nodeId(),
  version: words('Release.'),
  build: words('Digest of what the node was built from.'),
  kernel_version: Type.String(),
  registry_version: Type.String(),
  state: Type.Enum(['starting', 'running', 'stopping']),
  tick: tick(),
  mesh_tick: meshTick(),
  phase: finite({ minimum: 0, maximum: 1 }),
  uptime_seconds: finite({ minimum: 0 }),
  node_version: words('Version of the JavaScript runtime.'),
  platform: Type.String(),
  rss_bytes: count({ description: 'Resident memory.' }),
  storage: Type.Object({
    used_bytes: count({ description: 'What the data directory takes on disk, counted at most every ten seconds.' }),
    parts: Type.Object({
      database: count({ description: 'Receipts, machines, logs, accounts.' }),
      backups: count({ description: 'Archives from before upgrades, to be removed by hand when they are not needed.' }),
      other: count({ description: 'Keys, settings, and whatever else was put there.' }),
    }),
    free_bytes: count({ description: 'Free where it lies.' }),
    disk_bytes: count({ description: 'The whole disk where it lies; the rest is others’.' }),
    growth: Type.Object(
      {
        channels: count({ description: 'Open channels that tick by themselves.' }),
        ticks_per_day: finite({ minimum: 0, description: 'Ticks of theirs that are due in a day.' }),
        bytes_per_tick: count({ description: 'What a sealed tick takes on disk.' }),
        measured: Type.Boolean({
          description: 'Whether this store says so; false for one that is small yet: a guess.',
        }),
        bytes_per_day: count({ description: 'What those ticks take in a day.' }),
        days: orNull(finite({ minimum: 0 }), { description: 'How long `free_bytes` last; null when none ticks.' }),
      },
      { description: 'What channels that tick by themselves write, and how long the disk lasts if they go on.' },
    ),
  }),
  clock_jumps: Type.Array(clockJump, {
    description: 'Forward steps of the wall clock that were followed since the start, newest last.',
  }),
  peers: count({ description: 'Peers connected.' }),
  endpoints: count({ description: 'Rows of the manifest.' }),
  log: logState,
})
export type NodeStatus = View<typeof nodeStatus>

/** Landauer's bound for what this node erased, beside what the machine measured. */
export const landauer = model('Landauer', {
  bits_erased: count({ description: 'Eight times the bytes hashed and written by this process, counted.' }),
  temperature_kelvin: finite(),
  joules_per_bit: finite({ description: 'k_B·T·ln 2.' }),
  bound_joules: finite({ description: 'Least energy that erasing those bits takes.' }),
  measured_joules: orNull(finite(), {
    description: 'Energy of the processor packages since start; null where unknown.',
  }),
  measured_from: orNull(Type.String()),
  since: words('ISO 8601.'),
})
export type Landauer = View<typeof landauer>

/** A physical or service constant. */
export const constant = model('Constant', {
  key: Type.String(),
  value: finite(),
  unit: Type.String({ description: 'Unit; 1 for a number.' }),
  name: Type.String(),
  source: Type.String(),
  exact: Type.Boolean({ description: 'Exact by definition.' }),
  uncertainty: finite({ minimum: 0, description: 'Standard uncertainty in the same unit; 0 where exact.' }),
})
export type ConstantView = View<typeof constant>

const manifestRow = model('ManifestRow', {
  id: Type.String(),
  method: Type.String(),
  path: Type.String(),
  domain: Type.String(),
  tier: Type.Enum(['computation', 'machine-control']),
  auth: Type.Enum(['none', 'optional', 'bearer', 'handshake', 'signed-link', 'stream-session']),
  summary: Type.String(),
  alias_of: orNull(Type.String(), { description: 'The route this legacy path is a twin of.' }),
})
export type ManifestRow = View<typeof manifestRow>

/** What this node answers. */
export const manifest = model('Manifest', {
  version: words('Version of the interface.'),
  count: count({ description: 'Rows shown.' }),
  domains: Type.Array(Type.Object({ slug: Type.String(), count: count() })),
  tiers: Type.Object({ computation: count(), 'machine-control': count() }),
  endpoints: Type.Array(manifestRow),
})
export type Manifest = View<typeof manifest>

const ofLog = {
  log: words('Name of the log, as its checkpoints say it.'),
  era: count({ description: 'Era of the log: `/log/seal.<era>/` has its tiles for ever.' }),
  size: count({ description: 'Leaves under the newest checkpoint: no other is shown.' }),
}

/** A leaf, and what it holds as far as the caller may know. */
export const logLeaf = model('LogLeaf', {
  index: count({ description: 'Place in the log, from 0.' }),
  hash: hex64({ description: 'Leaf hash (RFC 6962).' }),
  tick: tick({ description: 'Node tick that the leaf belongs to.' }),
  type: orNull(Type.String(), {
    description: 'What it is (`envelope`, `ledger`, `tick`, `event`, …); null where this caller may not know.',
  }),
  kind: orNull(Type.String(), {
    description: 'Solver of an envelope, kind of an event; null where unknown or neither.',
  }),
  token_id: orNull(tokenId(), { description: 'Of an envelope that this caller may see, or that is in the record.' }),
})
export type LogLeaf = View<typeof logLeaf>

/** Leaves, newest first. */
export const logLeafPage = model('LogLeafPage', {
  ...ofLog,
  leaves: Type.Array(logLeaf, { description: 'Newest first.' }),
  next: orNull(count(), { description: '`before` of the next page; null on the last one.' }),
})
export type LogLeafPage = View<typeof logLeafPage>

const logCheckpoint = model('LogCheckpoint', {
  size: count({ description: 'Leaves under the checkpoint.' }),
  root: hex64({ description: 'Merkle root.' }),
  tick: tick({ description: 'Node tick that its last leaf ends.' }),
  made_tick: tick({ description: 'Node tick in which it was signed.' }),
  late: Type.Boolean({ description: 'Whether it was signed later than on the boundary of its tick.' }),
  note: words('The C2SP signed note, with the lines of its witnesses.'),
})

/** Checkpoints, newest first. */
export const logCheckpointPage = model('LogCheckpointPage', {
  ...ofLog,
  checkpoints: Type.Array(logCheckpoint, { description: 'Newest first.' }),
  next: orNull(count(), { description: '`before` of the next page; null on the last one.' }),
})
export type LogCheckpointPage = View<typeof logCheckpointPage>
