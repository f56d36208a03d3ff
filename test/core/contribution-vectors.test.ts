// Goal: the byte forms of contributed work and of disputes stay, and what the vectors refuse is refused. Method: the
// golden file, read by the readers of the node and held together member by member.
import assert from 'node:assert/strict'
import { fromBase64, fromHex, toHex, utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import { assertProves, challengeDigest, readChallenge } from '#core/dispute/challenge.ts'
import { commitmentTo, ranksOf } from '#core/dispute/draw.ts'
import { type DrawReveal, readReveal, readRuling } from '#core/dispute/statements.ts'
import { eventId, parseEvent } from '#core/events.ts'
import { Fault } from '#core/fault.ts'
import { nodeIdOf, publicKeyOfSeed, signValue } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { packed, unpacked } from '#core/packed.ts'
import { fitting } from '#core/schema.ts'
import { acceptDigest, readAccept } from '#core/work/accept.ts'
import { closeFault, closeSchema } from '#core/work/audit.ts'
import { offerDigest, readOffer } from '#core/work/offer.ts'
import { holdsWork, type WorksPublished } from '#core/work/published.ts'
import { segmentPlan, stateLeafData, stepsOf } from '#core/work/segments.ts'
import { outcomeDigest, readWork, voidBecause, workDigest } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import { headFrame, questionFrame, readHead, readQuestion } from '#domain/network/blobs/frames.ts'
import { readDossier } from '#domain/network/disputes/dossier.ts'
import { linkFrame, messageBytes, messageOf, readLinkFrame } from '#domain/network/links/frames.ts'
import { readAsked, readTold } from '#domain/network/works/messages.ts'
import { readVector } from '../hostile/vectors.ts'
import { suite } from '../kit/suite.ts'
import { type ContributionVectors, readers } from './contribution-vectors.ts'

const test = suite('core/work vectors')

const vectors = readVector<ContributionVectors>('contribution')
const { seeds, offer, accept, work, close } = vectors
const seedOf = (name: keyof typeof seeds): Uint8Array => fromHex(seeds[name].seed)
const { node: workerNode } = seeds.worker

test('what is signed is signed as anybody would sign it', () => {
  for (const { seed, node } of Object.values(seeds)) assert.equal(nodeIdOf(publicKeyOfSeed(fromHex(seed))), node)
  const sign = (name: keyof typeof seeds, purpose: keyof typeof purposes, value: object): string =>
    signValue(seedOf(name), purposes[purpose], value as Json)
  assert.equal(sign('requester', 'offer', offer.signed.offer), offer.signed.signature)
  assert.equal(sign('worker', 'accept', accept.signed.accept), accept.signed.signature)
  assert.equal(sign('worker', 'work', work.signed.work), work.signed.signature)
  for (const { signed } of vectors.challenges) {
    assert.equal(sign('challenger', 'dispute', signed.challenge), signed.signature)
  }
  for (const signed of vectors.rulings) assert.equal(sign('ruler', 'ruling', signed.ruling), signed.signature)
})

test('offer, accept and work are of one another, and named by their bytes', () => {
  const read = readOffer(offer.signed)
  assert.equal(offerDigest(read.offer), offer.digest)
  assert.equal(acceptDigest(readAccept(accept.signed, read.offer).accept), accept.digest)
  const done = readWork(work.signed, workerNode).work
  assert.deepEqual([workDigest(done), outcomeDigest(done)], [work.digest, work.outcome])
  assert.equal(voidBecause(read.offer, done), undefined)
  assert.equal(closeFault(fitting(closeSchema, close), { audit: read.offer.audit, work: work.digest }), undefined)
  const whole = readDossier(utf8(vectors.dossier), { work: work.digest, worker: workerNode })
  assert.deepEqual(whole, { offer: offer.signed, accept: accept.signed, work: work.signed })
})

test('the root of the work holds its states, and the event holds the work', () => {
  const digests = vectors.states.map(({ bytes }) => toHex(sha256(utf8(bytes))))
  const { inputs } = offer.signed.offer
  assert.deepEqual(
    vectors.states.map((it) => it.sha256),
    digests,
  )
  for (const [i, { leaf }] of vectors.states.entries()) {
    assert.equal(toHex(stateLeafData({ inputs_digest: inputs, i, step: i, sha256: digests[i] as string })), leaf)
  }
  assert.deepEqual(stepsOf(inputs, segmentPlan(digests.length - 1), digests), work.signed.work.steps)
  const { event, place, leaves } = vectors.published
  assert.deepEqual(parseEvent(canonicalBytes(event as unknown as Json)), event)
  assert.equal(eventId(event), place.event)
  assert.ok(holdsWork(event.payload as WorksPublished, place))
  assert.equal(holdsWork(event.payload as WorksPublished, { ...place, index: 0 }), false)
  assert.equal(leafHash(fromHex(leaves[1]?.leaf ?? '')).length, 32)
})

test('challenges prove what they say, and the draw follows from both values', () => {
  for (const { signed, digest } of vectors.challenges) {
    const { challenge } = readChallenge(signed, seeds.challenger.node)
    assert.equal(challengeDigest(challenge), digest)
    assertProves(challenge, work.signed.work, offer.signed.offer.inputs)
  }
  const [w, c] = vectors.reveals.map(readReveal) as [DrawReveal, DrawReveal]
  assert.equal(commitmentTo({ of: 'w', about: offer.digest, value: w.value }), accept.signed.accept.w)
  const { commitment } = vectors.challenges[0]?.signed.challenge ?? {}
  assert.equal(commitmentTo({ of: 'c', about: work.digest, value: c.value }), commitment)
  const { ranks, ...draw } = vectors.draw
  assert.deepEqual(ranksOf(draw, offer.signed.offer.pool.toReversed()), ranks)
  for (const signed of vectors.rulings) assert.deepEqual(readRuling(signed, seeds.ruler.node), signed)
})

test('frames carry the messages that they say', () => {
  for (const { kind, n, message, frame } of vectors.frames) {
    const read = readLinkFrame(fromHex(frame))
    assert.deepEqual({ kind: read?.kind, n: read?.n }, { kind, n })
    assert.equal(toHex(linkFrame(kind, n, utf8(message))), frame)
    if (kind === 'ack') continue
    const value = messageOf(read?.body ?? new Uint8Array())
    const said = kind === 'ask' ? readAsked(value) : readTold(value)
    assert.deepEqual(messageBytes(said), utf8(message))
    if (said.type === 'digests') assert.equal(fromBase64(said.states).length, 32 * vectors.states.length)
  }
})

test('questions, heads and packed values have one form', () => {
  for (const { name, question } of vectors.blobs.questions) {
    assert.deepEqual(readQuestion(utf8(question)), name)
    assert.deepEqual(questionFrame(name), utf8(question))
  }
  for (const { size, head } of vectors.blobs.heads) {
    assert.equal(readHead(utf8(head)), size ?? undefined)
    assert.deepEqual(headFrame(size ?? undefined), utf8(head))
  }
  for (const { bytes } of vectors.packed) assert.equal(toHex(packed(unpacked(fromHex(bytes)))), bytes)
})

test('what is refused is refused', () => {
  const refuses = (why: string, read: () => unknown): void =>
    assert.throws(read, (thrown) => thrown instanceof Fault, why)
  const { documents, frames, questions, heads, packed: shapes } = vectors.refused
  for (const { of, why, value } of documents) refuses(`${of}: ${why}`, () => readers[of](value, vectors))
  for (const { why, frame } of frames) assert.equal(readLinkFrame(fromHex(frame)), undefined, why)
  for (const { why, question } of questions) refuses(why, () => readQuestion(utf8(question)))
  for (const { why, head } of heads) refuses(why, () => readHead(utf8(head)))
  for (const { why, bytes } of shapes) refuses(why, () => unpacked(fromHex(bytes)))
})

test.run()
