import { Fault } from '#core/fault.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import { walk } from '#numerics/operators/grammar.ts'
import type { Example, OperatorRow } from '#numerics/operators/operator.ts'
import { evaluatePrecisely } from '#numerics/operators/precise.ts'
import { KERNEL_ID, type Operator, type OperatorRegistry } from '#numerics/operators/registry.ts'
import type { ParsedRelation, Quantity } from '#numerics/operators/relation.ts'
import { ERROR_PCT_MAX } from '#numerics/runtime/solver.ts'
import type { Random } from '../../kit/random.ts'

/** What a row must keep to, each rule a function that throws an Error naming the row when it does not. */
export interface RowRules {
  /** The worked example holds, to 1e-6 unless it says why not. Gives its relative deviation. */
  example(of: Operator): number
  /** One in a hundred more (or less) of any input shows in the example, so that a wrong use of it would too. */
  everyVariableCounts(of: Operator): void
  /**
   * From the example, each variable listed is found again from all others, by a bracket around it where the relation
   * has several roots. Gives the largest relative deviation.
   */
  thereAndBack(of: Operator): number
  /**
   * Random inputs within the ranges agree with 50 digits to 1e-9, but for a share: a range says where the relation
   * holds, and where digits cancel in it each call is measured. Gives the largest relative error of those that agree.
   */
  drawn(of: Operator, random: Random, draws: number): number
}

const EXAMPLE_TOLERANCE = 1e-6
const DRAWN_MAX = 1e-9
/** Least share of draws that must be in range: a rule that nothing reaches proves nothing. */
const DRAWN_SHARE_MIN = 0.1
/** Where fewer are, up to so many times the draws are made, for some ranges are narrow (those of sums of squares). */
const DRAWN_AGAIN = 10
/** Decades around the example over which a variable is drawn that is unbounded, or whose range is wider. */
const DECADES = 4
/** A range is wider when it is so many times its lower end, or its example. */
const WIDE = 1_000
/** Most of the draws with a value that may lose digits, or so many that none can be sealed. */
const LOST_SHARE_MAX = 0.25
const NEGATIVE_SHARE = 0.2
/** The least double that has all its digits. */
const NORMAL_MIN = 2 ** -1022
/** What 50 digits leave of the exact zero of a function, at most. */
const VANISHED_MAX = 1e-40

const broken = (id: string, why: string): never => {
  throw new Error(`${id}: ${why}`)
}

/** Half of a bracket around a root, relative. */
const BESIDE = 1e-3

/** Where a root that is known is looked for among others. */
export const bracketAround = (root: number): readonly [number, number] => [
  root - BESIDE * Math.abs(root),
  root + BESIDE * Math.abs(root),
]

/** What a body gives, or another where what is asked has several answers or fails a condition. */
export const unlessRefused = <T>(body: () => T, other: () => T): T => {
  try {
    return body()
  } catch (thrown) {
    if (thrown instanceof Fault && ['AMBIGUOUS_INPUT', 'OUT_OF_RANGE'].includes(thrown.code)) return other()
    throw thrown
  }
}

const exampleOf = ({ row }: Operator): Example => row.example ?? broken(row.id, 'no example')

const deviation = (found: number, wanted: number): number =>
  found === wanted ? 0 : Math.abs(found - wanted) / Math.abs(wanted)

/** An evaluable row: one that is neither refused nor the kernel, which computes nothing by itself. */
export const isEvaluable = ({ row }: Operator): boolean => row.refused === undefined && row.id !== KERNEL_ID

/** One value of a variable: anywhere in a narrow range, else within some decades of what the example has. */
const draw = (random: Random, around: number, { min, max, integer, positive }: Quantity): number => {
  const [least, most] = [min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY]
  const size = Math.abs(around) || 1
  const isWide = !(most - least <= WIDE * size) || (least > 0 && most > WIDE * least)
  const isNegative = most <= 0 || (least < 0 && positive !== true && random.next() < NEGATIVE_SHARE)
  const [near, far] = isNegative ? [-most, -least] : [least, most]
  const low = Math.max(near, size * 10 ** (-DECADES / 2))
  const high = Math.max(low, Math.min(far, size * 10 ** (DECADES / 2)))
  const share = random.next()
  if (!isWide || (integer === true && most - least <= WIDE)) {
    const value = least + (most - least) * share
    return integer === true ? Math.round(value) : value
  }
  const value = Math.min(high, low * (high / low) ** share) * (isNegative ? -1 : 1)
  return integer === true ? Math.round(value) : value
}

/**
 * Whether a part of the relation is, at 50 digits, too small for a double with all its digits, e^-740, or nothing but
 * the rounding of an exact zero, sin(21 pi): that is no fault of a row; what is left of it is for the gate to judge.
 */
const underflows = ({ equation }: ParsedRelation, inputs: Readonly<Record<string, number>>): boolean => {
  const values = new Map(Object.entries(inputs).map(([symbol, value]) => [symbol, new Precise(value)]))
  let tiny = false
  for (const side of [equation.left, equation.right]) {
    walk(side, (part) => {
      const size = evaluatePrecisely(part, values).abs()
      tiny ||= size.gt(0) && size.lt(part.kind === 'call' ? VANISHED_MAX : NORMAL_MIN)
    })
  }
  return tiny
}

type Compute = (row: OperatorRow, inputs: Example['inputs'], solveFor: string) => Computation

const drawnOf =
  (compute: Compute): RowRules['drawn'] =>
  (of, random, draws) => {
    const relation = of.relation()
    const { quantities, output } = relation
    const { inputs: worked, output: answer } = exampleOf(of)
    const base = compute(of.row, worked, answer)
    const around: Readonly<Record<string, number>> = { ...base.order.inputs, [base.output.symbol]: base.value }
    let [computed, worst, lost, blurred] = [0, 0, 0, '']
    const least = draws * DRAWN_SHARE_MIN
    for (let i = 0; i < draws || (computed < least && i < draws * DRAWN_AGAIN); i += 1) {
      const given = [...quantities].filter(([symbol]) => symbol !== output)
      const inputs = Object.fromEntries(given.map(([symbol, it]) => [symbol, draw(random, around[symbol] ?? 1, it)]))
      try {
        const off = compute(of.row, inputs, output).precisionActual / 100
        if (!(off <= DRAWN_MAX) && underflows(relation, inputs)) continue
        computed += 1
        if (off <= DRAWN_MAX) worst = Math.max(worst, off)
        else {
          lost += 1
          blurred = `${JSON.stringify(inputs)} is ${off} off what 50 digits give`
        }
      } catch (thrown) {
        if (!(thrown instanceof Fault) || !['OUT_OF_RANGE', 'ILL_POSED'].includes(thrown.code)) throw thrown
      }
    }
    if (lost > LOST_SHARE_MAX * computed) broken(of.row.id, `${lost} of ${computed} draws lose digits: ${blurred}`)
    if (computed < least) broken(of.row.id, `only ${computed} of ${draws * DRAWN_AGAIN} draws are in range`)
    return worst
  }

/** The rules over the rows of a registry. */
export const rowRules = (registry: OperatorRegistry): RowRules => {
  const compute = (
    row: OperatorRow,
    inputs: Example['inputs'],
    solve_for: string,
    bracket?: readonly [number, number],
  ): Computation => computeOperators(registry, { operators: [row.id], inputs, solve_for, bracket })

  const worked = (of: Operator): Computation => {
    const { inputs, output } = exampleOf(of)
    return compute(of.row, inputs, output)
  }

  const sealable = (id: string, { precisionActual }: Computation): void => {
    if (!(precisionActual <= ERROR_PCT_MAX)) broken(id, `measures ${precisionActual} %`)
  }

  return {
    example: (of) => {
      const { value, unit, tolerance = EXAMPLE_TOLERANCE } = exampleOf(of)
      const found = worked(of)
      sealable(of.row.id, found)
      if (found.unit !== unit) broken(of.row.id, `the example is in ${unit}, the answer in ${found.unit}`)
      const off = deviation(found.value, value)
      if (!(off <= tolerance)) broken(of.row.id, `the example says ${value}, the row computes ${found.value}`)
      return off
    },

    everyVariableCounts: (of) => {
      const { output, tolerance = EXAMPLE_TOLERANCE } = exampleOf(of)
      const base = worked(of)
      for (const [symbol, value] of Object.entries(base.order.inputs)) {
        const { integer, max = Number.POSITIVE_INFINITY } = of.relation().quantities.get(symbol) ?? {}
        const more = integer === true ? value + 1 : value * 1.01
        const less = integer === true ? value - 1 : value * 0.99
        const at = (moved: number): number =>
          deviation(compute(of.row, { ...base.order.inputs, [symbol]: moved }, output).value, base.value)
        const change =
          more <= max
            ? unlessRefused(
                () => at(more),
                () => at(less),
              )
            : at(less)
        if (!(change > 10 * tolerance)) broken(of.row.id, `the example does not depend on ${symbol} (${change})`)
      }
    },

    thereAndBack: (of) => {
      const { output } = exampleOf(of)
      const first = worked(of)
      const all: Readonly<Record<string, number>> = { ...first.order.inputs, [output]: first.value }
      let worst = 0
      for (const symbol of of.row.solves_for) {
        const { [symbol]: wanted = Number.NaN, ...inputs } = all
        const found = unlessRefused(
          () => compute(of.row, inputs, symbol),
          () => compute(of.row, inputs, symbol, bracketAround(wanted)),
        )
        sealable(`${of.row.id} for ${symbol}`, found)
        const off = deviation(found.value, wanted)
        const slack = Math.max(EXAMPLE_TOLERANCE, found.precisionActual)
        if (!(off <= slack)) broken(of.row.id, `solved for ${symbol} gives ${found.value} instead of ${wanted}`)
        worst = Math.max(worst, off)
      }
      return worst
    },

    drawn: drawnOf(compute),
  }
}
