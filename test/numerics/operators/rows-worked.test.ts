// Goal: what a row's worked example says holds. Method: each row is computed from its example, which every variable
// must move, and solved for every variable it lists and back.
import { suite } from '../../kit/suite.ts'
import { isEvaluable, rowRules } from './row-rules.ts'
import { registry } from './table.ts'

const test = suite('operator rows, worked')

/** What all rows may take on a busy machine. */
const ROWS_MS_MAX = 240_000

const evaluable = registry.operators.filter(isEvaluable)
const rules = rowRules(registry)

test(
  'every worked example holds to 1e-6',
  () => {
    for (const it of evaluable) rules.example(it)
  },
  ROWS_MS_MAX,
)

test(
  'every worked example tells when a variable is used wrongly: one in a hundred more of any shows',
  () => {
    for (const it of evaluable) rules.everyVariableCounts(it)
  },
  ROWS_MS_MAX,
)

test(
  'every row is solved for each variable it lists, and back',
  () => {
    for (const it of evaluable) rules.thereAndBack(it)
  },
  ROWS_MS_MAX,
)

test.run()
