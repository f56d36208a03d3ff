import assert from 'node:assert/strict'
import { equalBytes, toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import type { SignedState } from '#core/token/state.ts'
import { frameOf, readAnswer, readQuestion, ToldFault } from '#domain/economy/abroad/forms.ts'
import { askFrame, readAsk, readTold, toldFrame } from '#domain/network/cosigned/frames.ts'
import {
  answerFrame,
  questionFrame,
  readAnswer as readFound,
  readQuestion as readNameQuestion,
} from '#domain/network/lookup/frames.ts'
import { createFraming, STRING_BYTES_MAX } from '#mesh/redis/framing.ts'
import type { Decoder } from './fuzz.ts'
import { readVector } from './vectors.ts'

/** Decoders of what nodes ask and tell each other: canonical frames, of which each has one spelling. */

const vectors = readVector<{
  readonly applied: readonly { readonly file: TokenReceiptFile }[]
  readonly state: SignedState
}>('token-op')

const files = vectors.applied.map(({ file: { list: _, ...file } }) => file)
const digest = 'ab'.repeat(32)
const token_id = 'cd'.repeat(16)
const { zid, home } = vectors.state.state
const proof = { public_key: digest, mesh_tick: 2_300_000_000, signature: digest + digest }

const questions: readonly object[] = [
  ...files.map(({ op, public_key, signature }) => ({ ask: 'apply', op, public_key, signature, bytes: 20 * op.count })),
  ...files.map((file) => ({ ask: 'arrived', file })),
  { ask: 'state', zid, proof, home, token_ids: [token_id] },
  { ask: 'bundle', zid, proof: null, token_id },
  { ask: 'bundles', zid, proof, token_ids: [token_id, digest.slice(0, 32)] },
  { ask: 'list', zid, proof, op_digest: digest },
  { ask: 'receipt', zid, proof: null, op_digest: digest },
]

const answers: readonly object[] = [
  ...files.map((file) => ({ answer: 'receipt', file })),
  { answer: 'state', signed: vectors.state },
  { answer: 'pieces', bytes: 20 },
  { answer: 'bundles', sizes: [4_096, 0, 33_554_432] },
  { answer: 'kept' },
  { answer: 'fault', code: 'SUPERSEDED', detail: 'The token has changed since.', details: { token_id, spend_seq: 1 } },
]

const framesOf = (all: readonly object[]): readonly Uint8Array[] => all.map((it) => frameOf({ v: 1, ...it }))

const question: Decoder = {
  name: 'question about tokens',
  corpus: framesOf(questions),
  words: ['"ask":"apply"', '"proof":null', '"__proto__"'],
  decode(input) {
    assert(equalBytes(frameOf(readQuestion(input)), input), 'two spellings of one question')
    return true
  },
}

/** A refusal is read, too; of what it names only what an op can be refused with is taken. */
const readAny = (input: Uint8Array): Json | undefined => {
  for (const kind of ['receipt', 'state', 'pieces', 'bundles', 'kept'] as const) {
    try {
      return readAnswer(kind, input) as unknown as Json
    } catch (cause) {
      if (!(cause instanceof ToldFault)) continue
      assert(Object.values(cause.details).every((it) => it === null || typeof it !== 'object'))
      return undefined
    }
  }
  readAnswer('kept', input)
  return undefined
}

const answer: Decoder = {
  name: 'answer about tokens',
  corpus: framesOf(answers),
  words: ['"answer":"fault"', '"details":{', '"__proto__"'],
  decode(input) {
    const read = readAny(input)
    if (read !== undefined) assert(equalBytes(frameOf(read as object), input), `two spellings: ${toHex(input)}`)
    return true
  },
}

const origin = home.replace('tickmesh.log/', 'tickmesh.events/')
const line = `\u2014 tickmesh.witness/one ${'A'.repeat(100)}=\n`

const cosignedQuestion: Decoder = {
  name: 'question about cosignatures',
  corpus: [askFrame([]), askFrame([[origin, 0, 7]]), askFrame([...Array(3)].map((_, i) => [origin, i, 2 * i]))],
  words: ['"logs":[', '[[', '9007199254740993', '"__proto__"'],
  decode(input) {
    const read = readAsk(input)
    if (read !== undefined) assert(equalBytes(askFrame(read), input), 'two spellings of one question')
    return read !== undefined
  },
}

const cosignedAnswer: Decoder = {
  name: 'answer about cosignatures',
  corpus: [
    toldFrame([]),
    toldFrame([[origin, 3, [[1, line]]]]),
    toldFrame([
      [
        origin,
        9,
        [
          [1, line],
          [8, line],
        ],
      ],
    ]),
  ],
  words: ['"logs":[', '\\n"', '[[', '"__proto__"'],
  decode(input) {
    const read = readTold(input)
    if (read !== undefined) assert(equalBytes(toldFrame(read), input), 'two spellings of one answer')
    return read !== undefined
  },
}

const lookupQuestion: Decoder = {
  name: 'question about events by name',
  corpus: [
    questionFrame({ kind: 'bond', name: 'ab'.repeat(32) }),
    questionFrame({ kind: 'work', name: '0'.repeat(64) }),
    questionFrame({ kind: 'node', name: origin.split('/')[1] ?? '' }),
  ],
  words: ['"bond":"', '"node":"', '"__proto__":"', ','],
  decode(input) {
    const read = readNameQuestion(input)
    if (read !== undefined) assert(equalBytes(questionFrame(read), input), 'two spellings of one question')
    return read !== undefined
  },
}

const path = ['cd'.repeat(32), 'ef'.repeat(32)]
const note = `${origin}\n8\nroot\n\n\u2014 name sig\n`

const lookupAnswer: Decoder = {
  name: 'answer about events by name',
  corpus: [
    answerFrame({ events: [], notes: {} }),
    answerFrame({ events: [{ origin, index: 7, event: { v: 1 }, path }], notes: { [origin]: note } }),
    answerFrame({
      events: [0, 1, 2].map((index) => ({ origin, index, event: { payload: { n: [index] } }, path })),
      notes: { [origin]: note },
    }),
  ],
  words: ['"events":[[', '"notes":{', '{}', '"__proto__":{'],
  decode(input) {
    const read = readFound(input)
    if (read !== undefined) assert(equalBytes(answerFrame(read), input), 'two spellings of one answer')
    return read !== undefined
  },
}

/** What Redis sends: all of it is followed alike, in whatever pieces it comes, and nothing that is let by is large. */
const redisFraming: Decoder = {
  name: 'answers of a Redis',
  corpus: [
    '+OK\r\n-NOAUTH Authentication required.\r\n:-1\r\n$-1\r\n*-1\r\n',
    '*3\r\n$9\r\nsubscribe\r\n$16\r\ntickmesh/event/1\r\n:1\r\n*2\r\n$4\r\npong\r\n$0\r\n\r\n',
    '*3\r\n$7\r\nmessage\r\n$15\r\ntickmesh/head/1\r\n$4\r\n\r\n*9\r\n',
  ].map(utf8),
  words: ['\r\n', '*3\r\n', '*1\r\n*1\r\n', '$1048576\r\n', '$1048577\r\n', '$4000000000\r\n', ':', '+', '-', '%2\r\n'],
  decode(input) {
    const whole = createFraming().take(input)
    const framing = createFraming()
    let byByte: ReturnType<typeof framing.take>
    for (let i = 0; i < input.length && byByte === undefined; i++) byByte = framing.take(input.subarray(i, i + 1))
    assert.equal(byByte, whole, 'it hangs on how the bytes come')
    const [, size] = /^\$(\d+)\r\n/.exec(Buffer.from(input).toString('latin1')) ?? []
    if (Number(size) > STRING_BYTES_MAX) assert.notEqual(whole, undefined, 'a string beyond the bound')
    return whole === undefined
  },
}

export const exchangeDecoders: readonly Decoder[] = [
  redisFraming,
  question,
  answer,
  cosignedQuestion,
  cosignedAnswer,
  lookupQuestion,
  lookupAnswer,
]
