import { cos, exp, PI, sin, sqrt } from '#numerics/math.ts'
import type { Water } from '#numerics/solvers/climate/problem.ts'
import type { ClimateInput } from '#numerics/solvers/climate/schema.ts'

/** Gauss–Legendre's four points on (−1, 1) with weights: a rule of another order than the one that makes starts. */
const NEAR = sqrt(3 / 7 - (2 / 7) * sqrt(1.2))
const FAR = sqrt(3 / 7 + (2 / 7) * sqrt(1.2))
const RULE = [
  [-FAR, (18 - sqrt(30)) / 72],
  [-NEAR, (18 + sqrt(30)) / 72],
  [NEAR, (18 + sqrt(30)) / 72],
  [FAR, (18 - sqrt(30)) / 72],
] as const

/** Agreement of two ways to one mean, and what three points miss of the sixth power of a cell over a length. */
const CLOSE = 1e-9
const MISSED = 1e-4

/** Values that are wanted by cell, and how far the found ones may be. */
interface Wanted {
  readonly at: (cell: number) => number
  readonly slack: number
}

const sixth = (x: number): number => x * x * x * (x * x * x)

/** Means of exp(−sin²(π(f − centre))/2π²σ²) over the cells of an axis. */
const axisMeans = (cells: number, centre: number, sigma: number): Float64Array =>
  Float64Array.from({ length: cells }, (_, i) =>
    RULE.reduce((sum, [s, weight]) => {
      const off = sin(PI * ((i + (1 + s) / 2) / cells - centre)) / (PI * sigma)
      return sum + weight * exp(-0.5 * off * off)
    }, 0),
  )

interface Hill {
  readonly x: number
  readonly y: number
  readonly sigma: number
}

/** A hill of a height: the product of two axes. */
const hill = ({ nx, ny }: ClimateInput, { x, y, sigma }: Hill, height: number): Wanted => {
  const [along, across] = [axisMeans(nx, x, sigma), axisMeans(ny, y, sigma)]
  const slack = Math.abs(height) * (CLOSE + MISSED * sixth(1 / (Math.min(nx, ny) * sigma)))
  return { at: (cell) => height * along[cell % nx] * across[Math.floor(cell / nx)], slack }
}

const given = (values: readonly number[]): Wanted => ({ at: (cell) => values[cell] ?? Number.NaN, slack: 0 })
const flat = (height: number): Wanted => ({ at: () => height, slack: CLOSE * Math.abs(height) })

/** The bottom that the input states. */
const isBottomOf = (input: ClimateInput): Wanted => {
  const { mode, bottom, depth } = input
  if (mode === 'jet' || mode === 'dam-break') return flat(0)
  if (bottom.values !== undefined) return given(bottom.values)
  return hill(input, bottom, bottom.height ?? (mode === 'rest' ? 0.3 * depth : 0))
}

const holds = (found: ArrayLike<number>, { at, slack }: Wanted): boolean => {
  for (let cell = 0; cell < found.length; cell++) {
    if (!(Math.abs((found[cell] as number) - at(cell)) <= slack)) return false
  }
  return true
}

/** sin(a)/a. */
const damped = (a: number): number => (a === 0 ? 1 : sin(a) / a)

/** The jet by the means of its harmonics: h = H + Z·cos θ, (p, q) = (l, −k)·ψ₀·(H·sin θ + Z/2·sin 2θ), Z = f·ψ₀/g. */
const jetHolds = (input: ClimateInput, { h, p, q }: Water): boolean => {
  const { nx, ny, lx, ly, m, n, depth, gravity, coriolis, speed } = input
  const [k, l] = [(2 * PI * m) / lx, (2 * PI * n) / ly]
  const [dx, dy] = [lx / nx, ly / ny]
  const stream = speed / sqrt(k * k + l * l)
  const rise = (coriolis * stream) / gravity
  const [one, two] = [damped((k * dx) / 2) * damped((l * dy) / 2), damped(k * dx) * damped(l * dy)]
  const missed = CLOSE + MISSED * sixth(k * dx + l * dy)
  const flow = Math.abs(speed) * (depth + Math.abs(rise))
  const theta = (cell: number): number => k * ((cell % nx) + 0.5) * dx + l * (Math.floor(cell / nx) + 0.5) * dy
  const push = (cell: number): number =>
    stream * (depth * one * sin(theta(cell)) + (rise / 2) * two * sin(2 * theta(cell)))
  return (
    holds(h, { at: (cell) => depth + rise * one * cos(theta(cell)), slack: CLOSE * depth + Math.abs(rise) * missed }) &&
    holds(p, { at: (cell) => l * push(cell), slack: flow * missed }) &&
    holds(q, { at: (cell) => -k * push(cell), slack: flow * missed })
  )
}

/**
 * Whether water and bottom at the start are those that the input states. Run and check take both from one function,
 * so that they are worked out anew: a jet by the means of its harmonics, hills axis by axis. A dam is checked by
 * Stoker's solution.
 */
export const isStartOf = (input: ClimateInput, water: Water, bottom: ArrayLike<number>): boolean => {
  const { mode, depth, initial } = input
  const ground = isBottomOf(input)
  if (!holds(bottom, ground)) return false
  if (mode === 'dam-break') return true
  if (mode === 'jet') return jetHolds(input, water)
  if (mode === 'general') {
    const fluxes = [initial.fluxX, initial.fluxY].map((it) => (it === undefined ? flat(0) : given(it))) as [
      Wanted,
      Wanted,
    ]
    if (!holds(water.p, fluxes[0]) || !holds(water.q, fluxes[1])) return false
    if (initial.depth !== undefined) return holds(water.h, given(initial.depth))
  } else if (!holds(water.p, flat(0)) || !holds(water.q, flat(0))) return false
  const swell = mode === 'general' ? hill(input, initial, initial.amplitude) : flat(0)
  const slack = CLOSE * depth + ground.slack + swell.slack
  return holds(water.h, { at: (cell) => depth + swell.at(cell) - ground.at(cell), slack })
}
