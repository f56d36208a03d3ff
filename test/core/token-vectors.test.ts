// Goal: the byte forms of token ops stay: lists, roots, ops, leaves, receipts, states, evidence; and what the vectors
// refuse is refused where they say. Method: the golden file, read as another implementation would read it.
import assert from 'node:assert/strict'
import { fromHex, toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { digest } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { signValue, verifyValue, zidOf } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { fitting } from '#core/schema.ts'
import { moved, type TokenRow } from '#core/token/decide.ts'
import { type TokenEvidence, verifyTokenEvidence } from '#core/token/evidence.ts'
import { assertList, packList, packSorted, placesOf, type TokenPlace, tokensRoot } from '#core/token/list.ts'
import {
  assertSignedOp,
  assertTimely,
  moveLeaf,
  opDigest,
  opPurpose,
  type SignedOp,
  type TokenOp,
  tokenOpKinds,
} from '#core/token/op.ts'
import { receiptOf, signReceipt, type TokenReceiptFile, verifyReceipt } from '#core/token/receipt.ts'
import { type SignedState, signedStateSchema, verifyState } from '#core/token/state.ts'
import { type TokenStepName, verifyTokenReceipt } from '#core/token/verify.ts'
import { readVector } from '../hostile/vectors.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/token vectors')

interface Applied {
  readonly file: TokenReceiptFile
  readonly list_bytes: string
  readonly purpose: string
  readonly op_text: string
  readonly op_digest: string
  readonly leaf: string
  readonly leaf_hash: string
  readonly receipt_text: string
}
interface Decision extends SignedOp {
  readonly why: string
  readonly mesh_tick: number
  readonly rows: readonly TokenRow[]
  readonly list: readonly TokenPlace[]
  readonly after?: readonly object[]
  readonly code?: string
  readonly token_id?: string | null
}
const vectors = readVector<{
  readonly trusted: readonly string[]
  readonly seeds: Readonly<Record<'node' | 'user' | 'taker' | 'package', string>>
  readonly lists: readonly { readonly count: number; readonly tokens_root: string }[]
  readonly bad_lists: readonly { readonly why: string; readonly bytes: string }[]
  readonly applied: readonly Applied[]
  readonly provisional: TokenReceiptFile
  readonly refused: readonly { readonly why: string; readonly failing: TokenStepName; readonly file: object }[]
  readonly evidence: Readonly<
    Record<'proven' | 'refused', readonly { readonly why: string; readonly evidence: TokenEvidence }[]>
  >
  readonly decisions: readonly Decision[]
  readonly state: SignedState
}>('token-op')
const trusted = vectors.trusted[0] as string

test('lists: roots of one token to more than a chunk; no token, one twice, disorder, half an entry are refused', () => {
  for (const { count, tokens_root } of vectors.lists) {
    const places = Array.from({ length: count }, (_, i) => ({
      token_id: i.toString(16).padStart(32, '0'),
      spend_seq: i,
    }))
    assert.equal(tokensRoot(packSorted(places.toReversed())), tokens_root)
  }
  for (const { why, bytes } of vectors.bad_lists) assert.throws(() => assertList(fromHex(bytes)), Fault, why)
  assert.ok(vectors.lists.length >= 6 && vectors.bad_lists.length >= 4)
})

test('each kind of op: list, root, texts, signature, leaf, receipt, and the file verifies under each key', () => {
  assert.deepEqual(new Set(vectors.applied.map(({ file }) => file.op.op)), new Set(tokenOpKinds))
  for (const it of vectors.applied) {
    const { op, list = [], receipt, public_key } = it.file
    const packed = packList(list)
    assert.equal(toHex(packed), it.list_bytes)
    assert.deepEqual([...placesOf(packed)], list)
    assert.deepEqual([tokensRoot(packed), packed.length / 20], [op.tokens_root, op.count])
    assert.equal(it.purpose, op.op === 'redeem' ? 'tickmesh/bearer/1' : 'tickmesh/token-op/1')
    assert.equal(canonical(op as unknown as Json), it.op_text)
    assert.equal(digest(opPurpose(op), op as unknown as Json), it.op_digest)
    assertSignedOp(it.file)
    const seed = Object.values(vectors.seeds).find(
      (seed) => signValue(fromHex(seed), opPurpose(op), op as unknown as Json) === it.file.signature,
    )
    assert.ok(seed !== undefined, 'signed by a key of the vectors')
    assert.equal(toHex(moveLeaf(it.file)), it.leaf)
    assert.equal(new TextDecoder().decode(fromHex(it.leaf)).split('\n')[0], 'tickmesh/token-move/1')
    assert.equal(toHex(leafHash(fromHex(it.leaf))), it.leaf_hash)
    assert.equal(canonical(receipt as unknown as Json), it.receipt_text)
    const { log, index, weight, mesh_tick: meshTick } = receipt
    assert.deepEqual(receiptOf(op, { log, index, weight, meshTick }), receipt)
    assert.equal(signReceipt(fromHex(vectors.seeds.node), receipt), it.file.receipt_signature)
    assert.ok(verifyReceipt(receipt, it.file.receipt_signature))
    for (const key of vectors.trusted) {
      const found = verifyTokenReceipt(it.file, { trusted: key })
      assert.deepEqual([found.outcome, found.steps.length], ['verified', 9], JSON.stringify(found.steps))
    }
    assert.equal(zidOf(fromHex(public_key)).length, 36)
  }
})

test('a receipt without proof is provisional: nothing fails, and what its log holds is unchecked', () => {
  const found = verifyTokenReceipt(vectors.provisional, { trusted })
  assert.deepEqual([found.outcome, found.unchecked], ['unchecked', ['checkpoint', 'inclusion']])
})

test('what is refused is refused at the step that the vectors name', () => {
  for (const { why, failing, file } of vectors.refused) {
    const found = verifyTokenReceipt(file, { trusted })
    assert.equal(found.failing, failing, `${why}: ${JSON.stringify(found.steps)}`)
  }
  assert.ok(vectors.refused.length >= 27)
})

test('evidence convicts the home alone, and what only looks like it convicts nobody', () => {
  const node = trusted.split('/')[1]
  for (const { why, evidence } of vectors.evidence.proven) {
    const proven = verifyTokenEvidence(evidence)
    assert.deepEqual(
      [proven.nodes, proven.token_id, proven.spend_seq],
      [[node], evidence.token_id, evidence.spend_seq],
      why,
    )
  }
  for (const { why, evidence } of vectors.evidence.refused)
    assert.throws(() => verifyTokenEvidence(evidence), Fault, why)
  assert.ok(vectors.evidence.proven.length >= 2 && vectors.evidence.refused.length >= 8)
})

test('decisions of a home: each op is signed, over its list, and what core decides of it is decided so', () => {
  for (const { why, op, list, rows, mesh_tick, code, after, token_id, ...key } of vectors.decisions) {
    assertSignedOp({ op, ...key })
    assert.deepEqual([tokensRoot(packList(list)), list.length], [op.tokens_root, op.count], why)
    assert.deepEqual(
      rows.map((row) => row.token_id),
      list.map((place) => place.token_id),
      why,
    )
    const timely = (): void => assertTimely(op, mesh_tick)
    if (code === 'OP_EXPIRED') assert.throws(timely, (thrown) => thrown instanceof Fault && thrown.code === code, why)
    else timely()
    const current = list.every((place, i) => place.spend_seq === rows[i]?.spend_seq)
    if (after !== undefined) assert.ok(current && after.length === rows.length, why)
    else assert.ok(code === 'OP_EXPIRED' || list.some((place) => place.token_id === token_id), why)
  }
  const codes = new Set(vectors.decisions.flatMap(({ code }) => code ?? []))
  assert.deepEqual(codes, new Set(['SUPERSEDED', 'ENVELOPE_LOCKED', 'SOULBOUND', 'OP_EXPIRED']))
})

/** What a home decides of an op: its ticks first, then token by token. */
const decided = ({ op, public_key, list, rows, mesh_tick }: Decision): object => {
  const speaksFor = (owner: string): boolean => owner === zidOf(fromHex(public_key))
  const context = { publicKey: public_key, speaksFor, meshTick: mesh_tick }
  try {
    assertTimely(op, mesh_tick)
    return { after: list.map((place, i) => moved(rows[i], place, { op, context })) }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    return { code: thrown.code, token_id: thrown.details['token_id'] ?? null }
  }
}

test('decisions of a home are those of the vectors, row by row', () => {
  for (const decision of vectors.decisions) {
    const { why, after, code, token_id } = decision
    assert.deepEqual(decided(decision), after === undefined ? { code, token_id } : { after }, why)
  }
})

test('the state of tokens is signed by the node whose log it names', () => {
  fitting(signedStateSchema, vectors.state)
  assert.ok(verifyState(vectors.state))
  const { state, signature } = vectors.state
  assert.ok(
    verifyValue(fromHex(vectors.trusted[1] as string), 'tickmesh/token-state/1', state as unknown as Json, signature),
  )
  const altered = { ...state, mesh_tick: state.mesh_tick + 1 }
  assert.equal(verifyState({ state: altered, signature }), false)
})

test('an op names its package key or owner, and what it does not have is not signed along', () => {
  const [first] = vectors.applied as readonly [Applied]
  const unnamed = { ...first.file.op, ref: 'vote:x' } as unknown as TokenOp
  assert.notEqual(opDigest(unnamed), first.op_digest)
  assert.equal(verifyTokenReceipt({ ...first.file, op: unnamed }, { trusted }).failing, 'form')
})

test.run()
