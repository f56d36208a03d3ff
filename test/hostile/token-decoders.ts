import assert from 'node:assert/strict'
import { equalBytes, fromHex, toHex, utf8 } from '#core/bytes.ts'
import { canonical, canonicalBytes, type Json } from '#core/canonical.ts'
import { parseJson } from '#core/json.ts'
import { parseNote } from '#core/note.ts'
import { fitting } from '#core/schema.ts'
import { parseTlogProof } from '#core/tlog-proof.ts'
import { verifyTokenEvidence, verifyTokenProof } from '#core/token/evidence.ts'
import { assertList, packList, placesOf, tokensRoot } from '#core/token/list.ts'
import { assertSignedOp, type SignedOp, signedOpSchema } from '#core/token/op.ts'
import { orderOf } from '#core/token/order.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import { type SignedState, signedStateSchema, verifyState } from '#core/token/state.ts'
import { verifyTokenReceipt } from '#core/token/verify.ts'
import { keyOf, passOn } from '../domain/network/succession-kit.ts'
import { spentTwice } from '../domain/network/twice-kit.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import { type Random, seeded } from '../kit/random.ts'
import type { Decoder } from './fuzz.ts'
import { readVector } from './vectors.ts'

/** Decoders of what moves tokens: lists as bytes; ops, receipts, states and evidence as JSON of any spelling. */

const DOCUMENT_BYTES_MAX = 1_048_576
/** One shaped input in so many, where each costs signatures. */
const SHAPED_SELDOM = 40

const vectors = readVector<{
  readonly trusted: readonly string[]
  readonly applied: readonly { readonly file: TokenReceiptFile; readonly list_bytes: string }[]
  readonly evidence: { readonly proven: readonly { readonly evidence: Json }[] }
  readonly state: SignedState
}>('token-op')
const [trusted = ''] = vectors.trusted
const files = vectors.applied.map((it) => it.file)

const leafChanged =
  (documents: readonly Json[]) =>
  (random: Random): Uint8Array => {
    const document = random.pick(documents)
    const [path, old] = random.pick(leavesOf(document))
    return canonicalBytes(replaced(document, path, altered(old)) as Json)
  }

const tokenList: Decoder = {
  name: 'list of tokens',
  corpus: vectors.applied.map((it) => fromHex(it.list_bytes)),
  words: ['\u0000'.repeat(20), '\u0000\u0000\u0000\u0001', '\u007f'.repeat(16)],
  decode(input) {
    assertList(input)
    assert(equalBytes(packList([...placesOf(input)]), input), 'two spellings of one list')
    assert.equal(tokensRoot(input).length, 64)
    return true
  },
}

const order = (index: number): Json => {
  const { op, list = [] } = files[index] as TokenReceiptFile
  const { tokens_root: _, count: __, ...rest } = op
  return { ...rest, list } as unknown as Json
}
const orders = files.map((_, i) => order(i))
const SIGNED_AT = (files[0] as TokenReceiptFile).op.mesh_tick

const writtenOp: Decoder = {
  name: 'op that was written down',
  corpus: [...orders.map(canonicalBytes), utf8(JSON.stringify(orders[0], undefined, 2))],
  words: ['"list":[', '"spend_seq":', '"until":null', '"ref":"', '"op":"redeem"', '"to":"zid1', '"count":1'],
  shaped: leafChanged(orders),
  decode(input) {
    const { op, list } = orderOf(parseJson(input, DOCUMENT_BYTES_MAX), SIGNED_AT)
    const packed = packList(list)
    assert.deepEqual([op.tokens_root, op.count], [tokensRoot(packed), list.length])
    assert(op.until === null || op.op === 'lock' || op.op === 'bearer', 'an end of no lock')
    return true
  },
}

const signedOps = files.map(({ op, public_key, signature }) => ({ op, public_key, signature }) as unknown as Json)
const signedTexts = new Set(signedOps.map(canonical))

const signedOp: Decoder = {
  name: 'signed op',
  corpus: signedOps.map(canonicalBytes),
  words: ['"op":{', '"public_key":"', '"signature":"', '"ref":"vote:', '"until":null', `01${'00'.repeat(31)}`],
  shaped: leafChanged(signedOps),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const signed = fitting(signedOpSchema, parseJson(input, DOCUMENT_BYTES_MAX)) as SignedOp
    assertSignedOp(signed)
    assert(signedTexts.has(canonical(signed as unknown as Json)), 'a forged op')
    return true
  },
}

/** What a verified receipt binds: all of it but the spelling of its proof and lines of keys that nobody knows. */
const boundOf = ({ proof, ...rest }: TokenReceiptFile): string => {
  const { index, path, checkpoint } = parseTlogProof(proof ?? '')
  return canonical({ ...rest, index, path: path.map(toHex), text: parseNote(checkpoint).text } as unknown as Json)
}
const boundTexts = new Set(files.map(boundOf))

const receiptFile: Decoder = {
  name: 'receipt of a token',
  corpus: files.map((it) => canonicalBytes(it as unknown as Json)),
  words: ['"proof":null', '"list":[', '"receipt":{', '"kind":"token-receipt"', '"home":"tickmesh.log/', '\\n', '"v":2'],
  shaped: leafChanged(files as unknown as readonly Json[]),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const file = parseJson(input, DOCUMENT_BYTES_MAX) as unknown as TokenReceiptFile
    const { outcome } = verifyTokenReceipt(file, { trusted })
    if (outcome !== 'verified') return false
    const { list, ...rest } = file
    assert(list !== undefined && boundTexts.has(boundOf({ ...rest, list })), 'a forged receipt')
    return true
  },
}

const proven = vectors.evidence.proven.map((it) => it.evidence)
const provenTexts = new Set(proven.map(canonical))

const evidence: Decoder = {
  name: 'evidence of a token spent twice',
  corpus: proven.map(canonicalBytes),
  words: ['"receipts":[', '"path":[]', '"index":', '"spend_seq":1', '"token_id":"'],
  shaped: leafChanged(proven),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const value = parseJson(input, DOCUMENT_BYTES_MAX)
    verifyTokenEvidence(value)
    assert(provenTexts.has(canonical(value)), 'forged evidence')
    return true
  },
}

const [home, heir] = [keyOf(seeded()), keyOf(seeded(1))]
const byHeir = spentTwice(seeded(), { home: home.seed, by: heir.seed, successions: [passOn(home, heir)] })
const proofs = [...proven.map((it) => ({ ...(it as object), successions: [] })), byHeir] as unknown as readonly Json[]
const proofTexts = new Set(proofs.map(canonical))

const proof: Decoder = {
  name: 'evidence of a token spent twice, as all nodes are told',
  corpus: proofs.map(canonicalBytes),
  words: ['"receipts":[', '"successions":[', '"path":[]', '"old_node":"', '"index":', '"token_id":"'],
  shaped: leafChanged(proofs),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const value = parseJson(input, DOCUMENT_BYTES_MAX)
    verifyTokenProof(value)
    assert(proofTexts.has(canonical(value)), 'forged evidence')
    return true
  },
}

const state = vectors.state as unknown as Json

const tokenState: Decoder = {
  name: 'state of tokens',
  corpus: [canonicalBytes(state)],
  words: ['"tokens":[', '"lock":null', '"soulbound":true', '"until":'],
  shaped: leafChanged([state]),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const signed = fitting(signedStateSchema, parseJson(input, DOCUMENT_BYTES_MAX)) as SignedState
    if (!verifyState(signed)) return false
    assert.equal(canonical(signed as unknown as Json), canonical(state), 'a forged state')
    return true
  },
}

export const tokenDecoders: readonly Decoder[] = [
  ...[tokenList, writtenOp, signedOp, receiptFile],
  ...[evidence, proof, tokenState],
]
