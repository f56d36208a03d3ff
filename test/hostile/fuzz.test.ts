// Goal: the fuzzer finds what it is there to find. Method: decoders with one defect each, of the kinds that the others
// are searched for; none of them may come through, and the same seed gives the same run.
import assert from 'node:assert/strict'
import { fromUtf8, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { suite } from '../kit/suite.ts'
import { type Decoder, fuzz } from './fuzz.ts'

const test = suite('hostile: the fuzzer')

const INPUTS = 20_000

const numbers = (read: (text: string) => string): Decoder => ({
  name: 'a decoder of numbers',
  corpus: [utf8('12'), utf8('345')],
  decode(input) {
    const text = new TextDecoder().decode(input)
    assert.equal(read(text), text, 'two spellings')
    return true
  },
})

const refuse = (): never => {
  throw new Fault('INVALID_INPUT')
}
const sound = (text: string): string => (/^[1-9][0-9]*$/.test(text) ? text : refuse())

const defects: readonly (readonly [string, Decoder, RegExp])[] = [
  ['white space passes', numbers((text) => (/^\s*[1-9][0-9]*\s*$/.test(text) ? text.trim() : refuse())), /dies of/],
  [
    'a leading zero passes',
    numbers((text) => (/^[0-9]{1,15}$/.test(text) ? String(Number(text)) : refuse())),
    /dies of/,
  ],
  ['an exception of the platform', numbers((text) => String(BigInt(`0x${sound(text)}z`))), /dies of/],
  ['bytes that are no text', { ...numbers(sound), decode: (input) => sound(fromUtf8(input)) !== '' }, /dies of/],
  ['a good one is refused', numbers((text) => (text === '345' ? refuse() : sound(text))), /refuses/],
  [
    'a prototype changes',
    numbers((text) => {
      if (text.includes('_')) Object.defineProperty(Object.prototype, 'polluted', { value: 1, configurable: true })
      return sound(text)
    }),
    /changed a prototype/,
  ],
]

for (const [what, decoder, words] of defects) {
  test(`found: ${what}`, () => {
    try {
      assert.throws(() => fuzz(decoder, INPUTS), words)
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted')
    }
  })
}

test('a sound decoder comes through, and its run is the same again', () => {
  const first = fuzz(numbers(sound), INPUTS)
  assert.deepEqual(fuzz(numbers(sound), INPUTS), first)
  assert(first.accepted > INPUTS / 100 && (first.refused.get('INVALID_INPUT') ?? 0) > 0)
})

test.run()
