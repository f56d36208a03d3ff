import { Level } from 'level'
import { type Row, SEPARATOR, type TableName, tables } from './layout.ts'
import { databaseKey, decodeRow, encodeRow } from './rows.ts'
import type { RangeOptions } from './store.ts'

/** Bytes of blocks that LevelDB keeps in memory. */
const CACHE_BYTES = 32 * 1_048_576

/** One row written or removed. */
export type Change =
  | { readonly table: TableName; readonly key: string; readonly row: Row<TableName> }
  | { readonly table: TableName; readonly key: string; readonly row: undefined }

/** Typed tables over one LevelDB. */
export interface Database extends AsyncDisposable {
  get<N extends TableName>(table: N, key: string): Promise<Row<N> | undefined>
  getMany<N extends TableName>(table: N, keys: readonly string[]): Promise<readonly (Row<N> | undefined)[]>
  peek<N extends TableName>(table: N, key: string): Row<N> | undefined
  range<N extends TableName>(table: N, options?: RangeOptions): AsyncIterable<readonly [string, Row<N>]>
  /** Every row as it is stored, in order of its key. */
  raw(): AsyncIterable<readonly [string, Uint8Array]>
  /** All changes or none, on disk when it resolves. */
  write(changes: readonly Change[]): Promise<void>
}

const bounds = (table: TableName, options: RangeOptions): Record<string, unknown> => {
  const at = (key: string): string => databaseKey(table, key)
  const { gt, gte, lt, lte, reverse, limit } = options
  return {
    ...(gt === undefined ? { gte: at(gte ?? '') } : { gt: at(gt) }),
    // The character after the separator ends the prefix.
    ...(lte === undefined ? { lt: lt === undefined ? `${tables[table].prefix}0` : at(lt) } : { lte: at(lte) }),
    ...(reverse === undefined ? {} : { reverse }),
    ...(limit === undefined ? {} : { limit }),
  }
}

/** @param create whether a database is made where there is none. */
export const openDatabase = async (directory: string, create: boolean): Promise<Database> => {
  const level = new Level<string, Uint8Array>(directory, {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
    cacheSize: CACHE_BYTES,
    createIfMissing: create,
    // Uncompressed blocks can be checked without another library, and results compress badly anyway.
    compression: false,
  })
  await level.open()

  const decode = <N extends TableName>(table: N, key: string, stored: Uint8Array | undefined): Row<N> | undefined =>
    stored === undefined ? undefined : decodeRow(table, key, stored)

  async function* range<N extends TableName>(
    table: N,
    options: RangeOptions = {},
  ): AsyncGenerator<readonly [string, Row<N>]> {
    const cut = tables[table].prefix.length + SEPARATOR.length
    for await (const [full, stored] of level.iterator(bounds(table, options))) {
      const key = full.slice(cut)
      yield [key, decodeRow(table, key, stored)]
    }
  }

  return {
    get: async (table, key) => decode(table, key, await level.get(databaseKey(table, key))),
    getMany: async (table, keys) => {
      const found = await level.getMany(keys.map((key) => databaseKey(table, key)))
      return keys.map((key, i) => decode(table, key, found[i]))
    },
    peek: (table, key) => decode(table, key, level.getSync(databaseKey(table, key))),
    range,
    raw: () => level.iterator(),
    write: (changes) =>
      level.batch(
        changes.map(({ table, key, row }) =>
          row === undefined
            ? { type: 'del' as const, key: databaseKey(table, key) }
            : { type: 'put' as const, key: databaseKey(table, key), value: encodeRow(table, key, row) },
        ),
        { sync: true },
      ),
    [Symbol.asyncDispose]: () => level.close(),
  }
}
