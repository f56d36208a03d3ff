import Type, { type TSchema } from 'typebox'
import type { Json } from '#core/canonical.ts'
import { type ChainFile, chainFileSchema } from '#core/chain-file.ts'
import { Fault } from '#core/fault.ts'
import { machineIdHash } from '#core/machine.ts'
import {
  closed,
  count,
  finite,
  fitting,
  hex64,
  json,
  meshTick,
  misfit,
  oneOf,
  orNull,
  slug,
  text,
} from '#core/schema.ts'
import { type AttestedSource, attestedSourceSchema } from './attest.ts'
import { contractDigest } from './cause.ts'
import type { FireRow } from './fire-row.ts'

/** Name of the form, in the file itself. */
export const CONTRACT_EXPORT_FORMAT = 'tickmesh/contract-export/1'
/** Bytes of an export's JSON. */
export const CONTRACT_EXPORT_BYTES_MAX = 134_217_728
const VERSIONS_MAX = 100_000
/** Entries of other chains that readings follow from. */
const ATTESTED_MAX = 100_000
const NAME_CHARS_MAX = 255
const REASON_CHARS_MAX = 65_536

const name = () => text(NAME_CHARS_MAX)
const scalar = () => Type.Union([finite(), Type.String(), Type.Boolean(), Type.Null()])
const members = () => Type.Record(Type.String(), scalar())
const hex32 = () => Type.String({ pattern: '^[0-9a-f]{32}$' })
const integer = () => Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })

const cause = Type.Union([
  closed({ trigger: name(), due: integer() }),
  closed({ slug: name(), seq: count() }),
  closed({ trigger: name(), entered: hex64() }),
  closed({ key: name() }),
  closed({ fire: hex64(), action: count() }),
])

const reading = closed({
  oracle: name(),
  value: Type.Optional(scalar()),
  tick: meshTick(),
  source: text(4_096),
  basis: oneOf(['attested', 'node'] as const),
})

const computation = closed({
  ...{ kind: name(), inputs_digest: hex64(), result_digest: hex64(), token_id: orNull(hex32()), bound: members() },
})

const problem = closed({
  reason: name(),
  message: text(REASON_CHARS_MAX),
  path: Type.Optional(text(4_096)),
  position: Type.Optional(count()),
  code: Type.Optional(name()),
})

const placed = { no: count(), tick: count(), mesh_tick: meshTick() }

const decided = closed({
  ...placed,
  ...{ outcome: oneOf(['fired', 'refused', 'failed'] as const), fire: hex64(), cause, by: name() },
  ...{ version_no: count(), version: hex64(), due: orNull(integer()), lateness_ticks: integer(), attempt: count() },
  event: orNull(closed({ name: name(), data: members() })),
  ...{ at: orNull(meshTick()), asked: orNull(name()), heard: Type.Record(Type.String(), integer()) },
  ...{ readings: Type.Array(reading), from: name(), to: name(), steps: Type.Array(name()) },
  ...{ computations: Type.Array(computation), charged: finite(), took_ms: finite(), problem: orNull(problem) },
  ...{ context: members(), before: hex64(), after: hex64(), outbox: count(), seq: orNull(count()) },
})
const passed = closed({
  ...placed,
  ...{ outcome: oneOf(['skipped', 'replaced'] as const), fire: hex64(), cause, due: orNull(integer()), by: name() },
})

/** Forms of rows by their outcome. */
const rowForms: Readonly<Record<FireRow['outcome'], TSchema>> = {
  ...{ fired: decided, refused: decided, failed: decided, skipped: passed, replaced: passed },
  missed: closed({
    ...placed,
    ...{ outcome: Type.Literal('missed'), trigger: name(), from: integer(), to: integer(), count: count() },
    reason: oneOf(['down', 'paused', 'catch-up'] as const),
  }),
  zone_changed: closed({
    ...placed,
    ...{ outcome: Type.Literal('zone_changed'), zone: name(), before: hex64(), after: hex64() },
  }),
  changed: closed({
    ...placed,
    ...{ outcome: Type.Literal('changed'), what: name(), by: name(), version_no: count(), details: json() },
  }),
}

/** Why a row has no form that is known, or undefined where it has: unknown members are refused. */
const rowFault = (row: unknown): string | undefined => {
  const { outcome } = { ...(row as { readonly outcome?: unknown } | null) }
  const known = typeof outcome === 'string' && Object.hasOwn(rowForms, outcome)
  return known ? misfit(rowForms[outcome as FireRow['outcome']], row) : 'A row has an outcome that is known.'
}

const version = closed({
  no: count(),
  version: hex64(),
  definition: json(),
  zones: Type.Record(Type.String(), hex64()),
})

/** An event that windows of the contract heard, opened. */
const heardEvent = closed({
  slug: slug(),
  seq: count(),
  at: meshTick(),
  name: name(),
  data: Type.Record(Type.String(), json()),
})

const form = closed({
  format: Type.Literal(CONTRACT_EXPORT_FORMAT),
  id: hex32(),
  id_hash: hex64(),
  slug: slug(),
  genesis: hex64(),
  versions: Type.Array(version, { minItems: 1, maxItems: VERSIONS_MAX }),
  zones: Type.Record(Type.String(), json()),
  rows: Type.Array(Type.Unknown(), { minItems: 1 }),
  events: Type.Array(heardEvent),
  attested: Type.Optional(Type.Array(attestedSourceSchema, { maxItems: ATTESTED_MAX })),
  chain: orNull(chainFileSchema),
})

/** An event that a contract's windows heard, or could have. */
export interface ExportedEvent {
  readonly slug: string
  readonly seq: number
  /** Mesh tick of its entry. */
  readonly at: number
  readonly name: string
  readonly data: Readonly<Record<string, Json>>
}

/** A version as an export has it. */
export interface ExportedVersion {
  readonly no: number
  readonly version: string
  readonly definition: unknown
  /** Digests of the tables of the zones that it names. */
  readonly zones: Readonly<Record<string, string>>
}

/** A contract with all that it did, from its beginning: what its owner exports, and a stranger decides again. */
export interface ContractExport {
  readonly format: typeof CONTRACT_EXPORT_FORMAT
  readonly id: string
  /** Of the machine that it stands on: id hash, slug and genesis hash. */
  readonly id_hash: string
  readonly slug: string
  readonly genesis: string
  readonly versions: readonly ExportedVersion[]
  /** Tables of zones by their digests. */
  readonly zones: Readonly<Record<string, unknown>>
  /** The whole audit, oldest first. */
  readonly rows: readonly FireRow[]
  /** Events of chains that windows were fed by, each chain's in their order. */
  readonly events: readonly ExportedEvent[]
  /** Entries of chains that readings follow from, each with its proof; what none stands for is the node's word. */
  readonly attested?: readonly AttestedSource[]
  /** The machine's chain up to a sealed head; null where it is not given, and nothing proves the entries. */
  readonly chain: ChainFile | null
}

const refuse = (why: string, path: string): never => {
  throw new Fault('INVALID_INPUT', `${path}: ${why}`, { path })
}

/** An export from elsewhere, its form checked. @throws Fault INVALID_INPUT naming the first member that is wrong */
export const contractExportOf = (value: unknown): ContractExport => {
  const given = fitting(form, value) as unknown as ContractExport
  for (const [i, it] of given.rows.entries()) {
    const why = rowFault(it)
    if (why !== undefined) refuse(why, `/rows/${i}`)
  }
  const { id_hash, slug: machine, genesis, chain } = given
  if (machineIdHash(machine, genesis) !== id_hash) refuse('is not that of slug and genesis', '/id_hash')
  if (chain !== null && (chain.slug !== machine || chain.genesis_hash !== genesis))
    refuse('is of another machine', '/chain')
  return given
}

/** Name of an exported contract in digests. */
export const exportedContract = ({ id_hash, id }: Pick<ContractExport, 'id_hash' | 'id'>): string =>
  contractDigest(id_hash, id)
