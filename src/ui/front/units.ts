import { commensurable, parseUnit, toSi, type Unit } from '#core/units.ts'

/** Units that a value may be given in, as people write them, the plain ones of each quantity first. */
const COMMON: readonly string[] = [
  ...['m', 'mm', 'cm', 'km', 'um', 'nm', 'in', 'ft', 'yd', 'mi', 'au', 'ly', 'pc'],
  ...['kg', 'g', 'mg', 't', 'lb', 'oz', 'Msun'],
  ...['s', 'ms', 'us', 'ns', 'min', 'h', 'd', 'week', 'month', 'yr'],
  ...['m/s', 'km/h', 'km/s', 'mph', 'kn', 'ft/s'],
  ...['m/s^2', 'K', 'degC', 'degF', 'N', 'kN', 'lbf', 'Pa', 'kPa', 'MPa', 'GPa', 'bar', 'atm', 'psi', 'mmHg'],
  ...['J', 'kJ', 'MJ', 'eV', 'keV', 'cal', 'kcal', 'kWh', 'W', 'mW', 'kW', 'MW', 'hp'],
  ...['A', 'mA', 'uA', 'V', 'mV', 'kV', 'ohm', 'kohm', 'Mohm', 'F', 'uF', 'nF', 'pF', 'H', 'mH', 'uH', 'C', 'T', 'mT'],
  ...['Hz', 'kHz', 'MHz', 'GHz', 'rpm', 'rad/s', 'rad', 'deg', 'arcsec', '1/s', '1/d', '1/yr'],
  ...['m^2', 'cm^2', 'mm^2', 'km^2', 'ha', 'm^3', 'L', 'mL', 'cm^3', 'gal', 'm^3/s', 'L/min'],
  ...['kg/m^3', 'g/cm^3', 'mol', 'mmol', 'mol/m^3', 'mol/L', 'Pa*s', 'W/(m*K)', 'J/(kg*K)', '1', '%'],
]

const unitOrNone = (text: string): Unit | undefined => {
  try {
    return parseUnit(text)
  } catch {
    return undefined
  }
}

/** Whether a unit is a scale with an offset, as degrees Celsius are. */
export const isScale = (text: string): boolean => {
  const unit = unitOrNone(text)
  return unit !== undefined && toSi(0, unit) !== 0
}

let common: readonly Unit[] | undefined

/** Common units of the same quantity as a unit, itself first; itself alone where it is none that is known. */
export const unitsLike = (text: string): readonly string[] => {
  const own = unitOrNone(text)
  if (own === undefined) return [text]
  common ??= COMMON.map(unitOrNone).filter((it): it is Unit => it !== undefined)
  const alike = common.filter((it) => commensurable(it, own)).map((it) => it.text)
  return [...new Set([text, ...alike])]
}

/** The number at the beginning of a value, and the unit behind it. */
const AMOUNT = /^\s*([+-]?(?:\d[\d\s,_']*(?:\.\d*)?|\.\d+)(?:\s*(?:e|E|[×x*]\s*10\^)\s*[+-]?\d+)?)\s*(.*?)\s*$/

/** A value as it was written, in its number and its unit. */
export const amountIn = (text: string): { readonly number: string; readonly unit: string } => {
  const [, number = text, unit = ''] = AMOUNT.exec(text) ?? []
  return { number: number.trim(), unit }
}

/** Number and unit as one value. */
export const amountText = (number: string, unit: string): string =>
  unit === '' || unit === '1' ? number.trim() : `${number.trim()} ${unit}`
