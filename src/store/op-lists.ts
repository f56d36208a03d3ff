import { concat } from '#core/bytes.ts'
import { CHUNK_BYTES, type TokenList } from '#core/token/list.ts'
import { keyOf, seqKey, under } from './key-parts.ts'
import type { RowReader } from './row-reader.ts'

/** Lists of ops, as both tables of them keep them: in chunks under the op's digest. */

/** Of ops that this home applied, and of ops of other homes. */
export type ListTable = 'moveList' | 'awayList'

type Lists = { readonly [N in ListTable]: Uint8Array }

/** Chunks of a list, in their order. */
export function* chunksOf(list: TokenList): Generator<Uint8Array> {
  for (let at = 0; at < list.length; at += CHUNK_BYTES) yield list.subarray(at, at + CHUNK_BYTES)
}

/** Key of a chunk. */
export const chunkKey = (digest: string, at: number): string => keyOf(digest, seqKey(at))

/** The list of an op; empty where there is none. */
export const readList = async (
  { range }: Pick<RowReader<Lists>, 'range'>,
  table: ListTable,
  digest: string,
): Promise<TokenList> => {
  const chunks: Uint8Array[] = []
  for await (const [, chunk] of range(table, under(digest))) chunks.push(chunk)
  return concat(...chunks)
}

/** Keeps the list of an op. */
export const putList = (
  put: (table: ListTable, key: string, chunk: Uint8Array) => void,
  table: ListTable,
  { digest, list }: { readonly digest: string; readonly list: TokenList },
): void => {
  for (const [at, chunk] of [...chunksOf(list)].entries()) put(table, chunkKey(digest, at), chunk)
}
