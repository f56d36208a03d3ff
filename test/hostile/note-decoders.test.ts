// Goal and method: as text-decoders.test.ts, for notes, proofs and policies: dear ones, which have a file of their own.
import { suite } from '../kit/suite.ts'
import { fuzz, INPUTS, lineOf } from './fuzz.ts'
import { noteDecoders } from './text-decoders.ts'

const test = suite('hostile: decoders of notes')

for (const decoder of noteDecoders) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder)))
  }, 110_000)
}

test.run()
