import { toHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { checkpointText, signCheckpoint } from '#core/checkpoint.ts'
import {
  claimDigest,
  envelopeLeaf,
  evidenceDigest,
  hiddenDigest,
  type LedgerEntry,
  ledgerLeaf,
  signLedgerEntry,
  tickLeaf,
} from '#core/envelope.ts'
import { eventBytes, eventId, eventLeaf, signEvent } from '#core/events.ts'
import { makeHandshake } from '#core/handshake.ts'
import { witnessName } from '#core/ids.ts'
import { inclusionProof, leafHash, rootFrom } from '#core/merkle.ts'
import { cosignatureLine, ED25519_COSIGNATURE, encodeVkey, verifierOf } from '#core/note.ts'
import { encodeTlogProof } from '#core/tlog-proof.ts'
import { signVerdict, type Verdict } from '#core/verdict.ts'
import { sha256 } from '#crypto'
import {
  claim,
  envelope,
  evidence,
  inputs,
  LEAF_INDEX,
  output,
  pulseKey,
  pulseStamp,
  signature,
  TICK,
  tickReceipt,
} from './claim.ts'
import { refusedRows, resealed } from './refused.ts'
import { GENESIS, inputSchema, node, outputSchema, sealLog, treeOf, user, witness } from './sample.ts'

const entry: LedgerEntry = {
  v: 1,
  node: node.node,
  log: sealLog,
  index: 0,
  kind: 'sign-up',
  asset: 'free',
  to: user.zid,
  amount: 1_287,
  ref: 'sign-up',
  tick: TICK,
  nonce: '0f0e0d0c0b0a09080706050403020100',
}
const entrySignature = signLedgerEntry(node.seed, entry)

const other = { ...claim, index: 1, nonce: '11'.repeat(16) }
const leaves = [
  ledgerLeaf(entry, entrySignature),
  envelopeLeaf(other, signature),
  envelopeLeaf(claim, signature),
  tickLeaf(TICK),
]
const hashes = leaves.map(leafHash)
const tree = treeOf(hashes)
const checkpoint = { origin: sealLog, size: leaves.length, root: rootFrom(tree, leaves.length) }
const note = signCheckpoint(checkpoint, node.publicKey, node.seed)
const path = inclusionProof(tree, LEAF_INDEX, leaves.length)
const proof = encodeTlogProof({ index: LEAF_INDEX, path, checkpoint: note })

export const claimVectors = () => ({
  about: 'A claim, what it binds, its signature, and the four leaves of the log it stands in.',
  seed: toHex(node.seed),
  claim,
  claim_text: canonical(claim as unknown as Json),
  claim_digest: claimDigest(claim),
  signature,
  tick_receipt: tickReceipt,
  equations: envelope.equations,
  pulse: { key: toHex(pulseKey), stamp: pulseStamp, hmac: tickReceipt.hmac },
  hidden: { nonce: claim.nonce, digest: claim.inputs_digest, shown: hiddenDigest(nonce(), claim.inputs_digest) },
  ledger: { entry, signature: entrySignature },
  leaves: leaves.map((leaf, index) => ({ index, data: toHex(leaf), hash: toHex(hashes[index] as Uint8Array) })),
})

const nonce = (): Uint8Array => Uint8Array.from({ length: 16 }, (_, i) => i)

export const noteVectors = () => {
  const log = verifierOf(sealLog, node.publicKey)
  const cosigner = verifierOf(witnessName(witness.node), witness.publicKey, ED25519_COSIGNATURE)
  const line = cosignatureLine(checkpointText(checkpoint), cosigner, witness.seed, 1_794_874_000)
  const cosigned = `${note}${line}`
  return {
    about: 'C2SP texts: verifier keys, a checkpoint, the same with a witness, the proof of leaf 2 with each.',
    log_vkey: encodeVkey(log),
    witness_vkey: encodeVkey(cosigner),
    checkpoint: { origin: checkpoint.origin, size: checkpoint.size, root: toHex(checkpoint.root) },
    note,
    cosigned,
    leaf_hash: toHex(hashes[LEAF_INDEX] as Uint8Array),
    proof,
    cosigned_proof: encodeTlogProof({ index: LEAF_INDEX, path, checkpoint: cosigned }),
    proof_with_extra: encodeTlogProof({ index: LEAF_INDEX, path, checkpoint: note, extra: utf8('extra') }),
  }
}

export const bundleVectors = () => ({
  about:
    'A bundle that verifies, with the schemas of its made-up solver and three forms of the trusted key. `refused`: ' +
    'in place of its envelope and proof others that the same key signed; `failing` is the step that refuses.',
  trusted: [encodeVkey(verifierOf(sealLog, node.publicKey)), toHex(node.publicKey), node.node],
  seed: toHex(node.seed),
  schemas: { input: inputSchema, output: outputSchema },
  bundle: {
    v: 1,
    envelope,
    inputs,
    result: { output, evidence_digest: evidenceDigest(evidence) },
    proof,
  },
  refused: refusedRows.map(([failing, why, changes]) => ({ why, failing, ...resealed(changes, envelope.equations) })),
})

export const eventVectors = () => {
  const event = signEvent(node.seed, {
    v: 1,
    type: 'head',
    sourceNodeId: node.node,
    seq: 0,
    tick: GENESIS + TICK,
    payload: { origin: sealLog, note },
  })
  return {
    about: 'A mesh event, its signed form, the bytes that travel, its leaf and its id.',
    seed: toHex(node.seed),
    event,
    text: new TextDecoder().decode(eventBytes(event)),
    leaf: toHex(eventLeaf(event)),
    id: eventId(event),
  }
}

export const handshakeVectors = () => {
  const secret = sha256(utf8('tickmesh vectors: mesh secret'))
  const bodies = ['', '{"a":1}', 'not json at all \u{1f600}']
  return {
    about: 'x-node-handshake for exact body bytes; the window is 120 mesh ticks either way.',
    secret: toHex(secret),
    sender: node.node,
    mesh_tick: GENESIS,
    handshakes: bodies.map((body) => ({
      body: toHex(utf8(body)),
      header: makeHandshake(secret, { sender: node.node, meshTick: GENESIS, body: utf8(body) }),
    })),
  }
}

export const verdictVectors = () => {
  const verdict: Verdict = {
    v: 1,
    node: witness.node,
    subject: claimDigest(claim),
    claimed_result_digest: claim.result_digest,
    recomputed_result_digest: claim.result_digest,
    verdict: 'agree',
    reason: 'The solver gave the same bits.',
    code: claim.code,
    signer: 'pinned',
    mesh_tick: GENESIS + TICK,
  }
  const unable: Verdict = {
    ...verdict,
    recomputed_result_digest: null,
    verdict: 'unverifiable',
    reason: 'The solver is not known here.',
    code: null,
    signer: 'unknown',
  }
  return {
    about: 'Signed verdicts (reverify) and attestations (attest): one shape, two purposes.',
    verdicts: [verdict, unable].map((it) => signVerdict(witness.seed, 'verdict', it)),
    attestations: [verdict, unable].map((it) => signVerdict(witness.seed, 'attestation', it)),
  }
}
