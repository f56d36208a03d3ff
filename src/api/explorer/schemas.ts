import Type from 'typebox'
import { closed, count, finite, meshTick, nodeId, orNull, tick } from '#core/schema.ts'

/** Schemas that several endpoints of the explorer share. */

const words = (description: string) => Type.String({ description })

export const nothing = closed({})

const kernelNote = Type.Object({
  notice: words('What a sealed result is.'),
  url: words('Path of the kernel metadata.'),
  prompt: words('Path of the kernel prompt.'),
  markdown: words('Path of the kernel prompt in Markdown.'),
  version: words('Kernel version.'),
  protocol: Type.Array(Type.String(), { minItems: 7, maxItems: 7, description: 'The seven protocol strings.' }),
})

export const pulse = Type.Object({
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

export const checks = Type.Object({
  ok: Type.Boolean({ description: 'Whether every check passed.' }),
  checks: Type.Array(Type.Object({ name: Type.String(), ok: Type.Boolean(), detail: Type.String() })),
})

export const logState = Type.Object({
  origin: words('Name of the log.'),
  leaves: count({ description: 'Durable leaves.' }),
  checkpoint: orNull(
    Type.Object({
      size: count({ description: 'Leaves under the checkpoint.' }),
      root: words('Merkle root, hex.'),
      tick: tick(),
      cosignatures: count({ description: 'Cosignatures of witnesses.' }),
      note: words('C2SP signed note.'),
    }),
    { description: 'The newest checkpoint; null before the first.' },
  ),
})

export const status = Type.Object({
  ok: Type.Boolean(),
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
  clock_jumps: Type.Array(
    Type.Object({ tick: tick({ description: 'Node tick before it.' }), step_ns: Type.String() }),
    {
      description: 'Forward steps of the wall clock that were followed since the start, newest last.',
    },
  ),
  peers: count({ description: 'Peers connected.' }),
  endpoints: count({ description: 'Rows of the manifest.' }),
  log: logState,
})

export const landauer = Type.Object({
  ok: Type.Boolean(),
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

export const manifestRow = Type.Object({
  id: Type.String(),
  method: Type.String(),
  path: Type.String(),
  domain: Type.String(),
  tier: Type.Enum(['computation', 'machine-control']),
  auth: Type.Enum(['none', 'optional', 'bearer', 'handshake']),
  summary: Type.String(),
  alias_of: orNull(Type.String(), { description: 'The route this legacy path is a twin of.' }),
})

export const manifest = Type.Object({
  ok: Type.Boolean(),
  version: words('Version of the interface.'),
  count: count({ description: 'Rows shown.' }),
  domains: Type.Array(Type.Object({ slug: Type.String(), count: count() })),
  tiers: Type.Object({ computation: count(), 'machine-control': count() }),
  endpoints: Type.Array(manifestRow),
})

/** `ok: true` in front of what a service answers. */
export const withOk = <T extends object>(it: T): T & { ok: boolean } => ({ ok: true, ...it })
