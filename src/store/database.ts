import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Level } from 'level'
import { createFirstKeys } from './first-keys.ts'
import { SEPARATOR } from './key-parts.ts'
import { type Row, type Rows, type TableName, tables } from './layout.ts'
import { keepLogNames, syncDirectory } from './names.ts'
import { createRowCache } from './row-cache.ts'
import type { CountOptions, RangeOptions, RowReader } from './row-reader.ts'
import { databaseKey, decodeRow, encodeRowShared } from './rows.ts'

/** Bytes of blocks that LevelDB keeps in memory. */
const CACHE_BYTES = 8 * 1_048_576

/** Bytes of rows that a range without a limit reads ahead. */
const RANGE_BYTES = 131_072
/** Keys that are counted at once. */
const COUNTED_KEYS_MAX = 8_192
/** Bytes of rows that a snapshot reads ahead. */
const SNAPSHOT_BYTES = 1_048_576
/** Rows of one chunk of a snapshot. */
const SNAPSHOT_ROWS_MAX = 4_096
/** Bytes that a sink keeps before it writes a table: fewer and larger files. */
const SINK_BUFFER_BYTES = 32 * 1_048_576

/** One row written or removed. */
export interface Change {
  readonly table: TableName
  readonly key: string
  readonly row: Row<TableName> | undefined
  /** The database key, of whoever has made it already. */
  readonly full?: string
}

/** A row as it is stored: database key, then sum and body. */
export type RawRow = readonly [Uint8Array, Uint8Array]

/** The database as it was in one moment, while writes go on. It keeps what is overwritten on disk until disposal. */
export interface Snapshot extends AsyncDisposable {
  get<N extends TableName>(table: N, key: string): Promise<Row<N> | undefined>
  getMany<N extends TableName>(table: N, keys: readonly string[]): Promise<readonly (Row<N> | undefined)[]>
  range<N extends TableName>(table: N, options?: RangeOptions): AsyncIterable<readonly [string, Row<N>]>
  /** How many rows there are; none of them is read. */
  count(table: TableName, options?: RangeOptions): Promise<number>
  /** Every row in order of its key, some at a time; {@link SNAPSHOT_BYTES} bound what is in memory. */
  chunks(): AsyncIterable<readonly RawRow[]>
}

/** A database that is being filled, in order of its keys; nothing is sure to be on disk before `finish`. */
export interface RowSink extends AsyncDisposable {
  put(rows: readonly RawRow[]): Promise<void>
  finish(): Promise<void>
}

/** Typed tables over one LevelDB. */
export interface Database extends RowReader<Rows>, AsyncDisposable {
  get<N extends TableName>(table: N, key: string): Promise<Row<N> | undefined>
  getMany<N extends TableName>(table: N, keys: readonly string[]): Promise<readonly (Row<N> | undefined)[]>
  /** Every row as it is stored, in order of its key. */
  raw(): AsyncIterable<readonly [string, Uint8Array]>
  snapshot(): Snapshot
  /** All changes or none, on disk when it resolves. */
  write(changes: readonly Change[]): Promise<void>
}

const prefixLength = (table: TableName): number => tables[table].prefix.length + SEPARATOR.length

const bounds = (table: TableName, options: RangeOptions): Record<string, unknown> => {
  const at = (key: string): string => databaseKey(table, key)
  const { gt, gte, lt, lte, reverse, limit } = options
  return {
    ...(gt === undefined ? { gte: at(gte ?? '') } : { gt: at(gt) }),
    // The character after the separator ends the prefix.
    ...(lte === undefined ? { lt: lt === undefined ? `${tables[table].prefix}0` : at(lt) } : { lte: at(lte) }),
    ...(reverse === undefined ? {} : { reverse }),
    ...(limit === undefined ? { highWaterMarkBytes: RANGE_BYTES } : { limit }),
  }
}

/** Writes changes at once. LevelDB's batch copies each row as it is put. */
const writeAll = async (level: Level<string, Uint8Array>, changes: readonly Change[]) => {
  await using batch = level.batch()
  for (const { table, key, row, full = databaseKey(table, key) } of changes) {
    if (row === undefined) batch.del(full)
    else batch.put(full, encodeRowShared(table, full, row))
  }
  await batch.write({ sync: true })
}

const decode = <N extends TableName>(table: N, key: string, stored: Uint8Array | undefined): Row<N> | undefined =>
  stored === undefined ? undefined : decodeRow(table, key, stored)

/**
 * Makes an empty database whole beside its place, and moves it there: LevelDB names its first manifest before that is
 * on disk, and a power cut between leaves what it refuses to open.
 */
const makeDatabase = async (directory: string): Promise<void> => {
  const aside = `${directory}.new`
  rmSync(aside, { recursive: true, force: true })
  const level = new Level(aside, { compression: false })
  await level.open()
  await level.close()
  syncDirectory(aside)
  renameSync(aside, directory)
  syncDirectory(dirname(directory))
}

const openLevel = async (directory: string, create: boolean): Promise<Level<string, Uint8Array>> => {
  if (create && !existsSync(directory)) await makeDatabase(directory)
  const level = new Level<string, Uint8Array>(directory, {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
    cacheSize: CACHE_BYTES,
    createIfMissing: create,
    // Uncompressed blocks can be checked without another library, and results compress badly anyway.
    compression: false,
  })
  await level.open()
  return level
}

/** The first key of a table. */
const firstKeyOf = async (level: Level<string, Uint8Array>, table: TableName): Promise<string | undefined> => {
  const [full] = await level.keys({ ...bounds(table, {}), limit: 1 }).all()
  return full?.slice(prefixLength(table))
}

type LevelSnapshot = ReturnType<Level<string, Uint8Array>['snapshot']>

/** Counts keys, some at a time. */
const counted = async (
  level: Level<string, Uint8Array>,
  table: TableName,
  options: CountOptions & { readonly snapshot?: LevelSnapshot },
): Promise<number> => {
  const { snapshot } = options
  const keys = level.keys({ ...bounds(table, options), ...(snapshot && { snapshot }) })
  let count = 0
  try {
    for (;;) {
      const some = await keys.nextv(COUNTED_KEYS_MAX)
      if (some.length === 0) return count
      count += some.length
      options.onSome?.(some.length)
    }
  } finally {
    await keys.close()
  }
}

/** @param create whether a database is made where there is none. */
export const openDatabase = async (directory: string, create: boolean): Promise<Database> => {
  const level = await openLevel(directory, create)
  const keepNames = keepLogNames(directory)
  const cache = createRowCache()
  const firstKeys = createFirstKeys()

  /** @param snapshot of whose time the rows are; without, as they are now */
  const range = async function* <N extends TableName>(
    table: N,
    options: RangeOptions = {},
    snapshot?: LevelSnapshot,
  ): AsyncGenerator<readonly [string, Row<N>]> {
    if (snapshot === undefined && firstKeys.isEmpty(table, options)) return
    let onFirst = snapshot === undefined ? firstKeys.look(table, options) : undefined
    const cut = prefixLength(table)
    for await (const [full, stored] of level.iterator({ ...bounds(table, options), ...(snapshot && { snapshot }) })) {
      const key = full.slice(cut)
      onFirst?.(key)
      onFirst = undefined
      yield [key, decodeRow(table, key, stored)]
    }
    // What is due comes later, or nothing does: one look further saves those of all ticks until then.
    if (onFirst !== undefined) onFirst(await firstKeyOf(level, table))
  }

  const many = async <N extends TableName>(table: N, keys: readonly string[], more: object) => {
    const names = keys.map((key) => databaseKey(table, key))
    const found = await level.getMany(names, { ...more })
    return keys.map((key, i) => decode(table, key, found[i]))
  }

  const snapshot = (): Snapshot => {
    const taken = level.snapshot()
    return {
      get: async (table, key) => decode(table, key, await level.get(databaseKey(table, key), { snapshot: taken })),
      getMany: (table, keys) => many(table, keys, { snapshot: taken }),
      range: (table, options) => range(table, options, taken),
      count: (table, options = {}) => counted(level, table, { ...options, snapshot: taken }),
      async *chunks() {
        const how = { keyEncoding: 'view', valueEncoding: 'view', fillCache: false, snapshot: taken } as const
        const rows = level.iterator<Uint8Array, Uint8Array>({ ...how, highWaterMarkBytes: SNAPSHOT_BYTES })
        try {
          for (;;) {
            const chunk = await rows.nextv(SNAPSHOT_ROWS_MAX)
            if (chunk.length === 0) return
            yield chunk
          }
        } finally {
          await rows.close()
        }
      },
      [Symbol.asyncDispose]: () => taken.close(),
    }
  }

  return {
    snapshot,
    get: (table, key) => cache.readLater(table, key, () => level.get(databaseKey(table, key))),
    getMany: (table, keys) => many(table, keys, {}),
    peek: (table, key, full = databaseKey(table, key)) =>
      cache.read(table, key, { full, stored: () => level.getSync(full) }),
    range: (table, options) => range(table, options),
    count: (table, options = {}) => counted(level, table, options),
    raw: () => level.iterator({ highWaterMarkBytes: SNAPSHOT_BYTES, fillCache: false }),
    write: async (changes) => {
      try {
        await writeAll(level, changes)
        keepNames()
      } catch (cause) {
        cache.failed(changes)
        firstKeys.written(changes)
        throw cause
      }
      cache.written(changes)
      firstKeys.written(changes)
    },
    [Symbol.asyncDispose]: () => level.close(),
  }
}

/** Makes a database to be filled. @throws Error when there is one already. */
export const createSink = async (directory: string): Promise<RowSink> => {
  const level = new Level<Uint8Array, Uint8Array>(directory, {
    keyEncoding: 'view',
    valueEncoding: 'view',
    writeBufferSize: SINK_BUFFER_BYTES,
    errorIfExists: true,
    compression: false,
  })
  await level.open()
  let last: RawRow | undefined
  return {
    put: async (rows) => {
      last = rows.at(-1) ?? last
      await level.batch(rows.map(([key, value]) => ({ type: 'put', key, value })))
    },
    finish: async () => {
      // Tables are synced as they are written; what the write-ahead log still holds is synced by a last write.
      if (last !== undefined) await level.put(...last, { sync: true })
    },
    [Symbol.asyncDispose]: () => level.close(),
  }
}
