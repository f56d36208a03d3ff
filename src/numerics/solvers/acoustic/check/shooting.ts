import { atan2, cos, cosh, exp, log, PI, sin, sinh, sqrt } from '#numerics/math.ts'
import { type Part, partsOf } from '#numerics/solvers/acoustic/problem.ts'
import type { AcousticInput } from '#numerics/solvers/acoustic/schema.ts'

/** Pressure and S·p′ at a place, S the square of the radius. */
interface Wave {
  readonly p: number
  readonly q: number
}

/** g and g′ of g″ + σ·g = 0 after a way, and how many zeros g has on it, its end included. */
interface Leg {
  readonly g: number
  readonly slope: number
  readonly zeros: number
}

const along = (sigma: number, start: { readonly g: number; readonly slope: number }, way: number): Leg => {
  const { g, slope } = start
  if (sigma > 0) {
    const k = sqrt(sigma)
    const [c, s] = [cos(k * way), sin(k * way)]
    const phase = atan2(g, slope / k)
    const zeros = Math.floor((phase + k * way) / PI) - Math.floor(phase / PI)
    return { g: g * c + (slope / k) * s, slope: slope * c - k * g * s, zeros }
  }
  const k = sqrt(-sigma)
  const [c, s] = k * way < 1e-8 ? [1, way] : [cosh(k * way), sinh(k * way) / k]
  const end = g * c + slope * s
  return { g: end, slope: slope * c + k * k * g * s, zeros: g * end < 0 ? 1 : 0 }
}

/**
 * A wave carried along a part in closed form. In a cone r·p obeys ψ″ + k²ψ = 0; in an exponential horn with r ∝ e^(mx)
 * so does e^(mx)·p with k² − m².
 */
const through = (part: Part, k: number, { p, q }: Wave, way: number): Wave & { readonly zeros: number } => {
  const { from, to, length } = part
  const slope = q / (from * from)
  if (part.exponential) {
    const m = log(to / from) / length
    const leg = along(k * k - m * m, { g: p, slope: slope + m * p }, way)
    const grown = exp(m * way)
    const radius = from * grown
    const pressure = leg.g / grown
    return { p: pressure, q: radius * radius * (leg.slope / grown - m * pressure), zeros: leg.zeros }
  }
  const rise = (to - from) / length
  const radius = from + rise * way
  const leg = along(k * k, { g: from * p, slope: rise * p + from * slope }, way)
  const pressure = leg.g / radius
  return { p: pressure, q: radius * (leg.slope - rise * pressure), zeros: leg.zeros }
}

const startOf = ({ left }: AcousticInput): Wave => (left === 'open' ? { p: 0, q: 1 } : { p: 1, q: 0 })

/** Waves grow and shrink from part to part; only their ratio matters. */
const scaled = ({ p, q }: Wave, unit: number): Wave => {
  const size = Math.max(Math.abs(p), Math.abs(q) / unit)
  return size > 0 ? { p: p / size, q: q / size } : { p, q }
}

/**
 * How many modes sound below a wave number: zeros of the wave shot from the left (Prüfer), and one more when a closed
 * right end has been passed. The silent mode of two closed ends is not counted.
 */
export const modesBelow = (input: AcousticInput, k: number): number => {
  let wave = startOf(input)
  let zeros = 0
  for (const part of partsOf(input)) {
    const next = through(part, k, wave, part.length)
    zeros += next.zeros
    wave = scaled(next, k * part.to * part.to)
  }
  if (input.right === 'open') return zeros
  const passed = wave.q * wave.p < 0 ? 1 : 0
  return zeros + passed - (input.left === 'closed' ? 1 : 0)
}

const HALVINGS = 60
/** Share of a wave number within which the exact one must lie to be looked for. */
const REACH = 0.05

/** The exact wave number of a mode, 0 the lowest that sounds, near a given one; NaN when it is not there. */
export const exactWaveNumber = (input: AcousticInput, mode: number, near: number): number => {
  let [low, high] = [near * (1 - REACH), near * (1 + REACH)]
  if (!(low > 0) || modesBelow(input, low) > mode || modesBelow(input, high) <= mode) return Number.NaN
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2
    if (modesBelow(input, middle) > mode) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** The pressure of the wave shot with a wave number at rising places, of any size. */
export const pressureAt = (input: AcousticInput, k: number, places: ArrayLike<number>): Float64Array => {
  const parts = partsOf(input)
  const values = new Float64Array(places.length)
  let wave = startOf(input)
  let at = 0
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number
    let part = parts[at] as Part
    while (at < parts.length - 1 && place > part.x + part.length * (1 + 1e-12)) {
      wave = through(part, k, wave, part.length)
      at++
      part = parts[at] as Part
    }
    values[i] = through(part, k, wave, place - part.x).p
  }
  return values
}
