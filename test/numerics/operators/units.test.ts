// Goal: units mean what the standards say, both ways, with one rounding. Method: defining relations of the SI and of
// the customary units as exact cases, random round trips over every unit and prefix, and each refusal by name.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { exponent, printDimension } from '#core/dimension.ts'
import { PREFIXES, SPELLINGS, UNITS } from '#core/unit-table.ts'
import { commensurable, continuumField, fromSi, parseUnit, toSi } from '#core/units.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { faultOf } from './table.ts'

const test = suite('units')

const si = (value: number | string, unit: string): number => toSi(value, parseUnit(unit))

test('defining relations hold to the last bit', () => {
  const cases: readonly (readonly [number | string, string, number])[] = [
    [5, 'km', 5_000],
    [0.1, 'km', 100],
    ['0.3', 'mm', 3e-4],
    [1, 'eV', 1.602176634e-19],
    [1, 'kWh', 3_600_000],
    [1, 'L', 0.001],
    [1, 'atm', 101_325],
    [760, 'Torr', 101_325],
    [1, 'psi', 6894.757293168362],
    [25, '°C', 298.15],
    [-40, 'degF', 233.15],
    [-40, 'degC', 233.15],
    [180, 'deg', Math.PI],
    [10_800, 'arcmin', Math.PI],
    [648_000, 'arcsec', Math.PI],
    [648_000_000, 'mas', Math.PI],
    [1, 'rev', 2 * Math.PI],
    [60, 'rpm', 2 * Math.PI],
    [1, 'au', 149_597_870_700],
    [1, 'pc', 30_856_775_814_913_672],
    [1, 'ly', 9_460_730_472_580_800],
    [36, 'km/h', 10],
    [1, 'mph', 0.44704],
    [70, 'km/s/Mpc', 2.2685455026110557e-18],
    [1, 'µm²', 1e-12],
    [2, 'J·kg⁻¹·K⁻¹', 2],
    [1, 'MPa*m^(1/2)', 1e6],
    [1, 'kΩ', 1_000],
    [3, 'kilometres', 3_000],
    [2, 'kilograms', 2],
    [5, 'milliseconds', 0.005],
    [50, '%', 0.5],
    [1, '', 1],
  ]
  for (const [value, unit, wanted] of cases) assert.equal(si(value, unit), wanted, `${value} ${unit}`)
})

test('names of the SI Brochure and of daily life are those of their symbols', () => {
  const names: Readonly<Record<string, string>> = {
    m: 'meter meters metre metres',
    g: 'gram grams',
    s: 'second seconds sec',
    A: 'ampere amperes',
    K: 'kelvin',
    Hz: 'hertz',
    N: 'newton newtons',
    Pa: 'pascal pascals',
    J: 'joule joules',
    W: 'watt watts',
    C: 'coulomb coulombs',
    V: 'volt volts',
    ohm: 'Ω Ohm ohms',
    F: 'farad farads',
    T: 'tesla teslas',
    H: 'henry henrys henries',
    rad: 'radian radians',
    deg: 'degree degrees °',
    min: 'minute minutes',
    h: 'hour hours hr',
    d: 'day days',
    week: 'weeks',
    month: 'months',
    yr: 'year years',
    mi: 'mile miles',
    in: 'inch inches',
    ft: 'foot feet',
    yd: 'yard yards',
    lb: 'pound pounds lbs',
    oz: 'ounce ounces',
    kn: 'knot knots',
    gal: 'gallon gallons',
    cup: 'cups',
    acre: 'acres',
    ha: 'hectare hectares',
    hp: 'horsepower',
    cal: 'calorie calories',
    dpt: 'dioptre dioptres diopter diopters',
    bar: 'bars',
    t: 'tonne tonnes',
    bit: 'bits',
    B: 'byte bytes',
    pc: 'parsec parsecs',
    Bq: 'becquerel',
    mol: 'mole moles',
    L: 'l liter liters litre litres',
    Torr: 'torr',
    angstrom: 'Å',
    arcmin: '′',
    arcsec: '″',
    degC: '°C',
    degF: '°F',
  }
  for (const [symbol, spellings] of Object.entries(names)) {
    for (const name of spellings.split(' ')) {
      assert.deepEqual(parseUnit(name).dimension, parseUnit(symbol).dimension, name)
      assert.equal(si(3, name), si(3, symbol), name)
    }
  }
  const untold = Object.keys(SPELLINGS).filter((it) => !Object.values(names).join(' ').split(' ').includes(it))
  assert.deepEqual(untold, [], 'every spelling is tried')
})

test('a unit takes the prefixes that are in use with it', () => {
  const SI = 'm g s A K mol cd rad Hz N Pa J W C V F ohm S Wb T H lm lx Bq Gy Sv kat L bar eV Da barn Ci Jy'
  for (const unit of SI.split(' ')) {
    const one = fromSi(si(1, unit), parseUnit(`m${unit}`))
    assert.ok(Math.abs(one - 1_000) < 1e-9, `m${unit}`)
    assert.ok(Math.abs(fromSi(si(1, `M${unit}`), parseUnit(unit)) - 1e6) < 1e-6, `M${unit}`)
  }
  for (const unit of 'yr t Wh cal pc bit B'.split(' ')) {
    assert.ok(Math.abs(fromSi(si(1, `k${unit}`), parseUnit(unit)) - 1_000) < 1e-9, `k${unit}`)
    assert.throws(() => parseUnit(`n${unit}`), `n${unit}`)
  }
})

test('prefixes are the powers of ten of the SI Brochure', () => {
  const powers = Object.fromEntries([...'yzafpnum'].map((it, i) => [it, -24 + 3 * i]))
  const more = { r: -27, q: -30, μ: -6, c: -2, d: -1, da: 1, h: 2, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18, Z: 21, Y: 24 }
  assert.deepEqual({ ...PREFIXES }, { ...powers, ...more, m: -3, R: 27, Q: 30 })
})

test('a refusal says which character it is about', () => {
  assert.match(faultOf(() => parseUnit('kg!')).message, /character 3 /)
  assert.match(faultOf(() => parseUnit('?')).message, /character 1 /)
})

test('derived units have their dimensions', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['N', 'kg*m/s^2'],
    ['Pa', 'N/m^2'],
    ['J', 'N*m'],
    ['W', 'J/s'],
    ['V', 'W/A'],
    ['ohm', 'V/A'],
    ['S', 'A/V'],
    ['F', 'C/V'],
    ['H', 'Wb/A'],
    ['Wb', 'V*s'],
    ['T', 'Wb/m^2'],
    ['C', 'A*s'],
    ['Gy', 'J/kg'],
    ['kat', 'mol/s'],
    ['lx', 'lm/m^2'],
    ['P', 'Pa*s'],
    ['Jy', 'W/(m^2*Hz)'],
    ['D', 'C*m'],
  ]
  for (const [a, b] of cases) {
    assert.equal(printDimension(parseUnit(a).dimension), printDimension(parseUnit(b).dimension), `${a} and ${b}`)
  }
})

test('a dimension is printed as powers of the base units, in their order', () => {
  for (const unit of ['m', 'kg', 's', 'A', 'K', 'mol', 'cd', '1']) {
    assert.equal(printDimension(parseUnit(unit).dimension), unit)
  }
  const cases: readonly (readonly [string, string])[] = [
    ['N', 'm*kg*s^-2'],
    ['V', 'm^2*kg*s^-3*A^-1'],
    ['MPa*m^(1/2)', 'm^(-1/2)*kg*s^-2'],
    ['cd/(mol*K)', 'K^-1*mol^-1*cd'],
  ]
  for (const [unit, printed] of cases) assert.equal(printDimension(parseUnit(unit).dimension), printed, unit)
})

test('an exponent is a fraction in lowest terms over a positive denominator', () => {
  const whole = fc.integer({ min: -1_000, max: 1_000 })
  const below = whole.filter((it) => it !== 0)
  fc.assert(
    fc.property(whole, below, below, (p, q, more) => {
      const [top, bottom] = exponent(p, q)
      assert.ok(bottom > 0)
      assert.ok(top * q === p * bottom)
      assert.deepEqual(exponent(p * more, q * more), [top, bottom])
    }),
    { seed, numRuns: 200 },
  )
  assert.deepEqual(exponent(6, -4), [-3, 2])
})

test('every unit with every prefix it takes survives the way there and back', () => {
  const symbols = Object.entries(UNITS).flatMap(([symbol, { prefixes }]) => [
    symbol,
    ...Object.entries(PREFIXES).flatMap(([prefix, tens]) => {
      const taken = prefixes === 'all' || (prefixes === 'up' && tens >= 3)
      return taken && UNITS[`${prefix}${symbol}`] === undefined ? [`${prefix}${symbol}`] : []
    }),
  ])
  assert.ok(symbols.length > 500)
  fc.assert(
    fc.property(fc.constantFrom(...symbols), fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (symbol, value) => {
      let unit: ReturnType<typeof parseUnit>
      try {
        unit = parseUnit(symbol)
      } catch (thrown) {
        const fault = faultOf(() => {
          throw thrown
        })
        return assert.match(fault.message, /decibel|write/)
      }
      const back = fromSi(toSi(value, unit), unit)
      const slack = unit.offset.num === 0n ? 4e-16 * value : 2e-13 * (value + 500)
      assert.ok(Math.abs(back - value) <= slack, `${value} ${symbol} came back as ${back}`)
    }),
    { seed, numRuns: 2_000 },
  )
})

test('cycles and radians are kept apart', () => {
  assert.ok(!commensurable(parseUnit('Hz'), parseUnit('rad/s')))
  assert.ok(commensurable(parseUnit('rpm'), parseUnit('rad/s')))
  assert.ok(!commensurable(parseUnit('deg'), parseUnit('1')))
  assert.ok(commensurable(parseUnit('N*m'), parseUnit('J')))
  // The radian counts wherever it stands in a product.
  assert.ok(commensurable(parseUnit('s*rad'), parseUnit('rad*s')))
  assert.ok(!commensurable(parseUnit('N*m/rad'), parseUnit('N*m')))
})

test('what can be read two ways, or not at all, is refused', () => {
  const refused = ['J/kg*K', 'J/kg K', 'dB', '°C/m', 'J/°C', '°C^2', 'foo', 'pt', 'G', 'Gs', 'm^99', 'm^', 'm)', '(m']
  const hostile = ['__proto__', 'constructor', '*m', 'm//s', '^2', '\u0000', 'm'.repeat(65), '('.repeat(9), 'm^(1/0)']
  for (const text of [...refused, ...hostile]) assert.equal(faultOf(() => parseUnit(text)).code, 'INVALID_INPUT', text)
})

test('a unit maps to a continuum field only when it leaves no choice', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['Pa', 'pressure'],
    ['m/s', 'velocity'],
    ['V', 'potential'],
    ['T', 'magnetic_field'],
    ['kg·m/s', 'momentum'],
    ['kg*m/s', 'momentum'],
    ['kg m / s', 'momentum'],
    ['kg/m³', 'mass_density'],
    ['W/m^2', undefined],
    ['K', 'temperature'],
    ['V/m', 'electric_field'],
    ['C/m³', 'charge_density'],
    ['A/m²', 'current_density'],
    ['m/s²', 'acceleration'],
    ['N', 'force'],
    ['N/m³', 'force_density'],
    ['J/m³', undefined],
    ['J', undefined],
    ['m', undefined],
    ['1', undefined],
    ['constructor', undefined],
  ]
  for (const [unit, field] of cases) assert.equal(continuumField(unit), field, unit)
})

test.run()
