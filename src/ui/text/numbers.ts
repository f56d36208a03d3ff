import { rounded } from '#numerics/plot/figures.ts'

export { figure, unitText, withUnit } from '#numerics/plot/figures.ts'

/** Figures of a value that somebody may want to use. */
const VALUE_DIGITS = 8
const PLAIN_VALUE_MAX = 1e8

/** A number as a result has it: eight figures. */
export const valueText = (value: number): string => rounded(value, VALUE_DIGITS, PLAIN_VALUE_MAX)

/** Figures of a number that is read at a glance. */
const HEAD_DIGITS = 5

/** A number as it is read at a glance: five figures, whole numbers whole. */
export const headText = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < PLAIN_VALUE_MAX
    ? String(value).replace('-', '−')
    : rounded(value, HEAD_DIGITS, PLAIN_VALUE_MAX)

/** A time to wait, in words, rounded up. */
export const waitText = (seconds: number): string => {
  if (seconds <= 60) return `${Math.max(1, Math.ceil(seconds))} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
