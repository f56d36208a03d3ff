// Goal: no text, header, path or file is read as something else than it says, is believed without its signature, or
// brings anything but a coded refusal. Method: 100,000 mutants of good ones for each decoder, from a printed seed; what
// is accepted must be written again as it came, or mean the same when it is, and what carries a signature must be one
// that was signed.
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { fuzz, INPUTS, lineOf } from './fuzz.ts'
import { configFile, textDecoders } from './text-decoders.ts'

/** Configurations, each of which is written to a file first: no stranger writes them. */
const FILES = 20_000

const test = suite('hostile: decoders of texts')

for (const decoder of textDecoders) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder)))
  }, 100_000)
}

test(`configuration file: ${FILES} inputs`, () => {
  using dir = tempDir()
  using decoder = configFile(dir.path)
  console.log(lineOf(decoder.name, fuzz(decoder, FILES)))
}, 100_000)

test.run()
