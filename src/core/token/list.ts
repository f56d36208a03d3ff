import { assert } from '#core/assert.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { compactRange, inclusionSteps, leafHash } from '#core/merkle.ts'

/** One token of a list, and the count of its changes that the signer knew of. */
export interface TokenPlace {
  readonly token_id: string
  /** Changes so far: the op makes one more. */
  readonly spend_seq: number
}

/** Bytes of an entry: token id (16), spend_seq (u32, big-endian). They are the data of a leaf under the root. */
export const ENTRY_BYTES = 20
const ID_BYTES = 16
/** Changes of one token. */
export const SPEND_SEQ_MAX = 0xffff_ffff
/** Tokens of one op: what a body of 64 MiB can name. */
export const LIST_TOKENS_MAX = 2_000_000
/** Tokens of one chunk, in which a list travels and is kept. */
export const CHUNK_TOKENS = 4_096
export const CHUNK_BYTES = CHUNK_TOKENS * ENTRY_BYTES

/**
 * The list of an op, packed: entries of {@link ENTRY_BYTES}, ascending by token id, none twice. Sorted by their bytes,
 * so that a token is found by halving, without an index beside it.
 */
export type TokenList = Uint8Array

/** Tokens of a packed list. */
export const countOf = (list: TokenList): number => list.length / ENTRY_BYTES

const entryAt = (list: TokenList, at: number): Uint8Array => list.subarray(at * ENTRY_BYTES, (at + 1) * ENTRY_BYTES)

const seqIn = (entry: Uint8Array): number =>
  new DataView(entry.buffer, entry.byteOffset + ID_BYTES, ENTRY_BYTES - ID_BYTES).getUint32(0)

/** The place that entry `at` of a list means. */
export const placeAt = (list: TokenList, at: number): TokenPlace => {
  const entry = entryAt(list, at)
  return { token_id: toHex(entry.subarray(0, ID_BYTES)), spend_seq: seqIn(entry) }
}

/** The places of a list from `from` up to `to`, or to its end. */
export function* placesOf(list: TokenList, from = 0, to = countOf(list)): Generator<TokenPlace> {
  for (let at = from; at < to; at += 1) yield placeAt(list, at)
}

/** Below, at or above zero as the first bytes of one entry are below, at or above those of another. */
const compareBytes = (a: Uint8Array, b: Uint8Array, bytes: number): number => {
  for (let i = 0; i < bytes; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

const compareIds = (a: Uint8Array, b: Uint8Array): number => compareBytes(a, b, ID_BYTES)

const malformed = (why: string, members: Record<string, string | number> = {}): Fault =>
  new Fault('INVALID_INPUT', why, members)

/** @throws Fault INVALID_INPUT for a token that stands twice or out of its place, naming it. */
const assertAbove = (before: Uint8Array | undefined, entry: Uint8Array): void => {
  if (before === undefined) return
  const difference = compareIds(before, entry)
  if (difference < 0) return
  const token_id = toHex(entry.subarray(0, ID_BYTES))
  if (difference === 0) throw malformed('A token stands twice in the list.', { token_id })
  throw malformed('The list is not in ascending order of its token ids.', { token_id })
}

/**
 * Holds packed bytes against the form of a list: whole entries, ascending, none twice.
 *
 * @throws Fault INVALID_INPUT
 */
export const assertList = (list: TokenList): void => {
  const count = countOf(list)
  if (!Number.isInteger(count) || count < 1 || count > LIST_TOKENS_MAX) {
    throw malformed(`A list has 1 to ${LIST_TOKENS_MAX} tokens.`)
  }
  for (let at = 1; at < count; at += 1) assertAbove(entryAt(list, at - 1), entryAt(list, at))
}

/**
 * Packs places in the order in which they stand.
 *
 * @throws Fault INVALID_INPUT unless they are ascending and none stands twice.
 */
export const packList = (places: readonly TokenPlace[]): TokenList => {
  const list = new Uint8Array(places.length * ENTRY_BYTES)
  const view = new DataView(list.buffer)
  for (const [i, { token_id, spend_seq }] of places.entries()) {
    assert(Number.isInteger(spend_seq) && spend_seq >= 0 && spend_seq <= SPEND_SEQ_MAX, 'a spend_seq is a u32')
    list.set(fromHex(token_id), i * ENTRY_BYTES)
    view.setUint32(i * ENTRY_BYTES + ID_BYTES, spend_seq)
  }
  assertList(list)
  return list
}

/** Packs places in the order of their ids. @throws Fault INVALID_INPUT when a token stands twice. */
export const packSorted = (places: readonly TokenPlace[]): TokenList =>
  packList([...places].sort((a, b) => (a.token_id < b.token_id ? -1 : a.token_id > b.token_id ? 1 : 0)))

/** Places as they are once an op changed their tokens. */
export const changedOnce = (places: Iterable<TokenPlace>): readonly TokenPlace[] =>
  Array.from(places, ({ token_id, spend_seq }) => ({ token_id, spend_seq: spend_seq + 1 }))

/** The place of a token in a list, found by halving; undefined when it is not there. */
export const findIn = (list: TokenList, tokenId: string): TokenPlace | undefined => {
  const id = fromHex(tokenId)
  let [low, high] = [0, countOf(list)]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const difference = compareIds(entryAt(list, middle), id)
    if (difference === 0) return placeAt(list, middle)
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return undefined
}

/** A root that is worked out piece by piece, so that a long list stops nothing else meanwhile. */
export interface RootBuilder {
  /** Takes whole entries in. */
  add(entries: Uint8Array): void
  /** `tokens_root` of all that came, hex. */
  root(): string
}

/** RFC 6962 root over the entries of a list (value.md, Op). */
export const rootBuilder = (): RootBuilder => {
  const range = compactRange()
  return {
    add: (entries) => {
      assert(Number.isInteger(countOf(entries)), 'entries are whole')
      for (let at = 0; at < countOf(entries); at += 1) range.append(leafHash(entryAt(entries, at)))
    },
    root: () => toHex(range.root()),
  }
}

/** `tokens_root` of a list, hex: two hashes for each token. */
export const tokensRoot = (list: TokenList): string => {
  const builder = rootBuilder()
  builder.add(list)
  return builder.root()
}

/** RFC 6962 path of entry `at` under the root of its list, hex, bottom up: as many hashes as the root takes. */
export const pathIn = (list: TokenList, at: number): string[] =>
  inclusionSteps(at, countOf(list)).map(({ from, to }) =>
    tokensRoot(list.subarray(from * ENTRY_BYTES, to * ENTRY_BYTES)),
  )

/** Where two lists have the same token at the same count of changes, the first of all; undefined when nowhere. */
export const sharedIn = (a: TokenList, b: TokenList): { readonly inA: number; readonly inB: number } | undefined => {
  let [inA, inB] = [0, 0]
  while (inA < countOf(a) && inB < countOf(b)) {
    const difference = compareBytes(entryAt(a, inA), entryAt(b, inB), ENTRY_BYTES)
    if (difference === 0) return { inA, inB }
    if (difference < 0) inA += 1
    else inB += 1
  }
  return undefined
}
