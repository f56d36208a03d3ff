import { sqrt } from '#numerics/math.ts'

/** A state: places n × 3, then velocities n × 3. */
type State = Float64Array

/** What attracts: the checker's own right-hand side, body by body over all others. */
export interface Attraction {
  readonly masses: Float64Array
  readonly G: number
  readonly softening: number
}

/** d(places)/dt = velocities; d(velocities)/dt = G·Σ m·(r′ − r)/(|r′ − r|² + ε²)^(3/2). */
const derivative = (state: State, rate: State, { masses, G, softening }: Attraction): void => {
  const n = masses.length
  rate.set(state.subarray(3 * n), 0)
  for (let i = 0; i < n; i++) {
    const [x, y, z] = [state[3 * i], state[3 * i + 1], state[3 * i + 2]]
    let sx = 0
    let sy = 0
    let sz = 0
    for (let j = n - 1; j >= 0; j--) {
      if (j === i) continue
      const rx = state[3 * j] - x
      const ry = state[3 * j + 1] - y
      const rz = state[3 * j + 2] - z
      const distance = sqrt(softening * softening + rx * rx + ry * ry + rz * rz)
      const pull = masses[j] / (distance * distance * distance)
      sx += rx * pull
      sy += ry * pull
      sz += rz * pull
    }
    rate[3 * (n + i)] = G * sx
    rate[3 * (n + i) + 1] = G * sy
    rate[3 * (n + i) + 2] = G * sz
  }
}

/** Columns of the extrapolation table; column k takes 2(k + 1) substeps. */
const COLUMNS_MAX = 9
/** The shortest step, as a share of the span: one that must be shorter converges no more (scales of 0 never do). */
const STEP_SHARE_MIN = 1e-12

/** Modified midpoint rule (Gragg): `substeps` even; the smoothed end value. */
const midpoint = (
  start: State,
  rateAtStart: State,
  { span, substeps, attraction }: { readonly span: number; readonly substeps: number; readonly attraction: Attraction },
): State => {
  const h = span / substeps
  let before = start.slice()
  let now = start.map((value, i) => value + h * rateAtStart[i])
  const rate = new Float64Array(start.length)
  for (let step = 1; step < substeps; step++) {
    derivative(now, rate, attraction)
    const next = before.map((value, i) => value + 2 * h * rate[i])
    before = now
    now = next
  }
  derivative(now, rate, attraction)
  return now.map((value, i) => (value + before[i] + h * rate[i]) / 2)
}

/** The largest difference of two states in units of the scales of places and velocities. */
const distance = (a: State, b: State, scales: Scales): number => {
  const half = a.length / 2
  let most = 0
  for (let i = 0; i < a.length; i++) {
    most = Math.max(most, Math.abs(a[i] - b[i]) / (i < half ? scales.place : scales.velocity))
  }
  return most
}

interface Scales {
  readonly place: number
  readonly velocity: number
}

/**
 * One step by Bulirsch and Stoer's extrapolation in the square of the substep, or undefined when it does not converge.
 */
const extrapolate = (
  start: State,
  span: number,
  { attraction, scales, tolerance }: Pick<Reintegration, 'attraction' | 'scales' | 'tolerance'>,
): { readonly end: State; readonly columns: number } | undefined => {
  const rateAtStart = new Float64Array(start.length)
  derivative(start, rateAtStart, attraction)
  let row: State[] = []
  for (let k = 0; k < COLUMNS_MAX; k++) {
    const next = [midpoint(start, rateAtStart, { span, substeps: 2 * (k + 1), attraction })]
    for (let j = 1; j <= k; j++) {
      const ratio = (k + 1) / (k + 1 - j)
      const finer = next[j - 1] as State
      const coarser = row[j - 1] as State
      next.push(finer.map((value, i) => value + (value - coarser[i]) / (ratio * ratio - 1)))
    }
    const end = next[k] as State
    if (k >= 2 && distance(end, next[k - 1] as State, scales) <= tolerance) return { end, columns: k + 1 }
    row = next
  }
  return undefined
}

/** Derivatives that one attempt of `columns` columns takes. */
const costOf = (columns: number): number => columns * (columns + 1) + 1

/** What a re-integration is measured in, and what it may cost. */
export interface Reintegration {
  readonly attraction: Attraction
  readonly scales: Scales
  /** Error of one step, as a share of the scales. */
  readonly tolerance: number
  /** Derivatives it may take. */
  readonly derivativesMax: number
  /** The step to begin with, where one is known. */
  readonly step?: number | undefined
}

/** Where a re-integration came to, what it cost, and the step that it ended with. */
export interface Reintegrated {
  readonly state: State
  readonly derivatives: number
  readonly step: number
}

/**
 * The state a time `span` after `start`, each step to a share of the scales, by an integrator that shares nothing with
 * the symplectic one: Gragg's midpoint rule with Bulirsch–Stoer extrapolation (Hairer, Nørsett, Wanner, Solving ODEs I,
 * II.9) and a step of its own.
 *
 * @returns undefined when it would cost more than allowed or does not converge: then nothing is known.
 */
export const reintegrate = (start: State, span: number, by: Reintegration): Reintegrated | undefined => {
  let state = start
  let done = 0
  let step = by.step ?? span
  let derivatives = 0
  while (done < span) {
    const left = span - done
    const h = Math.min(step, left)
    const found = extrapolate(state, h, by)
    derivatives += costOf(found?.columns ?? COLUMNS_MAX)
    if (derivatives > by.derivativesMax) return undefined
    if (found === undefined) {
      if (h < STEP_SHARE_MIN * span) return undefined
      step = h / 2
      continue
    }
    state = found.end
    done = h === left ? span : done + h
    // The last step may be cut short by the end: what it says of longer ones counts only if it was not.
    if (found.columns <= COLUMNS_MAX - 3) step = Math.max(step, h * 1.5)
  }
  return { state, derivatives, step }
}
