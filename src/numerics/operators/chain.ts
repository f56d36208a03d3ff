import { Fault } from '#core/fault.ts'
import { commensurable } from '#core/units.ts'
import type { Target } from './names.ts'
import type { Operator } from './registry.ts'
import type { Quantity } from './relation.ts'
import { askFor, type Bound, type GivenValue, type MissingValue, meaningOf, readingOf } from './resolve.ts'

/** What one operator of a chain computes, and from what. */
export interface Plan {
  readonly operator: Operator
  readonly given: ReadonlyMap<string, GivenValue>
  readonly unknown: Quantity
  /** The variable that takes the previous operator's output. */
  readonly fed: Quantity | undefined
}

/** A plan in the making: whatever cannot be known yet stays open. */
interface Draft {
  readonly plan: Plan
  readonly missing: readonly MissingValue[]
}

const asTarget = (operator: Operator, quantity: Quantity): Target => ({ operator, quantity })

/** The unknown the caller named, if it belongs to this operator. */
const namedUnknown = (operators: readonly Operator[], solveFor: string | null | undefined): Target | undefined => {
  if (solveFor === undefined || solveFor === null) return undefined
  if (typeof solveFor !== 'string') throw new Fault('INVALID_INPUT', 'solve_for is a text.')
  const targets = meaningOf(operators, solveFor)
  const [target] = targets
  if (target === undefined || targets.length > 1) {
    throw new Fault('AMBIGUOUS_INPUT', `solve_for ${solveFor} can be read in ${targets.length} ways.`, {
      input: 'solve_for',
      readings: targets.map(readingOf),
    })
  }
  const { row } = target.operator
  if (!row.solves_for.includes(target.quantity.symbol)) {
    throw new Fault('INVALID_INPUT', `${row.id} is not solved for ${target.quantity.symbol}.`, {
      operator: row.id,
      solves_for: row.solves_for,
    })
  }
  return target
}

/** The open variable an output goes to: that of the same symbol, else the only one of the same quantity. */
const feed = (output: Target, operator: Operator, open: readonly Quantity[]): Quantity | undefined => {
  const fits = open.filter((it) => commensurable(it.of, output.quantity.of))
  const same = fits.find((it) => it.symbol === output.quantity.symbol)
  if (same !== undefined || fits.length < 2) return same ?? fits[0]
  const from = `${output.operator.row.id}.${output.quantity.symbol}`
  throw new Fault(
    'AMBIGUOUS_INPUT',
    `The output ${from} fits several inputs of ${operator.row.id}; give all but one.`,
    {
      input: from,
      readings: fits.map((it) => readingOf(asTarget(operator, it))),
    },
  )
}

const overdetermined = ({ row }: Operator, fed: Quantity | undefined): never => {
  const chained = fed === undefined ? '' : `, ${fed.symbol} by the operator before it`
  throw new Fault('INVALID_INPUT', `Every variable of ${row.id} has a value${chained}; leave out the one to compute.`, {
    operator: row.id,
    solves_for: row.solves_for,
  })
}

const draftOf = (
  operator: Operator,
  given: Plan['given'],
  named: Quantity | undefined,
  before: Target | undefined,
): Draft => {
  const relation = operator.relation()
  const all = [...relation.quantities.values()]
  const own = relation.quantities.get(relation.output)
  const unknown = named ?? (own !== undefined && !given.has(own.symbol) ? own : undefined)
  if (unknown !== undefined && given.has(unknown.symbol)) {
    const { symbol } = unknown
    throw new Fault('INVALID_INPUT', `${operator.row.id}: ${symbol} is to be solved for and has a value.`, {
      input: symbol,
    })
  }
  const open = all.filter((it) => !given.has(it.symbol) && it !== unknown)
  const fed = before === undefined ? undefined : feed(before, operator, open)
  const left = open.filter((it) => it !== fed)
  const solvable = left.filter((it) => operator.row.solves_for.includes(it.symbol))
  const computed = unknown ?? (left.length === 1 ? solvable[0] : undefined)
  if (computed === undefined && left.length === 0) return overdetermined(operator, fed)
  const asked = left.filter((it) => it !== computed)
  const reason =
    computed === undefined ? `not given, and ${relation.output} has a value: all but one are wanted.` : 'not given.'
  return {
    plan: { operator, given, unknown: computed ?? own ?? all[0] ?? overdetermined(operator, fed), fed },
    missing: asked.map((quantity) => ({ target: asTarget(operator, quantity), reason })),
  }
}

/**
 * What each operator of a chain computes: the unknown named by `solve_for`, else its own output, else, when that has a
 * value, the one variable that has none. An output goes to the next operator where exactly one open variable fits.
 *
 * @throws Fault MISSING_INPUTS with every variable that nothing binds; AMBIGUOUS_INPUT; INVALID_INPUT when nothing is
 *   left to compute.
 */
export const planChain = (
  operators: readonly Operator[],
  bound: Bound,
  solveFor: string | null | undefined,
): readonly Plan[] => {
  const named = namedUnknown(operators, solveFor)
  const drafts: Draft[] = []
  let before: Target | undefined
  for (const operator of operators) {
    const own = named?.operator === operator ? named.quantity : undefined
    const draft = draftOf(operator, bound.get(operator.row.id) ?? new Map(), own, before)
    drafts.push(draft)
    before = asTarget(operator, draft.plan.unknown)
  }
  const missing = drafts.flatMap((it) => it.missing)
  return missing.length > 0 ? askFor(missing) : drafts.map((it) => it.plan)
}
