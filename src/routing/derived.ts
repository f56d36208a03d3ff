import { Fault } from '#core/fault.ts'
import { commensurable, fromSi, parseUnit, toSi } from '#core/units.ts'
import type { Amount } from './amounts.ts'
import type { InputLeaf } from './leaves.ts'
import type { Derived, SolverWords } from './vocabulary.ts'
import { withCarets } from './word-units.ts'
import { folded } from './words.ts'

/** The derived quantity that an amount is called by: `R0 = 3`, `recovers in 5 days`. */
export const derivedOf = ({ name, before }: Amount, words: SolverWords | undefined): Derived | undefined =>
  words?.derived?.find(({ names }) => names.some((it) => it === name || folded(before).endsWith(folded(it))))

/** The value of the input that a derived quantity gives; undefined where its unit does not fit. */
export const derivedValue = (
  { number, unit }: Amount,
  { times, inverse }: Derived,
  leaf: InputLeaf,
  other: unknown,
) => {
  if (times !== undefined) return unit === undefined && typeof other === 'number' ? Number(number) * other : undefined
  if (inverse === undefined || unit === undefined || leaf.unit === undefined) return undefined
  const read = parseUnit(withCarets(unit))
  const one = toSi(number, read)
  const value = one === 0 ? undefined : fromSi(1 / one, leaf.unit)
  return commensurable(parseUnit(`1/(${withCarets(unit)})`), leaf.unit) ? value : undefined
}

/** @throws Fault AMBIGUOUS_INPUT for a constant by a name that means one thing to people and another to the schema. */
export const refuseDerivedConstant = (name: string, given: unknown, words: SolverWords | undefined): void => {
  const derived = words?.derived?.find(({ names, times }) => times !== undefined && names.includes(name))
  if (derived === undefined) return
  const { to, times } = derived
  throw new Fault(
    'AMBIGUOUS_INPUT',
    `${name} is the ratio ${to}/${times} to people and another input to the schema: give ${to} as ${given}·${times}.`,
    { input: name, suggestions: [to, times] },
  )
}
