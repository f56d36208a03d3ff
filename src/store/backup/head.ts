import { equalBytes, toHex } from '#core/bytes.ts'
import { publicKeyOf } from '#core/keys.ts'
import type { Database } from '#store/database.ts'
import { eraRows, foundedOf, openEras, originsOf } from '#store/eras.ts'
import { under } from '#store/key-parts.ts'
import { type GrowingLog, openLog } from '#store/merkle-log.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import { type LogName, logNames, placeOf } from '#store/rows/log.ts'
import { type ArchiveHead, documentBytes, type LogHead } from './format.ts'
import { BackupRefused, damaged } from './refused.ts'

type Reader = Pick<Database, 'get' | 'range'>

const logsOf = (
  at: { readonly node: string; readonly founded: number },
  states: Readonly<Record<LogName, { readonly size: number; readonly root: string }>>,
  notes: Readonly<Partial<Record<LogName, string>>>,
): readonly LogHead[] => {
  const origins = originsOf(at.node, at.founded)
  return logNames.map((name) => {
    const { size, root } = states[name]
    return { name, origin: origins[name], size, root, note: notes[name] ?? null }
  })
}

/** Whose data these are, and how far their logs go. @throws BackupRefused for no data, or newer ones. */
export const headOf = async (reader: Reader, release: string): Promise<ArchiveHead> => {
  const schema = await reader.get('schema', 'version')
  if (schema !== undefined && schema > SCHEMA) {
    const known = `this release knows up to ${SCHEMA}`
    throw new BackupRefused('BACKUP_NEWER', `the data have schema ${schema}, and ${known}: use a newer one`)
  }
  const genesis = await reader.get('genesis', 'genesis')
  const writer = await reader.get('writer', 'state')
  if (schema === undefined || genesis === undefined || writer === undefined) {
    throw new BackupRefused('BACKUP_EMPTY', 'the database does not hold the first rows of a node')
  }
  const over = await eraRows(reader)
  const notes: Partial<Record<LogName, string>> = {}
  for (const name of logNames) {
    const newest = { ...under(placeOf(name, over.length)), reverse: true, limit: 1 }
    for await (const [, { note }] of reader.range('checkpoint', newest)) notes[name] = note
  }
  const { node, mesh_tick: genesis_mesh_tick } = genesis
  const logs = [
    ...over.flatMap((era) => logsOf(era, era.logs, {})),
    ...logsOf({ node, founded: foundedOf(genesis) }, writer.logs, notes),
  ]
  return { v: 1, release, schema, node, genesis_mesh_tick, last_tick: writer.lastTick, logs }
}

const sameHead = (a: ArchiveHead, b: ArchiveHead): boolean => equalBytes(documentBytes(a), documentBytes(b))

/** The logs of a database by the names in their notes: roots and newest notes are verified as they are opened. */
const openLogs = async (
  database: Database,
  head: ArchiveHead,
): Promise<ReadonlyMap<string, Pick<GrowingLog, 'rootAt'>>> => {
  const eras = await openEras(database, () => 0)
  const found = new Map<string, Pick<GrowingLog, 'rootAt'>>()
  for (const { log, events } of eras) for (const it of [log, events]) found.set(it.origin, it)
  const writer = await database.get('writer', 'state')
  const genesis = await database.get('genesis', 'genesis')
  if (writer === undefined || genesis === undefined) throw damaged('rows', 'the first rows are missing')
  const origins = originsOf(genesis.node, foundedOf(genesis))
  for (const name of logNames) {
    const log = await openLog({
      ...{ database, name: placeOf(name, eras.length), origin: origins[name], publicKey: publicKeyOf(head.node) },
      ...{ state: writer.logs[name], base: 0, ended: false, tick: () => 0 },
    })
    found.set(log.origin, log)
  }
  return found
}

/**
 * Holds a database that came out of an archive against the archive's head, and its logs against their own notes.
 *
 * @returns roots of its logs at smaller sizes. @throws BackupRefused, CorruptRow
 */
export const checkHead = async (
  database: Database,
  head: ArchiveHead,
): Promise<(origin: string, size: number) => Promise<string | undefined>> => {
  const found = await headOf(database, head.release)
  if (!sameHead(found, head)) throw damaged('head', 'it does not say what the rows say')
  const logs = await openLogs(database, head)
  return async (origin, size) => {
    const log = logs.get(origin)
    return log === undefined ? undefined : toHex(await log.rootAt(size))
  }
}

/** How the data of a directory stand to an archive's. */
export type ArchiveStanding =
  | { readonly kind: 'behind' }
  | { readonly kind: 'other' }
  | { readonly kind: 'ahead'; readonly log: LogHead; readonly archived: number }

/**
 * Whether the data that are here are the archive's past. An archive that lacks a leaf of them would, once it is gone on
 * from, sign a second history. Logs of which nothing was signed or written count for nothing.
 */
export const standing = (here: ArchiveHead, archive: ArchiveHead): ArchiveStanding => {
  const archived = new Map(archive.logs.map((it) => [it.origin, it.size]))
  const written = here.logs.filter(({ size }) => size > 0)
  if (written.length > 0 && !here.logs.some(({ origin }) => archived.has(origin))) return { kind: 'other' }
  for (const log of written) {
    const size = archived.get(log.origin) ?? 0
    if (log.size > size) return { kind: 'ahead', log, archived: size }
  }
  return { kind: 'behind' }
}
