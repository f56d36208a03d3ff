import { assert } from '#core/assert.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import { parseCanonical } from '#core/canonical.ts'
import type { Claim } from '#core/claim.ts'
import { purposes } from '#core/digest.ts'
import { hiddenDigest } from '#core/envelope.ts'
import { leafHash } from '#core/merkle.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import { folderKey, PUBLISHED } from './book.ts'
import type { RecordPage } from './views.ts'

/** What an envelope's leaf says. */
interface ReadLeaf {
  readonly claim: Claim
  /** Leaf hash, hex. */
  readonly hash: string
}

/** The log gives the same bytes again while it keeps them, and they never change. */
const leavesRead = new WeakMap<Uint8Array, ReadLeaf>()

/** The claim in an envelope's leaf, and the leaf's hash. */
export const readLeaf = (leaf: Uint8Array): ReadLeaf => {
  const known = leavesRead.get(leaf)
  if (known !== undefined) return known
  const { claim } = parseCanonical(leaf.subarray(purposes.envelope.length + 1)) as unknown as { readonly claim: Claim }
  const read = { claim, hash: toHex(leafHash(leaf)) }
  leavesRead.set(leaf, read)
  return read
}

const recordOf = async (store: Store, row: EnvelopeRow): Promise<RecordPage['records'][number]> => {
  const { log, index } = store.leafAt(row.index)
  const leaf = await log.leaf(index)
  assert(leaf !== undefined, 'an envelope has its leaf')
  const { claim, hash } = readLeaf(leaf)
  const nonce = fromHex(claim.nonce)
  const { state } = await log.stateOf(index)
  return {
    token_id: row.token_id,
    hash,
    index,
    tick: row.tick,
    phase: row.phase,
    kind: row.kind,
    operators: row.operators,
    face_value: row.face,
    funding: row.funding,
    precisionActual: row.precision_actual,
    inputs_digest: hiddenDigest(nonce, claim.inputs_digest),
    result_digest: hiddenDigest(nonce, claim.result_digest),
    state,
  }
}

/** Published computations, newest first: digests hidden under the claim's nonce, never inputs, results or owners. */
export const createRecord =
  (store: Store) =>
  async ({ limit, offset }: { readonly limit: number; readonly offset: number }): Promise<RecordPage> => {
    const rows: EnvelopeRow[] = []
    let position = 0
    for await (const [, token] of store.range('envelopePublished', { reverse: true, limit: offset + limit })) {
      const row = position >= offset ? await store.get('envelope', token) : undefined
      if (row !== undefined) rows.push(row)
      position += 1
    }
    const total = (await store.get('folder', folderKey(PUBLISHED, ''))) ?? 0
    return { total, limit, offset, records: await Promise.all(rows.map((row) => recordOf(store, row))) }
  }
