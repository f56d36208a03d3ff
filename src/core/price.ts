import { assert } from './assert.ts'

/** Operators of a domain in one computation, KO42 not counted. */
export const OPERATORS_MAX = 3

/**
 * The one price function, for the charge and for the envelope's face value.
 *
 * @param domainOperators how many operators beside KO42: 1 to 3.
 * @returns credits: 3, 5 or 6.
 */
export const price = (domainOperators: number): number => {
  assert(
    Number.isInteger(domainOperators) && domainOperators >= 1 && domainOperators <= OPERATORS_MAX,
    'operator count',
  )
  return Math.ceil((3 * (domainOperators + 1)) / 2)
}
