import assert from 'node:assert/strict'
import { equalBytes, fromHex, utf8 } from '#core/bytes.ts'
import { canonical, canonicalBytes, type Json } from '#core/canonical.ts'
import { assertProves, readChallenge } from '#core/dispute/challenge.ts'
import { readReveal, readRuling } from '#core/dispute/statements.ts'
import { parseJson } from '#core/json.ts'
import { packed, unpacked } from '#core/packed.ts'
import { fitting } from '#core/schema.ts'
import { readAccept } from '#core/work/accept.ts'
import { closeFault, closeSchema } from '#core/work/audit.ts'
import { readOffer } from '#core/work/offer.ts'
import { holdsWork, type WorksPublished, workPlaceSchema } from '#core/work/published.ts'
import { readWork } from '#core/work/work.ts'
import { headFrame, questionFrame, readHead, readQuestion } from '#domain/network/blobs/frames.ts'
import { readDossier } from '#domain/network/disputes/dossier.ts'
import { linkFrame, messageBytes, messageOf, readLinkFrame } from '#domain/network/links/frames.ts'
import { readAsked, readTold } from '#domain/network/works/messages.ts'
import { dossierBytes } from '#domain/network/works/served.ts'
import type { ContributionVectors } from '../core/contribution-vectors.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import type { Random } from '../kit/random.ts'
import type { Decoder } from './fuzz.ts'
import { readVector } from './vectors.ts'

/** Decoders of contributed work and of disputes: what strangers send about jobs, and what convicts one of them. */

const DOCUMENT_BYTES_MAX = 1_048_576
/** One shaped input in so many, where each costs signatures. */
const SHAPED_SELDOM = 40

const vectors = readVector<ContributionVectors>('contribution')
const { seeds, offer, accept, work, close, published } = vectors

const leafChanged =
  (documents: readonly Json[]) =>
  (random: Random): Uint8Array => {
    const document = random.pick(documents)
    const [path, old] = random.pick(leavesOf(document))
    return canonicalBytes(replaced(document, path, altered(old)) as Json)
  }

const linkFrames: Decoder = {
  name: 'frame of a link',
  corpus: vectors.frames.map(({ frame }) => fromHex(frame)),
  words: ['\u0001\u0000\u0000\u0000\u0000', '\u0003\u0000\u0000\u0000\u0001'],
  decode(input) {
    const read = readLinkFrame(input)
    if (read === undefined) return false
    assert(equalBytes(linkFrame(read.kind, read.n, read.body), input), 'two spellings of one frame')
    return true
  },
}

/** What a side of a link says. */
const message = (kind: 'ask' | 'tell', read: (value: unknown) => object): Decoder => {
  const texts = vectors.frames.filter((it) => it.kind === kind).map((it) => it.message)
  return {
    name: kind === 'ask' ? 'what a requester says' : 'what a worker says',
    corpus: texts.map((it) => utf8(it)),
    words: [
      '"type":"',
      '"beat"',
      '"jobs":[',
      '"states":[',
      '"attempt":',
      '"inputs":null',
      '"detail":"',
      '"__proto__":',
    ],
    shaped: leafChanged(texts.map((it) => JSON.parse(it) as Json)),
    decode(input) {
      assert(equalBytes(messageBytes(read(messageOf(input))), input), 'two spellings of one message')
      return true
    },
  }
}

const question: Decoder = {
  name: 'question for a value',
  corpus: vectors.blobs.questions.map((it) => utf8(it.question)),
  words: ['"kind":"bytes"', '"sha256":"', '"tokens_root":"', '"__proto__":'],
  decode(input) {
    assert(equalBytes(questionFrame(readQuestion(input)), input), 'two spellings of one question')
    return true
  },
}

const head: Decoder = {
  name: 'head of a value',
  corpus: vectors.blobs.heads.map((it) => utf8(it.head)),
  words: ['"none":true', '"size":', '67108865', '"__proto__":'],
  decode(input) {
    assert(equalBytes(headFrame(readHead(input)), input), 'two spellings of one head')
    return true
  },
}

const packedValue: Decoder = {
  name: 'packed value',
  corpus: vectors.packed.map(({ bytes }) => fromHex(bytes)),
  words: ['{"$array":{"type":"u8","length":1}}', '"length":', '"type":"f64"', '"$array":', '"more":1', '4294967296'],
  decode(input) {
    assert(equalBytes(packed(unpacked(input)), input), 'two forms of one value')
    return true
  },
}

interface Signed {
  readonly name: string
  readonly documents: readonly object[]
  readonly words: readonly string[]
  readonly read: (value: unknown) => object
}

/** A document that somebody signed: whatever is read is one of those that were. */
const signed = ({ name, documents, words, read }: Signed): Decoder => {
  const texts = new Set(documents.map((it) => canonical(it as Json)))
  return {
    ...{ name, words, corpus: documents.map((it) => canonicalBytes(it as Json)) },
    shaped: leafChanged(documents as readonly Json[]),
    shapedEvery: SHAPED_SELDOM,
    decode(input) {
      const it = read(parseJson(input, DOCUMENT_BYTES_MAX))
      assert(texts.has(canonical(it as Json)), `a forged ${name}`)
      return true
    },
  }
}

const code = ['"code":{', '"kernels":{', '"solver":"']
const signedDecoders: readonly Decoder[] = [
  signed({
    ...{ name: 'offer', documents: [offer.signed], words: ['"pool":[', '"at_risk":false', '"attempt":1', ...code] },
    read: readOffer,
  }),
  signed({
    ...{ name: 'accept', documents: [accept.signed], words: ['"bond":null', '"w":"', '"mesh_tick":'] },
    read: (value) => readAccept(value, offer.signed.offer),
  }),
  signed({
    ...{ name: 'work', documents: [work.signed], words: ['"steps":null', '"check":{', '"measured":', ...code] },
    read: (value) => readWork(value, seeds.worker.node),
  }),
  signed({
    name: 'challenge',
    documents: vectors.challenges.map((it) => it.signed),
    words: [
      '"segment":"finish"',
      '"segment":0',
      '"before":null',
      '"kind":"unavailable"',
      '"path":[]',
      '"follows":null',
    ],
    read: (value) => {
      const it = readChallenge(value, seeds.challenger.node)
      assertProves(it.challenge, work.signed.work, offer.signed.offer.inputs)
      return it
    },
  }),
  signed({
    ...{ name: 'ruling', documents: vectors.rulings, words: ['"outcome":"available"', '"recomputed":null', ...code] },
    read: (value) => readRuling(value, seeds.ruler.node),
  }),
]

const dossier: Decoder = {
  name: 'dossier of a work',
  corpus: [utf8(vectors.dossier)],
  words: ['"offer":{', '"accept":{', '"work":{', '"signature":"', ...code],
  shaped: leafChanged([JSON.parse(vectors.dossier) as Json]),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const read = readDossier(input, { work: work.digest, worker: seeds.worker.node })
    assert(equalBytes(dossierBytes(read), input) && equalBytes(input, utf8(vectors.dossier)), 'a forged dossier')
    return true
  },
}

const { event: _, ...known } = published.place

const place: Decoder = {
  name: 'place of a work',
  corpus: [canonicalBytes(published.place as unknown as Json)],
  words: ['"path":[', '"index":0', '"worker":"'],
  shaped: leafChanged([published.place as unknown as Json]),
  decode(input) {
    const read = fitting(workPlaceSchema, parseJson(input, DOCUMENT_BYTES_MAX))
    if (!holdsWork(published.event.payload as WorksPublished, read)) return false
    const { event, ...shown } = read
    assert.match(event, /^[0-9a-f]{64}$/)
    assert.equal(canonical(shown as Json), canonical(known as Json), 'a work at a place where none was published')
    return true
  },
}

const reveal: Decoder = {
  name: 'value of a draw',
  corpus: vectors.reveals.map((it) => canonicalBytes(it as unknown as Json)),
  words: ['"of":"c"', '"next":null', '"after":null', '"value":"'],
  shaped: leafChanged(vectors.reveals as unknown as readonly Json[]),
  decode(input) {
    const value = parseJson(input, DOCUMENT_BYTES_MAX)
    const { of, next, after, ...rest } = readReveal(value)
    assert.equal(canonical({ of, next, after, ...rest } as Json), canonical(value))
    assert.equal(next === null, of === 'c', 'c with a next commitment, or w without')
    assert(of === 'c' || after === null, 'w answers nothing')
    return true
  },
}

const closed: Decoder = {
  name: 'close of a job',
  corpus: [canonicalBytes(close as unknown as Json)],
  words: ['"rate":', '"audit":"wrong"', '"audit":"no_work"', '"samples":', '"of":0'],
  shaped: leafChanged([close as unknown as Json]),
  decode(input) {
    const read = fitting(closeSchema, parseJson(input, DOCUMENT_BYTES_MAX))
    if (closeFault(read, { audit: offer.signed.offer.audit, work: work.digest }) !== undefined) return false
    assert.deepEqual([read.q, read.rate], [close.q, close.rate], 'another q or rate than was committed to')
    assert.equal(read.found.audit === 'not_audited', close.found.audit === 'not_audited')
    return true
  },
}

/** All of them, each to be fuzzed. */
export const workDecoders: readonly Decoder[] = [
  ...[linkFrames, message('ask', readAsked), message('tell', readTold), question, head, packedValue],
  ...[...signedDecoders, dossier, place, reveal, closed],
]
