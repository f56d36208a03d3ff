/** Phase of the fastest wave in a step: the error in an energy is about this to the fourth power over 100. */
const PHASE_PER_STEP = 0.04
/** Steps between two places that are looked at, at least; and all of them, at most. */
const STEPS_MIN = 4
const STEPS_MAX = 400_000
/** Size from which on a growing solution is scaled down. */
const LARGE = 1e100
/** Share of a step by which its ends are inside it: a jump lies between two steps. */
const INSIDE = 1e-6

/** y″ = (v − energy)·y from place to place, in steps that end at each. */
export interface Track {
  /** Width of a step of each stretch, and how many it has. */
  readonly widths: Float64Array
  readonly counts: Int32Array
  /** Potential at the begin, the middle and the end of each step. */
  readonly v: Float64Array
}

/** What a track is laid for: places from one end of the box to the other, jumps among them, and the largest k². */
export interface Course {
  readonly places: Float64Array
  readonly v: (x: number) => number
  readonly fastest: number
}

/** Undefined when there would be too many steps. */
export const trackOf = ({ places, v, fastest }: Course): Track | undefined => {
  const stretches = places.length - 1
  const widths = new Float64Array(stretches)
  const counts = new Int32Array(stretches)
  let all = 0
  for (let i = 0; i < stretches; i++) {
    const length = places[i + 1] - places[i]
    const wanted = Math.max(STEPS_MIN, Math.ceil((length * Math.sqrt(Math.max(0, fastest))) / PHASE_PER_STEP))
    all += wanted
    if (!(length > 0 && all <= STEPS_MAX)) return undefined
    counts[i] = wanted
    widths[i] = length / wanted
  }
  const values = new Float64Array(3 * all)
  let at = 0
  for (let i = 0; i < stretches; i++) {
    const h = widths[i] as number
    for (let step = 0; step < (counts[i] as number); step++) {
      const from = (places[i] as number) + step * h
      values[at++] = v(from + INSIDE * h)
      values[at++] = v(from + h / 2)
      values[at++] = v(from + h - INSIDE * h)
    }
  }
  return { widths, counts, v: values }
}

/** A solution on its way: value, slope, ∫ y² so far, zeros passed. */
interface Going {
  y: number
  p: number
  square: number
  zeros: number
}

/** One step of Runge and Kutta's: in a piece where v is constant y′/y becomes exactly √(v − E). */
const step = (it: Going, h: number, [a, b, c]: readonly [number, number, number]): void => {
  const { y, p } = it
  const k1 = a * y
  const k2 = b * (y + (h / 2) * p)
  const k3 = b * (y + (h / 2) * (p + (h / 2) * k1))
  const k4 = c * (y + h * (p + (h / 2) * k2))
  it.y = y + h * p + ((h * h) / 6) * (k1 + k2 + k3)
  it.p = p + (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4)
  // Trapezium, and its first correction by the slopes of y².
  it.square += (h / 2) * (y * y + it.y * it.y) + ((h * h) / 6) * (y * p - it.y * it.p)
  if (y * it.y < 0 || (it.y === 0 && y !== 0)) it.zeros++
}

/** Zeros of the solution that starts at the left end, up to the right one: the number of levels below the energy. */
export const recomputeNodes = ({ widths, counts, v }: Track, energy: number): number => {
  const it: Going = { y: 0, p: 1, square: 0, zeros: 0 }
  let at = 0
  widths.forEach((h, i) => {
    for (let k = 0; k < (counts[i] as number); k++, at += 3) {
      step(it, h, [v[at] - energy, v[at + 1] - energy, v[at + 2] - energy])
      const size = Math.abs(it.y) + Math.abs(it.p)
      if (size < LARGE) continue
      it.y /= size
      it.p /= size
    }
  })
  return it.zeros
}

/** From one end to the place numbered `to`: values at the places on the way, and ∫ y², on one scale. */
const shoot = ({ widths, counts, v }: Track, energy: number, to: number, backwards: boolean) => {
  const places = widths.length + 1
  const values = new Float64Array(places)
  const it: Going = { y: 0, p: backwards ? -1 : 1, square: 0, zeros: 0 }
  let at = backwards ? v.length - 3 : 0
  const stretches = backwards ? places - 1 - to : to
  for (let n = 0; n < stretches; n++) {
    const i = backwards ? places - 2 - n : n
    const h = backwards ? -widths[i] : (widths[i] as number)
    for (let k = 0; k < (counts[i] as number); k++, at += backwards ? -3 : 3) {
      const [a, b, c] = [v[at] - energy, v[at + 1] - energy, v[at + 2] - energy]
      step(it, h, backwards ? [c, b, a] : [a, b, c])
    }
    values[backwards ? i : i + 1] = it.y
    const size = Math.abs(it.y) + Math.abs(it.p)
    if (size < LARGE) continue
    it.y /= size
    it.p /= size
    it.square /= size * size
    for (let k = 0; k < places; k++) values[k] /= size
  }
  return { values, square: Math.abs(it.square), here: it.y }
}

/**
 * The state of an energy at all places, ∫ ψ² = 1 and positive at the place numbered `at`: solutions from both ends that
 * meet there.
 */
export const recomputeState = (track: Track, energy: number, at: number): Float64Array => {
  const [left, right] = [shoot(track, energy, at, false), shoot(track, energy, at, true)]
  const norm = Math.sqrt(left.square / (left.here * left.here) + right.square / (right.here * right.here))
  return left.values.map((value, k) => (k <= at ? value / left.here : right.values[k] / right.here) / norm)
}
