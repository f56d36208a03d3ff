import type { Static, TObject } from 'typebox'
import { Fault } from '#core/fault.ts'
import { pow } from '#numerics/math.ts'
import { resolveInput } from './input.ts'
import { type Refinement, refinements } from './refinements.ts'
import { ERROR_PCT_MAX, type Solver } from './solver.ts'

/** Share of the bound that is aimed at: an order is that of the limit, and is reached from either side. */
const AIM = 0.75
/** Percent above which an error follows no order: 100 marks what is wrong, not what is coarse. */
const ORDERLY_PCT_MAX = 30

type Raw = Readonly<Record<string, unknown>>

/** What a refusal says of a way out. */
export interface Suggestion {
  /** Members that pass by the order, nested as the input is; left out where this range cannot reach the bound. */
  readonly suggestion?: Raw
  /** A sentence. */
  readonly says: string
}

const valueAt = (input: unknown, [name, ...inner]: readonly string[]): unknown => {
  if (name === undefined) return input
  return input === null || typeof input !== 'object' ? undefined : valueAt((input as Raw)[name], inner)
}

const withValue = (input: Raw, [name = '', ...inner]: readonly string[], value: number): Raw => ({
  ...input,
  [name]: inner.length === 0 ? value : withValue((input[name] ?? {}) as Raw, inner, value),
})

/** A number of two digits on the safe side of a value, so that nobody reads digits into an estimate. */
const twoDigits = (value: number, side: 'up' | 'down'): number => {
  const near = Number(value.toExponential(1))
  if (side === 'up' ? near >= value : near <= value) return near
  const digit = Number(`1e${Number(value.toExponential(1).split('e')[1]) - 1}`)
  return Number((side === 'up' ? near + digit : near - digit).toExponential(1))
}

/** The schema of a member, with dots between the names. */
const schemaAt = (schema: Raw, path: string): Raw =>
  path.split('.').reduce((so, name) => ((so['properties'] ?? {}) as Raw)[name] as Raw, schema)

/** Counts grow to an even number, lengths to one of two digits; what must stay on a grid by the factor alone. */
const raised = (value: number, factor: number, { counted, exact }: { counted: boolean; exact: boolean }): number => {
  if (exact) return value * factor
  return counted ? 2 * Math.ceil((value * factor) / 2) : twoDigits(value * factor, 'up')
}

const factorOf = ({ order, factor }: Refinement, errorPct: number): number => {
  const least = pow(errorPct / (AIM * ERROR_PCT_MAX), 1 / order)
  if (factor === undefined) return least
  if (factor === 'whole') return Math.ceil(least)
  let doubled = 1
  while (doubled < least) doubled *= 2
  return doubled
}

interface Change {
  readonly path: string
  readonly from: number
  readonly to: number
}

const changesOf = (schema: Raw, input: Raw, of: { refinement: Refinement; errorPct: number }): readonly Change[] => {
  const { raise, least = [], lower = [] } = of.refinement
  const factor = factorOf(of.refinement, of.errorPct)
  const exact = of.refinement.factor !== undefined
  const found = (paths: readonly string[], next: (from: number, path: string) => number): readonly Change[] =>
    paths.flatMap((path) => {
      const from = valueAt(input, path.split('.'))
      return typeof from === 'number' && from > 0 ? [{ path, from, to: next(from, path) }] : []
    })
  const up = found(raise, (from, path) =>
    raised(from, factor, { exact, counted: schemaAt(schema, path)['type'] === 'integer' }),
  )
  // With a number of steps the run keeps its length.
  const steps = up.find(({ path }) => path === 'steps')
  const down = found(lower, (from) =>
    steps === undefined ? twoDigits(from / factor, 'down') : (from * steps.from) / steps.to,
  )
  return [...up, ...found(least, (_, path) => Number(schemaAt(schema, path)['minimum'])), ...down]
}

/** Why a larger input is refused before any work; undefined when it is not. */
const refusalOf = <I extends TObject>(solver: Pick<Solver<I>, 'input' | 'refuse' | 'work' | 'limits'>, raw: Raw) => {
  try {
    const full = resolveInput(solver, raw)
    solver.refuse(full)
    const [work, most] = [solver.work(full), solver.limits.workMax]
    return work <= most ? undefined : `its work would be ${Math.round(work)}, and ${most} is the most.`
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}

/** How much more a run costs, to one digit below ten. */
const timesText = (ratio: number): string => {
  const times = ratio < 9.5 ? Math.max(1, Math.round(ratio)) : Math.round(ratio / 10) * 10
  return times <= 1 ? 'about the same work' : `about ${times} times the work`
}

/**
 * What would bring a measured error within the bound, by the order at which the solver's error falls. An estimate: it
 * costs no run. The input suggested is one that the schema, the solver's own refusals and its limits let through.
 */
export const suggestionFor = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
  errorPct: number,
): Suggestion | undefined => {
  if (!(errorPct > ERROR_PCT_MAX && errorPct <= ORDERLY_PCT_MAX)) return undefined
  const raw = input as Raw
  const refinement = refinements[solver.name]?.(raw)
  if (refinement === undefined) return undefined
  const changes = changesOf(solver.input as object as Raw, raw, { refinement, errorPct })
  if (changes.length === 0) return undefined
  const text = changes.map(({ path, to }) => `${path} ${to}`).join(', ')
  const put = (into: Raw): Raw => changes.reduce((so, { path, to }) => withValue(so, path.split('.'), to), into)
  const finer = put(raw)
  const order = Number(refinement.order.toFixed(2))
  const refused = refusalOf(solver, finer)
  if (refused !== undefined) {
    return { says: `By order ${order} it would take ${text}, beyond what may be asked: ${refused}` }
  }
  const work = timesText(solver.work(finer as Static<I>) / solver.work(input))
  return { suggestion: put({}), says: `By order ${order}, ${text} would pass; ${work}.` }
}
