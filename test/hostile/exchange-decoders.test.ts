// Goal and method: as json-decoders.test.ts, for what nodes ask and tell each other of tokens.
import { suite } from '../kit/suite.ts'
import { exchangeDecoders } from './exchange-decoders.ts'
import { fuzz, INPUTS, lineOf } from './fuzz.ts'

const test = suite('hostile: decoders of questions about tokens')

for (const decoder of exchangeDecoders) {
  test(`${decoder.name}: ${INPUTS} inputs`, () => {
    console.log(lineOf(decoder.name, fuzz(decoder)))
  }, 110_000)
}

test.run()
