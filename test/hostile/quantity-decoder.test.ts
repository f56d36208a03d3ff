// Goal: no text of an input is read as another quantity or another uncertainty than it says, or brings anything but a
// coded refusal. Method: 100,000 mutants of good ones, from a printed seed; what is accepted must mean the same when it
// is written again in SI.
import assert from 'node:assert/strict'
import { utf8 } from '#core/bytes.ts'
import { parseUnit } from '#core/units.ts'
import { readQuantity } from '#numerics/operators/quantity.ts'
import { suite } from '../kit/suite.ts'
import { type Decoder, fuzz, INPUTS, lineOf, textOf } from './fuzz.ts'

const test = suite('hostile: quantities')

const texts = [
  '5 km',
  '5.0 ± 0.1 km',
  '(5.0 ± 0.1) km',
  '5.0(1) km',
  '6.674(15)e-11 m',
  '5 km ± 20 m',
  '5 km ± 2 %',
  '@a_0 ± 1 %',
  '0.5 @a_0',
  '-3 +/- .5 mm',
]

const decoder: Decoder = {
  name: 'quantity with its uncertainty',
  corpus: texts.map((it) => utf8(it)),
  words: ['±', '+/-', '+-', '(', ')', '(1)', ' %', ' km', '@', 'e-3', '.', '-', '1e400'],
  bytesMax: 256,
  decode(input) {
    const text = textOf(input)
    if (text === undefined) return false
    const quantity = { symbol: 'x', name: 'length', unit: 'm', of: parseUnit('m') }
    const place = { operator: 'X', input: 'x', quantity }
    const found = readQuantity(text, place)
    const { value, uncertainty } = found
    assert.ok(Number.isFinite(value) && (uncertainty === undefined || (uncertainty >= 0 && uncertainty < Infinity)))
    const written = uncertainty === undefined ? `${value} m` : `(${value} ± ${uncertainty}) m`
    // A Fault would pass as a refusal of the mutant: what was accepted must not be refused when it is written again.
    assert.doesNotThrow(() => readQuantity(written, place), written)
    assert.deepEqual(readQuantity(written, place), found, `${text} reads otherwise when it is written as ${written}`)
    return true
  },
}

test(`${decoder.name}: ${INPUTS} inputs`, () => {
  console.log(lineOf(decoder.name, fuzz(decoder)))
}, 100_000)

test.run()
