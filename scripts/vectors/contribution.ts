import { concat, fromHex, fromUtf8, toBase64, toHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { challengeDigest, signChallenge } from '#core/dispute/challenge.ts'
import { ranksOf } from '#core/dispute/draw.ts'
import { signRuling } from '#core/dispute/statements.ts'
import { packed } from '#core/packed.ts'
import { acceptDigest, signAccept } from '#core/work/accept.ts'
import { offerDigest, signOffer } from '#core/work/offer.ts'
import { workLeafData } from '#core/work/published.ts'
import { stateLeafData } from '#core/work/segments.ts'
import { signWork } from '#core/work/work.ts'
import { headFrame, questionFrame } from '#domain/network/blobs/frames.ts'
import { linkFrame, messageBytes } from '#domain/network/links/frames.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import { dossierBytes } from '#domain/network/works/served.ts'
import type { BlobName } from '#domain/network/works/types.ts'
import * as it from './contribution-sample.ts'

const text = (value: unknown): string => canonical(value as Json)

const { of, workName } = it

const asked: readonly AskedOfWorker[] = [
  { type: 'offer', offer: it.signedOffer, inputs: it.inputs },
  { type: 'offer', offer: it.signedOffer, inputs: null },
  { type: 'sample', ...of, states: [0, 2] },
  { type: 'cancel', ...of },
  { type: 'published', ...of, place: { ...it.shownPlace, path: [...it.shownPlace.path] } },
  { type: 'closed', ...of, close: it.close },
  { type: 'beat', jobs: [of] },
]

const told: readonly ToldRequester[] = [
  { type: 'accept', ...of, accept: it.signedAccept },
  { type: 'refuse', ...of, code: 'BUSY', detail: 'Other work goes first.' },
  { type: 'progress', ...of, step: 2, steps: 4, residual: null },
  { type: 'progress', ...of, step: 3, steps: 4, residual: 0.5 },
  { type: 'digests', ...of, states: toBase64(concat(...it.stateDigests.map(fromHex))) },
  { type: 'result', ...of, work: it.signedWork, outcome: null },
  { type: 'samples', ...of, states: [{ i: 2, sha256: it.stateDigests[2] as string }] },
  { type: 'beat', jobs: [] },
]

const frames = () =>
  [...asked.map((message) => ['ask', message] as const), ...told.map((message) => ['tell', message] as const)].map(
    ([kind, message], n) => ({
      ...{ kind, n, message: fromUtf8(messageBytes(message)) },
      frame: toHex(linkFrame(kind, n, messageBytes(message))),
    }),
  )

const names: readonly BlobName[] = [
  { kind: 'bytes', sha256: it.stateDigests[0] as string },
  { kind: 'states', root: it.work.steps?.root ?? '' },
  { kind: 'inputs', digest: it.offer.inputs },
  { kind: 'records', work: workName },
  { kind: 'dossier', work: workName },
  { kind: 'list', bond: it.accept.bond ?? '', tokens_root: it.q },
]

/** Values of which every array is a member of its own. */
const values: readonly unknown[] = [
  null,
  { u: Float64Array.of(1.5, -0, 1e-300), n: Int32Array.of(-1, 2), mask: Uint8Array.of(0, 255) },
  [{ z: 1, a: [new Uint8Array(0)] }, 'é\n', true],
]

const shapes: readonly (readonly [why: string, head: string, tail: readonly number[]])[] = [
  ['length before type', '{"$array":{"length":1,"type":"u8"}}', [7]],
  ['a member more', '{"$array":{"type":"u8","length":1,"more":0}}', [7]],
  ['a type that is none', '{"$array":{"type":"i64","length":1}}', [7]],
  ['a length below zero', '{"$array":{"type":"u8","length":-1}}', []],
  ['too few bytes', '{"$array":{"type":"f64","length":1}}', [0, 0, 0, 0]],
  ['bytes after the last array', '{"$array":{"type":"u8","length":1}}', [7, 8]],
  ['another spelling of the text', '{"a": 1}', []],
  ['no JSON', '{', []],
]

const refusedBytes = () => ({
  frames: [
    ['nothing', ''],
    ['a kind that is none', '0400000000ff'],
    ['an acknowledgement with a message', '0300000000ff'],
    ['a message without bytes', '0100000000'],
    ['a number cut short', '01000000'],
  ].map(([why, frame]) => ({ why, frame })),
  questions: [
    ['a kind that is none', text({ kind: 'all' })],
    ['a member more', text({ kind: 'bytes', sha256: it.q, size: 1 })],
    ['a digest too short', text({ kind: 'bytes', sha256: it.q.slice(2) })],
    ['another order', JSON.stringify({ sha256: it.q, kind: 'bytes' })],
  ].map(([why, question]) => ({ why, question })),
  heads: [
    ['nothing, and yet a size', '{"none":true,"size":1}'],
    ['neither', '{"none":false}'],
    ['more than a value can have', '{"size":67108865}'],
  ].map(([why, head]) => ({ why, head })),
  packed: [
    ...shapes.map(([why, head, tail]) => ({ why, bytes: toHex(Uint8Array.from([...utf8(`${head}\n`), ...tail])) })),
    { why: 'no line feed', bytes: toHex(utf8('{}')) },
  ],
})

const { requester, worker, challenger, ruler } = it

/** What is signed and says what it may not, or is signed by another key. */
const refusedDocuments = () => {
  const offer = (why: string, over: Partial<typeof it.offer>, by = requester) => ({
    ...{ of: 'offer', why, value: signOffer(by.seed, { ...it.offer, ...over }) },
  })
  const accept = (why: string, over: Partial<typeof it.accept>, by = worker) => ({
    ...{ of: 'accept', why, value: signAccept(by.seed, { ...it.accept, ...over }) },
  })
  const challenge = (why: string, over: Partial<typeof it.challenge>, by = challenger) => ({
    ...{ of: 'challenge', why, value: signChallenge(by.seed, { ...it.challenge, ...over }) },
  })
  const [ruling] = it.rulings as [(typeof it.rulings)[0]]
  return [
    offer('signed by another key', {}, worker),
    offer('a pool out of order', { pool: it.pool.toReversed() }),
    offer('a bond at risk with too small a pool', { pool: it.pool.slice(0, 2) }),
    offer('a bond at risk and inputs that nobody may read', { disclosed: false }),
    offer('offered to oneself', { worker: requester.node }),
    offer('over before it began', { deadline: it.offer.mesh_tick }),
    accept('signed by another key', {}, requester),
    accept('of another offer', { offer: it.q }),
    accept('no bond where one is at risk', { bond: null }),
    { of: 'work', why: 'signed by another key', value: signWork(requester.seed, it.work) },
    challenge('signed by another key', {}, worker),
    challenge('a segment without the state it begins with', { before: null }),
    challenge('no digest of its own', { own: null }),
    challenge('the digest that the worker has', { own: it.stateDigests[3] as string }),
    challenge('want of data, and a segment', { kind: 'unavailable' }),
    { of: 'ruling', why: 'signed by another key', value: signRuling(worker.seed, ruling) },
    { of: 'ruling', why: 'run again without code', value: signRuling(ruler.seed, { ...ruling, code: null }) },
    { of: 'reveal', why: 'w without the next commitment', value: { ...it.revealW, next: null } },
    { of: 'reveal', why: 'c with a next commitment', value: { ...it.revealC, next: it.q } },
    { of: 'close', why: 'a rate below the least', value: { ...it.close, rate: 4_999 } },
  ]
}

/** Contributed work: what nodes sign and say about it, and about disputes over it. */
export const contributionVectors = () => ({
  about:
    'One work from its offer to a dispute over it: what is signed, published, said (exec/1), asked for (blob/1) and ' +
    'packed, and what of all that is refused. wire/contribution.md, wire/exec.md and wire/blob.md say how.',
  seeds: Object.fromEntries(
    Object.entries({ requester, worker, challenger, ruler }).map(([name, { seed, node }]) => [
      name,
      { seed: toHex(seed), node },
    ]),
  ),
  offer: { signed: it.signedOffer, digest: offerDigest(it.offer), q: it.q, rate: it.rate },
  accept: { signed: it.signedAccept, digest: acceptDigest(it.accept) },
  work: { signed: it.signedWork, digest: workName, outcome: it.outcome },
  states: it.stateDigests.map((sha256, i) => ({
    ...{ bytes: fromUtf8(it.states[i] as Uint8Array), sha256 },
    leaf: toHex(stateLeafData({ inputs_digest: it.offer.inputs, i, step: i, sha256 })),
  })),
  dossier: fromUtf8(dossierBytes({ offer: it.signedOffer, accept: it.signedAccept, work: it.signedWork })),
  published: {
    event: it.workEvent,
    leaves: it.works.map((leaf) => ({ ...leaf, leaf: toHex(workLeafData(leaf)) })),
    place: it.shownPlace,
  },
  close: it.close,
  challenges: it.challenges.map((challenge) => ({
    ...{ signed: signChallenge(challenger.seed, challenge), digest: challengeDigest(challenge) },
  })),
  reveals: [it.revealW, it.revealC],
  draw: {
    ...{ work: workName, challenge: it.challengeName, c: it.revealC.value, w: it.revealW.value },
    ranks: ranksOf({ work: workName, challenge: it.challengeName, c: it.revealC.value, w: it.revealW.value }, it.pool),
  },
  rulings: it.signedRulings,
  frames: [...frames(), { kind: 'ack', n: 4_294_967_295, message: '', frame: toHex(linkFrame('ack', 4_294_967_295)) }],
  blobs: {
    questions: names.map((name) => ({ name, question: fromUtf8(questionFrame(name)) })),
    heads: [undefined, 0, 67_108_864].map((size) => ({ size: size ?? null, head: fromUtf8(headFrame(size)) })),
  },
  packed: values.map((value) => ({ bytes: toHex(packed(value)) })),
  refused: { documents: refusedDocuments(), ...refusedBytes() },
})
