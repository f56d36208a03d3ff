// Goal and method: as archive-decoders.test.ts, for exported chains: dear ones, which have a file of their own.
import { suite } from '../kit/suite.ts'
import { chainFile } from './archive-decoders.ts'
import { fuzz, INPUTS, lineOf } from './fuzz.ts'

const test = suite('hostile: exported chains')

for (const decoder of [chainFile]) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder)))
  }, 110_000)
}

test.run()
