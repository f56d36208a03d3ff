import type { Amount } from './amounts.ts'
import { folded, wordsOf } from './words.ts'

/** Names by which places are called, folded, the longest first. */
export type PlaceNames<T> = readonly (readonly [alias: string, place: T])[]

/** Whether a place is free and takes an amount of this unit. */
export type Open<T> = (place: T, unit: string | undefined) => boolean

/** A name found beside a number, and how many words lie between. */
interface Found<T> {
  readonly place: T
  /** Where its words lie among those of the gap. */
  readonly from: number
  readonly to: number
}

const countOf = (alias: string): number => alias.split(' ').length - 2

/** The place named directly before an amount, at most words that connect in between. */
const ahead = <T>({ before, unit }: Amount, names: PlaceNames<T>, open: Open<T>): Found<T> | undefined => {
  const text = folded(before)
  const found = names.find(([alias, place]) => text.endsWith(alias) && open(place, unit))
  if (found === undefined) return undefined
  const to = wordsOf(before).length
  return { place: found[1], from: to - countOf(found[0]), to }
}

/** Words after a number that a name may follow: `20 kg of mass`; any other word may stand there once, too. */
const behind = <T>({ after, unit }: Amount, names: PlaceNames<T>, open: Open<T>): Found<T> | undefined => {
  const text = folded(after)
  const second = text.indexOf(' ', 1)
  for (const [alias, place] of names) {
    if (!open(place, unit)) continue
    if (text.startsWith(alias)) return { place, from: 0, to: countOf(alias) }
    if (second > 0 && text.startsWith(alias, second)) return { place, from: 1, to: 1 + countOf(alias) }
  }
  return undefined
}

/** The nearest name before an amount that is not beside it: `spring constant of the left spring is 5 N/m`. */
const near = <T>({ before, unit }: Amount, names: PlaceNames<T>, open: Open<T>): T | undefined => {
  // A bare number must stand beside its name.
  if (unit === undefined) return undefined
  const text = folded(before)
  const held = names
    .map(([alias, place]) => ({ place, at: text.lastIndexOf(alias), end: text.lastIndexOf(alias) + alias.length }))
    .filter(({ at, place }) => at >= 0 && open(place, unit))
  return held.sort((a, b) => b.end - a.end || a.at - b.at)[0]?.place
}

/** Whether the words between two amounts are one clause, so that both may be called by them. */
const oneClause = (left: Amount, right: Amount): boolean =>
  left.after.trim() !== '' && folded(left.after).startsWith(folded(right.before))

/**
 * Whether the name between an amount and the next one can only be the next one's: `vol 20 % rate 3 %`. It is the
 * first one's where that has none before it and the next has one behind: `100 strike 105 spot`.
 */
const takenByNext = <T>(amounts: readonly Amount[], i: number, names: PlaceNames<T>, open: Open<T>): boolean => {
  const [own, next] = [amounts[i], amounts[i + 1]]
  if (own === undefined || next === undefined) return false
  // `T = 2 rho = 3`: what stands before `=` names what follows it.
  const between = behind(own, names, open)
  if (between === undefined) return false
  if (next.name !== undefined && wordsOf(own.after).indexOf(next.name.toLowerCase()) < between.to) {
    return wordsOf(own.after).includes(next.name.toLowerCase())
  }
  const theirs = ahead(next, names, open)
  if (theirs === undefined || !oneClause(own, next) || theirs.from >= between.to) return false
  const further = behind(next, names, open)
  return further === undefined || takenByNext(amounts, i + 1, names, open)
}

/** Whether the name before an amount is the one that the amount before is called by. */
const takenByPrevious = <T>(amounts: readonly Amount[], i: number, names: PlaceNames<T>, open: Open<T>): boolean => {
  const [own, previous] = [amounts[i], amounts[i - 1]]
  if (own === undefined || previous === undefined || !oneClause(previous, own)) return false
  if (ahead(previous, names, open) !== undefined && !takenByPrevious(amounts, i - 1, names, open)) return false
  const [theirs, mine] = [behind(previous, names, open), ahead(own, names, open)]
  if (theirs === undefined || mine === undefined || mine.from >= theirs.to) return false
  return !takenByNext(amounts, i - 1, names, open)
}

/** Whether a name stands between an amount and the next that may be either's: by its unit it goes nowhere then. */
export const isContested = <T>(amounts: readonly Amount[], i: number, names: PlaceNames<T>, fits: Open<T>): boolean => {
  const own = amounts[i]
  return own !== undefined && ahead(own, names, fits) === undefined && takenByNext(amounts, i, names, fits)
}

/**
 * The place of an amount by a name beside it: before it, else behind it, else the nearest one before. A name serves one
 * amount: between two it is the second one's, unless all are named from behind.
 *
 * @param open of places that are free now. @param fits of places whether free or not: a name keeps its number.
 */
export const placeBeside = <T>(
  amounts: readonly Amount[],
  i: number,
  names: PlaceNames<T>,
  { open, fits }: { readonly open: Open<T>; readonly fits: Open<T> },
): T | undefined => {
  const amount = amounts[i]
  if (amount === undefined) return undefined
  const before = takenByPrevious(amounts, i, names, fits) ? undefined : ahead(amount, names, open)
  if (before !== undefined) return before.place
  const after = takenByNext(amounts, i, names, fits) ? undefined : behind(amount, names, open)
  return after?.place ?? near(amount, names, open)
}
