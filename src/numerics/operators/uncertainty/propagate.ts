import { inputsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import type { Plan } from '#numerics/operators/chain.ts'
import type { BoundOrder, BudgetRow, Doubt, Link, Propagated } from '#numerics/operators/computation.ts'
import { measureDraws, measureSlopes } from './check.ts'
import { doubtsOf } from './doubt.ts'
import { quadrature, slopesOf } from './linear.ts'
import { linkModels, movedChain } from './model.ts'
import { COVERAGE, DRAWS, drawValues } from './monte-carlo.ts'
import { type Source, sourcesOf } from './sources.ts'

/** Half of the 95 % interval of a normal distribution, in standard deviations: the quantile of 0.975. */
const HALF_INTERVAL = 1.959963984540054
/** Hex digits of the inputs digest that make the seed: 52 bits. */
const SEED_DIGITS = 13
/** Largest deviation, in percent, with which a linear figure is shown beside a Monte Carlo one. */
const SHOWN_PCT_MAX = 0.1

const AGAINST_SLOPES = 'every sensitivity as a central difference of the whole chain at 50 digits'
const AGAINST_DRAWS = 'draws spread over the run, computed again at 50 digits'

/** A computed chain with uncertain inputs. */
export interface Uncertainty {
  readonly plans: readonly Plan[]
  readonly chain: readonly Link[]
  readonly order: BoundOrder
}

const budgetOf = (sources: readonly Source[], slopes: readonly number[] | undefined): readonly BudgetRow[] => {
  const parts = sources.map(({ standard }, i) => (slopes?.[i] ?? 0) * standard)
  const whole = quadrature(parts)
  return sources.map(({ key, kind, of, name, value, unit, standard }, i) => {
    const part = (parts[i] ?? 0) / whole
    return {
      source: key,
      kind,
      of,
      name,
      value,
      unit,
      standard_uncertainty: standard,
      sensitivity: slopes?.[i] ?? null,
      share: slopes === undefined || whole === 0 ? null : part * part,
    }
  })
}

const linearOf = (standard: number, value: number): Pick<Propagated, 'mean' | 'interval' | 'standard_uncertainty'> => {
  const half = HALF_INTERVAL * standard
  if (!Number.isFinite(value - half) || !Number.isFinite(value + half)) {
    throw new Fault('OUT_OF_RANGE', 'The propagated uncertainty is beyond the range of a double.', {
      input: 'uncertainties',
    })
  }
  const interval = { coverage: COVERAGE, low: value - half, high: value + half }
  return { standard_uncertainty: standard, mean: value, interval }
}

/** The inputs digest of a bound order as a seed: whoever has the order has the draws. */
export const seedOf = (order: BoundOrder): number => Number.parseInt(inputsDigest({}, order).slice(0, SEED_DIGITS), 16)

/** What the derivatives of a chain are worth: used alone, shown beside, or not to be shown. */
const slopesWorth = (doubts: readonly Doubt[], measuredPct: number): boolean =>
  !doubts.includes('no-derivative') && (doubts.length === 0 || measuredPct <= SHOWN_PCT_MAX)

/**
 * The uncertainty of a computed result because of its inputs and of the constants that are not exact. Linear by
 * derivatives of the original inputs through the whole chain (JCGM 100:2008, equation 10), every one measured again at
 * 50 digits; by Monte Carlo (JCGM 101:2008) where the linear one is to be doubted. The gate reads `check`.
 *
 * @throws Fault OUT_OF_RANGE when the result is beyond doubles, or nearly no draw is in range.
 */
export const propagate = ({ plans, chain, order }: Uncertainty): Propagated => {
  const sources = sourcesOf(order.uncertainties ?? [], plans)
  const links = linkModels(plans, chain, sources)
  const slopes = slopesOf(links, sources.length)
  const last = slopes.at(-1) ?? []
  const [value, unit] = [chain.at(-1)?.value ?? Number.NaN, chain.at(-1)?.unit ?? '1']
  const valuesAt = movedChain(links, slopes, order.bracket ?? undefined)
  const valueAt = (off: readonly number[]): number => valuesAt(off).at(-1) ?? Number.NaN
  const doubts = doubtsOf({ valueAt, nominal: value, slopes: last, sources })
  const measured = doubts.includes('no-derivative') ? Number.NaN : measureSlopes({ links, sources, slopes })
  const worth = slopesWorth(doubts, measured)
  const linear = worth ? quadrature(last.map((slope, i) => slope * (sources[i]?.standard ?? 0))) : null
  const shared = { unit, linear, doubts, budget: budgetOf(sources, worth ? last : undefined) }
  if (doubts.length === 0) {
    const found = linearOf(linear ?? Number.NaN, value)
    return { ...found, ...shared, method: 'linear', draws: null, check: { against: AGAINST_SLOPES, measured } }
  }
  const seed = seedOf(order)
  const { mean, standard, low, high, refused, accepted } = drawValues({ valuesAt, nominal: value, sources, seed })
  return {
    standard_uncertainty: standard,
    mean,
    interval: { coverage: COVERAGE, low, high },
    ...shared,
    method: 'monte-carlo',
    draws: { count: DRAWS, refused, seed },
    check: { against: AGAINST_DRAWS, measured: measureDraws(links, accepted, standard) },
  }
}
