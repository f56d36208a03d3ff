import type { ResultOf } from '#api/result-of.ts'

/** What the uncertainties of inputs make of a result. */
type Propagated = NonNullable<ResultOf<'compute.compute'>['propagated']>

/** Figures of an uncertainty: two say how much it is, more say nothing (JCGM 100:2008, 7.2.6). */
const FIGURES = 2
/** Figures of the ends of an interval. */
const END_FIGURES = 6
/** Sources named in a line; the answer of `--json` has all. */
const SOURCES_MAX = 4

/** A number in so many figures. */
export const short = (value: number, figures: number): string => String(Number(value.toPrecision(figures)))

/** A unit behind a number; that of a plain number is nothing. */
export const unitOf = (unit: string): string => (unit === '1' ? '' : ` ${unit}`)

/** Which inputs an uncertainty comes from, the largest share first. */
export const shares = ({ budget }: Propagated): string => {
  const known = budget.filter(({ share }) => share !== null && share > 0)
  const sorted = known.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0))
  const named = sorted
    .slice(0, SOURCES_MAX)
    .map(({ source, share }) => `${source} ${short(100 * (share ?? 0), FIGURES)} %`)
  return [...named, ...(sorted.length > SOURCES_MAX ? ['…'] : [])].join(', ')
}

/** The propagated uncertainty of a result in lines for a person. */
export const describePropagated = (it: Propagated): readonly (readonly [string, string])[] => {
  const unit = unitOf(it.unit)
  const { low, high, coverage } = it.interval
  const why = it.doubts.length === 0 ? 'linear' : `Monte Carlo, for ${it.doubts.join(', ')}`
  const mean = it.draws === null ? '' : `; mean ${short(it.mean, END_FIGURES)}${unit}`
  const refused =
    it.draws === null || it.draws.refused === 0 ? '' : `, ${it.draws.refused} of ${it.draws.count} draws out of range`
  const how = `one standard deviation, ${why}${mean}${refused}`
  const from = shares(it)
  return [
    ['±', `${short(it.standard_uncertainty, FIGURES)}${unit} from the inputs (${how})`],
    ['interval', `${short(low, END_FIGURES)} to ${short(high, END_FIGURES)}${unit} (${100 * coverage} %)`],
    ...(from === '' ? [] : ([['because of', from]] as const)),
  ]
}
