// Goal: every rule of differentiation is right in every row, whichever variable is solved for. Method: each worked
// example with narrow uncertainties on all inputs; the sensitivities against central differences of the relation at 50
// digits. Narrow chains and wide inputs drawn over the rows settle or are refused by a code, with the same bits twice.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import { planChain } from '#numerics/operators/chain.ts'
import { bindInputs } from '#numerics/operators/resolve.ts'
import { checkComputation } from '#numerics/operators/sealed.ts'
import { measureSlopes } from '#numerics/operators/uncertainty/check.ts'
import { slopesOf } from '#numerics/operators/uncertainty/linear.ts'
import { linkModels } from '#numerics/operators/uncertainty/model.ts'
import { sourcesOf } from '#numerics/operators/uncertainty/sources.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { bracketAround, isEvaluable, unlessRefused } from './row-rules.ts'
import { compute, registry } from './table.ts'

const test = suite('uncertainty over the rows')

/** Relative uncertainty of each input. */
const NARROW = 1e-7
/** Largest deviation of a sensitivity in percent: far below the gate's 0.1. */
const MEASURED_MAX = 1e-5
const ROWS_MS_MAX = 400_000

const evaluable = registry.operators.filter(isEvaluable)

type Evaluable = (typeof evaluable)[number]
type Values = Readonly<Record<string, number>>

/** The values of an example, the output among them. */
const exampleOf = ({ row }: Evaluable): Values => {
  const { inputs = {}, output = '' } = row.example ?? {}
  const { order, value } = compute([row.id], inputs, { solve_for: output })
  return { ...order.inputs, [output]: value }
}

/** Largest deviation of a sensitivity of a row solved for one variable from the relation's own, in percent. */
const measured = ({ row }: Evaluable, values: Values, unknown: string): number => {
  const operators = [registry.operator(row.id)]
  const inputs = Object.entries(values).filter(([symbol]) => symbol !== unknown)
  const plans = planChain(operators, bindInputs(operators, inputs), unknown)
  const of = inputs.map(([symbol, value]) => ({
    of: [`${row.id}.${symbol}`],
    standard: NARROW * (Math.abs(value) || 1),
  }))
  const sources = sourcesOf(of, plans)
  const given = Object.fromEntries(inputs)
  const { chain } = unlessRefused(
    () => compute([row.id], given, { solve_for: unknown }),
    () => compute([row.id], given, { solve_for: unknown, bracket: bracketAround(values[unknown] ?? Number.NaN) }),
  )
  const links = linkModels(plans, chain, sources)
  return measureSlopes({ links, sources, slopes: slopesOf(links, sources.length) })
}

test(
  'at every worked example, for every variable it solves for, the sensitivities are those of the relation',
  () => {
    const wrong: string[] = []
    for (const operator of evaluable) {
      const values = exampleOf(operator)
      for (const unknown of operator.row.solves_for) {
        const off = measured(operator, values, unknown)
        if (!(off <= MEASURED_MAX)) wrong.push(`${operator.row.id} for ${unknown}: ${off} %`)
      }
    }
    assert.deepEqual(wrong, [])
  },
  ROWS_MS_MAX,
)

test(
  'drawn rows and uncertainties settle or are refused by a code, the bound order gives the same bits',
  () => {
    const width = fc.oneof(fc.constantFrom(0, 1e-3, 0.02, 0.3, 2, 1e6), fc.double({ min: 0, max: 1, noNaN: true }))
    let settled = 0
    const drawn = fc.tuple(fc.nat(evaluable.length - 1), fc.array(width, { minLength: 8, maxLength: 8 }))
    const holds = ([index, widths]: [number, number[]]): void => {
      const operator = evaluable[index]
      if (operator === undefined) return
      const { id, example } = operator.row
      const values = Object.entries(exampleOf(operator)).filter(([symbol]) => symbol !== example?.output)
      const inputs = Object.fromEntries(
        values.map(([symbol, value], i) => [symbol, { value, uncertainty: (widths[i % 8] ?? 0) * Math.abs(value) }]),
      )
      try {
        const once = checkComputation(compute([id], inputs, { solve_for: example?.output }))
        const { operators, ...order } = once.computation.order
        const twice = checkComputation(compute(operators, order.inputs, order))
        assert.deepEqual([twice.inputsDigest, twice.resultDigest], [once.inputsDigest, once.resultDigest], id)
        settled += 1
      } catch (thrown) {
        if (!(thrown instanceof Fault)) throw thrown
        assert.ok(['INVALID_INPUT', 'OUT_OF_RANGE'].includes(thrown.code), `${id}: ${thrown.code} ${thrown.message}`)
      }
    }
    fc.assert(fc.property(drawn, holds), { seed, numRuns: 80 })
    assert.ok(settled > 30, `${settled} settled`)
  },
  ROWS_MS_MAX,
)

test.run()
