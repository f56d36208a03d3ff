// Goal: no document that a stranger sends is read as something else than it says, is believed without its signature, or
// brings anything but a coded refusal. Method: 100,000 mutants of good documents for each decoder, from a printed seed;
// what is accepted must be written again as the very bytes that came, and what carries a signature must be one of those
// that were signed.

import { suite } from '../kit/suite.ts'
import { fuzz, INPUTS, lineOf } from './fuzz.ts'
import { jsonDecoders } from './json-decoders.ts'

const test = suite('hostile: decoders of documents')

for (const decoder of jsonDecoders()) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder)))
  }, 110_000)
}

test.run()
