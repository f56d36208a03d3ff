import { exp, expm1, log, sqrt } from '#numerics/math.ts'
import { stepsOf } from '#numerics/solvers/quant/problem.ts'
import type { QuantInput } from '#numerics/solvers/quant/schema.ts'
import { bridgeOf } from './bridge.ts'

/** What one path leaves behind, undiscounted and without its likelihood ratio. */
export interface Sample {
  payoff: number
  /** The underlying at T: the control variate. */
  end: number
  /** Derivatives of the payoff to ln S, to the drift r − q and to sigma, along the path. */
  toLogS: number
  toDrift: number
  toSigma: number
  /** Payoff's slope times its argument times the Brownian motion in it: what gamma is made of without a barrier. */
  curvature: number
}

/** How an option turns independent normals into a sample. */
export interface Walk {
  readonly dimensions: number
  /** Loadings of the Brownian motion in the payoff's argument on the normals, and its variance. */
  readonly loadings: Float64Array
  readonly variance: number
  /** Mean of the times in the payoff's argument. */
  readonly meanTime: number
  run(normals: Float64Array, into: Sample): void
}

/** The share of paths between two points of the logarithm that never touch the barrier, with its derivatives. */
interface Survival {
  share: number
  toLogS: number
  toDrift: number
  toSigma: number
}

/**
 * Survival of a whole path under a barrier watched without a pause, given its points (Andersen, Brotherton-Ratcliffe,
 * RISK 1996): ∏(1 − exp(−2·a_i·a_{i+1}/(σ²·dt))) with a the distance of ln S from ln H on the living side.
 */
const survivalOf = (input: QuantInput, W: Float64Array): Survival => {
  const { S, r, q, sigma, T, barrier } = input
  const none = { share: 0, toLogS: 0, toDrift: 0, toSigma: 0 }
  const side = barrier.kind.startsWith('down') ? 1 : -1
  const dt = T / W.length
  const scale = 2 / (sigma * sigma * dt)
  const drift = r - q - (sigma * sigma) / 2
  let [before, beforeW, beforeTime] = [side * log(S / barrier.H), 0, 0]
  const first = before
  let share = 1
  let [toLogS, toDrift, toSigma] = [0, 0, 0]
  for (let i = 0; i < W.length; i++) {
    const time = (i + 1) * dt
    const a = first + side * (drift * time + sigma * W[i])
    if (a <= 0) return none
    const exponent = -scale * before * a
    const alive = -expm1(exponent)
    if (alive === 0) return none
    const touched = exp(exponent) / alive
    // d ln(1 − p) = −p/(1 − p)·d(exponent).
    const slope = touched * scale * side
    toLogS += slope * (before + a)
    toDrift += slope * (before * time + a * beforeTime)
    toSigma += slope * (before * (W[i] - sigma * time) + a * (beforeW - sigma * beforeTime))
    toSigma += (touched * 2 * exponent) / sigma
    share *= alive
    before = a
    beforeW = W[i]
    beforeTime = time
  }
  return { share, toLogS: share * toLogS, toDrift: share * toDrift, toSigma: share * toSigma }
}

/** The paths of an input. */
export const walkOf = (input: QuantInput): Walk => {
  const { S, K, r, q, sigma, T, product } = input
  const steps = stepsOf(input)
  const bridge = bridgeOf(steps, T / steps)
  const W = new Float64Array(steps)
  const averaged = product === 'asian'
  const meanTime = averaged ? (T * (steps + 1)) / (2 * steps) : T
  const drift = r - q - (sigma * sigma) / 2
  const [logS, signOf] = [log(S), input.right === 'call' ? 1 : -1]
  const within = (): number => {
    if (!averaged) return W[steps - 1]
    let sum = 0
    for (let i = 0; i < steps; i++) sum += W[i]
    return sum / steps
  }
  const unit = new Float64Array(steps)
  const loadings = unit.map((_, d) => {
    unit.fill(0)
    unit[d] = 1
    bridge.build(unit, W)
    return within()
  })
  const variance = loadings.reduce((sum, a) => sum + a * a, 0)
  const inward = product === 'barrier' && input.barrier.kind.endsWith('in')
  return {
    dimensions: steps,
    loadings,
    variance,
    meanTime,
    run: (normals, into) => {
      bridge.build(normals, W)
      const inside = within()
      const X = exp(logS + drift * meanTime + sigma * inside)
      into.end = averaged ? exp(logS + drift * T + sigma * W[steps - 1]) : X
      const payoff = Math.max(0, signOf * (X - K))
      const slope = payoff > 0 ? signOf * X : 0
      const bySigma = slope * (inside - sigma * meanTime)
      if (product !== 'barrier') {
        into.payoff = payoff
        into.toLogS = slope
        into.toDrift = slope * meanTime
        into.toSigma = bySigma
        into.curvature = slope * inside
        return
      }
      const alive = survivalOf(input, W)
      const share = inward ? 1 - alive.share : alive.share
      const turn = inward ? -1 : 1
      into.payoff = payoff * share
      into.toLogS = slope * share + turn * payoff * alive.toLogS
      into.toDrift = slope * meanTime * share + turn * payoff * alive.toDrift
      into.toSigma = bySigma * share + turn * payoff * alive.toSigma
      into.curvature = 0
    },
  }
}

/**
 * How far, in standard deviations, the argument of the payoff is moved towards a strike out of the money: half of the
 * samples then pay. Zero in the money.
 */
export const shiftOf = (input: QuantInput, { variance, meanTime }: Pick<Walk, 'variance' | 'meanTime'>): number => {
  const { S, K, r, q, sigma, right } = input
  const away = (log(K / S) - (r - q - (sigma * sigma) / 2) * meanTime) / (sigma * sqrt(variance))
  return right === 'call' ? Math.max(0, away) : Math.min(0, away)
}
