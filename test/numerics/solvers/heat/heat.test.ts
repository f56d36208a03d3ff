// Goal: heat solves the diffusion equation at the order it claims, keeps what diffusion keeps, and its check sees every
// coefficient; what cannot be solved is refused before work.
// Method: modes and series in closed form, halved grids and steps, symmetries of square and ring; runs of a sabotaged
// scheme judged as if they were right; inputs drawn from the schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { exp, PI, sin } from '#numerics/math.ts'
import { engineOf } from '#numerics/methods/diffusion/engines.ts'
import type { Engine } from '#numerics/methods/diffusion/problem.ts'
import { run } from '#numerics/runtime/run.ts'
import { heat } from '#numerics/solvers/heat/index.ts'
import type { HeatInput } from '#numerics/solvers/heat/schema.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/heat')

keepsTheRules(test, heat)

const { inputOf, solve, sealed, ends, errorPct, refusal, sealsOrRefuses } = outcomesOf(heat)

test('one mode decays as exp(−α·k²·t), and the error falls fourfold when grid and step are halved', () => {
  const errorAt = (n: number): number => {
    const { field } = solve({ nx: n, ny: n, dt: 64 / n, steps: 2 * n, initial: { kind: 'mode', m: 2, n: 1 } })
    const decay = exp(-1e-4 * PI * PI * 5 * 128)
    let worst = 0
    for (let at = 0; at < field.length; at++) {
      const [row, column] = [Math.floor(at / (n + 1)), at % (n + 1)]
      const exact = decay * sin((2 * PI * column) / n) * sin((PI * row) / n)
      worst = Math.max(worst, Math.abs(field[at] - exact) / decay)
    }
    return worst
  }
  const errors = [errorAt(16), errorAt(32), errorAt(64)]
  for (const k of [0, 1]) {
    const ratio = (errors[k] ?? 0) / (errors[k + 1] ?? 1)
    assert(ratio > 3.8 && ratio < 4.2, `ratio ${ratio}`)
  }
})

for (const boundary of ['fixed', 'insulated', 'periodic'] as const) {
  for (const dim of [1, 2]) {
    test(`${boundary}, dim ${dim}: second order in space and time by the check's own measure`, () => {
      const errorAt = (n: number): number =>
        errorPct({ dim, nx: n, ny: n, dt: 32 / n, steps: 3 * n, boundary: { kind: boundary } })
      const ratio = errorAt(64) / errorAt(128)
      assert(ratio > 3.6 && ratio < 4.4, `ratio ${ratio}`)
    })
  }
}

test('ftcs is second order in space at one r, and agrees with adi', () => {
  const errorAt = (n: number): number =>
    errorPct({ scheme: 'ftcs', nx: n, ny: n, dt: 1024 / (n * n), steps: (n * n) / 16, boundary: { kind: 'insulated' } })
  const ratio = errorAt(32) / errorAt(64)
  assert(ratio > 3.6 && ratio < 4.4, `ratio ${ratio}`)
  const close = { nx: 64, ny: 64, dt: 0.01, steps: 500 }
  const [a, b] = [solve(close), solve({ ...close, scheme: 'ftcs' })]
  assert(Math.abs(a.l2Norm - b.l2Norm) <= 1e-4 * a.l2Norm)
})

test('the mean of a box between fixed edges is that of the box', () => {
  for (const nx of [64, 96, 150]) {
    const raw = { dim: 1, nx, alpha: 1e-3, initial: { kind: 'box', x: 0.4, width: 0.37 } }
    const parts = 2000
    const along = kernelOf('fixed', [0.215, 0.585], 0.1)
    let mean = 0
    for (let i = 0; i < parts; i++) mean += along((i + 0.5) / parts) / parts
    const off = (100 * Math.abs(sealed(raw).meanTemperature - mean)) / mean
    assert(off <= errorPct(raw) + 1e-4, `${nx}: ${off} %`)
  }
})

test('insulated and periodic fields keep their mean, and tend to it', () => {
  for (const kind of ['insulated', 'periodic']) {
    const short = solve({ nx: 48, ny: 40, steps: 4, dt: 1e-3, boundary: { kind, temperature: 290 } })
    const long = solve({ nx: 48, ny: 40, steps: 400, dt: 1, boundary: { kind, temperature: 290 } })
    assert(Math.abs(short.meanTemperature - long.meanTemperature) <= 1e-9)
    assert(long.maxTemperature - long.minTemperature < 0.5 * (short.maxTemperature - short.minTemperature))
  }
})

test('the published cooling of a plane wall: 1.2733·e^(−1.5707²·Fo) in the middle', () => {
  // Incropera, DeWitt, Fundamentals of Heat and Mass Transfer, table 5.1, Bi → ∞: a wall of one temperature whose faces
  // are held at 0; Fo = α·t/(L/2)², the first term of the series from Fo = 0.2 on.
  for (const fourier of [0.4, 1]) {
    const wall = { dim: 1, nx: 200, alpha: 0.01, dt: (25 * fourier) / 500, steps: 500 }
    const { centreTemperature } = sealed({ ...wall, initial: { kind: 'box', width: 1, x: 0.5 } })
    const published = 1.2733 * exp(-1.5707 * 1.5707 * fourier)
    assert(Math.abs(centreTemperature / published - 1) < 5e-4, `${centreTemperature} ${published}`)
  }
})

/** A box on a line of length 1 after αt, by the heat kernel and its images: Simpson's rule over the hot part. */
const kernelOf =
  (kind: string, [low, high]: readonly [number, number], at: number) =>
  (place: number) => {
    const [from, to] = kind === 'periodic' ? [low, high] : [Math.max(0, low), Math.min(1, high)]
    const kernel = (d: number): number => exp((-d * d) / (4 * at)) / Math.sqrt(4 * PI * at)
    const mirror = kind === 'fixed' ? -1 : 1
    const heated = (s: number): number => {
      let sum = 0
      for (let n = -4; n <= 4; n++) {
        if (kind === 'periodic') sum += kernel(place - s - n)
        else sum += kernel(place - s - 2 * n) + mirror * kernel(place + s - 2 * n)
      }
      return sum
    }
    const parts = 400
    const h = (to - from) / parts
    let total = heated(from) + heated(to)
    for (let i = 1; i < parts; i++) total += (i % 2 === 0 ? 2 : 4) * heated(from + i * h)
    return (total * h) / 3
  }

test('a box is as wide as it says, wherever between the nodes its edges lie', () => {
  const random = seeded()
  for (const kind of ['fixed', 'insulated', 'periodic']) {
    for (let i = 0; i < 12; i++) {
      const [x, width] = [random.next(), 0.1 + 0.6 * random.next()]
      const nx = random.integer(90, 260)
      const raw = {
        dim: 1,
        nx,
        boundary: { kind },
        initial: { kind: 'box', x, width },
        steps: random.integer(100, 400),
      }
      const { field } = sealed(raw)
      const along = kernelOf(kind, [x - width / 2, x + width / 2], 1e-4 * 0.5 * raw.steps)
      const largest = Math.max(...Array.from(field))
      for (let k = 0; k <= nx; k++) {
        const off = Math.abs(field[k]! - along(k / nx)) / largest
        assert(off <= 2e-3, `${kind} ${JSON.stringify(raw)}: node ${k} is ${off} off`)
      }
    }
  }
})

test('one box on many grids: the values differ by no more than the errors that they state', () => {
  const all = [64, 75, 96, 101, 128, 150].map((n) => {
    const raw = { nx: n, ny: n + 3, initial: { kind: 'box' } }
    return { value: sealed(raw).l2Norm, pct: errorPct(raw) }
  })
  for (const a of all) {
    for (const b of all)
      assert(Math.abs(a.value - b.value) <= (a.value * (a.pct + b.pct)) / 100, `${a.value} ${b.value}`)
  }
})

test('temperatures stay within those of the start', () => {
  for (const boundary of ['fixed', 'insulated', 'periodic'] as const) {
    const { minTemperature, maxTemperature } = solve({
      initial: { kind: 'box' },
      boundary: { kind: boundary },
      nx: 64,
      ny: 64,
      dt: 20,
    })
    assert(minTemperature >= -1e-12 && maxTemperature <= 1)
  }
})

test('a centred start gives a field with the symmetries of the square', () => {
  for (const kind of ['fixed', 'insulated'] as const) {
    const n = 33
    const { field } = solve({ nx: n - 1, ny: n - 1, initial: { x: 0.5, y: 0.5 }, boundary: { kind }, dt: 1, steps: 50 })
    for (let row = 0; row < n; row++) {
      for (let column = 0; column < n; column++) {
        const here = field[row * n + column]
        for (const other of [
          field[column * n + row],
          field[row * n + (n - 1 - column)],
          field[(n - 1 - row) * n + column],
        ]) {
          assert(Math.abs(here - other) <= 1e-14)
        }
      }
    }
  }
})

test('a shifted start on a ring gives the shifted field', () => {
  const at = (x: number) => solve({ dim: 1, nx: 40, boundary: { kind: 'periodic' }, initial: { x }, steps: 30 }).field
  const [a, b] = [at(0.25), at(0.5)]
  for (let k = 0; k < 40; k++) assert(Math.abs(a[k] - b[(k + 10) % 40]) <= 1e-14)
})

test('a line between two temperatures tends to the straight one between them', () => {
  const { field } = solve({
    dim: 1,
    nx: 64,
    boundary: { temperature: 10, right: 20 },
    dt: 50,
    steps: 400,
    initial: { amplitude: 100 },
  })
  for (let k = 0; k <= 64; k++) assert(Math.abs(field[k] - (10 + (10 * k) / 64)) <= 1e-6, `${k}: ${field[k]}`)
})

test('own values are taken node by node', () => {
  const values = Array.from(
    { length: 33 * 17 },
    (_, at) => sin((PI * (at % 33)) / 32) * sin((PI * Math.floor(at / 33)) / 16),
  )
  const raw = { nx: 32, ny: 16, dt: 0.2, steps: 20 }
  const given = solve({ ...raw, initial: { kind: 'values', values } })
  const mode = solve({ ...raw, initial: { kind: 'mode' } })
  assert(Math.abs(given.l2Norm - mode.l2Norm) <= 1e-15)
  assert.deepEqual(refusal('INVALID_INPUT', { ...raw, initial: { kind: 'values', values: values.slice(1) } }), {
    path: '/initial/values',
    measured: 560,
    limit: 561,
  })
})

test('rough data at a large r need the damped start, and get it', () => {
  const rough = { initial: { kind: 'box' }, dt: 10, steps: 50 }
  assert(solve(rough).damped)
  assert(errorPct(rough) <= 0.1)
  assert.equal(solve({ ...rough, start: 'plain' }).damped, false)
  refusal('PRECISION_NOT_MET', { ...rough, start: 'plain' })
  assert.equal(solve({}).damped, false)
})

test('an unstable step is refused with the dt that passes', () => {
  const details = refusal('UNSTABLE_STEP', { scheme: 'ftcs' })
  assert.equal(details['measured'], 1.6384)
  assert.equal(details['limit'], 0.5)
  const passes = inputOf({ scheme: 'ftcs', dt: details['dt'], steps: 10 })
  heat.refuse(passes)
  let worked = 0
  const idle = { ...heat, run: { ...heat.run, init: () => assert.fail(String(++worked)) } } as unknown as typeof heat
  assert.throws(() => run(idle, inputOf({ scheme: 'ftcs' })), { code: 'UNSTABLE_STEP' })
  assert.equal(worked, 0)
})

test('a field that has decayed or never was is refused with the time up to which there is one', () => {
  const details = refusal('ILL_POSED', { dt: 1000, steps: 1000 })
  solve({ dt: 1000, steps: details['steps'] })
  // Where a single step is too long already, it is the step that has to be shorter.
  const { dt } = refusal('ILL_POSED', { lx: 1e-3, steps: 10 })
  assert.notEqual(ends({ lx: 1e-3, steps: 10, dt }), 'ILL_POSED')
  refusal('ILL_POSED', { initial: { amplitude: 0 } })
  assert.equal(refusal('ILL_POSED', { initial: { amplitude: 1e-200 } })['limit'], 1e-100)
  const huge = Array.from({ length: 17 * 17 }, (_, at) => (at === 100 ? 1e200 : 0))
  assert.equal(refusal('OUT_OF_RANGE', { nx: 16, ny: 16, initial: { kind: 'values', values: huge } })['limit'], 1e100)
  refusal('ILL_POSED', { initial: { kind: 'mode', m: 0, n: 0 }, boundary: { kind: 'insulated' } })
  refusal('ILL_POSED', { initial: { amplitude: 1e-10 }, boundary: { temperature: 300 } })
})

test('what does not fit together is refused', () => {
  assert.equal(refusal('WORK_LIMIT_EXCEEDED', { nx: 600, ny: 600 })['limit'], 263_169)
  assert.equal(refusal('INVALID_INPUT', { boundary: { right: 3 } })['path'], '/boundary/right')
  assert.equal(
    refusal('INVALID_INPUT', { dim: 1, boundary: { kind: 'periodic', right: 3 } })['path'],
    '/boundary/right',
  )
  assert.equal(refusal('INVALID_INPUT', { nx: 20, initial: { kind: 'mode', m: 20 } })['path'], '/initial/m')
  assert.equal(
    refusal('INVALID_INPUT', { ny: 20, boundary: { kind: 'periodic' }, initial: { kind: 'mode', n: 10 } })['path'],
    '/initial/n',
  )
})

/** Runs another engine in place of the right one and judges what comes out as if it were right. */
const sabotaged = (raw: object, spoil: (engine: Engine, input: HeatInput) => Engine): number => {
  const input = inputOf(raw)
  const spoilt = {
    ...heat,
    run: {
      ...heat.run,
      init: (it: HeatInput) => spoil((heat.run as { init: (it: HeatInput) => Engine }).init(it), it),
    },
  } as typeof heat
  const { outcome } = run(spoilt, input)
  return heat.check(input, outcome).errorPct
}

const withAlpha =
  (factor: number) =>
  (_: Engine, input: HeatInput): Engine =>
    (heat.run as { init: (it: HeatInput) => Engine }).init({ ...input, alpha: input.alpha * factor })

test('the check sees a wrong coefficient, a wrong side, a dropped direction, a lost step and a frozen node', () => {
  const small = { nx: 96, ny: 96 }
  assert(errorPct(small) <= 0.1)
  for (const boundary of ['fixed', 'insulated', 'periodic'] as const) {
    assert(sabotaged({ ...small, boundary: { kind: boundary } }, withAlpha(1.01)) > 0.1, boundary)
  }
  assert(sabotaged({ scheme: 'ftcs', dt: 0.1 }, withAlpha(1.01)) > 0.1)
  assert(sabotaged({ dim: 1 }, withAlpha(0.99)) > 0.1)
  const problem = {
    rows: 95,
    columns: 95,
    rAlong: 0.46,
    rAcross: 0.46,
    boundary: 'fixed',
    scheme: 'adi',
    damped: false,
  } as const
  const start = (engine: Engine): Float64Array => engine.field.slice()
  assert(sabotaged(small, (engine) => engineOf({ ...problem, rAcross: 0.4 }, start(engine))) > 0.1)
  assert(sabotaged(small, (engine) => engineOf({ ...problem, rAcross: 1e-9 }, start(engine))) > 0.1)
  assert(
    sabotaged(small, (engine) => ({
      ...engine,
      advance: (from, to, each) => engine.advance(from, Math.min(to, 198), each),
    })) > 0.1,
  )
  const held = (engine: Engine): Engine => ({
    ...engine,
    advance: (from, to, each) => {
      engine.advance(from, to, each)
      engine.field[47 * 95 + 40] += to === 200 ? 2e-3 : 0
    },
  })
  assert(sabotaged(small, held) > 0.1)
  assert(
    sabotaged({ ...small, boundary: { kind: 'insulated' } }, (_, input) => {
      const leaky = { ...problem, rows: 97, columns: 97, boundary: 'fixed' } as const
      return engineOf(leaky, (heat.run as { init: (it: HeatInput) => Engine }).init(input).field.slice())
    }) > 0.1,
  )
})

test('what is read off a node is that node', () => {
  const raw = { nx: 96, ny: 96 }
  const { output } = run(heat, inputOf(raw)).outcome
  for (const name of ['centreTemperature', 'minTemperature', 'maxTemperature'] as const) {
    const moved = { ...output, [name]: output[name] + 1e-9 }
    assert(heat.check(inputOf(raw), { output: moved, evidence: null }).errorPct >= 100, name)
  }
})

test('too large a step is refused by its error', () => {
  refusal('PRECISION_NOT_MET', { nx: 32, ny: 32 })
  refusal('PRECISION_NOT_MET', { dt: 25, steps: 4 })
})

const drawn = fc.record(
  {
    dim: fc.integer({ min: 1, max: 2 }),
    alpha: fc.double({ min: 1e-12, max: 1e6, noNaN: true }),
    nx: fc.integer({ min: 16, max: 40 }),
    ny: fc.integer({ min: 16, max: 40 }),
    lx: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    ly: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    dt: fc.double({ min: 1e-12, max: 1e9, noNaN: true }),
    steps: fc.integer({ min: 1, max: 30 }),
    scheme: fc.constantFrom('adi', 'ftcs'),
    start: fc.constantFrom('auto', 'plain', 'damped'),
    initial: fc.record(
      {
        kind: fc.constantFrom('gaussian', 'box', 'mode', 'values'),
        amplitude: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        x: fc.double({ min: 0, max: 1, noNaN: true }),
        y: fc.double({ min: 0, max: 1, noNaN: true }),
        sigma: fc.double({ min: 1e-3, max: 10, noNaN: true }),
        width: fc.double({ min: 0, max: 1, noNaN: true }),
        m: fc.integer({ min: 0, max: 30 }),
        n: fc.integer({ min: 0, max: 30 }),
      },
      { requiredKeys: [] },
    ),
    boundary: fc.record(
      {
        kind: fc.constantFrom('fixed', 'insulated', 'periodic'),
        temperature: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        right: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(drawn, { numRuns: 300 })
  assert(seals > 0, 'some of them seal')
}, 30_000)

test.run()
