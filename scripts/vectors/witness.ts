import { type AddVerdict, addCheckpointBody, checkAddCheckpoint, parseAddCheckpoint } from '#core/add-checkpoint.ts'
import { fromHex, toBase64, toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { checkpointText, signCheckpoint } from '#core/checkpoint.ts'
import { purposes } from '#core/digest.ts'
import { type EquivocationProof, verifyEquivocation } from '#core/equivocation.ts'
import { witnessName } from '#core/ids.ts'
import { publicKeyOfSeed, signValue } from '#core/keys.ts'
import { consistencyProof, leafHash, rootOf } from '#core/merkle.ts'
import { cosignatureLine, ED25519_COSIGNATURE, encodeVkey, verifierOf } from '#core/note.ts'
import { sha256 } from '#crypto'
import { node, sealLog, treeOf } from './sample.ts'

/** Leaves of two histories with the first three in common. */
const leavesOf = (history: string, size: number): Uint8Array[] =>
  Array.from({ length: size }, (_, i) => leafHash(utf8(i < 3 ? `leaf ${i}` : `${history} ${i}`)))

const noteOf = (history: string, size: number): string =>
  signCheckpoint({ origin: sealLog, size, root: rootOf(leavesOf(history, size)) }, node.publicKey, node.seed)

const proofOf = (history: string, from: number, to: number): Uint8Array[] =>
  consistencyProof(treeOf(leavesOf(history, to)), from, to)

const seed = sha256(utf8('tickmesh vectors: witness key'))
const key = publicKeyOfSeed(seed)

/** A request, what was recorded before it, and the answer. */
const judged = (body: string, recorded: { readonly size: number; readonly root: string } | null) => {
  const before = recorded === null ? undefined : { size: recorded.size, root: fromHex(recorded.root) }
  const verdict: AddVerdict = checkAddCheckpoint(parseAddCheckpoint(utf8(body)), before)
  return { body, recorded, status: verdict.status }
}

const at = (history: string, size: number) => ({ size, root: toHex(rootOf(leavesOf(history, size))) })

const requests = () => [
  judged(addCheckpointBody(0, [], noteOf('one', 5)), null),
  judged(addCheckpointBody(5, proofOf('one', 5, 9), noteOf('one', 9)), at('one', 5)),
  judged(addCheckpointBody(4, proofOf('one', 4, 9), noteOf('one', 9)), at('one', 4)),
  judged(addCheckpointBody(9, [], noteOf('one', 9)), at('one', 9)),
  judged(addCheckpointBody(10, [], noteOf('one', 9)), at('one', 9)),
  judged(addCheckpointBody(0, [], noteOf('one', 9)), at('one', 5)),
  judged(addCheckpointBody(0, proofOf('one', 5, 9), noteOf('one', 9)), null),
  judged(addCheckpointBody(5, proofOf('two', 5, 9), noteOf('two', 9)), at('one', 5)),
  judged(addCheckpointBody(9, [], noteOf('two', 9)), at('one', 9)),
]

const proven = (proof: EquivocationProof) => ({ proof, size: verifyEquivocation(proof).size })

const evidence = () => {
  const prefix = (from: number, to: number) => {
    return { root: toBase64(rootOf(leavesOf('two', from))), path: proofOf('two', from, to).map(toBase64) }
  }
  const equal = { origin: sealLog, notes: [noteOf('one', 9), noteOf('two', 9)], prefix: null }
  const unequal = { origin: sealLog, notes: [noteOf('one', 5), noteOf('two', 9)], prefix: prefix(5, 9) }
  const power = { origin: sealLog, notes: [noteOf('one', 4), noteOf('two', 9)], prefix: prefix(4, 9) }
  const honest = { origin: sealLog, notes: [noteOf('two', 5), noteOf('two', 9)], prefix: prefix(5, 9) }
  return {
    proven: [equal, unequal, power].map(proven),
    refused: [
      { why: 'the larger tree continues the smaller one', proof: honest },
      { why: 'one note twice', proof: { ...equal, notes: [noteOf('one', 9), noteOf('one', 9)] } },
      { why: 'no path', proof: { ...unequal, prefix: null } },
      { why: 'the larger tree first', proof: { ...unequal, notes: unequal.notes.toReversed() } },
      { why: 'a path of another tree', proof: { ...unequal, prefix: prefix(5, 8) } },
    ],
  }
}

/** What a witness is asked and answers, its key, and proof against a log with two histories. */
export const witnessVectors = () => {
  const verifier = verifierOf(witnessName(node.node), key, ED25519_COSIGNATURE)
  const said = { v: 1, node: node.node, vkey: encodeVkey(verifier) }
  const statement = { ...said, signature: signValue(node.seed, purposes.witnessKey, said as Json) }
  const text = checkpointText({ origin: sealLog, size: 9, root: rootOf(leavesOf('one', 9)) })
  return {
    about: 'add-checkpoint bodies with what was recorded before and the status; a cosignature; evidence.',
    statement,
    cosignature: {
      vkey: encodeVkey(verifier),
      seconds: 1_794_874_000,
      text,
      line: cosignatureLine(text, verifier, seed, 1_794_874_000),
    },
    requests: requests(),
    malformed: ['', 'old 5', 'old 05\n\n', 'old 9007199254740992\n\n', `old 0\n\n${noteOf('one', 3).slice(0, -1)}`].map(
      (body) => ({ body }),
    ),
    evidence: evidence(),
  }
}
