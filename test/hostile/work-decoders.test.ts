// Goal and method: as json-decoders.test.ts, for contributed work and disputes: no two spellings of a frame or a packed
// value, nothing that was altered is an offer, a work, a challenge or a ruling of whoever signed another one.
import { suite } from '../kit/suite.ts'
import { FUZZ_MS, fuzz, INPUTS_DEAR, lineOf } from './fuzz.ts'
import { workDecoders } from './work-decoders.ts'

const test = suite('hostile: decoders of contributed work')

for (const decoder of workDecoders) {
  test(
    `${decoder.name}: ${INPUTS_DEAR} inputs`,
    () => {
      console.log(lineOf(decoder.name, fuzz(decoder, INPUTS_DEAR)))
    },
    FUZZ_MS,
  )
}

test.run()
