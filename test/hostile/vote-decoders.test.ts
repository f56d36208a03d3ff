// Goal and method: as json-decoders.test.ts, for what votes are made of: no two proposals have one id, and no altered
// stake holds.
import { suite } from '../kit/suite.ts'
import { fuzz, INPUTS, lineOf } from './fuzz.ts'
import { voteDecoders } from './vote-decoders.ts'

const test = suite('hostile: decoders of votes')

for (const decoder of voteDecoders) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder)))
  }, 110_000)
}

test.run()
