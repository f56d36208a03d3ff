// Goal: a chain file holds under its node's key alone; what an old key signed beyond its succession does not count, and
// the successor's key vouches for the rest. Method: chains and logs of every small size made by hand with keys of
// our own, and verifiers who know and who do not know of the end. (test/cli/chain.test.ts alters every member.)
import assert from 'node:assert/strict'
import { toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { CHAIN_FILE_FORMAT, type ChainFile, chainFileOf, verifyChainFile } from '#core/chain-file.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { purposes } from '#core/digest.ts'
import { nodeIdOf, publicKeyOfSeed, signValue } from '#core/keys.ts'
import { type Entry, entryHash, entryLeaf, headLeaf, machineIdHash } from '#core/machine.ts'
import { verifyEntry } from '#core/machine-proof.ts'
import { inclusionProof, leafHash, rootFrom } from '#core/merkle.ts'
import { cosignatureLine, ED25519_COSIGNATURE, encodeVkey, verifierOf } from '#core/note.ts'
import { type Policy, parsePolicy } from '#core/policy.ts'
import { type ProvenSuccession, SUCCESSIONS_MAX, type Succession, successionLeaf } from '#core/succession.ts'
import { treeOf } from '../../scripts/vectors/sample.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/chain-file')

const partyOf = (word: number) => {
  const seed = new Uint8Array(32).fill(word)
  const publicKey = publicKeyOfSeed(seed)
  return { seed, publicKey, node: nodeIdOf(publicKey) }
}
const [a, b] = [partyOf(1), partyOf(2)] as const
type Party = typeof a
const origin = `tickmesh.log/${a.node}/9`
const GENESIS = 'ab'.repeat(32)

const entriesOf = (size: number): readonly Entry[] => {
  const entries: Entry[] = []
  let previous = GENESIS
  for (let seq = 0; seq < size; seq++) {
    const entry = { seq, previous, tick: 5 + (seq >> 1), type: 'event', body: { event: `e${seq}` } }
    entries.push(entry)
    previous = entryHash(entry)
  }
  return entries
}

/** A machine of `size` entries whose head is leaf `index` of a log of `leaves` leaves, signed by `by`. */
const chainOf = (
  size: number,
  index: number,
  leaves: number,
  by: Party = a,
): { file: ChainFile; log: Uint8Array[] } => {
  const entries = entriesOf(size)
  const root = toHex(rootFrom(treeOf(entries.map((it) => leafHash(entryLeaf(it)))), size))
  const hash = entryHash(entries.at(-1) as Entry)
  const head = { id_hash: machineIdHash('pump-7', GENESIS), seq: size - 1, hash, size, root }
  const log = Array.from({ length: leaves }, (_, i) => leafHash(i === index ? headLeaf(head) : utf8(`leaf ${i}`)))
  const tree = treeOf(log)
  const checkpoint = signCheckpoint({ origin, size: leaves, root: rootFrom(tree, leaves) }, by.publicKey, by.seed)
  const head_path = inclusionProof(tree, index, leaves).map(toHex)
  const proof = { head, head_index: index, head_path, checkpoint }
  return { file: { format: CHAIN_FILE_FORMAT, slug: 'pump-7', genesis_hash: GENESIS, entries, proof }, log }
}

/** Ends a log of these leaf hashes: what `a` signs over to `b`. */
const endOf = (hashes: readonly Uint8Array[]): ProvenSuccession => {
  const size = hashes.length
  const succession: Succession = {
    ...{ old_node: a.node, new_node: b.node, origin, size, root: toHex(rootFrom(treeOf(hashes), size)) },
    ...{ reason: 'planned', mesh_tick: 7 },
  }
  const tree = treeOf([...hashes, leafHash(successionLeaf(succession))])
  const sign = ({ seed }: Party): string => signValue(seed, purposes.succession, succession as unknown as Json)
  return {
    succession,
    old_signature: sign(a),
    new_signature: sign(b),
    note: signCheckpoint({ origin, size: size + 1, root: rootFrom(tree, size + 1) }, a.publicKey, a.seed),
    path: inclusionProof(tree, size, size + 1).map(toHex),
  }
}

test('chains and logs of every small size hold, under each way to name the key', () => {
  const vkey = encodeVkey(verifierOf(origin, a.publicKey))
  for (let size = 1; size <= 9; size++) {
    for (let leaves = 1; leaves <= 9; leaves++) {
      const { file } = chainOf(size, leaves - 1, leaves)
      for (const key of [a.node, toHex(a.publicKey), vkey]) {
        assert.equal(verifyChainFile(file, { trusted: key }).outcome, 'verified', `${size}, ${leaves}`)
      }
    }
  }
})

test('another key, another log and a witness key are told apart', () => {
  const { file } = chainOf(3, 1, 4)
  assert.deepEqual(
    [verifyChainFile(file, { trusted: b.node }).failing, verifyChainFile(file).unchecked],
    ['key', ['key']],
  )
  const other = encodeVkey(verifierOf(`tickmesh.log/${a.node}/10`, a.publicKey))
  assert.equal(verifyChainFile(file, { trusted: other }).failing, 'key')
  const witness = encodeVkey(verifierOf('w', a.publicKey, ED25519_COSIGNATURE))
  assert.deepEqual(verifyChainFile(file, { trusted: witness }).unchecked, ['key'])
  assert.deepEqual(verifyChainFile(file, { trusted: 'no key' }).unchecked, ['key'])
  assert.equal(
    verifyChainFile(chainOf(3, 1, 4, b).file, { trusted: a.node }).failing,
    'checkpoint',
    "signed by another node's key",
  )
})

test('cosignatures beside the signature change nothing', () => {
  const { file } = chainOf(2, 0, 2)
  const { checkpoint } = file.proof
  const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1)
  const line = cosignatureLine(text, verifierOf('w', b.publicKey, ED25519_COSIGNATURE), b.seed, 7)
  const cosigned = { ...file, proof: { ...file.proof, checkpoint: `${checkpoint}${line}` } }
  assert.equal(verifyChainFile(cosigned, { trusted: a.node }).outcome, 'verified')
})

test('of a log that ended, what came before the end counts, and what the old key signed beyond it does not', () => {
  const { file, log } = chainOf(3, 2, 5)
  const known = [endOf(log)]
  assert.equal(verifyChainFile(file, { trusted: a.node, successions: known }).outcome, 'verified')
  const believed = verifyChainFile(file, { trusted: b.node, successions: known })
  assert.equal(believed.outcome, 'verified')
  assert.match(String(believed.steps[1]?.detail), /successor/)
  assert.equal(
    verifyChainFile(file, { trusted: b.node }).failing,
    'key',
    'who knows of no succession trusts the other key alone',
  )

  const beyond = chainOf(3, 6, 7).file
  assert.equal(
    verifyChainFile(beyond, { trusted: a.node }).outcome,
    'verified',
    'who does not know of the end believes it',
  )
  assert.equal(verifyChainFile(beyond, { trusted: a.node, successions: known }).failing, 'key')
  const forked = chainOf(4, 2, 6).file
  assert.equal(
    verifyChainFile(forked, { trusted: a.node, successions: known }).failing,
    'inclusion',
    'another tree of the old key',
  )
  const smaller = chainOf(3, 2, 4).file
  const { outcome, unchecked } = verifyChainFile(smaller, { trusted: a.node, successions: known })
  assert.deepEqual([outcome, unchecked], ['unchecked', ['inclusion']], 'not shown to be a part of it')
})

test('a file that carries the succession holds under the new key alone, and no stranger speaks for the old one', () => {
  const { file, log } = chainOf(3, 2, 5)
  const succession = endOf(log)
  const whole: ChainFile = { ...file, successions: [succession] }
  assert.equal(verifyChainFile(whole, { trusted: b.node }).outcome, 'verified')
  assert.equal(verifyChainFile(whole, { trusted: a.node }).outcome, 'verified')
  assert.equal(verifyChainFile(whole, { trusted: partyOf(3).node }).failing, 'key')
  for (const [path, old] of leavesOf(whole.successions)) {
    const successions = replaced(whole.successions, path, altered(old))
    const { outcome, failing } = verifyChainFile({ ...file, successions }, { trusted: b.node })
    assert.deepEqual([outcome, failing === 'form' || failing === 'key'], ['failed', true], path.join('.'))
  }
  const beyond = chainOf(3, 6, 7).file
  assert.equal(verifyChainFile({ ...beyond, successions: [succession] }, { trusted: b.node }).failing, 'key')
  const many = Array.from({ length: SUCCESSIONS_MAX + 1 }, () => succession)
  for (const successions of [[], many, {}, null, [null], succession]) {
    assert.equal(verifyChainFile({ ...file, successions }, { trusted: b.node }).failing, 'form')
  }
})

test('a file is made with the successions exactly where its proof is under an earlier key', () => {
  const { file, log } = chainOf(3, 2, 5)
  const past = [endOf(log)]
  const made = chainFileOf({ ...file, past })
  assert.deepEqual(made, { ...file, successions: past })
  assert.equal(verifyChainFile(made, { trusted: b.node }).outcome, 'verified')
  assert.deepEqual(chainFileOf({ ...file, past: [] }), file)
  const checkpoint = file.proof.checkpoint.replace(origin, `${origin}0`)
  const later = { ...file, proof: { ...file.proof, checkpoint } }
  assert.deepEqual(chainFileOf({ ...later, past }), later, 'a log whose name only begins alike')
})

test('a policy names the log and asks for its witnesses, of a chain and of an entry alike', () => {
  const { file } = chainOf(2, 0, 2)
  const { checkpoint } = file.proof
  const log = encodeVkey(verifierOf(origin, a.publicKey))
  const witness = verifierOf('w', b.publicKey, ED25519_COSIGNATURE)
  const policyOf = (named: string): Policy =>
    parsePolicy(utf8(`log ${named}\nwitness w ${encodeVkey(witness)}\nquorum w\n`))
  const policy = policyOf(log)
  assert.equal(verifyChainFile(file, { policy }).failing, 'quorum')
  const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1)
  const line = cosignatureLine(text, witness, b.seed, 7)
  const proof = { ...file.proof, checkpoint: `${checkpoint}${line}` }
  const cosigned = { ...file, proof }
  assert.equal(verifyChainFile(cosigned, { policy }).outcome, 'verified')
  assert.equal(verifyChainFile(cosigned, { policy, trusted: b.node }).failing, 'key')
  const other = encodeVkey(verifierOf(`tickmesh.log/${a.node}/10`, a.publicKey))
  assert.equal(verifyChainFile(cosigned, { policy: policyOf(other), trusted: a.node }).failing, 'key')

  const entry = file.entries[1] as Entry
  const { seq, previous: prevHash, tick: tickNumber, type: transitionType, body } = entry
  const row = { seq, prevHash, tickNumber, transitionType, body, stateHash: entryHash(entry) }
  const leaves = file.entries.map((it) => leafHash(entryLeaf(it)))
  const path = inclusionProof(treeOf(leaves), 1, 2).map(toHex)
  const shown = { slug: 'pump-7', genesis: GENESIS, row }
  const judged = (checkpoint: string) =>
    verifyEntry(shown, { entry, proof: { ...proof, path, checkpoint } }, { policy })
  assert.deepEqual([judged(proof.checkpoint).outcome, judged(checkpoint).failing], ['verified', 'quorum'])
  const names = judged(proof.checkpoint).steps.map(({ step }) => step)
  assert.deepEqual(names, ['form', 'key', 'entry', 'identity', 'chain', 'checkpoint', 'inclusion', 'quorum'])
  assert.equal(verifyEntry(shown, { entry }, { policy }).failing, 'form', 'nothing is proved')
})

test.run()
