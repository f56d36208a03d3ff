// Goal: no text and no document makes the language of contracts throw anything but a coded refusal, or be read as
// something else than it says. Method: mutants of good ones, from a printed seed: 100,000 expressions, 20,000
// definitions; what is accepted must mean the same when it is written again.
import assert from 'node:assert/strict'
import { utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { parseJson } from '#core/json.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { compileExpression } from '#numerics/contracts/language/evaluate.ts'
import { parseExpression, printExpression } from '#numerics/contracts/language/grammar.ts'
import { suite } from '../kit/suite.ts'
import { good } from '../numerics/contracts/definition/samples.ts'
import { type Decoder, fuzz, INPUTS, INPUTS_DEAR, lineOf, textOf } from './fuzz.ts'

const test = suite('hostile: contracts')

const corpus = [
  'context.n > 5 && has(event.data.x) || !context.on',
  'context.mode in ["a", \'b\\n\\u00fc\'] ? [1, 2.5e-3][1] : -min(context.n, 3, state_ticks) % 7',
  'size("\ud83d\ude00") + clamp(pow(context.n, 0.5), 0, 1) != null',
]

const expression: Decoder = {
  name: 'expression of a contract',
  corpus: corpus.map((it) => utf8(it)),
  words: [
    '((((((((',
    '!!!!',
    '----',
    '[[',
    'a?b:',
    '.constructor',
    '__proto__',
    '\\u',
    "'",
    '"',
    'in',
    '&&',
    '==',
    'e9',
  ],
  decode(input) {
    const text = textOf(input)
    if (text === undefined) return false
    const it = parseExpression(text)
    const written = printExpression(it)
    assert.equal(printExpression(parseExpression(written)), written)
    compileExpression(it)({ context: { n: 5, on: true, mode: 'a' }, event: { data: {} }, state_ticks: 1 })
    return true
  },
}

const definition: Decoder = {
  name: 'definition of a contract',
  corpus: [utf8(JSON.stringify(good))],
  words: [
    '"constructor":',
    '"__proto__":{},',
    '"kind":',
    '{"$":"',
    'null',
    '[]',
    '{}',
    '1e308',
    '"v":1,',
    '"version":"1",',
  ],
  bytesMax: 8_192,
  decode(input) {
    const { faults, contract } = lintContract(parseJson(input, 1_048_576), { cron: () => undefined })
    assert.equal(contract === undefined, faults.length > 0)
    if (contract === undefined) throw new Fault('INVALID_INPUT', faults[0]?.reason)
    const again = lintContract(contract.definition, { cron: () => undefined })
    assert.equal(
      canonical(again as unknown as Json),
      canonical({ ...again, earlier: false, faults: [], contract } as unknown as Json),
    )
    return true
  },
}

for (const [decoder, inputs] of [
  [expression, INPUTS],
  [definition, INPUTS_DEAR],
] as const) {
  test(`${decoder.name}: ${inputs} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder, inputs)))
  }, 110_000)
}

test.run()
