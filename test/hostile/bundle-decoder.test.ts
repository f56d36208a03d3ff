// Goal and method: as json-decoders.test.ts, for bundles: dear ones, which have a file of their own.
import { suite } from '../kit/suite.ts'
import { fuzz, INPUTS, lineOf } from './fuzz.ts'
import { bundle } from './json-decoders.ts'

const test = suite('hostile: bundles')

for (const decoder of [bundle]) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder)))
  }, 110_000)
}

test.run()
