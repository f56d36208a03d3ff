import { type Dimension, dimension } from './dimension.ts'
import { ONE, type Ratio, ratio, ratioOfDecimal, ZERO } from './ratio.ts'

/** A named unit: its size in coherent SI units. */
export interface UnitRow {
  readonly dimension: Dimension
  /** Power of the radian: keeps Hz from rad/s, and has no part in the balance of an equation. */
  readonly angle: number
  readonly factor: Ratio
  /** Added after the factor: only scales of temperature have one. */
  readonly offset: Ratio
  /** Which SI prefixes go with it: those above 1 alone where the others would spell something else. */
  readonly prefixes: 'all' | 'up' | 'none'
}

const exact = (text: string): Ratio => {
  const [top = '', bottom] = text.split('/')
  const value = ratioOfDecimal(top)
  if (value === undefined) throw new Error(`broken invariant: ${text} is not decimal`)
  if (bottom === undefined) return value
  const below = ratioOfDecimal(bottom) ?? ONE
  return ratio(value.num * below.den, value.den * below.num)
}

/** π to 60 digits. */
const PI = exact('3.14159265358979323846264338327950288419716939937510582097494')
const piOver = (divisor: bigint): Ratio => ratio(PI.num, PI.den * divisor)

interface Extra {
  readonly factor?: string | Ratio
  readonly angle?: number
  readonly offset?: string
  readonly prefixes?: 'all' | 'up'
}

const unit = (of: Dimension, extra: Extra = {}): UnitRow => ({
  dimension: of,
  angle: extra.angle ?? 0,
  factor: typeof extra.factor === 'string' ? exact(extra.factor) : (extra.factor ?? ONE),
  offset: extra.offset === undefined ? ZERO : exact(extra.offset),
  prefixes: extra.prefixes ?? 'none',
})

const SI = { prefixes: 'all' } as const
const NUMBER = dimension()
const LENGTH = dimension(1)
const MASS = dimension(0, 1)
const TIME = dimension(0, 0, 1)
const RATE = dimension(0, 0, -1)
const VOLUME = dimension(3)
const FORCE = dimension(1, 1, -2)
const PRESSURE = dimension(-1, 1, -2)
const ENERGY = dimension(2, 1, -2)
const POWER = dimension(2, 1, -3)
const TEMPERATURE = dimension(0, 0, 0, 0, 1)
const SPECIFIC_ENERGY = dimension(2, 0, -2)

/**
 * Every unit by symbol (spelled as a caller writes it). Sources: SI Brochure, 9th edition (2019), tables 2, 4 and 8;
 * NIST SP 811 appendix B for the customary ones (gallon and cup of the US); a month is a twelfth of a year;
 * IAU 2012 B2 and 2015 B2 for au and pc; CODATA 2022 for Da.
 */
export const UNITS: Readonly<Record<string, UnitRow>> = {
  __proto__: null as never,
  '1': unit(NUMBER),
  m: unit(LENGTH, SI),
  g: unit(MASS, { factor: '0.001', prefixes: 'all' }),
  s: unit(TIME, SI),
  A: unit(dimension(0, 0, 0, 1), SI),
  K: unit(TEMPERATURE, SI),
  mol: unit(dimension(0, 0, 0, 0, 0, 1), SI),
  cd: unit(dimension(0, 0, 0, 0, 0, 0, 1), SI),
  rad: unit(NUMBER, { angle: 1, prefixes: 'all' }),
  sr: unit(NUMBER, { angle: 2 }),
  Hz: unit(RATE, SI),
  N: unit(FORCE, SI),
  Pa: unit(PRESSURE, SI),
  J: unit(ENERGY, SI),
  W: unit(POWER, SI),
  C: unit(dimension(0, 0, 1, 1), SI),
  V: unit(dimension(2, 1, -3, -1), SI),
  F: unit(dimension(-2, -1, 4, 2), SI),
  ohm: unit(dimension(2, 1, -3, -2), SI),
  S: unit(dimension(-2, -1, 3, 2), SI),
  Wb: unit(dimension(2, 1, -2, -1), SI),
  T: unit(dimension(0, 1, -2, -1), SI),
  H: unit(dimension(2, 1, -2, -2), SI),
  lm: unit(dimension(0, 0, 0, 0, 0, 0, 1), SI),
  lx: unit(dimension(-2, 0, 0, 0, 0, 0, 1), SI),
  Bq: unit(RATE, SI),
  Gy: unit(SPECIFIC_ENERGY, SI),
  Sv: unit(SPECIFIC_ENERGY, SI),
  kat: unit(dimension(0, 0, -1, 0, 0, 1), SI),
  deg: unit(NUMBER, { factor: piOver(180n), angle: 1 }),
  arcmin: unit(NUMBER, { factor: piOver(10_800n), angle: 1 }),
  arcsec: unit(NUMBER, { factor: piOver(648_000n), angle: 1 }),
  mas: unit(NUMBER, { factor: piOver(648_000_000n), angle: 1 }),
  rev: unit(NUMBER, { factor: ratio(2n * PI.num, PI.den), angle: 1 }),
  rpm: unit(RATE, { factor: piOver(30n), angle: 1 }),
  degC: unit(TEMPERATURE, { offset: '273.15' }),
  degF: unit(TEMPERATURE, { factor: '5/9', offset: '45967/180' }),
  min: unit(TIME, { factor: '60' }),
  h: unit(TIME, { factor: '3600' }),
  d: unit(TIME, { factor: '86400' }),
  week: unit(TIME, { factor: '604800' }),
  month: unit(TIME, { factor: '2629800' }),
  yr: unit(TIME, { factor: '31557600', prefixes: 'up' }),
  L: unit(VOLUME, { factor: '0.001', prefixes: 'all' }),
  l: unit(VOLUME, { factor: '0.001', prefixes: 'all' }),
  gal: unit(VOLUME, { factor: '0.003785411784' }),
  cup: unit(VOLUME, { factor: '0.0002365882365' }),
  tbsp: unit(VOLUME, { factor: '0.00001478676478125' }),
  tsp: unit(VOLUME, { factor: '0.00000492892159375' }),
  acre: unit(dimension(2), { factor: '4046.8564224' }),
  t: unit(MASS, { factor: '1000', prefixes: 'up' }),
  ha: unit(dimension(2), { factor: '10000' }),
  bar: unit(PRESSURE, { factor: '100000', prefixes: 'all' }),
  atm: unit(PRESSURE, { factor: '101325' }),
  Torr: unit(PRESSURE, { factor: '101325/760' }),
  mmHg: unit(PRESSURE, { factor: '133.322387415' }),
  psi: unit(PRESSURE, { factor: '4.4482216152605/0.00064516' }),
  eV: unit(ENERGY, { factor: '1.602176634e-19', prefixes: 'all' }),
  Wh: unit(ENERGY, { factor: '3600', prefixes: 'up' }),
  VA: unit(POWER, SI),
  var: unit(POWER, SI),
  Ah: unit(dimension(0, 0, 1, 1), { factor: '3600', prefixes: 'all' }),
  dpt: unit(dimension(-1)),
  cal: unit(ENERGY, { factor: '4.184', prefixes: 'up' }),
  BTU: unit(ENERGY, { factor: '1055.05585262' }),
  erg: unit(ENERGY, { factor: '1e-7' }),
  dyn: unit(FORCE, { factor: '1e-5' }),
  kgf: unit(FORCE, { factor: '9.80665' }),
  lbf: unit(FORCE, { factor: '4.4482216152605' }),
  hp: unit(POWER, { factor: '745.69987158227022' }),
  Da: unit(MASS, { factor: '1.66053906892e-27', prefixes: 'all' }),
  u: unit(MASS, { factor: '1.66053906892e-27' }),
  lb: unit(MASS, { factor: '0.45359237' }),
  oz: unit(MASS, { factor: '0.028349523125' }),
  au: unit(LENGTH, { factor: '149597870700' }),
  AU: unit(LENGTH, { factor: '149597870700' }),
  ly: unit(LENGTH, { factor: '9460730472580800' }),
  pc: unit(LENGTH, { factor: ratio(149_597_870_700n * 648_000n * PI.den, PI.num), prefixes: 'up' }),
  angstrom: unit(LENGTH, { factor: '1e-10' }),
  in: unit(LENGTH, { factor: '0.0254' }),
  ft: unit(LENGTH, { factor: '0.3048' }),
  yd: unit(LENGTH, { factor: '0.9144' }),
  mi: unit(LENGTH, { factor: '1609.344' }),
  nmi: unit(LENGTH, { factor: '1852' }),
  mph: unit(dimension(1, 0, -1), { factor: '0.44704' }),
  kn: unit(dimension(1, 0, -1), { factor: '1852/3600' }),
  barn: unit(dimension(2), { factor: '1e-28', prefixes: 'all' }),
  Ci: unit(RATE, { factor: '3.7e10', prefixes: 'all' }),
  gauss: unit(dimension(0, 1, -2, -1), { factor: '1e-4' }),
  P: unit(dimension(-1, 1, -1), { factor: '0.1' }),
  cP: unit(dimension(-1, 1, -1), { factor: '0.001' }),
  St: unit(dimension(2, 0, -1), { factor: '1e-4' }),
  cSt: unit(dimension(2, 0, -1), { factor: '1e-6' }),
  D: unit(dimension(1, 0, 1, 1), { factor: '1e-21/299792458' }),
  Jy: unit(dimension(0, 1, -2), { factor: '1e-26', prefixes: 'all' }),
  bit: unit(NUMBER, { prefixes: 'up' }),
  bps: unit(RATE, { prefixes: 'up' }),
  B: unit(NUMBER, { factor: '8', prefixes: 'up' }),
  '%': unit(NUMBER, { factor: '0.01' }),
  ppm: unit(NUMBER, { factor: '1e-6' }),
  ppb: unit(NUMBER, { factor: '1e-9' }),
}

/** Other spellings of symbols, after which the table is asked. */
export const SPELLINGS: Readonly<Record<string, string>> = {
  __proto__: null as never,
  Ω: 'ohm',
  Å: 'angstrom',
  '°': 'deg',
  '°C': 'degC',
  '°F': 'degF',
  '′': 'arcmin',
  '″': 'arcsec',
  Ohm: 'ohm',
  degree: 'deg',
  degrees: 'deg',
  radian: 'rad',
  radians: 'rad',
  hr: 'h',
  day: 'd',
  days: 'd',
  sec: 's',
  weeks: 'week',
  months: 'month',
  year: 'yr',
  years: 'yr',
  torr: 'Torr',
  metre: 'm',
  metres: 'm',
  meter: 'm',
  meters: 'm',
  gram: 'g',
  grams: 'g',
  second: 's',
  seconds: 's',
  minute: 'min',
  minutes: 'min',
  hour: 'h',
  hours: 'h',
  ampere: 'A',
  kelvin: 'K',
  hertz: 'Hz',
  newton: 'N',
  newtons: 'N',
  pascal: 'Pa',
  joule: 'J',
  joules: 'J',
  watt: 'W',
  watts: 'W',
  coulomb: 'C',
  volt: 'V',
  volts: 'V',
  farad: 'F',
  tesla: 'T',
  henry: 'H',
  amperes: 'A',
  liter: 'L',
  liters: 'L',
  litre: 'L',
  litres: 'L',
  teslas: 'T',
  pascals: 'Pa',
  miles: 'mi',
  mile: 'mi',
  inches: 'in',
  inch: 'in',
  foot: 'ft',
  feet: 'ft',
  yards: 'yd',
  yard: 'yd',
  pound: 'lb',
  pounds: 'lb',
  lbs: 'lb',
  ounce: 'oz',
  ounces: 'oz',
  knot: 'kn',
  knots: 'kn',
  gallon: 'gal',
  gallons: 'gal',
  cups: 'cup',
  acres: 'acre',
  hectare: 'ha',
  hectares: 'ha',
  horsepower: 'hp',
  calories: 'cal',
  calorie: 'cal',
  dioptre: 'dpt',
  dioptres: 'dpt',
  diopter: 'dpt',
  diopters: 'dpt',
  coulombs: 'C',
  farads: 'F',
  henrys: 'H',
  henries: 'H',
  ohms: 'ohm',
  bars: 'bar',
  tonne: 't',
  tonnes: 't',
  bits: 'bit',
  byte: 'B',
  bytes: 'B',
  parsec: 'pc',
  parsecs: 'pc',
  becquerel: 'Bq',
  mole: 'mol',
  moles: 'mol',
}

/** The prefixes in words, which go with units in words. */
export const PREFIX_WORDS: Readonly<Record<string, number>> = {
  tera: 12,
  giga: 9,
  mega: 6,
  kilo: 3,
  centi: -2,
  milli: -3,
  micro: -6,
  nano: -9,
  pico: -12,
  femto: -15,
}

/** Spellings that are not units of a quantity, with the reason. */
export const NOT_UNITS: Readonly<Record<string, string>> = {
  __proto__: null as never,
  dB: 'the decibel is the logarithm of a ratio; give the quantity itself',
  G: 'G may be the gauss, the constant of gravitation or a prefix; write gauss',
  a: 'write yr for a year of 365.25 days',
  Gs: 'write gauss, or 1e9 s',
}

/** SI prefixes as powers of ten (SI Brochure, table 7, with the four of 2022). */
export const PREFIXES: Readonly<Record<string, number>> = {
  __proto__: null as never,
  Q: 30,
  R: 27,
  Y: 24,
  Z: 21,
  E: 18,
  P: 15,
  T: 12,
  G: 9,
  M: 6,
  k: 3,
  h: 2,
  da: 1,
  d: -1,
  c: -2,
  m: -3,
  μ: -6,
  u: -6,
  n: -9,
  p: -12,
  f: -15,
  a: -18,
  z: -21,
  y: -24,
  r: -27,
  q: -30,
}
