// Goal: a succession is believed only if both keys signed it and it is the last leaf of the old log; what the old key
// signed beyond it verifies nowhere. Method: the golden vectors with every text and number of them altered, logs of
// every size up to 33 leaves, and a bundle of a log that ends, seen by verifiers who know and who do not know of the
// end.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import type { Bundle, Claim } from '#core/claim.ts'
import { purposes } from '#core/digest.ts'
import { envelopeLeaf, signClaim } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { tokenIdOf } from '#core/ids.ts'
import { nodeIdOf, publicKeyOfSeed, signValue } from '#core/keys.ts'
import { inclusionProof, leafHash, rootFrom } from '#core/merkle.ts'
import { encodeVkey, verifierOf } from '#core/note.ts'
import {
  type ProvenSuccession,
  type Succession,
  standsBehind,
  successionLeaf,
  successionsOf,
  verifySuccession,
} from '#core/succession.ts'
import { encodeTlogProof } from '#core/tlog-proof.ts'
import { type Verification, verifyBundle } from '#core/verify.ts'
import { treeOf } from '../../scripts/vectors/sample.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/succession')

const golden = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../protocols/vectors/${name}.json`, import.meta.url), 'utf8')) as T
const vectors = golden<{
  readonly proven: readonly { readonly proven: ProvenSuccession; readonly leaf: string }[]
  readonly refused: readonly { readonly why: string; readonly proven: unknown }[]
}>('succession')
const sample = golden<{
  readonly seed: string
  readonly schemas: { readonly input: object; readonly output: object }
  readonly bundle: Bundle
}>('bundle')

const refused = (value: unknown): void => assert.throws(() => verifySuccession(value), Fault)

const partyOf = (word: number) => {
  const seed = new Uint8Array(32).fill(word)
  const publicKey = publicKeyOfSeed(seed)
  return { seed, publicKey, node: nodeIdOf(publicKey) }
}
const [a, b, c] = [partyOf(1), partyOf(2), partyOf(3)] as const
type Party = typeof a

/** Ends a log of these leaves: what `from` signs over to `to`. */
const end = (from: Party, to: Party, leaves: readonly Uint8Array[], origin: string): ProvenSuccession => {
  const hashes = leaves.map(leafHash)
  const size = hashes.length
  const root = toHex(rootFrom(treeOf(hashes), size))
  const succession: Succession = {
    ...{ old_node: from.node, new_node: to.node, origin, size, root },
    ...{ reason: 'planned', mesh_tick: 7 },
  }
  const tree = treeOf([...hashes, leafHash(successionLeaf(succession))])
  const head = { origin, size: size + 1, root: rootFrom(tree, size + 1) }
  const sign = ({ seed }: Party): string => signValue(seed, purposes.succession, succession as unknown as Json)
  return {
    succession,
    old_signature: sign(from),
    new_signature: sign(to),
    note: signCheckpoint(head, from.publicKey, from.seed),
    path: inclusionProof(tree, size, size + 1).map(toHex),
  }
}

test('the golden ones hold or are refused, as they say', () => {
  for (const { proven, leaf } of vectors.proven) {
    assert.equal(toHex(successionLeaf(verifySuccession(proven).succession)), leaf)
  }
  for (const { proven } of vectors.refused) refused(proven)
})

test('a log of any size ends', () => {
  for (let size = 0; size <= 33; size++) {
    const leaves = Array.from({ length: size }, (_, i) => utf8(`leaf ${i}`))
    const made = end(a, b, leaves, `tickmesh.log/${a.node}/9`)
    assert.deepEqual(verifySuccession(made), made)
  }
})

/** Values of the same kind that differ. */
const others = (value: unknown): unknown[] => {
  if (typeof value === 'number') return [value + 1, value === 0 ? 3 : value - 1, -1, 0.5, null, '1']
  const text = value as string
  return [
    `${text}0`,
    text.slice(1),
    '',
    null,
    7,
    text.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (it) => (it === '1' ? '2' : '1')),
  ]
}

test('no member of it can be altered, left out or added', () => {
  const good = vectors.proven[2]?.proven as ProvenSuccession
  const { succession } = good
  for (const [name, value] of Object.entries(succession)) {
    for (const other of others(value))
      if (other !== value) refused({ ...good, succession: { ...succession, [name]: other } })
    const { [name]: _, ...less } = succession as unknown as Record<string, unknown>
    refused({ ...good, succession: less })
  }
  for (const name of ['old_signature', 'new_signature', 'note'] as const) {
    for (const other of others(good[name])) if (other !== good[name]) refused({ ...good, [name]: other })
  }
  for (const [i, hash] of good.path.entries()) {
    for (const other of others(hash)) if (other !== hash) refused({ ...good, path: good.path.with(i, other as string) })
  }
  refused({ ...good, path: [...good.path, good.path[0]] })
  refused({ ...good, more: 1 })
  refused({ ...good, succession: { ...succession, more: 1 } })
  for (const value of [null, [], {}, 'x', 7, good.succession]) refused(value)
})

test('half documents and foreign keys are refused', () => {
  const good = end(a, b, [utf8('x')], `tickmesh.log/${a.node}/9`)
  refused({ ...good, new_signature: end(a, c, [utf8('x')], good.succession.origin).new_signature })
  refused({ ...good, old_signature: good.new_signature })
  refused(end(a, a, [utf8('x')], good.succession.origin)) // One key alone.
  refused(end(a, b, [utf8('x')], `tickmesh.log/${c.node}/9`)) // The log of a third.
  refused(end(a, b, [utf8('x')], `tickmesh.events/${a.node}/9`)) // The other log.
  // A key of small order signs everything; the node id that holds it is refused.
  const small = nodeIdOf(Uint8Array.of(1, ...new Uint8Array(31)))
  refused({ ...good, succession: { ...good.succession, new_node: small } })
})

test('a file of successions is read in three forms, and one that does not hold refuses it', () => {
  const made = end(a, b, [], `tickmesh.log/${a.node}/9`)
  assert.deepEqual(successionsOf(made), [made])
  assert.deepEqual(successionsOf([made]), [made])
  assert.deepEqual(successionsOf({ ok: true, key_supersessions: [made] }), [made])
  assert.deepEqual(successionsOf({ key_supersessions: [] }), [])
  assert.throws(() => successionsOf([made, { ...made, old_signature: made.new_signature }]), Fault)
  assert.throws(() => successionsOf(Array.from({ length: 1_025 }, () => made)), Fault)
})

test('a successor stands behind its past, and an old key for no successor', () => {
  const first = end(a, b, [], `tickmesh.log/${a.node}/9`)
  const second = end(b, c, [], `tickmesh.log/${b.node}/9`)
  const known = [second, first]
  assert.ok(standsBehind(known, c.node, a.node))
  assert.ok(standsBehind(known, b.node, a.node))
  assert.ok(!standsBehind(known, a.node, c.node))
  assert.ok(!standsBehind([second], c.node, a.node))
  // A key in two hands has nobody behind it.
  const rival = end(a, c, [], `tickmesh.log/${a.node}/9`)
  assert.ok(!standsBehind([first, rival], b.node, a.node))
  assert.ok(!standsBehind([first, rival], c.node, a.node))
  // A circle ends the search.
  assert.ok(!standsBehind([first, end(b, a, [], `tickmesh.log/${b.node}/9`)], a.node, c.node))
})

// The bundle of the golden vectors, made anew by the node of the vectors in logs of our own.
const seed = Uint8Array.from(fromHex(sample.seed))
const publicKey = Uint8Array.from(publicKeyOfSeed(seed))
const old: Party = { seed, publicKey, node: nodeIdOf(publicKey) }
const origin = sample.bundle.envelope.claim.log

const signedAt = (index: number, log = origin): { readonly claim: Claim; readonly signature: string } => {
  const claim = { ...sample.bundle.envelope.claim, log, index, token_id: tokenIdOf(log, index) }
  return { claim, signature: signClaim(seed, claim) }
}
const bundleOf = (at: ReturnType<typeof signedAt>, leaves: readonly Uint8Array[]): Bundle => {
  const { index, log } = at.claim
  const tree = treeOf(leaves.map(leafHash))
  const head = { origin: log, size: leaves.length, root: rootFrom(tree, leaves.length) }
  const checkpoint = signCheckpoint(head, publicKey, seed)
  const proof = encodeTlogProof({ index, path: inclusionProof(tree, index, leaves.length), checkpoint })
  return { ...sample.bundle, envelope: { ...sample.bundle.envelope, ...at }, proof }
}
const leafOf = ({ claim, signature }: ReturnType<typeof signedAt>): Uint8Array => envelopeLeaf(claim, signature)

const counted = [signedAt(0), signedAt(1), signedAt(2)]
const leaves = counted.map(leafOf)
const ending = end(old, b, leaves, origin)

const verify = (bundle: Bundle, trusted: string, successions: readonly ProvenSuccession[] = [ending]): Verification =>
  verifyBundle({ bundle, trusted, successions, schemas: () => sample.schemas })

test('what stands in the tree that ended verifies under the old key and under its successor', () => {
  const whole = [...leaves, successionLeaf(ending.succession)]
  for (const [at, tree] of [
    [1, leaves],
    [2, whole],
  ] as const) {
    const bundle = bundleOf(counted[at] as ReturnType<typeof signedAt>, tree)
    assert.equal(verify(bundle, old.node, []).outcome, 'verified', 'who never heard of the succession')
    assert.equal(verify(bundle, old.node).outcome, 'verified')
    assert.equal(verify(bundle, encodeVkey(verifierOf(origin, publicKey))).outcome, 'verified')
    assert.equal(verify(bundle, b.node).outcome, 'verified')
    assert.equal(verify(bundle, encodeVkey(verifierOf(`tickmesh.log/${b.node}/9`, b.publicKey))).outcome, 'verified')
    assert.equal(verify(bundle, b.node, []).failing, 'key', 'the successor without the document is a stranger')
    assert.equal(verify(bundle, c.node).failing, 'key')
  }
})

test('a receipt of the old key beyond the succession is refused as superseded', () => {
  const late = signedAt(3)
  const forged = bundleOf(late, [...leaves, leafOf(late)])
  assert.equal(verify(forged, old.node, []).outcome, 'verified')
  for (const trusted of [old.node, b.node]) {
    const found = verify(forged, trusted)
    assert.equal(found.outcome, 'failed')
    assert.equal(found.failing, 'key')
    assert.deepEqual(found.superseded, ending.succession)
  }
  // Another log of the same key counts as little.
  const elsewhere = signedAt(0, `tickmesh.log/${old.node}/77`)
  const found = verify(bundleOf(elsewhere, [leafOf(elsewhere)]), old.node)
  assert.deepEqual([found.failing, found.superseded], ['key', ending.succession])
})

test('an old key puts no receipt into the past: another tree is refused, a smaller one shows nothing', () => {
  const forged = { ...signedAt(1), signature: '' }
  const claim = { ...forged.claim, nonce: '22'.repeat(16) }
  const at = { claim, signature: signClaim(seed, claim) }
  const other = (size: number): readonly Uint8Array[] =>
    Array.from({ length: size }, (_, i) => (i === 1 ? leafOf(at) : utf8(`filling ${i}`)))
  for (const size of [3, 4, 9]) {
    const found = verify(bundleOf(at, other(size)), old.node)
    assert.deepEqual([found.failing, found.superseded], ['inclusion', ending.succession])
  }
  const small = verify(bundleOf(at, other(2)), old.node)
  assert.equal(small.outcome, 'unchecked')
  assert.deepEqual(small.unchecked, ['inclusion'])
})

test.run()
