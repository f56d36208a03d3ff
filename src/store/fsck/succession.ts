import { equalBytes, utf8 } from '#core/bytes.ts'
import { type Json, parseCanonical } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import { type MeshEvent, verifyEvent } from '#core/events.ts'
import { type ProvenSuccession, successionLeaf } from '#core/succession.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { eraRows, foundedOf, originsOf } from '#store/eras.ts'
import { seqKey } from '#store/key-parts.ts'
import type { Rows, TableName } from '#store/layout.ts'
import type { GenesisRow, WriterRow } from '#store/rows/basis.ts'
import { assertProven, type EraRow } from '#store/rows/era.ts'
import { type LogName, leafKey, placeOf } from '#store/rows/log.ts'
import type { LogCheck } from './logs.ts'
import type { Fsck } from './report.ts'

const refuse = (table: TableName, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** One era as it is checked: the present one too. */
export interface CheckedEra {
  readonly node: string
  /** Leaves in the seal logs of the eras before. */
  readonly base: number
  check(log: LogName): Omit<LogCheck, 'onLeaf'>
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The last leaf of an event log, or the first, is the event that tells of the succession. */
const checkEvent = (
  leaf: Uint8Array | undefined,
  key: string,
  said: { node: string; proven: ProvenSuccession },
): void => {
  const begin = utf8(`${purposes.eventLeaf}\n`)
  if (leaf === undefined || !equalBytes(leaf.subarray(0, begin.length), begin)) {
    return refuse('leaf', key, 'it is no event, and should tell of the succession')
  }
  const event = parseCanonical(leaf.subarray(begin.length)) as unknown as MeshEvent
  const { events: _, ...proven } = event.payload as unknown as ProvenSuccession & { readonly events: Json }
  const { path, ...rest } = said.proven
  const tells = event.type === 'succession' && event.sourceNodeId === said.node && verifyEvent(event)
  if (!tells || !same(sorted(proven), sorted({ ...rest, path }))) refuse('leaf', key, 'it tells of another succession')
}

/** Members in one order: a row keeps the order in which it was made, an event that of its canonical form. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value) || value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  )
}

/** What passed an era on is the last leaf of both its logs, and names who came next. */
const checkSuccession = (
  { database }: Fsck<Rows>,
  row: EraRow,
  { number, next }: { readonly number: number; readonly next: string },
): void => {
  const key = seqKey(number)
  const { succession: proven, logs, node, founded } = row
  if (proven === null) return
  assertProven('era', key, proven)
  const { old_node, new_node, origin, size } = proven.succession
  const fits = old_node === node && new_node === next && origin === originsOf(node, founded).seal
  if (!fits || size !== logs.seal.size - 1)
    refuse('era', key, 'the succession is of another log, or names another node')
  const at = leafKey(placeOf('seal', number), size)
  const leaf = database.peek('leaf', at)
  if (leaf === undefined || !equalBytes(leaf, successionLeaf(proven.succession))) {
    refuse('leaf', at, 'it is not the succession that ended the log')
  }
  const last = leafKey(placeOf('events', number), logs.events.size - 1)
  checkEvent(database.peek('leaf', last), last, { node, proven })
  const first = leafKey(placeOf('events', number + 1), 0)
  checkEvent(database.peek('leaf', first), first, { node: new_node, proven })
}

/** All eras, the present one last; each that is over is held against what it was passed on by. */
export const checkEras = async (
  fsck: Fsck<Rows>,
  genesis: GenesisRow,
  writer: WriterRow,
): Promise<readonly CheckedEra[]> => {
  const rows = await eraRows(fsck.database)
  const eras: CheckedEra[] = []
  const names = new Set<string>()
  let base = 0
  const add = (node: string, founded: number, at: Pick<LogCheck, 'era'> & Pick<WriterRow, 'logs'>): void => {
    const number = eras.length
    const origins = originsOf(node, founded)
    if (names.has(origins.seal)) refuse('era', seqKey(number), 'two eras have logs of one name')
    names.add(origins.seal)
    const { era, logs } = at
    const check = (log: LogName): Omit<LogCheck, 'onLeaf'> => {
      return { log, name: placeOf(log, number), origin: origins[log], node, state: logs[log], era }
    }
    eras.push({ node, base, check })
    base += logs.seal.size
  }
  for (const [number, row] of rows.entries()) {
    fsck.step('logs')
    const { node, founded, logs, succession } = row
    add(node, founded, { era: succession === null ? 'left' : 'succeeded', logs })
    checkSuccession(fsck, row, { number, next: rows[number + 1]?.node ?? genesis.node })
  }
  add(genesis.node, foundedOf(genesis), { era: 'present', logs: writer.logs })
  return eras
}

/** Key of the leaf with a serial number. */
export const leafKeyIn =
  (eras: readonly CheckedEra[]) =>
  (serial: number): string => {
    const number = eras.findLastIndex((it) => it.base <= serial)
    return leafKey(placeOf('seal', Math.max(0, number)), serial - (eras[number]?.base ?? 0))
  }
