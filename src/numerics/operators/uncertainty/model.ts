import type { Plan } from '#numerics/operators/chain.ts'
import type { Link } from '#numerics/operators/computation.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import { type Expression, walk } from '#numerics/operators/grammar.ts'
import type { Quantity } from '#numerics/operators/relation.ts'
import { compares, type ParsedRequirement } from '#numerics/operators/requires.ts'
import { compile, freeConstants, symbolOfConstant } from './compile.ts'
import { rootNear } from './near-root.ts'
import { keyOf, type Source } from './sources.ts'

/** One operator of a chain as a function of everything that stands in it. */
export interface LinkModel {
  readonly left: Expression
  readonly right: Expression
  readonly unknown: Quantity
  /** The side that gives the unknown outright; undefined where the relation is solved. */
  readonly direct: Expression | undefined
  /** Inputs and constants, then the fed variable, then the unknown: the order of the places. */
  readonly symbols: readonly string[]
  /** Values in that order. */
  readonly values: readonly number[]
  /** For each symbol the sources that move it, by their number. */
  readonly movedBy: readonly (readonly number[])[]
  /** Ranges of the variables that are given or fed. */
  readonly ranges: readonly (Quantity | undefined)[]
  /** Place of the fed variable, or −1. */
  readonly fed: number
  /** What the variables must fulfil together; constants in it stand at their value. */
  readonly requires: readonly ParsedRequirement[]
}

const constantsIn = (...sides: readonly Expression[]): readonly string[] => {
  const found = new Set<string>()
  for (const side of sides) {
    walk(side, (part) => {
      if (part.kind === 'constant') found.add(part.name)
    })
  }
  return [...found].sort()
}

const linkModel = ({ operator, given, unknown, fed }: Plan, link: Link, sources: readonly Source[]): LinkModel => {
  const { equation, quantities, requires } = operator.relation()
  const constants = constantsIn(equation.left, equation.right)
  const inputs = [...given.keys()]
  const took = link.fed === null ? undefined : fed
  const fedSymbols = took === undefined ? [] : [took.symbol]
  const symbols = [...inputs, ...constants.map(symbolOfConstant), ...fedSymbols, unknown.symbol]
  const keys = [...inputs.map((it) => keyOf(operator.row.id, it)), ...constants.map(symbolOfConstant)]
  return {
    left: freeConstants(equation.left),
    right: freeConstants(equation.right),
    unknown,
    direct: link.method === 'direct' ? freeConstants(equation.right) : undefined,
    symbols,
    values: [
      ...inputs.map((it) => given.get(it)?.value ?? Number.NaN),
      ...constants.map((it) => constantOf(it).value),
      ...fedSymbols.map((it) => link.inputs[it] ?? Number.NaN),
      link.value,
    ],
    movedBy: symbols.map((_, i) =>
      sources.flatMap(({ of }, number) => (keys[i] !== undefined && of.includes(keys[i]) ? [number] : [])),
    ),
    ranges: symbols.map((it, i) => (i === symbols.length - 1 ? undefined : quantities.get(it))),
    fed: took === undefined ? -1 : symbols.length - 2,
    requires,
  }
}

/** The links of a computed chain as functions of the sources. */
export const linkModels = (
  plans: readonly Plan[],
  links: readonly Link[],
  sources: readonly Source[],
): readonly LinkModel[] =>
  plans.flatMap((plan, i) => {
    const link = links[i]
    return link === undefined ? [] : [linkModel(plan, link, sources)]
  })

const inRange = (value: number, { min, max, positive }: Quantity): boolean =>
  Number.isFinite(value) &&
  !(positive && value <= 0) &&
  (min === undefined || value >= min) &&
  (max === undefined || value <= max)

/** Share of the distance to a first guess of a root within which it is looked for first, and the least such share. */
const FIRST_SHARE = 0.0625
const LEAST_SHARE = 1e-12
/** The first width, in SI, where both the value and its guess are zero. */
const WIDTH_AT_ZERO = 1e-30

/** The value of one link with its places filled in; `guess` is where the unknown should be. */
const linkValue = (link: LinkModel, bracket: readonly [number, number] | undefined) => {
  const places = new Map(link.symbols.map((it, i) => [it, i]))
  const last = link.symbols.length - 1
  const { direct, unknown } = link
  if (direct !== undefined) return compile(direct, places)
  const [left, right] = [compile(link.left, places), compile(link.right, places)]
  const least = unknown.min ?? (unknown.positive ? 0 : Number.NEGATIVE_INFINITY)
  const min = Math.max(least, bracket?.[0] ?? least)
  const max = Math.min(unknown.max ?? Number.POSITIVE_INFINITY, bracket?.[1] ?? Number.POSITIVE_INFINITY)
  const nominal = link.values[last] ?? Number.NaN
  return (at: Float64Array, guess = nominal): number => {
    const f = (x: number): number => {
      at[last] = x
      return left(at) - right(at)
    }
    const apart = Math.abs(guess - nominal) * FIRST_SHARE
    const width = Math.max(apart, Math.abs(nominal) * LEAST_SHARE) || WIDTH_AT_ZERO
    return rootNear(f, { guess: Number.isFinite(guess) ? guess : nominal, width, min, max })
  }
}

/** Whether the places of one link fulfil its conditions. */
const lawOf = ({ requires, symbols }: LinkModel): ((at: Float64Array) => boolean) => {
  const places = new Map(symbols.map((it, i) => [it, i]))
  const laws = requires.map(({ sign, left, right }) => {
    const [a, b] = [compile(left, places), compile(right, places)]
    return (at: Float64Array): boolean => compares(sign, a(at), b(at))
  })
  return (at) => laws.every((holds) => holds(at))
}

/**
 * A computed chain as a function of its sources, in doubles: what the result and the values before it become when each
 * source is off by so much. NaN where a variable leaves its range, a condition fails or the relation has no value.
 *
 * @param slopes of each link's value by each source, for a first guess of roots; may hold what is not finite.
 */
export const movedChain = (
  links: readonly LinkModel[],
  slopes: readonly (readonly number[])[],
  bracket: readonly [number, number] | undefined,
) => {
  const parts = links.map((link, i) => ({
    link,
    value: linkValue(link, bracket),
    isLawful: lawOf(link),
    at: Float64Array.from(link.values),
    slopes: slopes[i] ?? [],
  }))
  const moved = (off: ArrayLike<number>, { link, at }: (typeof parts)[number], before: number): boolean => {
    for (let i = 0; i < link.symbols.length - 1; i += 1) {
      let value = i === link.fed ? before : (link.values[i] ?? Number.NaN)
      for (const source of link.movedBy[i] ?? []) value += off[source] ?? 0
      const range = link.ranges[i]
      if (range !== undefined && !inRange(value, range)) return false
      at[i] = value
    }
    return true
  }
  /** @returns the value of each link. */
  return (off: ArrayLike<number>): readonly number[] => {
    const values: number[] = []
    for (const part of parts) {
      const { link, at } = part
      if (!moved(off, part, values.at(-1) ?? Number.NaN)) return links.map(() => Number.NaN)
      const nominal = link.values.at(-1) ?? Number.NaN
      const guess = part.slopes.reduce((sum, slope, i) => sum + slope * (off[i] ?? 0), nominal)
      const value = part.value(at, guess)
      at[link.symbols.length - 1] = value
      if (!inRange(value, link.unknown) || !part.isLawful(at)) return links.map(() => Number.NaN)
      values.push(value)
    }
    return values
  }
}
