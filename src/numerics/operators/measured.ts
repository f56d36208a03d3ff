import { printDimension } from '#core/dimension.ts'
import { parseUnit, type Unit } from '#core/units.ts'

const texts = new WeakMap<Unit, string>()

/** A text that commensurable units share, and no others. @throws Fault INVALID_INPUT for an unknown unit. */
export const measured = (text: string): string => {
  const unit = parseUnit(text)
  const known = texts.get(unit)
  if (known !== undefined) return known
  const fresh = `${printDimension(unit.dimension)} ${unit.angle}`
  texts.set(unit, fresh)
  return fresh
}
