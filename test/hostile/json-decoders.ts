import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { parseBundle } from '#core/bundle.ts'
import { equalBytes, fromHex, fromUtf8, toHex, utf8 } from '#core/bytes.ts'
import { canonical, canonicalBytes, DEPTH_MAX, type Json, parseCanonical } from '#core/canonical.ts'
import type { Bundle } from '#core/claim.ts'
import { eventBytes, parseEvent, signEvent } from '#core/events.ts'
import { parseJson } from '#core/json.ts'
import { parseNote } from '#core/note.ts'
import { verifySuccession } from '#core/succession.ts'
import { parseTlogProof } from '#core/tlog-proof.ts'
import { verifyBundle } from '#core/verify.ts'
import { frameOf, openFrame } from '#domain/network/frame.ts'
import { readStatus, type StatusDocument, statusFrames } from '#domain/network/status-document.ts'
import {
  ackFrame,
  askFrame,
  handshakeFrame,
  helloFrame,
  rangeFrame,
  readAck,
  readAsk,
  readHello,
  readRange,
} from '#domain/network/sync/frames.ts'
import { parseObject } from '#gateway/json.ts'
import { parseRow } from '#numerics/operators/operator.ts'
import { author, body, handshake, party } from '../domain/network/party.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import { type Random, seeded } from '../kit/random.ts'
import type { Decoder } from './fuzz.ts'
import { readVector } from './vectors.ts'

/** Decoders of documents that are JSON, or travel in frames of bytes. */

const random = seeded()

/** One shaped input in so many, where each costs a verification. */
const SHAPED_SELDOM = 40

/** Strings that stand as names, as the text has them: a second count beside the one that the parsers keep. */
const namesIn = (text: string): number => {
  let names = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/gs)) if (colon !== undefined) names += 1
  return names
}
const namesOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce<number>((sum, part) => sum + namesOf(part), own)
}
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

const misnamed = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(misnamed))

/** A value that every reader of the text reads alike: JSON.parse's, with no name twice, and not too deep. */
const assertRead = (input: Uint8Array, value: unknown): void => {
  const text = fromUtf8(input)
  assert(isDeepStrictEqual(value, JSON.parse(text)), 'not what JSON.parse reads')
  assert.equal(namesOf(value), namesIn(text), 'a name was lost')
  assert(depthOf(value) <= DEPTH_MAX, 'too deep')
}

const canonicalVector = readVector<{ accepted: { bytes: string }[] }>('canonical')
const eventVector = readVector<{ text: string }>('event')
const bundleVector = readVector<{ trusted: string[]; schemas: { input: object; output: object }; bundle: Bundle }>(
  'bundle',
)
const askedVector = readVector<{ bundle: Bundle }>('claim-2')
const successionVector = readVector<{ proven: { proven: Json }[] }>('succession')

const canonicalCorpus = [
  ...canonicalVector.accepted.map((it) => fromHex(it.bytes)),
  utf8(eventVector.text),
  canonicalBytes({ a: [1, 2.5, -0.001, 1e21, 'é\u2028"\\'], b: { c: null, d: [true, false, {}] }, é: 'x' }),
]

/** A document with one leaf changed and still in its one form: it passes every door but the signature's. */
const leafChanged =
  (documents: readonly Json[]) =>
  (from: Random): Uint8Array => {
    const document = from.pick(documents)
    const [path, old] = from.pick(leavesOf(document))
    return canonicalBytes(replaced(document, path, altered(old)) as Json)
  }

const canonicalJson: Decoder = {
  name: 'canonical JSON',
  corpus: canonicalCorpus,
  words: ['1.0', '1E5', '-0', '"\\u00e9"', '{"a":1,"a":2}', '[[[[[[[[', '"b":'],
  decode(input) {
    const value = parseCanonical(input)
    assert(equalBytes(canonicalBytes(value), input), 'two spellings of one document')
    assertRead(input, value)
    return true
  },
}

const looseCorpus = [
  '{}',
  '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
  '{"x":"\\ud83d\\ude00 \\\\ud800","n":[1e3,-0.5,0,12345678901234567890e-3]}',
  ' { "a" : [ ] , "\\u0062" : "\\"" } ',
].map((it) => utf8(it))
const looseWords = [
  '"a":',
  '"\\u0061":',
  '"\\ud800"',
  '1e999',
  '{"a":',
  '\\',
  '\\u',
  '"__proto__":',
  '-',
  '99999999999999999999',
]

const gatewayJson: Decoder = {
  name: 'a body of the gateway',
  corpus: looseCorpus,
  words: looseWords,
  decode(input) {
    const value = parseObject(input)
    assertRead(input, value)
    assert.equal(misnamed(value), false, '__proto__')
    return true
  },
}

const documentJson: Decoder = {
  name: 'JSON of any spelling',
  corpus: looseCorpus.slice(0, 2),
  words: looseWords,
  decode(input) {
    assertRead(input, parseJson(input, 1_048_576))
    return true
  },
}

const sources = [author(random), author(random)]
const events = [
  ...sources.map((it) => it.presence(2_310_000_000)),
  signEvent(sources[0]!.seed, {
    v: 1,
    type: 'head',
    sourceNodeId: sources[0]!.node,
    seq: 3,
    tick: 7,
    payload: { origin: 'x', note: 'é\n' },
  }),
]
const eventCorpus = [utf8(eventVector.text), ...events.map(eventBytes)]
const eventTexts = new Set(eventCorpus.map((it) => fromUtf8(it)))

const meshEvent: Decoder = {
  name: 'event',
  corpus: eventCorpus,
  words: ['"seq":', '"tick":', '"signature":"', '"payload":{', '12D3KooW'],
  shaped: leafChanged(eventCorpus.map((it) => parseCanonical(it))),
  decode(input) {
    const event = parseEvent(input)
    assert(equalBytes(eventBytes(event), input), 'two spellings of one event')
    assert(eventTexts.has(fromUtf8(input)), 'a forged event')
    return true
  },
}

/** What a verified bundle binds: everything but the spelling of its proof and lines of keys that nobody knows. */
const bound = ({ proof, ...rest }: Bundle): string => {
  const { index, path, checkpoint } = parseTlogProof(proof)
  return canonical({ ...rest, index, path: path.map(toHex), text: parseNote(checkpoint).text } as unknown as Json)
}
const goodBundles = [bundleVector.bundle, askedVector.bundle]
const boundTexts = new Set(goodBundles.map(bound))
const [trusted = ''] = bundleVector.trusted
const bundleTexts = goodBundles.flatMap((it) => [JSON.stringify(it), canonical(it as unknown as Json)])

/** Bundles: what is verified must be the one that was sealed. */
export const bundle: Decoder = {
  name: 'bundle',
  corpus: bundleTexts.map((it) => utf8(it)),
  words: ['"claim":', '"signature":"', '"proof":"', '"result":', '"value":', 'null', '\\n', '"price":3'],
  shaped: leafChanged(goodBundles as unknown as readonly Json[]),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const read = parseBundle(input)
    const found = verifyBundle({ bundle: read, trusted, schemas: () => bundleVector.schemas })
    if (found.outcome !== 'verified') return false
    assert(boundTexts.has(bound(read)), 'a forged bundle')
    return true
  },
}

const successions = successionVector.proven.map((it) => it.proven)
const successionTexts = new Set(successions.map((it) => canonical((it as { succession: Json }).succession)))

const succession: Decoder = {
  name: 'succession',
  corpus: successions.map(canonicalBytes),
  words: ['"note":"', '"path":[', '"size":', '12D3KooW'],
  shaped: leafChanged(successions),
  shapedEvery: SHAPED_SELDOM,
  decode(input) {
    const proven = verifySuccession(parseJson(input, 1_048_576)) as unknown as { succession: Json }
    assert(successionTexts.has(canonical(proven.succession)), 'a forged succession')
    return true
  },
}

const eventsLog = `tickmesh.events/${sources[0]!.node}/2310000000`
const note = `${eventsLog}\n4\n9pzThznqFL0zzOjCJJ2ZjGJywG65//rSRvAUk6/vYhE=\n\n— x AAAA\n`
const hash = new Uint8Array(32).fill(7)

const same = <T>(read: T | undefined, input: Uint8Array, write: (it: T) => Uint8Array): boolean => {
  if (read === undefined) return false
  assert(equalBytes(write(read), input), 'two spellings of one frame')
  return true
}

const syncFrames: Decoder = {
  name: 'sync frame',
  corpus: [
    helloFrame({ v: 1, node: sources[0]!.node, mesh_tick: 5, logs: {} }),
    helloFrame({ v: 1, node: sources[0]!.node, mesh_tick: 5, logs: { [eventsLog]: [0, note] } }),
    askFrame([]),
    askFrame([[eventsLog, 0, 4]]),
    ackFrame(7),
    rangeFrame({ ask: 0, from: 0, leaves: [utf8('leaf'), utf8('')], path: [], before: [] }),
    rangeFrame({ ask: 1, from: 9, leaves: [utf8('x'.repeat(300))], path: [hash, hash], before: [hash] }),
  ],
  words: [
    '\u0001',
    '\u0002',
    '\u0000\u0000\u0000\u0004',
    '\u007f\u007f\u007f\u007f',
    '"logs":{',
    `["${eventsLog}",0,4]`,
  ],
  decode(input) {
    // At most one of the four takes the same bytes.
    const taken = [
      same(readHello(input), input, helloFrame),
      same(readAsk(input), input, askFrame),
      same(readRange(input), input, rangeFrame),
      same(readAck(input), input, ackFrame),
    ].filter(Boolean)
    assert(taken.length <= 1, 'a frame of two kinds')
    return taken.length === 1
  },
}

const status: StatusDocument = {
  v: 1,
  node: sources[0]!.node,
  version: '0.1.0',
  genesisTick: 1,
  head: null,
  registry_version: 'sha256:aa',
  policy: 'open',
  mesh_tick: 2,
}
const membership = { secrets: [], meshTick: 2 }
const [, statusBytes] = statusFrames(status, membership)

const statusDocument: Decoder = {
  name: 'status document',
  corpus: [statusBytes, statusFrames({ ...status, head: note }, membership)[1]],
  words: ['"head":null', '"v":1', '"mesh_tick":'],
  decode(input) {
    const read = readStatus(status.node, [handshakeFrame(undefined), input], membership)
    if (!('document' in read)) return false
    assert(equalBytes(statusFrames(read.document, membership)[1], input), 'two spellings of one status')
    return true
  },
}

const framed = events.slice(0, 2).map((it) => {
  const of = body(it)
  return frameOf(of, handshake(it.sourceNodeId, 2_310_000_000, of))
})

const meshFrame: Decoder = {
  name: 'frame of a gossiped message',
  corpus: framed,
  words: [',"handshake":"v1;', '"}', '{"event":', ';'],
  decode(input) {
    const opened = openFrame(input)
    if (opened.handshake === undefined) {
      assert(equalBytes(opened.body, input), 'a body that nobody sent')
      return false
    }
    assert(equalBytes(frameOf(opened.body, opened.handshake), input), 'two spellings of one frame')
    return true
  },
}

/** The whole door of the mesh, for a message of a peer; what it let in must be one of those that were signed. */
const meshDoor = (): Decoder & Disposable => {
  const it = party(random)
  const from = { kind: 'libp2p', peer: sources[0]!.node } as unknown as Parameters<typeof it.network.receive>[1]
  const known = new Set(framed.map((bytes) => fromUtf8(bytes)))
  return {
    name: 'message of the mesh, through every check',
    corpus: framed,
    words: [',"handshake":"v1;', '"}', '{"event":'],
    decode(input) {
      const outcome = it.network.receive(input, from)
      if (outcome.status === 'received') assert(known.has(fromUtf8(input)), 'a forged message')
      // What was let in once is a duplicate ever after, and a message for nobody else is dropped: neither is a throw.
      return true
    },
    [Symbol.dispose]: () => it[Symbol.dispose](),
  }
}

/** The same door for what Redis brings: any member may bring it, so the frame need not be the one that was signed. */
const redisDoor = (): Decoder & Disposable => {
  const it = party(random)
  const known = new Set(events.map((event) => fromUtf8(body(event))))
  return {
    name: 'message over Redis, through every check',
    corpus: framed,
    words: [',"handshake":"v1;', '"}', '{"event":', '"__proto__"'],
    decode(input) {
      const outcome = it.network.receive(input, { kind: 'redis', channel: 'event' })
      if (outcome.status === 'received') assert(known.has(fromUtf8(openFrame(input).body)), 'a forged message')
      return true
    },
    [Symbol.dispose]: () => it[Symbol.dispose](),
  }
}

const rows = [
  {
    id: 'NM19',
    name: 'x',
    domain: 'mechanics',
    equation: 'F = m*a',
    variables: {
      F: { name: 'force', unit: 'N' },
      m: { name: 'mass', unit: 'kg', positive: true },
      a: { name: 'acceleration', unit: 'm/s^2' },
    },
    solves_for: ['F'],
    requires: [{ holds: 'm < [t]', why: 'z' }],
    source: 'y',
    example: { inputs: { m: 2, a: 3 }, output: 'F', value: 6, unit: 'N' },
  },
] as const

const operatorRow: Decoder = {
  name: 'operator row',
  corpus: rows.map((it) => canonicalBytes(it as unknown as Json)),
  words: [
    '"variables":{',
    '"unit":',
    '"solves_for":[',
    '"requires":[',
    '"example":',
    '"refused":{',
    '"toString":',
    '"__proto__":1',
  ],
  shaped: leafChanged(rows as unknown as readonly Json[]),
  decode(input) {
    const value = parseJson(input, 1_048_576)
    assert.equal(canonical(parseRow(value) as unknown as Json), canonical(value))
    return true
  },
}

/** Those whose accepted mutants cost a signature each. */
export const signedDecoders: readonly Decoder[] = [meshEvent, succession]

export const jsonDecoders = (): readonly Decoder[] => [
  canonicalJson,
  gatewayJson,
  documentJson,
  syncFrames,
  statusDocument,
  meshFrame,
  meshDoor(),
  redisDoor(),
  operatorRow,
]
