// Goal: whoever holds a chain can check it without the node: any change, swap, loss or backward tick is found at the
// entry where it is, and a proof of one entry stands or falls with every bit of it. Method: fast-check over chains
// made by the definition, with the tree and the log of the node built from the same core.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { toHex } from '#core/bytes.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { parseIsoMs } from '#core/iso.ts'
import { publicKeyOfSeed } from '#core/keys.ts'
import {
  chainWalk,
  type Entry,
  type EntryProof,
  entryHash,
  entryLeaf,
  entryProofFault,
  genesisHash,
  type Head,
  headDigest,
  headLeaf,
  machineIdHash,
  transitionIdOf,
} from '#core/machine.ts'
import { inclusionProof, leafHash, rootFrom, rootOf } from '#core/merkle.ts'
import { verifierOf } from '#core/note.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core: machine')

const genesis = genesisHash({ slug: 'pump', owner: 'zid1x', node: 'n', genesis_tick: 5, nonce: '00' })
const start = { seq: 0, previous: genesis, tick: 5 }

interface Linked {
  readonly entry: Entry
  readonly hash: string
}

const chainOf = (steps: readonly { readonly gap: number; readonly value: number }[]): Linked[] => {
  const links: Linked[] = []
  let previous = genesis
  let tick = 5
  for (const [seq, { gap, value }] of steps.entries()) {
    tick += gap
    const entry = { seq, previous, tick, type: 'event', body: { value } }
    previous = entryHash(entry)
    links.push({ entry, hash: previous })
  }
  return links
}

const steps = fc.array(fc.record({ gap: fc.nat(3), value: fc.nat() }), { minLength: 1, maxLength: 40 })

const walked = (links: readonly Linked[]) => {
  const walk = chainWalk(start)
  for (const { entry, hash } of links) if (!walk.step(entry, hash)) break
  return walk.verdict()
}

test('a chain as it was made holds, and from any place in it on', () => {
  fc.assert(
    fc.property(steps, fc.nat(), (made, at) => {
      const links = chainOf(made)
      assert.deepEqual(walked(links), { valid: true, count: links.length, broken: undefined })
      const from = at % links.length
      const before = links[from - 1]
      const place = { seq: from, previous: before?.hash ?? genesis, tick: before?.entry.tick ?? 5 }
      const walk = chainWalk(place)
      for (const { entry, hash } of links.slice(from)) assert.ok(walk.step(entry, hash))
    }),
    { seed },
  )
})

/** Ways to spoil the entry at a place; each leaves a chain that must be found broken there, or right behind it. */
const spoils: Readonly<Record<string, (links: readonly Linked[], at: number) => Linked[]>> = {
  body: (links, at) => links.map((it, i) => (i === at ? { ...it, entry: { ...it.entry, body: { value: -1 } } } : it)),
  type: (links, at) => links.map((it, i) => (i === at ? { ...it, entry: { ...it.entry, type: 'state' } } : it)),
  tick: (links, at) =>
    links.map((it, i) => (i === at ? { ...it, entry: { ...it.entry, tick: it.entry.tick + 1 } } : it)),
  hash: (links, at) => links.map((it, i) => (i === at ? { ...it, hash: '0'.repeat(64) } : it)),
  'rehashed body': (links, at) =>
    links.map((it, i) => {
      const entry = { ...it.entry, body: { value: -1 } }
      return i === at ? { entry, hash: entryHash(entry) } : it
    }),
  'rehashed earlier tick': (links, at) =>
    links.map((it, i) => {
      const entry = { ...it.entry, tick: 4 }
      return i === at ? { entry, hash: entryHash(entry) } : it
    }),
  loss: (links, at) => links.filter((_, i) => i !== at),
  double: (links, at) => [...links.slice(0, at + 1), ...links.slice(at)],
}

test('whatever is spoilt is found where it is', () => {
  fc.assert(
    fc.property(steps, fc.nat(), fc.constantFrom(...Object.keys(spoils)), (made, place, how) => {
      const links = chainOf(made)
      const at = place % links.length
      const { valid, broken } = walked(spoils[how]!(links, at))
      const last = at === links.length - 1
      // The last entry can be left out, or made anew, unseen by its chain: the head in the log is what forbids it.
      if (last && (how === 'loss' || how === 'rehashed body')) return assert.ok(valid)
      const found = how === 'rehashed body' || how === 'loss' || how === 'double' ? at + 1 : at
      assert.equal(broken?.seq, how === 'double' ? at : found, how)
    }),
    { seed },
  )
})

const SEED = new Uint8Array(32).fill(9)
const LOG = 'tickmesh.log/test/1'
const verifier = verifierOf(LOG, publicKeyOfSeed(SEED))

const reader = (hashes: readonly Uint8Array[]) => (level: number, index: number) => {
  const width = 1 << level
  return rootOf(hashes.slice(index * width, (index + 1) * width))
}

const proofOf = (links: readonly Linked[], seq: number): EntryProof => {
  const own = links.map(({ entry }) => leafHash(entryLeaf(entry)))
  const { entry, hash } = links.at(-1)!
  const id_hash = machineIdHash('pump', genesis)
  const head: Head = {
    id_hash,
    seq: entry.seq,
    hash,
    size: links.length,
    root: toHex(rootFrom(reader(own), own.length)),
  }
  const log = [leafHash(Uint8Array.of(1)), leafHash(headLeaf(head)), leafHash(Uint8Array.of(2))]
  return {
    head,
    path: inclusionProof(reader(own), seq, own.length).map(toHex),
    head_index: 1,
    head_path: inclusionProof(reader(log), 1, log.length).map(toHex),
    checkpoint: signCheckpoint({ origin: LOG, size: log.length, root: rootOf(log) }, publicKeyOfSeed(SEED), SEED),
  }
}

test('a proof of an entry holds for that entry under that key, and for nothing else', () => {
  fc.assert(
    fc.property(steps, fc.nat(), (made, place) => {
      const links = chainOf(made)
      const seq = place % links.length
      const { entry } = links[seq]!
      const proof = proofOf(links, seq)
      assert.equal(entryProofFault(entry, proof, verifier), undefined)
      const { head } = proof
      const wrong: readonly (readonly [Entry, EntryProof])[] = [
        [{ ...entry, body: { value: -1 } }, proof],
        [{ ...entry, seq: entry.seq + 1 }, proof],
        [entry, { ...proof, head: { ...head, id_hash: '0'.repeat(64) } }],
        [entry, { ...proof, head: { ...head, seq: head.seq + 1 } }],
        [entry, { ...proof, head: { ...head, size: head.size + 1 } }],
        [entry, { ...proof, head: { ...head, root: '0'.repeat(64) } }],
        [entry, { ...proof, head: { ...head, root: 'x' } }],
        [entry, { ...proof, path: [...proof.path, '0'.repeat(64)] }],
        [entry, { ...proof, head_path: proof.head_path.slice(1) }],
        [entry, { ...proof, head_index: 0 }],
        [entry, { ...proof, checkpoint: 'no note' }],
      ]
      for (const [it, by] of wrong) assert.notEqual(entryProofFault(it, by, verifier), undefined)
      const another = verifierOf(LOG, publicKeyOfSeed(new Uint8Array(32).fill(8)))
      assert.notEqual(entryProofFault(entry, proof, another), undefined)
      assert.equal(headDigest(head).length, 64)
    }),
    { seed, numRuns: 30 },
  )
})

test('an id hash belongs to one slug and one genesis, and a transition id is a UUID of version 8', () => {
  const id = machineIdHash('pump', genesis)
  assert.notEqual(machineIdHash('pump-2', genesis), id)
  assert.notEqual(machineIdHash('pump', id), id)
  assert.match(transitionIdOf(id), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('ISO times are read as Date reads them, and what is no time is none', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }), (date) => {
      assert.equal(parseIsoMs(date.toISOString()), date.getTime())
    }),
    { seed },
  )
  assert.equal(parseIsoMs('2026-11-20T13:00+01:00'), Date.parse('2026-11-20T12:00:00Z'))
  assert.equal(parseIsoMs('2026-11-20T13:00:07.5Z'), Date.parse('2026-11-20T13:00:07.500Z'))
  const none = [
    '',
    '2026',
    '2026-11-20',
    '2026-02-30T00:00Z',
    '2026-13-01T00:00Z',
    '2026-11-20T24:00Z',
    '2026-11-20T12:00',
  ]
  for (const text of none) assert.equal(parseIsoMs(text), undefined, text)
})

test.run()
