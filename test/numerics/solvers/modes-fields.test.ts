// Goal and method: those of modes.test.ts, for the solvers whose every choice is a field over time.
import { suite } from '../../kit/suite.ts'
import { FIELDS, testModes } from './modes-kit.ts'

const test = suite('numerics/modes-fields')

testModes(test, (name) => FIELDS.has(name))

test.run()
