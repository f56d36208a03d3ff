// Goal: every byte form ever written is still read. Method: each golden file under protocols/vectors is read as another
// implementation would read it, from its stated inputs to its stated outputs and back; then the script that wrote the
// files must find nothing to change.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { digestible, littleEndianBytes, typedArrayOf } from '#core/arrays.ts'
import { bundleText, parseBundle } from '#core/bundle.ts'
import { fromHex, fromUtf8, toHex } from '#core/bytes.ts'
import { canonical, canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { openCheckpoint } from '#core/checkpoint.ts'
import type { AskedClaim, Claim, Question, TickReceipt } from '#core/claim.ts'
import { digest, type Purpose, purposes } from '#core/digest.ts'
import * as envelope from '#core/envelope.ts'
import { eventId, eventLeaf, type MeshEvent, parseEvent } from '#core/events.ts'
import { Fault } from '#core/fault.ts'
import { checkHandshake } from '#core/handshake.ts'
import { type ApiKeyKind, apiKey, eventsLogName, logName, tokenIdOf, witnessName } from '#core/ids.ts'
import { assertSoundKey, nodeIdOf, publicKeyOf, publicKeyOfSeed, verifyValue, zidOf } from '#core/keys.ts'
import * as machine from '#core/machine.ts'
import { leafHash, rootOf, verifyConsistency, verifyInclusion } from '#core/merkle.ts'
import { parseVkey, verifierOf } from '#core/note.ts'
import { genesisAtOrAfter, meshTickAt, phaseAt, TICK_NS } from '#core/tick.ts'
import { parseTlogProof, verifyTlogProof } from '#core/tlog-proof.ts'
import { type SignedVerdict, verifyVerdict } from '#core/verdict.ts'
import { verifyBundle } from '#core/verify.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/vectors')
const folder = new URL('../../protocols/vectors/', import.meta.url)
// biome-ignore lint/suspicious/noExplicitAny: golden files are data whose members each test names.
const read = (name: string): any => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))

test('canonical: texts, bytes and refusals', () => {
  const { accepted, refused } = read('canonical') as {
    accepted: readonly { readonly value: Json; readonly text: string; readonly bytes: string }[]
    refused: readonly { readonly why: string; readonly bytes: string }[]
  }
  for (const it of accepted) {
    assert.equal(canonical(it.value), it.text)
    assert.equal(toHex(canonicalBytes(it.value)), it.bytes)
    assert.equal(canonical(parseCanonical(fromHex(it.bytes))), it.text)
  }
  for (const it of refused) assert.throws(() => parseCanonical(fromHex(it.bytes)), Fault, it.why)
  assert.ok(accepted.length >= 4 && refused.length >= 14)
})

test('digests: every purpose of the table has its line, and typed arrays their digest', () => {
  const { digests, arrays, bytes } = read('digests') as {
    digests: readonly { readonly purpose: Purpose; readonly value: Json; readonly digest: string }[]
    arrays: readonly {
      readonly schema: object
      readonly value: object
      readonly sizes: object
      readonly digestible: Json
    }[]
    bytes: readonly { readonly type: 'f64'; readonly values: readonly number[]; readonly bytes: string }[]
  }
  for (const it of digests) assert.equal(digest(it.purpose, it.value), it.digest)
  const later = ['claim-2', 'token-op', 'vote', 'batch', 'zone', 'contract', 'fire', 'channel'].flatMap(
    (name) => read(name).digests as typeof digests,
  )
  for (const it of later) assert.equal(digest(it.purpose, it.value), it.digest)
  const listed = [...digests, ...later].map((it) => it.purpose)
  assert.equal(listed.length, new Set(listed).size, 'each once')
  assert.deepEqual(new Set(listed), new Set(Object.values(purposes)))
  for (const it of arrays) {
    assert.deepEqual(digestible(it.schema, it.value, it.sizes as Record<string, unknown>), it.digestible)
  }
  for (const it of bytes) assert.equal(toHex(littleEndianBytes(typedArrayOf(it.type, it.values))), it.bytes)
})

test('tick: instants on the grid', () => {
  const { tick_ns, instants } = read('tick')
  assert.equal(BigInt(tick_ns), TICK_NS)
  for (const it of instants) {
    const instant = BigInt(it.unix_ns)
    assert.deepEqual(
      [meshTickAt(instant), phaseAt(instant), genesisAtOrAfter(instant)],
      [it.mesh_tick, it.phase, it.genesis],
    )
  }
})

test('keys: identities, names, a signature, unsound keys, tokens, API keys', () => {
  const it = read('keys')
  for (const party of it.parties) {
    const publicKey = publicKeyOfSeed(fromHex(party.seed))
    assert.deepEqual(
      [toHex(publicKey), zidOf(publicKey), nodeIdOf(publicKey)],
      [party.public_key, party.zid, party.node],
    )
    assert.deepEqual(publicKeyOf(party.node), publicKey)
    assertSoundKey(publicKey)
  }
  const [node, witness] = it.parties
  const { genesis, log, events } = it.names
  assert.deepEqual([logName(node.node, genesis), eventsLogName(node.node, genesis)], [log, events])
  assert.equal(witnessName(witness.node), it.names.witness)
  assert.ok(verifyValue(fromHex(node.public_key), it.signed.purpose, it.signed.value, it.signed.signature))
  for (const key of it.unsound) assert.throws(() => assertSoundKey(fromHex(key.public_key)), Fault, key.why)
  for (const token of it.tokens) assert.equal(tokenIdOf(token.log, token.index), token.token_id)
  for (const key of it.api_keys) assert.equal(apiKey(key.kind as ApiKeyKind, fromHex(key.bytes)), key.key)
})

test('merkle: roots and proofs', () => {
  const it = read('merkle')
  const leaves = it.leaf_hashes.map(fromHex) as Uint8Array[]
  const roots = it.roots.map(fromHex) as Uint8Array[]
  for (const [size, root] of roots.entries()) assert.deepEqual(rootOf(leaves.slice(0, size)), root)
  for (const { index, size, path } of it.inclusion) {
    const proof = { leafHash: leaves[index] as Uint8Array, index, size, root: roots[size] as Uint8Array }
    assert.ok(verifyInclusion({ ...proof, path: path.map(fromHex) }), `${index} of ${size}`)
  }
  for (const { oldSize, newSize, path } of it.consistency) {
    const ends = { oldRoot: roots[oldSize] as Uint8Array, newRoot: roots[newSize] as Uint8Array }
    assert.ok(verifyConsistency({ oldSize, newSize, ...ends, path: path.map(fromHex) }), `${oldSize} to ${newSize}`)
  }
})

test('claim: its text, digest, signature, leaves, and what it binds', () => {
  const it = read('claim') as { readonly claim: Claim; readonly tick_receipt: TickReceipt } & Record<string, never>
  const { claim, signature } = it
  assert.equal(canonical(claim as unknown as Json), it['claim_text'])
  assert.equal(envelope.claimDigest(claim), it['claim_digest'])
  assert.ok(envelope.verifyClaim(publicKeyOf(claim.node), claim, signature as unknown as string))
  assert.equal(envelope.signClaim(fromHex(it['seed'] as unknown as string), claim), signature)
  assert.equal(envelope.receiptDigest(it.tick_receipt), claim.receipt_digest)
  assert.equal(envelope.equationsDigest(it['equations'] as unknown as Json), claim.equations_digest)
  const { pulse, hidden, ledger, leaves } = read('claim')
  assert.equal(envelope.pulseHmac(fromHex(pulse.key), pulse.stamp), pulse.hmac)
  assert.equal(envelope.hiddenDigest(fromHex(hidden.nonce), hidden.digest), hidden.shown)
  const made = [
    envelope.ledgerLeaf(ledger.entry, ledger.signature),
    fromHex(leaves[1].data),
    envelope.envelopeLeaf(claim, signature as unknown as string),
    envelope.tickLeaf(claim.tick),
  ]
  for (const [index, leaf] of made.entries()) {
    assert.equal(toHex(leaf), leaves[index].data)
    assert.equal(toHex(leafHash(leaf)), leaves[index].hash)
  }
  assert.equal(envelope.signLedgerEntry(fromHex(it['seed'] as unknown as string), ledger.entry), ledger.signature)
})

test('claim, version 2: its text, digest, signature under its own purpose, its question, and what is refused', () => {
  const it = read('claim-2')
  const claim = it.claim as AskedClaim
  const key = publicKeyOf(claim.node)
  assert.equal(canonical(claim as unknown as Json), it.claim_text)
  assert.equal(envelope.claimDigest(claim), it.claim_digest)
  assert.ok(envelope.verifyClaim(key, claim, it.signature))
  assert.equal(envelope.signClaim(fromHex(it.seed), claim), it.signature)
  assert.ok(verifyValue(key, 'tickmesh/claim/2', it.claim, it.signature))
  assert.ok(verifyValue(key, 'tickmesh/claim/1', it.claim, it.other_version), 'a signature, under another purpose')
  assert.equal(envelope.verifyClaim(key, claim, it.other_version), false)
  const { asked: _, ...rest } = claim
  const first = { ...rest, v: 1 } as Claim
  assert.equal(envelope.verifyClaim(key, first, it.signature), false)
  assert.equal(envelope.verifyClaim(key, claim, envelope.signClaim(fromHex(it.seed), first)), false)
  assert.equal(toHex(envelope.envelopeLeaf(claim, it.signature)), it.leaf.data)
  assert.equal(toHex(leafHash(fromHex(it.leaf.data))), it.leaf.hash)
  const { query, constants, reading } = it.bundle.question as Question
  const bytes = { nonce: claim.nonce, query, constants, reading } as unknown as Json
  assert.equal(digest('tickmesh/reading/1', bytes), claim.asked.reading)
  assert.equal(digest('tickmesh/question/1', { query, constants, reading } as unknown as Json), it.reading_digest)
  const judged = (part: object, trusted = it.trusted[0]) =>
    verifyBundle({ bundle: { ...it.bundle, ...part }, trusted, schemas: () => it.schemas })
  for (const trusted of it.trusted) {
    const found = judged(parseBundle(bundleText(it.bundle)), trusted)
    assert.deepEqual([found.outcome, found.answers], ['verified', it.answers], JSON.stringify(found.steps))
  }
  assert.equal(judged(it.unconfirmed).outcome, 'verified')
  assert.match(judged(it.unconfirmed).answers ?? '', /not confirmed/)
  for (const { why, failing, question, envelope: forged, proof } of it.refused) {
    const found = judged({ question, envelope: forged, proof })
    assert.equal(found.failing, failing, `${why}: ${JSON.stringify(found.steps)}`)
  }
  assert.ok(it.refused.length >= 15)
})

test('note: verifier keys, checkpoint, cosignature and proofs', () => {
  const it = read('note')
  const log = parseVkey(it.log_vkey)
  const witness = parseVkey(it.witness_vkey)
  const opened = openCheckpoint(it.cosigned, log, [witness])
  assert.deepEqual({ ...opened.checkpoint, root: toHex(opened.checkpoint.root) }, it.checkpoint)
  assert.equal(opened.cosignatures.length, 1)
  assert.equal(openCheckpoint(it.note, log).cosignatures.length, 0)
  const leaf = fromHex(it.leaf_hash)
  assert.equal(verifyTlogProof(it.proof, leaf, { log }).index, 2)
  assert.equal(verifyTlogProof(it.cosigned_proof, leaf, { log, witnesses: [witness] }).cosignatures.length, 1)
  assert.equal(fromUtf8(parseTlogProof(it.proof_with_extra).extra ?? new Uint8Array(0)), 'extra')
})

test('bundle: verifies under each form of the key, and what the key signed against the rules does not', () => {
  const it = read('bundle')
  for (const trusted of it.trusted as string[]) {
    const bundle = parseBundle(bundleText(it.bundle))
    assert.equal(verifyBundle({ bundle, trusted, schemas: () => it.schemas }).outcome, 'verified')
    for (const { why, failing, envelope, proof } of it.refused) {
      const forged = { ...bundle, envelope, proof }
      assert.equal(verifyBundle({ bundle: forged, trusted, schemas: () => it.schemas }).failing, failing, why)
    }
  }
  assert.ok(it.refused.length >= 27)
})

test('event: read from its bytes, with its leaf and id', () => {
  const it = read('event')
  const event: MeshEvent = parseEvent(new TextEncoder().encode(it.text))
  assert.deepEqual(event, it.event)
  assert.deepEqual([toHex(eventLeaf(event)), eventId(event)], [it.leaf, it.id])
})

test('handshake: each header is good for its body', () => {
  const it = read('handshake')
  for (const { body, header } of it.handshakes) {
    const question = { header, body: fromHex(body), secrets: [fromHex(it.secret)], meshTick: it.mesh_tick }
    const verdict = checkHandshake(question)
    assert.ok(verdict.ok && verdict.sender === it.sender)
  }
})

test('verdict: each verifies as its own kind', () => {
  const it = read('verdict')
  for (const signed of it.verdicts as SignedVerdict[]) {
    assert.deepEqual([verifyVerdict('verdict', signed), verifyVerdict('attestation', signed)], [true, false])
  }
  for (const signed of it.attestations as SignedVerdict[]) assert.ok(verifyVerdict('attestation', signed))
})

test('machine: genesis, chain, head and proof are what they are said to be', () => {
  const it = read('machine')
  assert.equal(machine.genesisHash(it.genesis), it.genesis_hash)
  assert.equal(machine.machineIdHash(it.genesis.slug, it.genesis_hash), it.id_hash)
  const walk = machine.chainWalk({ seq: 0, previous: it.genesis_hash, tick: it.genesis.genesis_tick })
  for (const { entry, hash, leaf_hash, transition_id } of it.chain) {
    assert.ok(walk.step(entry, hash))
    assert.equal(toHex(leafHash(machine.entryLeaf(entry))), leaf_hash)
    assert.equal(machine.transitionIdOf(hash), transition_id)
  }
  assert.deepEqual([toHex(machine.headLeaf(it.head)), machine.headDigest(it.head)], [it.head_leaf, it.head_digest])
  const verifier = verifierOf(it.log.origin, fromHex(it.log.public_key))
  const { entry } = it.chain[1]
  assert.equal(machine.entryProofFault(entry, it.proof, verifier), undefined)
  assert.notEqual(machine.entryProofFault(it.chain[0].entry, it.proof, verifier), undefined)
})

test('the script that wrote the files finds nothing to change, and no file is unread', () => {
  const script = fileURLToPath(new URL('../../scripts/vectors.ts', import.meta.url))
  const run = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  assert.equal(run.status, 0, `${run.stdout}${run.stderr}`)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const source = readFileSync(fileURLToPath(import.meta.url), 'utf8')
  const ours = [
    'canonical',
    'digests',
    'tick',
    'keys',
    'merkle',
    'claim',
    'claim-2',
    'note',
    'bundle',
    'event',
    'handshake',
    'verdict',
    'machine',
  ]
  for (const name of ours) {
    assert.ok(files.includes(`${name}.json`), name)
    assert.ok(source.includes(`read('${name}')`), name)
  }
}, 30_000)

test.run()
