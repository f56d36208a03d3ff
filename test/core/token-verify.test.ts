// Goal: a receipt that verifies is the one that owner and home signed, to the last member; what a key, a policy or a
// succession says decides; and evidence convicts whoever signed two receipts and nobody else. Method: the receipts of
// the golden vectors with every value of them altered; homes and successors of our own; a list beside the file.
import assert from 'node:assert/strict'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { logName } from '#core/ids.ts'
import { signValue } from '#core/keys.ts'
import { inclusionProof, leafHash, rootFrom } from '#core/merkle.ts'
import { cosignatureLine, ED25519_COSIGNATURE, encodeVkey, verifierOf } from '#core/note.ts'
import { parsePolicy } from '#core/policy.ts'
import { type ProvenSuccession, type Succession, successionLeaf, verifySuccession } from '#core/succession.ts'
import { encodeTlogProof, parseTlogProof } from '#core/tlog-proof.ts'
import { type HeldReceipt, tokenEvidenceOf, verifyTokenEvidence } from '#core/token/evidence.ts'
import { packList, placesOf } from '#core/token/list.ts'
import { assertSignedOp, assertTimely, moveLeaf, OP_AHEAD_TICKS_MAX, OP_VALID_TICKS_MAX } from '#core/token/op.ts'
import { orderOf, signOp, VALID_TICKS_DEFAULT } from '#core/token/order.ts'
import { receiptOf, signReceipt, type TokenReceiptFile } from '#core/token/receipt.ts'
import { lockAt } from '#core/token/state.ts'
import { isTokenReceipt, verifyTokenReceipt } from '#core/token/verify.ts'
import { GENESIS, node, partyOf, sealLog, treeOf, user, witness } from '../../scripts/vectors/sample.ts'
import {
  APPLIED_AT,
  type Ordered,
  ordered,
  type Party,
  placesAt,
  sequence,
  taker,
  told,
} from '../../scripts/vectors/token-sample.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/token verify')
const files = told(sequence).map(({ file }) => file)
const good = files[0] as TokenReceiptFile
const transfer = sequence[0] as Ordered
const trusted = node.node
const code = (work: () => unknown): string | undefined => {
  try {
    work()
    return undefined
  } catch (thrown) {
    assert.ok(thrown instanceof Fault, String(thrown))
    return thrown.code
  }
}
const judged = (file: unknown, trust: Parameters<typeof verifyTokenReceipt>[1] = { trusted }) => {
  const { outcome, failing, unchecked } = verifyTokenReceipt(file, trust)
  return failing ?? (unchecked.length > 0 ? unchecked.join() : outcome)
}

test('every value of a receipt is bound: one altered anywhere and it no longer verifies', () => {
  for (const file of files) {
    const { proof, ...rest } = file
    for (const [path, old] of leavesOf(rest)) {
      const found = judged({ ...(replaced(rest, path, altered(old)) as object), proof })
      assert.notEqual(found, 'verified', path.join('.'))
    }
    const { index, path, checkpoint } = parseTlogProof(proof as string)
    for (const other of [
      { index: index + 1, path, checkpoint },
      { index, path: path.slice(1), checkpoint },
      { index, path: path.with(0, leafHash(Uint8Array.of(1))), checkpoint },
    ]) {
      assert.equal(judged({ ...file, proof: encodeTlogProof(other) }), 'inclusion')
    }
  }
  for (const value of [undefined, null, 1, 'x', [], {}, { kind: 'token-receipt' }]) assert.equal(judged(value), 'form')
  assert.deepEqual([good, {}, null, 'token-receipt'].map(isTokenReceipt), [true, false, false, false])
})

test('without a key it is unchecked whose receipt it is; another key fails; a witness key says nothing', () => {
  assert.equal(judged(good, {}), 'key')
  assert.equal(verifyTokenReceipt(good).outcome, 'unchecked')
  assert.equal(judged(good, { trusted: witness.node }), 'key')
  assert.equal(verifyTokenReceipt(good, { trusted: witness.node }).outcome, 'failed')
  const provisional = { ...good, proof: null }
  assert.equal(judged(provisional), 'checkpoint,inclusion')
  assert.equal(judged(provisional, { trusted: witness.node }), 'key')
  assert.equal(verifyTokenReceipt(provisional, { trusted: witness.node }).outcome, 'failed')
  const log = encodeVkey(verifierOf(`${sealLog}1`, node.publicKey))
  assert.equal(judged(provisional, { trusted: log }), 'key', 'another log of the node')
})

test('a list too long for the file stands beside it; without any the tokens are unchecked', () => {
  const { list: _, ...bare } = good
  assert.equal(judged(bare), 'list')
  assert.equal(verifyTokenReceipt(bare, { trusted }).outcome, 'unchecked')
  assert.equal(judged(bare, { trusted, list: transfer.packed }), 'verified')
  for (const list of [transfer.packed.subarray(20), transfer.packed.subarray(1), new Uint8Array()]) {
    assert.equal(judged(bare, { trusted, list }), 'list')
    assert.equal(verifyTokenReceipt(bare, { trusted, list }).outcome, 'failed')
  }
})

test('a policy asks for its witnesses, and of a provisional receipt that is open', () => {
  const cosigner = verifierOf('witness.example/w', witness.publicKey, ED25519_COSIGNATURE)
  const policy = parsePolicy(
    utf8(`log ${encodeVkey(verifierOf(sealLog, node.publicKey))}\nwitness w ${encodeVkey(cosigner)}\nquorum w\n`),
  )
  assert.equal(judged(good, { policy }), 'quorum')
  const { index, path, checkpoint } = parseTlogProof(good.proof as string)
  const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1)
  const cosigned = `${checkpoint}${cosignatureLine(text, cosigner, witness.seed, 1_794_874_000)}`
  assert.equal(
    judged({ ...good, proof: encodeTlogProof({ index, path, checkpoint: cosigned }) }, { policy }),
    'verified',
  )
  assert.equal(judged({ ...good, proof: null }, { policy }), 'checkpoint,inclusion,quorum')
})

const heir = partyOf('heir')
const HEIR_LOG = logName(heir.node, GENESIS)
const signSuccession = (seed: Uint8Array, it: Succession): string =>
  signValue(seed, purposes.succession, it as unknown as Json)

/** The sample's log with its receipts, ended by a succession to the heir. */
const succeeded = (): ProvenSuccession => {
  const leaves = [leafHash(utf8('first')), ...sequence.map((it) => leafHash(moveLeaf(it)))]
  const size = leaves.length
  const succession: Succession = {
    ...{ old_node: node.node, new_node: heir.node, origin: sealLog, size, reason: 'planned', mesh_tick: APPLIED_AT },
    root: toHex(rootFrom(treeOf(leaves), size)),
  }
  const tree = treeOf([...leaves, leafHash(successionLeaf(succession))])
  const root = rootFrom(tree, size + 1)
  return verifySuccession({
    succession,
    old_signature: signSuccession(node.seed, succession),
    new_signature: signSuccession(heir.seed, succession),
    note: signCheckpoint({ origin: sealLog, size: size + 1, root }, node.publicKey, node.seed),
    path: inclusionProof(tree, size, size + 1).map(toHex),
  })
}

/** A receipt by anybody, in a log of one leaf. */
const by = (signer: Party, log: string, { packed, ...op }: Ordered): TokenReceiptFile => {
  const receipt = receiptOf(op.op, { log, index: 0, weight: 3, meshTick: APPLIED_AT })
  const root = leafHash(moveLeaf(op))
  const checkpoint = signCheckpoint({ origin: log, size: 1, root }, signer.publicKey, signer.seed)
  return {
    ...{ v: 1, kind: 'token-receipt', ...op, receipt, receipt_signature: signReceipt(signer.seed, receipt) },
    proof: encodeTlogProof({ index: 0, path: [], checkpoint }),
    list: [...placesOf(packed)],
  }
}
test('the key that succeeded a home speaks for its tokens, where the succession is known; a stranger never', () => {
  const successions = [succeeded()]
  const op = ordered(user, placesAt(1, 1), { op: 'transfer', to: taker.zid, until: null })
  const receipt = by(heir, HEIR_LOG, op)
  assert.equal(judged(receipt, { trusted: heir.node }), 'home')
  assert.equal(judged(receipt, { trusted: heir.node, successions }), 'verified')
  assert.equal(judged(receipt, { trusted: node.node, successions }), 'key', 'who pins the old key does not follow it')
  // The old key counts up to its end alone, and in that log alone.
  assert.equal(judged({ ...good, proof: null }, { trusted: heir.node, successions }), 'checkpoint,inclusion')
  const late = told([...sequence, ...sequence.slice(0, 1)]).at(-1)?.file
  assert.equal(judged({ ...late, proof: null }, { trusted: heir.node, successions }), 'key')
  assert.equal(judged(by(node, `${sealLog}1`, transfer), { trusted, successions }), 'key')
})

const held = (file: TokenReceiptFile): HeldReceipt => {
  const { op, public_key, signature, receipt, receipt_signature, list = [] } = file
  return { op, public_key, signature, receipt, receipt_signature, list: packList(list) }
}
const twice = (signer: Party, log: string) => {
  const op = ordered(user, placesAt(0, 1, 3), { op: 'transfer', to: user.zid, until: null })
  return held(by(signer, log, op))
}

test('evidence is the same from both sides, names the first token, and needs two receipts of the home', () => {
  const evidence = tokenEvidenceOf(held(good), twice(node, sealLog))
  assert.ok(evidence !== undefined)
  assert.deepEqual(tokenEvidenceOf(twice(node, sealLog), held(good)), evidence)
  const shared = placesAt(0, 1, 3)
    .map((it) => it.token_id)
    .sort()
  assert.deepEqual([evidence.token_id, evidence.spend_seq], [shared[0], 0])
  assert.deepEqual(verifyTokenEvidence(evidence).nodes, [node.node])
  assert.equal(tokenEvidenceOf(held(good), held(good)), undefined, 'one op at one leaf')
  assert.equal(tokenEvidenceOf(held(good), held(files[1] as TokenReceiptFile)), undefined, 'one after the other')
  assert.equal(tokenEvidenceOf(held(good), twice(heir, HEIR_LOG)), undefined, 'a stranger signed the other')
  const bad = { ...twice(node, sealLog), receipt_signature: good.receipt_signature }
  assert.equal(tokenEvidenceOf(held(good), bad), undefined, 'nobody signed the other')
  const again = told([...sequence, transfer]).at(-1)?.file as TokenReceiptFile
  assert.ok(tokenEvidenceOf(held(good), held(again)) !== undefined, 'one op at two leaves')
})

test('evidence against a home and its successor needs the succession; what came too late convicts nobody', () => {
  const known = [succeeded()]
  const evidence = tokenEvidenceOf(held(good), twice(heir, HEIR_LOG), known)
  assert.ok(evidence !== undefined)
  assert.deepEqual(new Set(verifyTokenEvidence(evidence, known).nodes), new Set([node.node, heir.node]))
  assert.equal(
    code(() => verifyTokenEvidence(evidence)),
    'BAD_SIGNATURE',
  )
  assert.equal(tokenEvidenceOf(held(good), twice(node, `${sealLog}1`), known), undefined, 'a thief of the old key')
})

test('every value of evidence is bound, and hostile forms are refused with a code', () => {
  const evidence = tokenEvidenceOf(held(good), twice(node, sealLog))
  for (const [path, old] of leavesOf(evidence)) {
    const other = replaced(evidence, path, altered(old))
    assert.ok(code(() => verifyTokenEvidence(other)) !== undefined, path.join('.'))
  }
  for (const value of [undefined, null, 1, [], {}, { ...evidence, receipts: [] }, { ...evidence, by: 'me' }]) {
    assert.equal(
      code(() => verifyTokenEvidence(value)),
      'INVALID_INPUT',
    )
  }
})

test('an op under an unsound key is refused, though its signature verifies', () => {
  // Of the neutral point as a key every signature with R = S·B holds: S = 0 and R the neutral point.
  const neutral = `01${'00'.repeat(31)}`
  const forged = { op: transfer.op, public_key: neutral, signature: `${neutral}${'00'.repeat(32)}` }
  assert.equal(
    code(() => assertSignedOp(forged)),
    'BAD_PUBLIC_KEY',
  )
  assert.equal(
    code(() => assertSignedOp({ ...forged, public_key: toHex(user.publicKey) })),
    'BAD_SIGNATURE',
  )
})

test('an op is timely from 120 ticks before its own to valid_to, and no longer than 9,009', () => {
  const at = (mesh_tick: number, valid_to: number, now: number) =>
    code(() => assertTimely({ ...transfer.op, mesh_tick, valid_to }, now))
  assert.equal(at(1_000, 1_000, 1_000), undefined)
  assert.equal(at(1_000, 1_010, 1_010), undefined)
  assert.equal(at(1_000, 1_010, 1_011), 'OP_EXPIRED')
  assert.equal(at(1_000, 1_010, 1_000 - OP_AHEAD_TICKS_MAX), undefined)
  assert.equal(at(1_000, 1_010, 999 - OP_AHEAD_TICKS_MAX), 'INVALID_INPUT')
  assert.equal(at(1_000, 1_000 + OP_VALID_TICKS_MAX, 1_000), undefined)
  assert.equal(at(1_000, 1_001 + OP_VALID_TICKS_MAX, 1_000), 'INVALID_INPUT')
  assert.equal(at(1_000, 999, 1_000), 'INVALID_INPUT')
})

test('a lock is void at its tick, and one without an end stands', () => {
  const lock = { kind: 'vote', ref: 'x', until: 7 } as const
  assert.deepEqual([lockAt(lock, 6), lockAt(lock, 7), lockAt(null, 0)], [lock, null, null])
  assert.deepEqual(lockAt({ ...lock, until: null }, Number.MAX_SAFE_INTEGER)?.kind, 'vote')
})

test('an op that was written down is completed, ordered and signed, or refused by the member that is off', () => {
  const list = placesAt(0, 3, 1, 2)
  const written = { home: sealLog, op: 'transfer', list, to: taker.zid }
  const { op, list: inOrder } = orderOf(written, APPLIED_AT)
  assert.deepEqual([op.mesh_tick, op.valid_to, op.until], [APPLIED_AT, APPLIED_AT + VALID_TICKS_DEFAULT, null])
  assert.deepEqual(
    inOrder.map((it) => it.token_id),
    list.map((it) => it.token_id).sort(),
  )
  assertSignedOp(signOp(user.seed, op))
  assert.deepEqual(orderOf({ ...op, list }, APPLIED_AT).op, op, 'what was completed may be given')
  const refused = (changes: object, said: RegExp): void =>
    assert.throws(
      () => orderOf({ ...written, ...changes }, APPLIED_AT),
      (thrown) => thrown instanceof Fault && said.test(thrown.message),
      String(said),
    )
  refused({ to: 'zid1x' }, /\/to/)
  refused({ op: 'burn' }, /./)
  refused({ list: [] }, /./)
  refused({ list: [...list, list[0]] }, /twice/)
  refused({ until: 5 }, /\/until/)
  refused({ memo: 'x' }, /./)
  refused({ ref: 'vote:x' }, /./)
  refused({ tokens_root: '00'.repeat(32) }, /root/)
  refused({ count: 2 }, /count/)
  refused({ valid_to: APPLIED_AT - 1, mesh_tick: APPLIED_AT - 5 }, /late|tick/)
  for (const value of [undefined, null, [], 'x', 1])
    assert.equal(
      code(() => orderOf(value, APPLIED_AT)),
      'INVALID_INPUT',
    )
  assert.equal(fromHex(signOp(user.seed, op).public_key).length, 32)
})

test.run()
