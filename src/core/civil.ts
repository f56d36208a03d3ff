/** Days of the Gregorian calendar's cycle of 400 years. */
const DAYS_PER_ERA = 146_097
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_SHIFT_DAYS = 719_468

/** A day of the Gregorian calendar; `month` and `day` count from 1. */
export interface CivilDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/**
 * The civil date of a day, counted from 1970-01-01; before it, and before 0000-03-01, too.
 * Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
 */
export const civilOf = (days: number): CivilDate => {
  const shifted = days + EPOCH_SHIFT_DAYS
  const era = Math.floor(shifted / DAYS_PER_ERA)
  const dayOfEra = shifted - era * DAYS_PER_ERA
  const leaps = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

/** Days from 1970-01-01 of a civil date. Source: the inverse of {@link civilOf}, same paper. */
export const daysOf = (year: number, month: number, day: number): number => {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT_DAYS
}
