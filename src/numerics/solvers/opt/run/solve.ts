import { Fault } from '#core/fault.ts'
import type { Outcome, Progress } from '#numerics/runtime/solver.ts'
import { halvesOf, boxOf as intervalsOf, isSlope, LEAF, type Part, wholeOf } from '#numerics/solvers/opt/division.ts'
import { leastOver } from '#numerics/solvers/opt/enclosure.ts'
import { parseFunction } from '#numerics/solvers/opt/expression.ts'
import { boxOf, methodOf, objectiveFor, unshifted } from '#numerics/solvers/opt/problem.ts'
import type { OptEvidence, OptInput, OptOutput } from '#numerics/solvers/opt/schema.ts'
import { evolution } from './cma.ts'
import { descend, multistart } from './lbfgs.ts'
import { divide } from './prove.ts'
import { beginSearch, type Found, type Search } from './search.ts'

/** Share of |f| and of the fall so far below which a part is divided no further for being above the least value. */
const MARGIN = 1e-12

/**
 * A division for the least value, which is lowered on the way when a part's middle is lower than all that was found.
 */
const proved = (input: OptInput, search: Search, progress: (parts: number) => void): Uint8Array => {
  if (input.function !== 'expression') return new Uint8Array(0)
  const parsed = parseFunction(input.expression.f, input.dimension)
  const { lower, upper } = search.box
  const own = unshifted(search.box, input.shift)
  for (;;) {
    const { value } = search.best()
    const division = divide({ parsed, ...own }, value + MARGIN * Math.abs(value), (parts, middle) => {
      progress(parts)
      search.evaluate(middle.map((x, i) => Math.min(upper[i], Math.max(lower[i], x + (input.shift?.[i] ?? 0)))))
    })
    if (division === undefined) {
      throw new Fault('DID_NOT_CONVERGE', 'The minimum could not be proved within the parts that a proof may have.', {
        measured: null,
        minimum: Number.isFinite(value) ? value : null,
      })
    }
    if (search.best().value >= value || search.spent()) return division
    const { point } = search.best()
    descend(
      search,
      point.map((x, i) => (x - lower[i]) / (upper[i] - lower[i])),
    )
  }
}

/** The least value over the parts of a division that may hold the minimum. */
export const leastOfDivision = (
  parsed: Parameters<typeof leastOver>[0],
  { lower, upper }: Search['box'],
  division: Uint8Array,
): number => {
  let bound = Number.POSITIVE_INFINITY
  const waiting: Part[] = [wholeOf(lower.length)]
  for (const mark of division) {
    const part = waiting.pop() as Part
    if (mark !== LEAF) {
      const [first, second] = halvesOf(part, mark)
      waiting.push(second, first)
      continue
    }
    const { least, slopes } = leastOver(parsed, intervalsOf(part, lower, upper))
    if (!isSlope(part, slopes)) bound = Math.min(bound, least)
  }
  return bound
}

const asSeries = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** Starts of a search whose minimum is proved afterwards. */
const PROVED_STARTS_MAX = 64

/** Shares of the progress bar: the search, then the proof. */
const SEARCH_STEPS = 1_000
const PROOF_STEPS = 1_000

/** Minimises, and of an expression proves the minimum. */
export const solveOpt = (input: OptInput, progress: Progress): Outcome<OptOutput, OptEvidence> => {
  const { dimension, evaluations, seed, function: name } = input
  const search = beginSearch(objectiveFor(input), boxOf(input), evaluations)
  const method = methodOf(input)
  const steps = SEARCH_STEPS + PROOF_STEPS
  const report: Progress = ({ residual }) => {
    const step = Math.floor((SEARCH_STEPS * search.count()) / evaluations)
    progress(residual !== undefined && Number.isFinite(residual) ? { step, steps, residual } : { step, steps })
  }
  // Where a proof follows, it finds what a few starts miss.
  const starts = name === 'expression' ? { seed, startsMax: PROVED_STARTS_MAX } : { seed }
  const found: Found = method === 'lbfgs' ? multistart(search, starts, report) : evolution(search, seed, report)
  let proving = SEARCH_STEPS
  const division = proved(input, search, () => {
    proving = Math.min(steps - 1, proving + 1)
    progress({ step: proving, steps })
  })
  progress({ step: steps, steps })
  const { value, point } = search.best()
  const history = search.history()
  const counts = Float64Array.from(history, ({ count }) => count)
  const path = new Float64Array(history.length * dimension)
  for (const [k, it] of history.entries()) path.set(it.point, k * dimension)
  const bound =
    name === 'expression'
      ? leastOfDivision(parseFunction(input.expression.f, dimension), unshifted(search.box, input.shift), division)
      : null
  return {
    output: {
      function: name,
      dimension,
      method,
      minimum: value,
      point: asSeries(point.slice()),
      evaluations: search.count(),
      starts: found.starts,
      hits: found.hits,
      counts: asSeries(counts),
      values: asSeries(Float64Array.from(history, (it) => it.value)),
      path: asSeries(path),
      lowerBound: bound,
    },
    evidence: { tally: Float64Array.of(search.count(), found.starts, found.hits), counts: counts.slice(), division },
  }
}
