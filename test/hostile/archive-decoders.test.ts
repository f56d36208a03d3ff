// Goal and method: as json-decoders.test.ts, for what lies in files and for evidence: nothing that was altered is
// restored, taken for a chain that a node sealed, or convicts a node that signed no two histories.
import { suite } from '../kit/suite.ts'
import { archiveDecoders } from './archive-decoders.ts'
import { fuzz, INPUTS, lineOf } from './fuzz.ts'

const test = suite('hostile: decoders of archives and evidence')

for (const decoder of archiveDecoders) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder)))
  }, 110_000)
}

test.run()
