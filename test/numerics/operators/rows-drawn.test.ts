// Goal: a row computes rightly anywhere in its ranges, not at its example alone. Method: random inputs within the
// ranges against the 50-digit measurement.
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { isEvaluable, rowRules } from './row-rules.ts'
import { registry } from './table.ts'

const test = suite('operator rows, drawn')

/** Draws of one row, and what all rows may take on a busy machine. */
const DRAWS = 60
const ROWS_MS_MAX = 240_000

test(
  'random inputs within the ranges agree with 50 digits to 1e-9',
  () => {
    const random = seeded()
    const rules = rowRules(registry)
    for (const it of registry.operators.filter(isEvaluable)) rules.drawn(it, random, DRAWS)
  },
  ROWS_MS_MAX,
)

test.run()
