/** Reach of the difference in points on either side: order 16, exact far below the gate up to a phase of 1.2. */
const REACH = 8

/** Coefficients of f″ from 0 to 8 points away (Fornberg, Math. Comp. 51 (1988) 699), for a spacing of 1. */
const coefficients: Float64Array = (() => {
  const c = new Float64Array(REACH + 1)
  let ratio = 1
  for (let k = 1; k <= REACH; k++) {
    // (p!)²/((p − k)!·(p + k)!) step by step.
    ratio *= (REACH - k + 1) / (REACH + k)
    c[k] = ((k % 2 === 1 ? 2 : -2) * ratio) / (k * k)
    c[0] -= 2 / (k * k)
  }
  return c
})()

interface Answer {
  readonly energies: Float64Array
  readonly potentialEnergy: Float64Array
  readonly states: Float64Array
}

/** What the states' measures need of the problem. */
export interface Waves {
  readonly levels: number
  readonly points: number
  readonly dx: number
  readonly walled: boolean
  /** 2·m/ħ². */
  readonly factor: number
  /** Least potential energy. */
  readonly minimum: number
}

/** A state beyond its grid: a wall turns its sign, on an open line it has decayed. */
const valueAt = (state: Float64Array, i: number, walled: boolean): number => {
  const n = state.length
  if (i >= 0 && i < n) return state[i]
  if (!walled || i === -1 || i === n) return 0
  return i < 0 ? -state[-i - 2] : -state[2 * n - i]
}

/**
 * Largest value of −(ħ²/2m)·ψ″ + (V − E)·ψ over all points and levels, the second derivative by local differences of
 * order 16, in percent of (E − minimum)·max|ψ|.
 */
export const residualPct = (answer: Answer, { levels, points, dx, walled, factor, minimum }: Waves): number => {
  let worst = 0
  for (let level = 0; level < levels; level++) {
    const state = answer.states.subarray(level * points, (level + 1) * points)
    const energy = answer.energies[level]
    const largest = state.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    for (let i = 0; i < points; i++) {
      let second = coefficients[0] * state[i]
      for (let k = 1; k <= REACH; k++) {
        second += coefficients[k] * (valueAt(state, i - k, walled) + valueAt(state, i + k, walled))
      }
      const residual = -second / (dx * dx * factor) + (answer.potentialEnergy[i] - energy) * state[i]
      const pct = (100 * Math.abs(residual)) / ((energy - minimum) * largest)
      worst = Math.max(worst, pct)
    }
  }
  return worst
}

/** Largest departure from length 1, from right angles between states, and of open edges from 0, in percent. */
export const statesPct = (answer: Answer, { levels, points, dx, walled }: Waves): number => {
  const row = (level: number): Float64Array => answer.states.subarray(level * points, (level + 1) * points)
  let worst = 0
  for (let a = 0; a < levels; a++) {
    const left = row(a)
    for (let b = a; b < levels; b++) {
      const right = row(b)
      let dot = 0
      for (let i = 0; i < points; i++) dot += left[i] * right[i]
      worst = Math.max(worst, 100 * Math.abs(dot * dx - (a === b ? 1 : 0)))
    }
    if (walled) continue
    const largest = left.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const edges = (100 * Math.max(Math.abs(left[0]), Math.abs(left[points - 1]))) / largest
    worst = Math.max(worst, edges)
  }
  return worst
}
