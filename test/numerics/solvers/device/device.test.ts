// Goal: device finds capacitances, energies and junctions that are known otherwise, its bounds hold the truth between
// them at the order they should, and its check sees every coefficient; what cannot be solved is refused before work.
// Method: closed forms (square coaxial line, layered plates, sine charge, superposition), halved grids, symmetries;
// runs of a sabotaged problem judged as if they were right; inputs drawn from the schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { asinh, log } from '#numerics/math.ts'
import { passGate } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { unitOf } from '#numerics/runtime/solver.ts'
import { device } from '#numerics/solvers/device/index.ts'
import { layoutOf } from '#numerics/solvers/device/problem.ts'
import { boundsOf, energiesOf } from '#numerics/solvers/device/run/energy.ts'
import { EPSILON_0 } from '#numerics/solvers/device/run/solve.ts'
import type { DeviceOutput } from '#numerics/solvers/device/schema.ts'
import { suite } from '../../../kit/suite.ts'
import { close, outcomesOf } from '../outcomes.ts'
import { passing } from '../passing.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/device')

keepsTheRules(test, device)

const { inputOf, solve, sealed, errorPct, refusal, sealsOrRefuses } = outcomesOf(device)

/** Capacitance of the square coaxial line 2 : 1 over ε₀, by conformal mapping (Bowman). */
const SQUARE_COAXIAL = 10.2340925693681

const onGrid = (n: number): DeviceOutput => solve({ nx: n, ny: n })

test('the square coaxial line: the exact value is between the bounds, which close at the order 4/3', () => {
  const gaps = [64, 128, 256].map((n) => {
    const { capacitance, lower = 0, upper = 0 } = onGrid(n)
    const exact = SQUARE_COAXIAL * EPSILON_0
    assert(lower <= exact && exact <= upper)
    close(capacitance, exact, 0.02 / n)
    return upper / lower - 1
  })
  for (const k of [0, 1]) {
    const ratio = (gaps[k] as number) / (gaps[k + 1] as number)
    assert(ratio > 2.4 && ratio < 2.7, `ratio ${ratio}: 2^(4/3) is 2.52`)
  }
})

const plates = { nx: 24, ny: 16, lx: 3, ly: 2, electrodes: [], sides: { left: 5, right: -1, bottom: null, top: null } }

test('plates with layers across and along the field have the capacitance of their circuit', () => {
  close(sealed(plates).capacitance, (EPSILON_0 * 2) / 3, 1e-12)
  const across = { ...plates, dielectrics: [{ x0: 1, y0: 0, x1: 2, y1: 2, permittivity: 4 }] }
  close(sealed(across).capacitance, (EPSILON_0 * 2) / (2 + 1 / 4), 1e-10)
  const along = { ...plates, dielectrics: [{ x0: 0, y0: 1, x1: 3, y1: 2, permittivity: 1e6 }] }
  close(sealed(along).capacitance, (EPSILON_0 * (1 + 1e6)) / 3, 1e-10)
  const { charges = [], conductorPotentials = [] } = sealed(plates)
  assert.deepEqual(Array.from(conductorPotentials), [-1, 5])
  close(charges[1], (EPSILON_0 * 2 * 6) / 3, 1e-9)
  close(charges[0], (-EPSILON_0 * 2 * 6) / 3, 1e-9)
})

test('sides that make a field are all there is: the electrode of the default case stands in no other', () => {
  const { electrodes: _, ...bare } = plates
  const capacitance = sealed(bare).capacitance
  assert.equal(capacitance, sealed(plates).capacitance)
  assert.equal(sealed({ ...bare, sides: { ...bare.sides, bottom: null } }).mode, 'capacitance')
  const alone = { left: 5, right: null, bottom: null, top: null }
  refusal('ILL_POSED', { sides: alone })
  assert.equal(sealed({ nx: 128, ny: 128 }).mode, 'capacitance')
})

test('a sine charge has its closed form, approached at second order', () => {
  const errors = [32, 64, 128].map((n) => errorPct({ nx: n, ny: n, charge: { kind: 'sine', m: 2 } }))
  for (const k of [0, 1]) {
    const ratio = (errors[k] as number) / (errors[k + 1] as number)
    assert(ratio > 3.9 && ratio < 4.1, `ratio ${ratio}`)
  }
  const { energy } = sealed({ nx: 96, ny: 96, charge: { kind: 'sine' } })
  const square = (2 * Math.PI * Math.PI) / 4
  close(energy, (1e-18 * 4) / (8 * EPSILON_0 * square), 1e-3)
  refusal('PRECISION_NOT_MET', { nx: 32, ny: 32, charge: { kind: 'sine', m: 5, n: 5 } })
})

const block = { x0: 0.25, y0: 0.5, x1: 0.75, y1: 1.5 }
const small = { nx: 64, ny: 64 }

test('energies of voltages and of charges add up', () => {
  const volts = { ...small, electrodes: [{ x0: 1, y0: 1, x1: 1.5, y1: 1.5, potential: 3 }] }
  const boxes = { kind: 'boxes', boxes: [{ ...block, density: 2e-10 }] }
  const both = solve({ ...volts, charge: boxes })
  const one = solve(volts)
  const other = solve({ ...volts, electrodes: [{ ...volts.electrodes[0], potential: 0 }], charge: boxes })
  const sum = ((one.upper ?? 0) * 9) / 2 + (other.lower ?? 0)
  close(both.energy, sum, 1e-9)
})

test('the field has the symmetries of the square, and scales with the voltage', () => {
  const n = 32
  const { potential } = solve({ nx: n, ny: n })
  const doubled = solve({ nx: n, ny: n, electrodes: [{ x0: 0.5, y0: 0.5, x1: 1.5, y1: 1.5, potential: -2 }] })
  for (let row = 0; row <= n; row++) {
    for (let column = 0; column <= n; column++) {
      const here = potential[row * (n + 1) + column] as number
      assert(Math.abs(here - (potential[column * (n + 1) + row] as number)) <= 1e-8)
      assert(Math.abs(here - (potential[(n - row) * (n + 1) + column] as number)) <= 1e-8)
      assert(Math.abs(here + (doubled.potential[row * (n + 1) + column] as number) / 2) <= 1e-8)
      assert(here >= -1e-8 && here <= 1 + 1e-8, 'no potential beyond those of the conductors')
    }
  }
})

test('the same bounds hold whatever lies between: a dielectric raises the capacitance between its limits', () => {
  const region = { x0: 0, y0: 0, x1: 1, y1: 2, permittivity: 3 }
  const bare = solve(small)
  const half = sealed({ nx: 128, ny: 128, dielectrics: [region] })
  const full = solve({ ...small, permittivity: 3 })
  assert((half.capacitance ?? 0) > (bare.upper ?? 0) && (half.capacitance ?? 0) < (full.lower ?? 0))
  close(full.capacitance, 3 * (bare.capacitance ?? 0), 1e-9)
  // Left and right halves are mirror images, each with its own medium.
  close(half.capacitance, 2 * (bare.capacitance ?? 0), 1e-3)
})

test('units follow the mode', () => {
  assert.equal(unitOf(device, inputOf({})), 'F/m')
  assert.equal(unitOf(device, inputOf({ charge: { kind: 'sine' } })), 'J/m')
  assert.equal(unitOf(device, inputOf({ dim: 1 })), 'V/m')
  assert.equal(unitOf(device, inputOf({ doping: {} })), 'V/m')
  assert.equal(sealed({ doping: { donors: 2e22 }, junction: { halfLength: 2e-6 } }).mode, 'junction')
})

/** What the check says of an answer to another problem than the one that was asked. */
const mistaken = (asked: object, solved: object): number => {
  const input = inputOf(asked)
  return device.check(input, run(device, inputOf(solved)).outcome).errorPct
}

test('the check sees wrong permittivities, charges and places, though every total is consistent in itself', () => {
  const region = (permittivity: number) => ({ x0: 0, y0: 0, x1: 1, y1: 0.5, permittivity })
  assert(errorPct({ nx: 128, ny: 128, dielectrics: [region(2)] }) <= 0.1)
  assert(
    mistaken({ nx: 128, ny: 128, dielectrics: [region(2)] }, { nx: 128, ny: 128, dielectrics: [region(2.02)] }) > 0.1,
  )
  assert(mistaken({ ...small, permittivity: 1.01 }, small) > 0.1)
  const charge = (density: number) => ({ ...small, charge: { kind: 'boxes', boxes: [{ ...block, density }] } })
  assert(errorPct(charge(1e-9)) <= 0.1)
  assert(mistaken(charge(1.01e-9), charge(1e-9)) > 0.1)
  const wave = (m: number) => ({ ...small, charge: { kind: 'sine', m } })
  assert(errorPct(wave(1)) <= 0.1)
  assert(mistaken(wave(1), wave(2)) > 0.1)
  assert(mistaken(small, { ...small, electrodes: [{ x0: 0.5, y0: 0.5, x1: 1.5, y1: 1.53125, potential: 1 }] }) > 0.1)
  assert(mistaken(plates, { ...plates, lx: 3.03 }) > 0.1)
})

test('the check sees a displacement that leaks, one that was weakened, and a solve that ended early', () => {
  const input = inputOf({ nx: 128, ny: 128 })
  const { outcome } = run(device, input)
  passGate(device.check(input, outcome))
  const { evidence, output } = outcome
  assert(evidence !== null)
  const leaking = evidence.x.map((it, at) => (at === 20 * 129 + 30 ? it * 1.5 : it))
  assert(device.check(input, { output, evidence: { ...evidence, x: leaking } }).errorPct > 0.1)
  const weak = { x: evidence.x.map((it) => 0.9 * it), y: evidence.y.map((it) => 0.9 * it) }
  assert(device.check(input, { output, evidence: weak }).errorPct > 0.1)
  assert(device.check(input, { output, evidence: null }).errorPct > 0.1)
  const early = Float64Array.from(output.potential, (it) => (it > 0 && it < 1 ? it + 0.02 * it * (1 - it) : it))
  assert(device.check(input, { output: { ...output, potential: early as never }, evidence }).errorPct > 0.1)
})

test('a displacement that bounds nothing is refused, whatever sign its bounds then have', () => {
  // A loop of flux around one node adds no charge. The stronger it is, the lower the bound it gives: below zero the
  // middle of the bounds is negative, and a share of it would be a negative error.
  const input = inputOf({ nx: 128, ny: 128 })
  const { outcome } = run(device, input)
  const { evidence, output } = outcome
  assert(evidence !== null)
  const layout = layoutOf(input)
  const potential = Float64Array.from(output.potential)
  for (const strength of [0.3, 1, 3, 30]) {
    const looped = { x: evidence.x.slice(), y: evidence.y.slice() }
    const node = 20 * 129 + 30
    looped.x[node] += strength
    looped.x[node - 129] -= strength
    looped.y[20 * 128 + 30] -= strength
    looped.y[20 * 128 + 29] += strength
    const { lower, upper } = boundsOf(layout, energiesOf(layout, potential, looped))
    const claimed = {
      ...output,
      energy: (lower + upper) / 2,
      lower: 2 * lower,
      upper: 2 * upper,
      capacitance: lower + upper,
      charges: [-(lower + upper), lower + upper],
    }
    const reality = device.check(input, { output: claimed, evidence: looped })
    assert.equal(reality.figures['echo_wrong'], undefined, 'its numbers follow from it')
    assert(reality.errorPct > 0.1, `${strength}: ${reality.errorPct}`)
  }
})

test('a grid too coarse is refused by its error', () => {
  assert.equal(refusal('PRECISION_NOT_MET', { nx: 64, ny: 64 })['nx'], 64)
})

const junction = (raw: object = {}): DeviceOutput => solve({ dim: 1, ...raw })

test('a junction: second order in field and potential, and the peak field of the first integral', () => {
  for (const doping of [{}, { acceptors: 2e23, donors: 4e21 }]) {
    const errors = [200, 400, 800].map((points) => errorPct({ doping, junction: { points, halfLength: 2e-6 } }))
    for (const k of [0, 1]) {
      const ratio = (errors[k] as number) / (errors[k + 1] as number)
      assert(ratio > 3.5 && ratio < 4.5, `ratio ${ratio}`)
    }
  }
  // Na = Nd: by hand, E² = 2q·Vt/ε·(Na·f_n − 2ni·(cosh f_n − 1)).
  const f = asinh(1e22 / 2e16)
  const vt = (1.380649e-23 * 300) / 1.602176634e-19
  const g = 1e22 * f - (2 * 1e16 * (Math.exp(f) + Math.exp(-f) - 2)) / 2
  const peak = Math.sqrt((2 * 1.602176634e-19 * vt * g) / (11.7 * EPSILON_0))
  close(junction().junction?.peakField, peak, 1e-4)
  close(junction().junction?.builtIn, 2 * vt * log(1e22 / 1e16), 1e-8)
})

test('a junction is neutral as a whole, and its mirror image has the opposite potential', () => {
  const { x = [], charge = [], junction: numbers } = junction({ doping: { acceptors: 4e22, donors: 1e22 } })
  let [all, positive] = [0, 0]
  for (let i = 0; i + 1 < x.length; i++) {
    // The junction's own charge is the mean of its two sides: a trapezoid on either is half wrong by the same amount.
    const part = (((charge[i] as number) + (charge[i + 1] as number)) / 2) * ((x[i + 1] as number) - (x[i] as number))
    all += part
    positive += Math.max(0, part)
  }
  assert(Math.abs(all) <= 2e-2 * positive, `${all} of ${positive}`)
  close(numbers?.widthN, 4 * (numbers?.widthP ?? 0), 1e-12)
  const mirror = junction({ doping: { acceptors: 1e22, donors: 4e22 } })
  const there = junction({ doping: { acceptors: 4e22, donors: 1e22 } })
  const last = there.potential.length - 1
  for (let i = 0; i <= last; i++) {
    assert(Math.abs((there.potential[i] as number) + (mirror.potential[last - i] as number)) <= 1e-11)
  }
})

test('the check sees every constant of a junction', () => {
  const asked = { dim: 1 }
  assert(errorPct(asked) <= 0.1)
  for (const wrong of [
    { permittivity: 11.8 },
    { temperature: 301 },
    { intrinsic: 1.02e16 },
    { halfLength: 1.01e-6 },
    { points: 398 },
  ]) {
    assert(mistaken(asked, { dim: 1, junction: wrong }) > 0.1, JSON.stringify(wrong))
  }
  assert(mistaken(asked, { doping: { acceptors: 1.01e22 } }) > 0.1)
  assert(mistaken(asked, { doping: { donors: 0.99e22 } }) > 0.1)
  // The cusp taken without its half cells: what makes the usual field first order.
  const input = inputOf(asked)
  const { outcome } = run(device, input)
  const { potential, x = [], field = [] } = outcome.output
  const middle = (x.length - 1) / 2
  const flat = Float64Array.from(field)
  flat[middle] =
    -((potential[middle + 1] as number) - (potential[middle - 1] as number)) / (2 * (x[middle + 1] as number))
  const peakField = Math.abs(flat[middle] as number)
  const numbers = { ...(outcome.output.junction as object), peakField } as never
  assert(
    device.check(input, { ...outcome, output: { ...outcome.output, field: flat as never, junction: numbers } })
      .errorPct > 0.1,
  )
})

test('each array of a junction is read', () => {
  const input = inputOf({ dim: 1 })
  const { outcome } = run(device, input)
  for (const name of ['x', 'potential', 'field', 'charge'] as const) {
    for (const at of [3, 150, 200, 390]) {
      const moved = Float64Array.from(outcome.output[name] ?? [])
      moved[at] += 0.01 * moved.reduce((most, it) => Math.max(most, Math.abs(it)), 0)
      assert(
        device.check(input, { ...outcome, output: { ...outcome.output, [name]: moved } }).errorPct > 0.1,
        `${name} ${at}`,
      )
      moved[at] = Number.NaN
      assert(!(device.check(input, { ...outcome, output: { ...outcome.output, [name]: moved } }).errorPct <= 0.1))
    }
  }
  const numbers = outcome.output.junction as unknown as Readonly<Record<string, number>>
  for (const [name, value] of Object.entries(numbers)) {
    if (name === 'newtonSteps') continue
    const altered = { ...numbers, [name]: value * 1.01 + (value === 0 ? 0.01 : 0) } as never
    const { errorPct: found } = device.check(input, { ...outcome, output: { ...outcome.output, junction: altered } })
    assert(name === 'junctionPotential' ? Math.abs(value) < 1e-12 : found > 0.1, name)
  }
})

test('what a junction does not cover is refused with what would pass', () => {
  const bias = refusal('OUT_OF_RANGE', { dim: 1, junction: { bias: 0.3 } })
  assert.deepEqual([bias['path'], bias['limit']], ['/junction/bias', 0])
  const near = refusal('OUT_OF_RANGE', { dim: 1, junction: { halfLength: 3e-7 } })
  device.refuse(inputOf({ dim: 1, junction: { halfLength: near['halfLength'] } }))
  assert.equal(refusal('OUT_OF_RANGE', { doping: { acceptors: 1e16 } })['path'], '/doping/acceptors')
  assert.equal(refusal('OUT_OF_RANGE', { doping: { donors: 1e27 } })['limit'], 1e25)
  assert.equal(refusal('OUT_OF_RANGE', { doping: { donors: 1e20 }, junction: { intrinsic: 1e20 } })['limit'], 1e21)
})

test('what has no field, no answer or no place on the grid is refused', () => {
  refusal('ILL_POSED', { electrodes: [] })
  refusal('ILL_POSED', {
    electrodes: [],
    sides: { left: null, right: null, bottom: null, top: null },
    charge: { kind: 'boxes' },
  })
  const meeting = refusal('ILL_POSED', { electrodes: [], sides: { left: 1, top: 0 } })
  assert.deepEqual([meeting['x'], meeting['y']], [0, 2])
  refusal('ILL_POSED', { electrodes: [{ x0: 0, y0: 0, x1: 2, y1: 2, potential: 0 }] })
  refusal('ILL_POSED', {
    sides: { left: 9e8, right: 9e8, bottom: 9e8, top: 9e8 },
    electrodes: [{ ...block, potential: 9e8 + 1e-3 }],
  })
  const off = refusal('INVALID_INPUT', {
    nx: 10,
    ny: 10,
    electrodes: [{ x0: 0.5, y0: 0.4, x1: 1.4, y1: 1.4, potential: 1 }],
  })
  assert.deepEqual([off['path'], off['x0'], off['limit']], ['/electrodes/0', 0.6, 1e-6])
  assert.equal(refusal('INVALID_INPUT', { charge: { kind: 'sine' }, sides: { left: 1 } })['path'], '/charge/kind')
  assert.equal(refusal('INVALID_INPUT', { nx: 16, ny: 16, charge: { kind: 'sine', m: 9 } })['path'], '/charge/m')
  assert.equal(refusal('WORK_LIMIT_EXCEEDED', { nx: 1024, ny: 1024 })['limit'], 263_169)
  assert.deepEqual(passing(device, { nx: 16, ny: 256, electrodes: [] }, ['nx', 'ny']), { nx: 64 })
  // One number alone would be too many nodes here, or cells too long again: then both are named.
  const grids = [
    { nx: 2048, ny: 2048 },
    { nx: 8, ny: 2048 },
    { nx: 2048, ny: 8 },
    { nx: 2048, ny: 1024, lx: 40 },
    { nx: 8, ny: 2048, ly: 1e-3 },
    { nx: 8, ny: 8, ly: 1e-3 },
  ]
  for (const raw of grids) passing(device, { ...raw, electrodes: [] }, ['nx', 'ny', 'lx', 'ly'])
})

const rectangle = (n: number) =>
  fc
    .tuple(
      fc.integer({ min: 0, max: n - 1 }),
      fc.integer({ min: 0, max: n - 1 }),
      fc.integer({ min: 1, max: n }),
      fc.integer({ min: 1, max: n }),
    )
    .map(([x0, y0, w, h]) => ({ x0: x0 / 8, y0: y0 / 8, x1: Math.min(n, x0 + w) / 8, y1: Math.min(n, y0 + h) / 8 }))
const level = fc.constantFrom(-1, 0, 1, 2.5)
const side = fc.oneof(level, fc.constant(null))
const drawn = fc.record(
  {
    dim: fc.constantFrom(1, 2, 2, 2),
    nx: fc.constantFrom(16, 32),
    ny: fc.constantFrom(16, 32, 48),
    permittivity: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
    sides: fc.record({ left: side, right: side, bottom: side, top: side }, { requiredKeys: [] }),
    electrodes: fc.array(
      fc.tuple(rectangle(16), level).map(([at, potential]) => ({ ...at, potential })),
      { maxLength: 3 },
    ),
    dielectrics: fc.array(
      fc
        .tuple(rectangle(16), fc.double({ min: 1e-3, max: 1e6, noNaN: true }))
        .map(([at, permittivity]) => ({ ...at, permittivity })),
      { maxLength: 3 },
    ),
    charge: fc.record(
      {
        kind: fc.constantFrom('none', 'sine', 'boxes'),
        amplitude: fc.double({ min: -1e3, max: 1e3, noNaN: true }),
        m: fc.integer({ min: 1, max: 20 }),
        boxes: fc.array(
          rectangle(16).map((at) => ({ ...at, density: 1e-9 })),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    ),
    junction: fc.record(
      {
        points: fc.integer({ min: 50, max: 900 }),
        halfLength: fc.double({ min: 1e-9, max: 1, noNaN: true }),
        intrinsic: fc.double({ min: 1, max: 1e20, noNaN: true }),
        temperature: fc.double({ min: 50, max: 1000, noNaN: true }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(fc.oneof(fc.constant({ dim: 1 }), drawn), { numRuns: 300 })
  assert(seals > 0, 'some of them seal')
}, 30_000)

test.run()
