/** Figures of a label. */
const LABEL_DIGITS = 5
/** Sizes that are written without a power of ten. */
const PLAIN_MIN = 1e-3
const PLAIN_MAX = 1e5

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** A whole number as an exponent is written. */
export const superscript = (exponent: number): string =>
  String(exponent)
    .replaceAll(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)] ?? '')
    .replace('-', '⁻')

/** A number in so many figures, with a power of ten beyond `plainMax` and below a thousandth. */
export const rounded = (value: number, digits: number, plainMax: number): string => {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= PLAIN_MIN && size < plainMax) return String(Number(value.toPrecision(digits))).replace('-', '−')
  const [mantissa = '', exponent = '0'] = value.toExponential(digits - 1).split('e')
  return `${String(Number(mantissa)).replace('-', '−')} × 10${superscript(Number(exponent))}`
}

/** A number as a label has it: five figures. */
export const figure = (value: number): string => rounded(value, LABEL_DIGITS, PLAIN_MAX)

/** An exponent as it is raised; a half is a fraction. */
const raised = (exponent: number): string =>
  Number.isInteger(exponent) ? superscript(exponent) : `${superscript(Math.floor(2 * exponent + 0.5))}ᐟ²`

/** A unit as it is set: `m2/s` has a raised 2, and the unit of a plain number is nothing. */
export const unitText = (unit: string | undefined): string =>
  unit === undefined || unit === '1'
    ? ''
    : unit
        .replaceAll(/(?<=[\p{L}°])\^?(-?\d+(?:\.5)?)/gu, (_, exponent: string) => raised(Number(exponent)))
        .replaceAll('*', '·')

/** A number with its unit. */
export const withUnit = (text: string, unit: string | undefined): string => `${text} ${unitText(unit)}`.trimEnd()

/** Least and greatest of the finite ones of many numbers; 0 and 0 when there is none. */
export const rangeOf = (values: ArrayLike<number>): readonly [number, number] => {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (!Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? [0, 0] : [low, high]
}
