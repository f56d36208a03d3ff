/** Partial fractions that are enough for arguments up to 100. */
const FRACTION_TERMS = 160

/** I1(x)/I0(x) by Gauss' continued fraction, for 0 <= x <= 100. */
export const besselRatio = (x: number): number => {
  if (x === 0) return 0
  let fraction = 0
  for (let k = FRACTION_TERMS; k >= 1; k--) fraction = 1 / ((2 * k) / x + fraction)
  return fraction
}

/** Intervals of the table per unit of its argument: its cubics miss 1e-11 at most. */
const PER_KAPPA = 100

/** I1/I0 as cubics on equal intervals, four coefficients each in powers of the place within, with their density. */
export interface RatioTable {
  readonly perKappa: number
  readonly cubics: Float64Array
}

/** The table up to an argument; slopes are those of the function, 1 − A/x − A². */
export const ratioTable = (most: number): RatioTable => {
  const intervals = Math.ceil(most * PER_KAPPA) + 2
  const h = 1 / PER_KAPPA
  const value = Float64Array.from({ length: intervals + 1 }, (_, i) => besselRatio(i * h))
  const slope = value.map((A, i) => (i === 0 ? 0.5 : 1 - A / (i * h) - A * A))
  const cubics = new Float64Array(4 * intervals)
  for (let i = 0; i < intervals; i++) {
    const [a, b] = [value[i], value[i + 1]]
    const [da, db] = [h * slope[i], h * slope[i + 1]]
    cubics.set([a, da, 3 * (b - a) - 2 * da - db, 2 * (a - b) + da + db], 4 * i)
  }
  return { perKappa: PER_KAPPA, cubics }
}
