// Goal and method: as archive-decoders.test.ts, for the lines of a batch and for bodies that are lists: whatever the
// bytes are, they are read as they stand or refused, nothing is thrown but a refusal, and no altered batch verifies.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { batchFileOf } from '#core/batch/file.ts'
import type { BatchCall, BatchOutcome, SignedClosing, SignedOpening } from '#core/batch/forms.ts'
import { verifyBatchLines } from '#core/batch/verify.ts'
import { fromUtf8, utf8 } from '#core/bytes.ts'
import { listedBody } from '#gateway/listed.ts'
import { suite } from '../kit/suite.ts'
import { type Decoder, FUZZ_MS, fuzz, INPUTS, INPUTS_DEAR, lineOf } from './fuzz.ts'
import { readVector } from './vectors.ts'

const test = suite('hostile: batches')

const vector = readVector<{
  readonly calls: readonly { readonly call: BatchCall }[]
  readonly opening: SignedOpening
  readonly outcomes: readonly { readonly outcome: BatchOutcome }[]
  readonly closing: SignedClosing
}>('batch')
const sealed = readVector<{ readonly claim: { readonly node: string }; readonly signature: string }>('claim')

const lines = [
  vector.opening,
  ...vector.calls.map(({ call }, index) => {
    const outcome = vector.outcomes[index]?.outcome
    const answer = { claim: sealed.claim, signature: sealed.signature }
    return outcome?.outcome === 'sealed'
      ? { index, outcome: 'sealed', ...call, answer }
      : { index, outcome: outcome?.outcome, ...call, problem: { code: 'code' in outcome! ? outcome.code : '' } }
  }),
  { ...vector.closing, proofs: { opening: null, closing: null } },
].map((line) => JSON.stringify(line))
const ofLines = (some: readonly string[]): Uint8Array => utf8(`${some.join('\n')}\n`)

const batchLines: Decoder = {
  name: 'lines of a batch',
  corpus: [ofLines(lines), ofLines(lines.slice(0, -1)), ofLines(lines.slice(0, 1))],
  words: ['"index":0', '"outcome":"sealed"', '"problem":{"code":"X"}', '"proofs":', '"closing":{', '"opening":{'],
  decode(input) {
    const { outcome } = verifyBatchLines(input, { trusted: vector.opening.opening.node })
    // The claim is of another batch, and nothing here has a proof.
    assert.notEqual(outcome, 'verified')
    const { calls } = batchFileOf(input)
    const said = fromUtf8(input)
      .trimEnd()
      .split('\n')
      .slice(1, 1 + calls.length)
    for (const [i, { call }] of calls.entries()) {
      const { input: sent, route } = JSON.parse(said[i] as string) as BatchCall
      assert(isDeepStrictEqual([call.input, call.route], [sent, route]), 'not what the line says')
    }
    return true
  },
}

const CALLS = [
  { route: 'heat', input: { nx: 64 } },
  { route: 'compute', input: { operators: ['GR37'], inputs: { mass: '1 kg' } } },
]

/** @param type of the body: lines, or whatever JSON says it is. */
const listed = (type: string, corpus: readonly string[]): Decoder => ({
  name: `a list as ${type}`,
  corpus: corpus.map((text) => utf8(text)),
  words: ['{"route":"heat"}', '\r\n', '[', ']', '{"calls":['],
  decode(input) {
    const { calls } = listedBody('calls', input, type) as { readonly calls?: readonly unknown[] }
    if (calls === undefined) return true
    const text = fromUtf8(input)
    const read = type.endsWith('ndjson')
      ? text.split('\n').flatMap((line) => (/^[ \t\r]*$/.test(line) ? [] : [JSON.parse(line) as unknown]))
      : (JSON.parse(text) as unknown)
    const whole = Array.isArray(read) ? read : (read as { readonly calls: unknown }).calls
    assert(isDeepStrictEqual(calls, whole), 'not what JSON.parse reads')
    return true
  },
})

const text = CALLS.map((it) => JSON.stringify(it))
const bodies = [
  listed('application/x-ndjson', [`${text.join('\n')}\n`, `${text.join('\r\n\r\n')}`, text[0] as string]),
  listed('application/json', [`[${text.join()}]`, ` {"calls":[${text.join()}]}`, '[]']),
]

test(
  `lines of a batch: ${INPUTS_DEAR} inputs`,
  () => console.log(lineOf(batchLines.name, fuzz(batchLines, INPUTS_DEAR))),
  FUZZ_MS,
)

for (const decoder of bodies) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => console.log(lineOf(decoder.name, fuzz(decoder))), FUZZ_MS)
}

test.run()
