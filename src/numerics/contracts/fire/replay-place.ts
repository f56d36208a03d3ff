import { canonical, type Json } from '#core/canonical.ts'
import type { ContractExport } from '#core/contract/export.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import type { ContractStanding } from '#core/contract/standing.ts'
import { digest, purposes } from '#core/digest.ts'
import { readCron, readZoneTable, zoneDigest } from '#numerics/contracts/cron/cron.ts'
import { sameTime } from '#numerics/contracts/cron/renewed.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import type { Definition, WindowRule } from '#numerics/contracts/definition/schema.ts'
import { undecidedFrom } from './dues.ts'
import { type ReadyContract, readyContract } from './ready.ts'
import { beganFrom, type StoodPlace } from './settled.ts'

/** What a row says and what was found instead, of the first member that differs. */
export interface RowDifference {
  readonly no: number
  readonly member: string
  readonly recorded: Json
  readonly found: Json
}

/** Thrown within a replay, and caught by it. */
export class Differs {
  readonly difference: RowDifference

  constructor(difference: RowDifference) {
    this.difference = difference
  }
}

/** Ends a replay. */
export const differs = (
  no: number,
  member: string,
  said: { readonly recorded: unknown; readonly found: unknown },
): never => {
  throw new Differs({ no, member, recorded: (said.recorded ?? null) as Json, found: (said.found ?? null) as Json })
}

/** Ends a replay unless what a row says is what was found. */
export const agree = (no: number, member: string, recorded: unknown, found: unknown): void => {
  if (canonical((recorded ?? null) as Json) !== canonical((found ?? null) as Json))
    differs(no, member, { recorded, found })
}

/** Where a replay stands between two rows. */
export interface ReplayPlace {
  standing: ContractStanding
  version_no: number
  /** Mesh tick in which the version took over. */
  since: number
  /** Where the contract stood before each change since its last fire: one that is under way ends by where it began. */
  readonly stood: (StoodPlace & Pick<ReplayPlace, 'fed'>)[]
  /** Tables that took the place of those that a version pinned, by the version's number and zone. */
  readonly zones: Map<number, Readonly<Record<string, string>>>
  /** The last event of each chain that windows were fed by. */
  fed: ReadonlyMap<string, number>
  readonly ready: Map<string, ReadyContract>
}

/** Where a fire began: where its contract stands, or stood before a change by hand that came while it was under way. */
export const beginningOf = (
  { standing, version_no, fed, stood }: ReplayPlace,
  row: { readonly no: number; readonly version_no: number; readonly from: string; readonly before: string },
): ReplayPlace['stood'][number] => {
  const present = { standing, version_no, fed }
  if (stood.length === 0 && version_no === row.version_no) return present
  const places = [...stood, present]
  const began = beganFrom(places, row) ?? places.findLast((it) => it.version_no === row.version_no)
  return began ?? differs(row.no, 'version_no', { recorded: row.version_no, found: version_no })
}

const tableOf = ({ zones }: ContractExport, no: number, name: string) => {
  const table = Object.hasOwn(zones, name)
    ? readZoneTable(zones[name])
    : differs(no, 'zones', { recorded: name, found: null })
  agree(no, 'zones', name, zoneDigest(table))
  return table
}

/** A version made ready, once: its definition has the digest that it goes by, and its tables those that it pins. */
export const versionOf = (
  file: ContractExport,
  place: ReplayPlace,
  of: { no: number; version_no: number },
): ReadyContract => {
  const { no, version_no } = of
  const version = file.versions.find((it) => it.no === version_no)
  if (version === undefined) return differs(no, 'version_no', { recorded: version_no, found: null })
  const pinned = { ...version.zones, ...place.zones.get(version_no) }
  const key = canonical([version_no, pinned])
  const found = place.ready.get(key)
  if (found !== undefined) return found
  agree(no, 'version', version.version, digest(purposes.contract, version.definition as Json))
  const { contract } = lintContract(version.definition, { cron: (it) => readCron(it).faults[0]?.reason })
  if (contract === undefined || contract.version !== version.version)
    return differs(no, 'definition', { recorded: version.version, found: contract?.version })
  const tables = Object.entries(pinned).map(([zone, name]) => [zone, tableOf(file, no, name)] as const)
  const ready = readyContract({ ...contract, zones: Object.fromEntries(tables) })
  place.ready.set(key, ready)
  return ready
}

const sameRule = (a: WindowRule | undefined, b: WindowRule | undefined): boolean =>
  a !== undefined && b !== undefined && canonical(a as Json) === canonical(b as Json)

/** Windows whose rule is the same go on. */
export const carriedWindows = (
  from: Definition,
  to: Definition,
  windows: ContractStanding['windows'],
): ContractStanding['windows'] =>
  Object.fromEntries(Object.entries(windows).filter(([name]) => sameRule(from.windows[name], to.windows[name])))

/**
 * What a row `changed` does to where a contract stands: state, entry, context, marks and how far chains were heard,
 * where its details say them, the version, and windows of the same rule.
 */
export const changeTo = (
  file: ContractExport,
  place: ReplayPlace,
  row: Extract<FireRow, { outcome: 'changed' }>,
): void => {
  const { no, version_no, details } = row
  const { state, entered, context, marks, seqs } = details as unknown as Partial<ContractStanding> & {
    seqs?: Record<string, number>
  }
  place.fed = new Map([...place.fed, ...Object.entries(seqs ?? {})])
  const before = versionOf(file, place, { no, version_no: place.version_no })
  if (version_no !== place.version_no) place.since = row.mesh_tick
  place.version_no = version_no
  const after = versionOf(file, place, { no, version_no })
  const windows = carriedWindows(before.definition, after.definition, place.standing.windows)
  const said = {
    ...(state && { state }),
    ...(entered && { entered }),
    ...(context && { context }),
    ...(marks && { marks }),
  }
  place.standing = { ...place.standing, windows, ...said }
  if (!after.states.has(place.standing.state)) differs(no, 'state', { recorded: place.standing.state, found: null })
}

/** A row `zone_changed` gives a zone of the present version another table, for later instants than its tick's. */
export const changeZone = (
  file: ContractExport,
  place: ReplayPlace,
  row: Extract<FireRow, { outcome: 'zone_changed' }>,
): void => {
  const { no, zone, before, after, mesh_tick } = row
  const { version_no } = place
  const changed = place.zones.get(version_no)
  const version = file.versions.find((it) => it.no === version_no)
  agree(no, 'before', before, { ...version?.zones, ...changed }[zone])
  const [old, table] = [tableOf(file, no, before), tableOf(file, no, after)]
  agree(no, 'zone', zone, table.zone)
  if (!sameTime(old, table, { from: 0, until: undecidedFrom(mesh_tick) }))
    differs(no, 'after', { recorded: after, found: 'it changes what was before' })
  place.zones.set(version_no, { ...changed, [zone]: after })
}
