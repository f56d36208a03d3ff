// Goal and method: as json-decoders.test.ts, for what moves tokens: no list has two spellings, and no op, receipt,
// state or evidence that was altered counts.
import { suite } from '../kit/suite.ts'
import { fuzz, INPUTS, lineOf } from './fuzz.ts'
import { tokenDecoders } from './token-decoders.ts'

const test = suite('hostile: decoders of tokens')

for (const decoder of tokenDecoders) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder)))
  }, 110_000)
}

test.run()
