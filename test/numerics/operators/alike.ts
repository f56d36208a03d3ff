import { printDimension } from '#core/dimension.ts'
import { Fault } from '#core/fault.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { evaluate, type Values } from '#numerics/operators/evaluate.ts'
import type { Example } from '#numerics/operators/operator.ts'
import type { Operator, OperatorRegistry } from '#numerics/operators/registry.ts'
import type { Quantity } from '#numerics/operators/relation.ts'

/** Two rows that are one relation, and what they are called. */
export type Alike = readonly [string, string]

/** A symbol of one row and the symbol of another that is written for it. */
type Renaming = readonly (readonly [string, string])[]

/** Renamings tried of one pair, 7!; rows with more variables of equal dimensions must be looked at by hand. */
const RENAMINGS_MAX = 5040
/** Two sides are equal when they agree so far, relative. */
const EQUAL = 1e-9
/** Steps away from the example, the first that stays within the ranges is taken. */
const STEPS = [1.3, 0.8, 1.03, 0.98, 1.005]

const kindOf = ({ of }: Quantity): string => `${printDimension(of.dimension)} ${of.angle}`

const symbolsByKind = (of: Operator): ReadonlyMap<string, readonly string[]> => {
  const groups = Map.groupBy(of.relation().quantities.values(), kindOf)
  return new Map([...groups].map(([kind, members]) => [kind, members.map(({ symbol }) => symbol)]))
}

/** What two rows must share before one could be the other: how many variables of each dimension they have. */
const signatureOf = (of: Operator): string =>
  [...symbolsByKind(of)]
    .map(([kind, symbols]) => `${kind}: ${symbols.length}`)
    .sort()
    .join('; ')

const permutations = (of: readonly string[]): readonly (readonly string[])[] => {
  if (of.length < 2) return [of]
  return of.flatMap((first, i) => permutations(of.toSpliced(i, 1)).map((rest) => [first, ...rest]))
}

/** Every way to write the variables of `to` for those of `from` of the same dimension. */
const renamingsOf = (from: Operator, to: Operator): readonly Renaming[] => {
  const targets = symbolsByKind(to)
  let all: readonly Renaming[] = [[]]
  for (const [kind, symbols] of symbolsByKind(from)) {
    const orders = permutations(targets.get(kind) ?? [])
    if (all.length * orders.length > RENAMINGS_MAX) throw new RangeError(`${from.row.id}: too many renamings`)
    all = all.flatMap((done) =>
      orders.map((order) => [...done, ...symbols.map((it, i) => [it, order[i] ?? ''] as const)]),
    )
  }
  return all
}

const holds = (of: Operator, at: Values): boolean => {
  const { left, right } = of.relation().equation
  const [a, b] = [evaluate(left, at), evaluate(right, at)]
  return Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) <= EQUAL * Math.max(Math.abs(a), Math.abs(b))
}

const renamed = (at: Values, names: Renaming): Values =>
  new Map(names.map(([from, to]) => [to, at.get(from) ?? Number.NaN]))

/** The worked example, and a point some steps away from it in every variable. */
const pointsOf = (registry: OperatorRegistry, { row, relation }: Operator): readonly Values[] => {
  const { inputs, output } = row.example as Example
  const solve = (given: Example['inputs']) =>
    computeOperators(registry, { operators: [row.id], inputs: given, solve_for: output })
  const base = solve(inputs)
  const away = (step: number): Record<string, number> =>
    Object.fromEntries(
      Object.entries(base.order.inputs).map(([symbol, value], i) => {
        const isCount = relation().quantities.get(symbol)?.integer === true
        return [symbol, isCount ? value + Math.sign(step - 1) : value * step ** (1 + i / 3)]
      }),
    )
  const points = [new Map([...Object.entries(base.order.inputs), [output, base.value]])]
  for (const step of STEPS) {
    const moved = away(step)
    try {
      return [...points, new Map([...Object.entries(moved), [output, solve(moved).value]])]
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
    }
  }
  return points
}

/**
 * Pairs of rows that are one relation in other letters, solved for another variable or written in another form: some
 * renaming of the variables carries the points of each into the relation of the other. Laws of one form do exist (drag
 * and lift): a reader decides.
 *
 * @param isProblemOf a pair is looked at when this holds for one of the two.
 */
export const alikeRows = (
  registry: OperatorRegistry,
  operators: readonly Operator[],
  isProblemOf: (of: Operator) => boolean = () => true,
): readonly Alike[] => {
  const known = new Map<string, readonly Values[]>()
  const points = (of: Operator): readonly Values[] => {
    const found = known.get(of.row.id) ?? pointsOf(registry, of)
    known.set(of.row.id, found)
    return found
  }
  const carries = (a: Operator, b: Operator, names: Renaming): boolean => {
    const back = names.map(([from, to]) => [to, from] as const)
    return points(a).every((at) => holds(b, renamed(at, names))) && points(b).every((at) => holds(a, renamed(at, back)))
  }
  const isAlike = (a: Operator, b: Operator): boolean => renamingsOf(a, b).some((names) => carries(a, b, names))
  return [...Map.groupBy(operators, signatureOf).values()].flatMap((of) =>
    of.flatMap((a, i) =>
      of
        .slice(i + 1)
        .filter((b) => (isProblemOf(a) || isProblemOf(b)) && isAlike(a, b))
        .map((b) => [a.row.id, b.row.id] as const),
    ),
  )
}
