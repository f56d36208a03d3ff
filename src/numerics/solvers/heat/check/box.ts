import { cos, exp, PI, sin, sqrt } from '#numerics/math.ts'
import { type Expansion, expand, type GridAxis, nodesOf } from '#numerics/methods/fft.ts'

/** A box on one axis, in fractions of its length, and for how long it has diffused: α·t over the square of that. */
export interface BoxAlong {
  readonly centre: number
  readonly width: number
  readonly spread: number
}

/** A mode is left out where less than e^−42, 6e-19, is left of it. */
const EXPONENT_MAX = 42
/** Waves are followed up to so many times those of the grid: beyond, the box is sharper than nodes can show. */
const WAVES_PER_INTERVAL = 64

/** Integral of a mode of so many half waves over the box, as the coefficient of that mode. */
const coefficientOf = (kind: Expansion, halfWaves: number, [low, high]: readonly [number, number]): number => {
  if (halfWaves === 0) return high - low
  const k = PI * halfWaves
  const sines = (sin(k * high) - sin(k * low)) / k
  const cosines = (cos(k * low) - cos(k * high)) / k
  return kind === 'sine' ? 2 * cosines : kind === 'cosine' ? 2 * sines : sines + cosines
}

/** Where on the grid's modes a mode of the continuum shows at the nodes, and with which sign. */
const aliasOf = ({ kind, intervals }: GridAxis, wave: number): readonly [number, number] => {
  if (kind === 'hartley') return [((wave % intervals) + intervals) % intervals, 1]
  const folded = wave % (2 * intervals)
  const mirrored = folded > intervals
  const index = mirrored ? 2 * intervals - folded : folded
  if (kind === 'cosine') return [index, 1]
  return index === 0 || index === intervals ? [0, 0] : [index - 1, mirrored ? -1 : 1]
}

/** Part of an axis that a box covers. */
const partOf = ({ kind }: GridAxis, { centre, width }: BoxAlong): readonly [number, number] => {
  const ends = [centre - width / 2, centre + width / 2] as const
  return kind === 'hartley' ? ends : [Math.max(0, ends[0]), Math.min(1, ends[1])]
}

/** The share of an axis that a box covers. */
export const shareOf = (axis: GridAxis, box: BoxAlong): number => {
  const [low, high] = partOf(axis, box)
  return high - low
}

/** How many waves of a box are followed: those of which anything is left, and not beyond what nodes can show. */
const wavesOf = (step: number, { spread }: BoxAlong, intervals: number): number =>
  Math.ceil(Math.min(sqrt(EXPONENT_MAX / spread) / PI / step, WAVES_PER_INTERVAL * intervals))

/** The mean of a box of height 1 that has diffused between fixed ends: the integrals of its sines, odd ones alone. */
export const diffusedMean = (axis: GridAxis, box: BoxAlong): number => {
  const ends = partOf(axis, box)
  let mean = 0
  for (let wave = wavesOf(1, box, axis.intervals); wave >= 1; wave--) {
    const k = PI * wave
    if (wave % 2 === 1) mean += ((exp(-box.spread * k * k) * 2) / k) * coefficientOf('sine', wave, ends)
  }
  return mean
}

/**
 * A box that has diffused, at the nodes of one axis that carry modes, 0 to 1: its modes in the continuum by their
 * integrals, each with its own decay (Carslaw, Jaeger, Conduction of Heat in Solids, ch. 3). Nothing of it comes from
 * the nodes' start. A box of two dimensions is the product of two.
 */
export const diffusedBox = (axis: GridAxis, box: BoxAlong): Float64Array => {
  const { kind, intervals } = axis
  const ends = partOf(axis, box)
  const modes = new Float64Array(nodesOf(kind, intervals))
  const step = kind === 'hartley' ? 2 : 1
  const most = wavesOf(step, box, intervals)
  for (let wave = kind === 'hartley' ? -most : 0; wave <= most; wave++) {
    const k = PI * step * wave
    const [index, sign] = aliasOf(axis, wave)
    modes[index] += sign * exp(-box.spread * k * k) * coefficientOf(kind, step * wave, ends)
  }
  // The expansion counts inner modes of the cosine twice.
  if (kind === 'cosine') for (let k = 1; k < intervals; k++) modes[k] /= 2
  return expand(modes, [axis])
}
