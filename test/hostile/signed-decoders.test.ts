// Goal and method: as json-decoders.test.ts, for events and successions: dear ones, which have a file of their own.
import { suite } from '../kit/suite.ts'
import { fuzz, INPUTS, lineOf } from './fuzz.ts'
import { signedDecoders } from './json-decoders.ts'

const test = suite('hostile: decoders of signed documents')

for (const decoder of signedDecoders) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder)))
  }, 110_000)
}

test.run()
