/** The SI base units, in the order of a dimension's exponents. */
export const BASE_UNITS = ['m', 'kg', 's', 'A', 'K', 'mol', 'cd'] as const

/** A rational exponent: numerator and positive denominator in lowest terms. */
export type Exponent = readonly [number, number]
/** Exponents of the seven SI base units, in the order of {@link BASE_UNITS}. */
export type Dimension = readonly Exponent[]

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b))

/** p/q in lowest terms; q is positive. */
export const exponent = (p: number, q = 1): Exponent => {
  const common = gcd(p, q) || 1
  const sign = q < 0 ? -1 : 1
  return p === 0 ? [0, 1] : [(sign * p) / common, (sign * q) / common]
}

/** The sum of two exponents: what multiplying powers does. */
export const addExponent = ([a, b]: Exponent, [c, d]: Exponent): Exponent => exponent(a * d + c * b, b * d)
/** The product of two exponents: what a power of a power does. */
export const mulExponent = ([a, b]: Exponent, [c, d]: Exponent): Exponent => exponent(a * c, b * d)

/** The dimension with the given whole exponents of m, kg, s, A, K, mol, cd. */
export const dimension = (...exponents: readonly number[]): Dimension =>
  BASE_UNITS.map((_, i) => exponent(exponents[i] ?? 0))

/** A pure number's. */
export const DIMENSIONLESS: Dimension = dimension()

/** The dimension of a product. */
export const multiplyDimensions = (a: Dimension, b: Dimension): Dimension =>
  a.map((it, i) => addExponent(it, b[i] ?? [0, 1]))
/** The dimension of a power. */
export const raiseDimension = (a: Dimension, power: Exponent): Dimension => a.map((it) => mulExponent(it, power))
/** The dimension of a quotient. */
export const divideDimensions = (a: Dimension, b: Dimension): Dimension =>
  multiplyDimensions(a, raiseDimension(b, [-1, 1]))
/** Exponents are in lowest terms, so equality is that of the parts. */
export const sameDimension = (a: Dimension, b: Dimension): boolean =>
  a.every(([p, q], i) => p === b[i]?.[0] && q === b[i]?.[1])
/** True for a pure number's. */
export const isDimensionless = (a: Dimension): boolean => sameDimension(a, DIMENSIONLESS)

const power = ([p, q]: Exponent): string => (q === 1 ? (p === 1 ? '' : `^${p}`) : `^(${p}/${q})`)

/** `m^-1*kg*s^-2` in the order of {@link BASE_UNITS}; `1` for a pure number. */
export const printDimension = (a: Dimension): string =>
  BASE_UNITS.flatMap((unit, i) => {
    const it = a[i] ?? [0, 1]
    return it[0] === 0 ? [] : [`${unit}${power(it)}`]
  }).join('*') || '1'
