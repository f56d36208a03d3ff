import { assert } from '#core/assert.ts'
import { toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { parseCanonical } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import type { MeshEvent } from '#core/events.ts'
import { Fault } from '#core/fault.ts'
import { tokenIdOf } from '#core/ids.ts'
import { entryBundle, leavesUnder, parseTilePath, TILE_HEIGHT, type Tile } from '#core/tiles.ts'
import type { Economy } from '#domain/economy/economy.ts'
import { cosignedNote } from '#store/cosigned.ts'
import type { CheckpointRow } from '#store/rows/log.ts'
import type { Leaf, SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import type { LogCheckpointPage, LogLeaf, LogLeafPage } from './views.ts'

/** What names leaves: one of these, or none for the newest. */
export interface LeafQuery {
  readonly index?: number | undefined
  /** Leaf hash, hex. */
  readonly hash?: string | undefined
  readonly token?: string | undefined
  readonly tick?: number | undefined
  /** Only leaves before this one. */
  readonly before?: number | undefined
  readonly limit: number
}

/** The logs of this node, as far as they are signed. Everything shown stands under a checkpoint. */
export interface Logs {
  /** The newest checkpoint with the lines of its witnesses. @throws Fault NOT_FOUND */
  checkpoint(log: string): string
  /** A tile of hashes or a bundle of entries, by its path behind `tile/`. @throws Fault NOT_FOUND */
  tile(log: string, path: string): Promise<Uint8Array>
  /** Leaves, newest first: whoever may see what one holds is told so. @throws Fault NOT_FOUND, INVALID_INPUT */
  leaves(log: string, query: LeafQuery, caller: Caller): Promise<LogLeafPage>
  /** Checkpoints, newest first, with the lines of their witnesses. @throws Fault NOT_FOUND */
  checkpoints(
    log: string,
    page: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<LogCheckpointPage>
}

interface LogsParts {
  readonly store: Store
  readonly economy: Pick<Economy, 'envelopeSeen'>
}

/** A log of one of this node's eras. */
interface Placed {
  readonly log: SealLog
  /** Counted from 0; the present one has as many before it. */
  readonly era: number
  /** Whether the name stands for the logs of all eras: then look-ups go through them. */
  readonly any: boolean
}

/** `seal` and `events` are the present logs, `seal.0` that of the first era, whether or not it is over. */
const NAME = /^(seal|events)(?:\.(0|[1-9]\d{0,3}))?$/

const logIn = ({ eras, log, events }: Store, name: string, era: number): SealLog | undefined => {
  const at = era === eras.length ? { log, events } : eras[era]
  return name === 'seal' ? at?.log : at?.events
}

/** @throws Fault NOT_FOUND for a name of no log. */
const placed = (store: Store, text: string): Placed => {
  const [, name = '', number] = NAME.exec(text) ?? []
  const era = number === undefined ? store.eras.length : Number(number)
  const log = name === '' ? undefined : logIn(store, name, era)
  if (log === undefined) throw new Fault('NOT_FOUND', 'There is no such log.')
  return { log, era, any: number === undefined }
}

const signedSize = ({ checkpoint }: SealLog): number => checkpoint?.size ?? 0

const isEvents = ({ origin }: SealLog): boolean => origin.startsWith('tickmesh.events/')

const noTile = (): never => {
  throw new Fault('NOT_FOUND', 'There is no such tile.')
}

const hashTile = async (log: SealLog, level: number, { index, width }: Tile): Promise<Uint8Array> => {
  const hashes = await log.hashes(level * TILE_HEIGHT, index * 256, width)
  assert(hashes.length === width, 'a signed tree has all its nodes')
  return Buffer.concat(hashes)
}

const bundle = async (log: SealLog, { index, width }: Tile): Promise<Uint8Array> => {
  const entries: Uint8Array[] = []
  for await (const { data } of log.leaves(index * 256, index * 256 + width)) entries.push(data)
  return entryBundle(entries) ?? noTile()
}

/** Leaves from `from` to `to`, exclusive, of one log. */
interface Stretch {
  readonly log: SealLog
  readonly era: number
  readonly from: number
  readonly to: number
}

const all = ({ log, era }: Pick<Stretch, 'log' | 'era'>): Stretch => ({ log, era, from: 0, to: signedSize(log) })
const nothing = (at: Pick<Stretch, 'log' | 'era'>): Stretch => ({ ...all(at), to: 0 })
const one = ({ log, era }: Pick<Stretch, 'log' | 'era'>, index: number): Stretch => ({
  ...{ log, era, from: index },
  to: Math.min(index + 1, signedSize(log)),
})

/** Leaves before the tick: ticks only grow along a log, so its checkpoints are halved until one is found. */
const sizeBefore = async (log: SealLog, tick: number): Promise<number> => {
  let low = 0
  let high = signedSize(log)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [row] = await log.checkpoints({ above: middle, limit: 1 })
    assert(row !== undefined, 'the newest checkpoint is larger')
    if (row.tick < tick) low = row.size
    else high = middle
  }
  return low
}

/** Where a leaf hash stands: in the log that is named, or in the newest of all eras that has it. */
const byHash = async (store: Store, at: Placed, hash: string): Promise<Stretch> => {
  const name = isEvents(at.log) ? 'events' : 'seal'
  for (let era = at.era; era >= (at.any ? 0 : at.era); era--) {
    const log = logIn(store, name, era)
    const index = await log?.indexOf(hash)
    if (log !== undefined && index !== undefined) return one({ log, era }, index)
  }
  return nothing(at)
}

/** Where the leaf of a token stands, for whoever may know: to anyone else it is nowhere, as one that was never made. */
const byToken = async ({ store, economy }: LogsParts, at: Placed, token: string, caller: Caller): Promise<Stretch> => {
  const row = isEvents(at.log) ? undefined : await economy.envelopeSeen(token, caller)
  if (row === undefined) return nothing(at)
  const { log, index } = store.leafAt(row.index)
  const era = log === store.log ? store.eras.length : store.eras.findIndex((it) => it.log === log)
  return at.any || log === at.log ? one({ log, era }, index) : nothing(at)
}

const stretchOf = async (parts: LogsParts, at: Placed, query: LeafQuery, caller: Caller): Promise<Stretch> => {
  const { index, hash, token, tick } = query
  const names = [index, hash, token, tick].filter((it) => it !== undefined)
  if (names.length > 1) throw new Fault('INVALID_INPUT', 'Leaves are named by one of index, hash, token and tick.')
  if (index !== undefined) return one(at, index)
  if (hash !== undefined) return byHash(parts.store, at, hash)
  if (token !== undefined) return byToken(parts, at, token, caller)
  if (tick === undefined) return all(at)
  return { ...at, from: await sizeBefore(at.log, tick), to: await sizeBefore(at.log, tick + 1) }
}

/** What a leaf holds, for who may know: nothing is said of any other. */
type Held = Pick<LogLeaf, 'type' | 'kind' | 'token_id'>
const unsaid: Held = { type: null, kind: null, token_id: null }

/** The word of a purpose: `tickmesh/machine-head/1` is `machine-head`. */
const wordOf = (purpose: string): string => purpose.split('/')[1] ?? purpose

/** Leaves that say nothing of anybody, or whose content is public elsewhere: ends of ticks, issues, successions. */
const PUBLIC: ReadonlySet<string> = new Set([purposes.tick, purposes.ledger, purposes.succession])

const eventOf = (data: Uint8Array): MeshEvent =>
  parseCanonical(data.subarray(purposes.eventLeaf.length + 1)) as unknown as MeshEvent

const heldIn = async (
  { economy }: LogsParts,
  log: SealLog,
  { index, kind, data }: Leaf,
  caller: Caller,
): Promise<Held> => {
  const type = wordOf(kind)
  if (isEvents(log)) {
    return kind === purposes.eventLeaf ? { ...unsaid, type: 'event', kind: eventOf(data).type } : { ...unsaid, type }
  }
  if (kind === purposes.envelope) {
    const row = await economy.envelopeSeen(tokenIdOf(log.origin, index), caller)
    return row === undefined ? unsaid : { type, kind: row.kind, token_id: row.token_id }
  }
  return PUBLIC.has(kind) || caller.kind === 'owner' ? { ...unsaid, type } : unsaid
}

/** Leaves of a stretch of at most one page, newest first. */
const leavesIn = async (parts: LogsParts, { log, from, to }: Stretch, caller: Caller): Promise<LogLeaf[]> => {
  if (from >= to) return []
  const [hashes, checkpoints] = await Promise.all([
    log.hashes(0, from, to - from),
    log.checkpoints({ above: from, limit: to - from }),
  ])
  const rows: LogLeaf[] = []
  let covering = 0
  for await (const leaf of log.leaves(from, to)) {
    const { index } = leaf
    while ((checkpoints[covering]?.size ?? Number.MAX_SAFE_INTEGER) <= index) covering += 1
    const [hash, under] = [hashes[index - from], checkpoints[covering]]
    assert(hash !== undefined && under !== undefined, 'a signed leaf has its hash and its checkpoint')
    rows.push({ index, hash: toHex(hash), tick: under.tick, ...(await heldIn(parts, log, leaf, caller)) })
  }
  return rows.reverse()
}

/** The logs over the store; who may see an envelope is the economy's to say. */
export const createLogs = (parts: LogsParts): Logs => {
  const { store } = parts
  const noteOf = (log: SealLog, row: CheckpointRow): string => cosignedNote(store, log.name, row)
  return {
    checkpoint: (name) => {
      const { log } = placed(store, name)
      if (log.checkpoint === undefined) throw new Fault('NOT_FOUND', 'Nothing of that log is signed yet.')
      return noteOf(log, log.checkpoint)
    },
    tile: async (name, path) => {
      const { log } = placed(store, name)
      const tile = parseTilePath(path)
      if (tile === undefined || leavesUnder(tile) > signedSize(log)) return noTile()
      if (tile.level !== 'entries') return hashTile(log, tile.level, tile)
      // Leaves of the seal log are private; those of the event log are for everyone.
      return isEvents(log) ? bundle(log, tile) : noTile()
    },
    leaves: async (name, query, caller) => {
      const { log, era, from, to } = await stretchOf(parts, placed(store, name), query, caller)
      const end = Math.max(from, Math.min(to, query.before ?? to))
      const start = Math.max(from, end - query.limit)
      const leaves = await leavesIn(parts, { log, era, from: start, to: end }, caller)
      const next = start > from && leaves.length > 0 ? start : null
      return { log: log.origin, era, size: signedSize(log), leaves, next }
    },
    checkpoints: async (name, { limit, before }) => {
      const { log, era } = placed(store, name)
      const rows = await log.checkpoints({ before, limit })
      const checkpoints = rows.map((row) => ({
        ...{ size: row.size, root: row.root, tick: row.tick, made_tick: row.madeTick, late: row.late },
        note: noteOf(log, row),
      }))
      const next = rows.length < limit ? null : (rows.at(-1)?.size ?? null)
      return { log: log.origin, era, size: signedSize(log), checkpoints, next }
    },
  }
}
