import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import { logName } from '#core/ids.ts'
import { signValue } from '#core/keys.ts'
import { tokenEvidenceOf } from '#core/token/evidence.ts'
import type { TokenPlace } from '#core/token/list.ts'
import { signReceipt, type TokenReceipt, type TokenReceiptFile } from '#core/token/receipt.ts'
import type { TokenStepName } from '#core/token/verify.ts'
import { GENESIS, sealLog, user, witness } from './sample.ts'
import { APPLIED_AT, type Ordered, opOver, ordered, placesAt, sequence, signed, taker, told } from './token-sample.ts'

const [transfer, lock, , , , redeem] = sequence as readonly [Ordered, Ordered, Ordered, Ordered, Ordered, Ordered]
const files = told(sequence).map(({ file }) => file)
const [good, second] = files as [TokenReceiptFile, TokenReceiptFile]
const list = good.list as readonly TokenPlace[]

/** The file of an op that a dishonest home applied all the same: everything but the rule in question holds. */
const applied = (op: Ordered, changed?: (receipt: TokenReceipt) => object): TokenReceiptFile =>
  told([op], changed)[0]?.file as TokenReceiptFile

const asIf = (changes: object): Ordered => {
  const op = opOver(transfer.packed, { op: 'transfer', to: taker.zid, until: null }, changes)
  return { ...signed(user, op), packed: transfer.packed }
}

const foreign = logName(witness.node, GENESIS)
const late = { valid_to: APPLIED_AT - 1 }
const otherSeed = { receipt_signature: signReceipt(witness.seed, good.receipt) }
const { ref: _, ...unlabelled } = { ref: '', ...lock.op }
const redeemed = files[5] as TokenReceiptFile
const wrongPurpose = signValue(taker.seed, purposes.bearer, transfer.op as unknown as Json)

/** Files that no verifier takes, with the step that refuses. */
export const refusedFiles: readonly (readonly [TokenStepName, string, object])[] = [
  ['form', 'an unknown version', { ...good, v: 2 }],
  ['form', 'a member that nothing binds', { ...good, memo: 'for the rent' }],
  ['form', 'a transfer with the end of a lock', { ...good, op: { ...good.op, until: GENESIS + 100 } }],
  ['form', 'a lock that says not what for', { ...second, op: unlabelled }],
  ['form', 'a list without tokens', { ...good, list: [] }],
  ['form', 'a proof that is none', { ...good, proof: 'no proof' }],
  ['op', 'another key', { ...good, public_key: toHex(taker.publicKey) }],
  ['op', 'the purpose of a redeem', { ...good, public_key: toHex(taker.publicKey), signature: wrongPurpose }],
  ['op', 'redeemed for somebody else', { ...redeemed, op: { ...redeem.op, to: taker.zid } }],
  ['list', 'a wrong root', applied(asIf({ tokens_root: lock.op.tokens_root }))],
  ['list', 'another spend_seq', { ...good, list: list.with(0, { ...(list[0] as TokenPlace), spend_seq: 1 }) }],
  ['list', 'a repeated token', { ...good, list: list.with(1, list[0] as TokenPlace) }],
  ['list', 'a reordered list', { ...good, list: list.toReversed() }],
  ['list', 'a token less', { ...good, list: list.slice(1) }],
  ['applied', 'of another op', { ...good, receipt: second.receipt, receipt_signature: second.receipt_signature }],
  ['applied', 'another recipient', applied(transfer, () => ({ to: user.zid }))],
  ['applied', 'another digest', applied(transfer, () => ({ op_digest: '00'.repeat(32) }))],
  ['applied', 'expired: applied after valid_to', applied(asIf(late))],
  ['applied', 'signed for a tick too far ahead', applied(transfer, () => ({ mesh_tick: APPLIED_AT - 122 }))],
  ['applied', 'valid for too long', applied(asIf({ valid_to: GENESIS + 50 + 9_010 }))],
  ['signature', 'signed by a node that it does not name', { ...good, ...otherSeed }],
  ['signature', 'another weight than was signed', { ...good, receipt: { ...good.receipt, weight: 16 } }],
  ['home', 'a foreign home', applied(asIf({ home: foreign }))],
  ['key', 'the proof of another log', { ...good, proof: good.proof?.replaceAll(sealLog, `${sealLog}0`) }],
  ['checkpoint', 'a tree that nobody signed', { ...good, proof: good.proof?.replace('\n9\n', '\n8\n') }],
  ['inclusion', 'the proof of another leaf', { ...good, proof: second.proof }],
  ['inclusion', 'another leaf than the proof', applied(transfer, () => ({ index: 2 }))],
]

const held = (op: Ordered, changed?: (receipt: TokenReceipt) => object) => {
  const { op: its, public_key, signature, receipt, receipt_signature } = applied(op, changed)
  return { op: its, public_key, signature, receipt, receipt_signature, list: op.packed }
}

/** A transfer of two of the tokens at the count that `transfer` took: what a home must answer SUPERSEDED. */
export const twice = ordered(user, placesAt(0, 1, 3), { op: 'transfer', to: user.zid, until: null })

const evidenceOf = (one: ReturnType<typeof held>, other: ReturnType<typeof held>) => {
  const evidence = tokenEvidenceOf(one, other)
  if (evidence === undefined) throw new Error('the sample is no evidence')
  return evidence
}

/** Two receipts that take one token twice, and what looks like it. */
export const evidenceCases = () => {
  const [one, other] = [held(transfer), held(twice)]
  const evidence = evidenceOf(one, other)
  const [a, b] = evidence.receipts as [(typeof evidence.receipts)[0], (typeof evidence.receipts)[0]]
  const again = evidenceOf(
    one,
    held(transfer, () => ({ index: 9 })),
  )
  const strange = held(asIf({ home: foreign }))
  const later = ordered(user, placesAt(1, 1, 3), { op: 'transfer', to: user.zid, until: null })
  const { receipt, receipt_signature } = held(later)
  const { list: _list, ...loose } = strange
  return {
    proven: [
      { why: 'two ops take one token at one spend_seq', evidence },
      { why: 'one op is applied at two leaves', evidence: again },
    ],
    refused: [
      { why: 'one op at one leaf', evidence: { ...evidence, receipts: [a, a] } },
      { why: 'the other order', evidence: { ...evidence, receipts: [b, a] } },
      { why: 'another token', evidence: { ...evidence, token_id: twice.op.tokens_root.slice(0, 32) } },
      { why: 'another spend_seq', evidence: { ...evidence, spend_seq: 1 } },
      { why: 'a place that the token does not have', evidence: { ...evidence, receipts: [{ ...a, index: 4 }, b] } },
      {
        why: 'the op came later, at the next spend_seq',
        evidence: {
          ...evidence,
          receipts: [a, { ...b, op: later.op, signature: later.signature, receipt, receipt_signature }],
        },
      },
      {
        why: 'a receipt that the home did not sign',
        evidence: { ...evidence, receipts: [a, { ...b, receipt_signature: a.receipt_signature }] },
      },
      {
        why: 'a receipt of another home',
        evidence: { ...evidence, receipts: [{ ...loose, index: a.index, path: a.path }, b] },
      },
    ],
  }
}
