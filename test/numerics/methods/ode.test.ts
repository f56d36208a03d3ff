// Goal: the integrators of src/numerics/ode have the order, the interpolant and the accuracy that they claim, choose
// their steps from the state alone, and give up with a code; the checkers' tools see what they are for.
// Method: order conditions of the tableaux as sums, systems with closed solutions, halved steps, hostile systems.
import assert from 'node:assert/strict'
import { dopri5 } from '#numerics/methods/ode/dopri5.ts'
import { dopri8 } from '#numerics/methods/ode/dopri8.ts'
import { createIntegrator, type Derivative } from '#numerics/methods/ode/integrator.ts'
import { segmentsPct } from '#numerics/methods/ode/segments.ts'
import type { StageWeights, Tableau } from '#numerics/methods/ode/tableau.ts'
import { alongTaylor, cauchy, type TaylorSystem } from '#numerics/methods/ode/taylor.ts'
import { zeroBetween } from '#numerics/methods/ode/zero.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/ode')

const pairs = { dopri5, dopri8 } as const
const orders = { dopri5: 5, dopri8: 8 } as const

const dot = (row: StageWeights | undefined, of: (stage: number) => number): number =>
  Array.from(row?.by ?? [], (weight, m) => weight * of(row?.at[m] ?? 0)).reduce((sum, it) => sum + it, 0)

/** Place of a stage, that of the end and of the interpolant's stages included. */
const nodeOf = ({ nodes, extraNodes }: Tableau, stage: number): number =>
  stage < nodes.length ? nodes[stage]! : stage === nodes.length ? 1 : extraNodes[stage - nodes.length - 1]!

for (const name of ['dopri5', 'dopri8'] as const) {
  const tableau = pairs[name]
  test(`${name}: rows add up to their nodes, quadrature conditions hold, errors vanish on constants`, () => {
    tableau.stages.forEach((row, s) => {
      assert(Math.abs(dot(row, () => 1) - tableau.nodes[s + 1]!) < 3e-14)
    })
    tableau.extra.forEach((row, s) => {
      assert(Math.abs(dot(row, () => 1) - tableau.extraNodes[s]!) < 3e-14)
    })
    for (let p = 1; p <= orders[name]; p++) {
      const sum = dot(tableau.end, (stage) => nodeOf(tableau, stage) ** (p - 1))
      assert(Math.abs(sum - 1 / p) < 1e-13, `order ${p}: ${sum}`)
    }
    for (const row of tableau.errors) assert(Math.abs(dot(row, () => 1)) < 1e-13)
    for (const row of tableau.dense) assert(Math.abs(dot(row, () => 1)) < 1e-11)
  })
}

/** Kepler's ellipse of semi-major axis 1 about mass 1, from its nearest place. */
const kepler: Derivative = (_, y, rate) => {
  const r = Math.sqrt(y[0]! * y[0]! + y[1]! * y[1]!)
  rate[0] = y[2]!
  rate[1] = y[3]!
  rate[2] = -y[0]! / (r * r * r)
  rate[3] = -y[1]! / (r * r * r)
}
const nearest = (e: number) => [1 - e, 0, 0, Math.sqrt((1 + e) / (1 - e))]

const swing: Derivative = (_, y, rate) => {
  rate[0] = y[1]!
  rate[1] = -y[0]!
}

for (const name of ['dopri5', 'dopri8'] as const) {
  test(`${name}: steps of fixed length converge at the order, in the interpolant nearly so`, () => {
    const errors = (h: number): readonly number[] => {
      const it = createIntegrator(pairs[name], swing, 2, { relative: 1, absolute: 1e9, stepMax: h, stepsMax: 1e4 })
      it.begin(0, [1, 0], 8)
      let dense = 0
      const out = new Float64Array(2)
      while (it.t() !== 8) {
        it.step()
        const middle = 0.37 * it.from() + 0.63 * it.t()
        it.at(middle, out)
        dense = Math.max(dense, Math.abs(out[0]! - Math.cos(middle)))
      }
      return [Math.hypot(it.y[0]! - Math.cos(8), it.y[1]! + Math.sin(8)), dense]
    }
    const h = name === 'dopri5' ? 0.1 : 0.5
    const [coarse, fine] = [errors(h), errors(h / 2)]
    const order = Math.log2(coarse[0]! / fine[0]!)
    const order2 = Math.log2(coarse[1]! / fine[1]!)
    assert(order > orders[name] - 0.4 && order < orders[name] + 1.4, `order ${order}`)
    assert(order2 > orders[name] - 1.4, `order of the interpolant ${order2}`)
  })

  test(`${name}: an ellipse closes to its tolerance, and tighter ones cost more and err less`, () => {
    let before = { error: 1, evaluations: 0 }
    for (const relative of [1e-6, 1e-9, 1e-12]) {
      const it = createIntegrator(pairs[name], kepler, 4, { relative, absolute: relative, stepsMax: 1e5 })
      it.begin(0, nearest(0.6), 2 * Math.PI)
      it.finish()
      const error = Math.max(...nearest(0.6).map((wanted, i) => Math.abs(it.y[i]! - wanted)))
      assert(error < 1e3 * relative && error < before.error && it.evaluations() > before.evaluations, `${error}`)
      before = { error, evaluations: it.evaluations() }
    }
  })
}

test('backwards, and a start afresh depends on the state alone', () => {
  const accuracy = { relative: 1e-12, absolute: 1e-12, stepsMax: 1e5 }
  const it = createIntegrator(dopri8, kepler, 4, accuracy)
  it.begin(0, nearest(0.3), 5)
  it.finish()
  const there = it.y.slice()
  it.begin(5, there, 7)
  it.finish()
  const again = createIntegrator(dopri8, kepler, 4, accuracy)
  again.begin(5, there, 7)
  again.finish()
  assert.deepEqual(again.y, it.y)
  it.begin(7, it.y.slice(), 0)
  it.finish()
  nearest(0.3).forEach((wanted, i) => {
    assert(Math.abs(it.y[i]! - wanted) < 1e-9)
  })
  it.begin(3, [1, 2, 3, 4], 3)
  it.finish()
  assert.deepEqual([...it.y], [1, 2, 3, 4])
})

test('what blows up, is stiff beyond the steps or is no number ends with DID_NOT_CONVERGE', () => {
  const accuracy = { relative: 1e-10, absolute: 1e-10, stepsMax: 2_000 }
  const run = (derivative: Derivative, end: number): void => {
    const it = createIntegrator(dopri8, derivative, 1, accuracy)
    it.begin(0, [1], end)
    it.finish()
  }
  const rates: readonly ((y: number) => number)[] = [
    (y) => y * y,
    (y) => -1e9 * y,
    () => Number.NaN,
    (y) => 1 / (1 - y),
  ]
  for (const rate of rates) {
    const derivative: Derivative = (_, y, out) => {
      out[0] = rate(y[0]!)
    }
    assert.throws(() => run(derivative, 10), { code: 'DID_NOT_CONVERGE' })
  }
})

/** x″ = −x by its series. */
const swinging: TaylorSystem = {
  size: 2,
  series: 2,
  coefficients: ([x, v], order) => {
    for (let n = 0; n < order; n++) {
      x![n + 1] = v![n]! / (n + 1)
      v![n + 1] = -x![n]! / (n + 1)
    }
  },
}
/** x′ = x², with a pole at t = 1 from x = 1. */
const bursting: TaylorSystem = {
  size: 1,
  series: 1,
  coefficients: ([x], order) => {
    for (let n = 0; n < order; n++) x![n + 1] = cauchy(x!, x!, n) / (n + 1)
  },
}
const tight = { order: 24, relative: 1e-17, floor: 0, stepsMax: 1_000 }

test('Taylor series follow closed solutions to rounding, forwards and backwards, and stop at a pole', () => {
  const times = Array.from({ length: 41 }, (_, k) => k / 2)
  const steps = alongTaylor(
    swinging,
    { ...tight, floor: 1 },
    {
      start: [1, 0],
      times,
      visit: (k, state) => {
        assert(Math.abs(state[0]! - Math.cos(times[k]!)) < 1e-14 && Math.abs(state[1]! + Math.sin(times[k]!)) < 1e-14)
        return undefined
      },
    },
  )
  assert(steps !== undefined && steps <= 12, `${steps} steps`)
  const seen: number[] = []
  const visit = (_: number, state: Float64Array): undefined => void seen.push(state[0]!)
  alongTaylor(bursting, tight, { start: [1], times: [0, -3, -9], visit })
  seen.forEach((value, k) => {
    assert(Math.abs(value - [1 / 4, 1 / 10][k]!) < 1e-15)
  })
  assert.equal(alongTaylor(bursting, tight, { start: [1], times: [0, 2], visit }), undefined)
})

test('zeros are found to the last bits, at the ends too', () => {
  const root = zeroBetween((x) => x * x - 2, 0, 2)
  assert(Math.abs(root - Math.SQRT2) < 4e-16)
  assert.equal(
    zeroBetween((x) => x, 0, 1),
    0,
  )
  assert.equal(
    zeroBetween((x) => x - 1, 0, 1),
    1,
  )
  assert(Math.abs(zeroBetween((x) => x ** 9, -1, 3)) < 1e-6)
  assert(Math.abs(zeroBetween((x) => 1 / (1 + x * x) - 0.5, 5, 0) - 1) < 1e-15)
})

test('segments sum their distances, a sample by its mean, and a failure is no number', () => {
  const times = Float64Array.from({ length: 11 }, (_, k) => k)
  const states = times.map((t) => Math.exp(0.1 * t))
  const kept = { times, states, size: 1 }
  const flow = (rate: number) => (start: Float64Array, from: number, to: number, end: Float64Array) => {
    end[0] = start[0]! * Math.exp(rate * (to - from))
    return 1
  }
  const distance = (a: Float64Array, b: Float64Array): number => Math.abs(a[0]! / b[0]! - 1)
  const whole = segmentsPct(kept, flow(0.1), { distance, costMax: 1e9 })
  assert(whole.errorPct < 1e-12 && whole.judged === 10)
  const wrong = segmentsPct(kept, flow(0.101), { distance, costMax: 1e9 })
  assert(Math.abs(wrong.errorPct - 1000 * (Math.exp(0.001) - 1)) < 1e-9)
  const sample = segmentsPct(kept, flow(0.101), { distance, costMax: 3 })
  assert(sample.judged === 3 && Math.abs(sample.errorPct - wrong.errorPct) < 1e-9)
  assert(Number.isNaN(segmentsPct(kept, () => undefined, { distance, costMax: 1e9 }).errorPct))
})

test.run()
