import { Fault } from '#core/fault.ts'
import { log, TAU } from '#numerics/math.ts'
import { polisher } from './polish.ts'
import { gramPoint, hardyZ } from './siegel.ts'

/** Halvings of the intervals of a Gram block until as many sign changes are found as it has intervals. */
const HALVINGS_MAX = 14
const REFINEMENTS_MAX = 60

/** Zeros from a good Gram point on, each with its number. */
export interface ZeroStream {
  /** Number of the next zero. */
  readonly number: () => number
  readonly next: () => number
}

/** A place with the value of Z there. */
interface Sample {
  readonly t: number
  readonly z: number
}

const sample = (t: number): Sample => ({ t, z: hardyZ(t) })

const changes = (samples: readonly Sample[]): number => {
  let count = 0
  for (let k = 1; k < samples.length; k++) if ((samples[k - 1]?.z ?? 0) * (samples[k]?.z ?? 0) < 0) count++
  return count
}

/** The zero between two places of opposite sign: secants that keep the bracket (Illinois), then halves. */
const refine = (from: Sample, to: Sample): number => {
  let [a, b] = [from, to]
  let [za, zb] = [a.z, b.z]
  for (let round = 0; round < REFINEMENTS_MAX; round++) {
    const width = b.t - a.t
    if (width <= 4e-16 * b.t) break
    const guess = (a.t * zb - b.t * za) / (zb - za)
    const inside = guess > a.t && guess < b.t && round % 12 !== 11
    const middle = sample(inside ? guess : (a.t + b.t) / 2)
    if (middle.z === 0) return middle.t
    if (middle.z * b.z < 0) {
      a = b
      za = zb
    } else za /= 2
    const moved = Math.abs(middle.t - b.t)
    b = middle
    zb = middle.z
    if (a.t > b.t) {
      ;[a, b] = [b, a]
      ;[za, zb] = [zb, za]
    }
    if (moved <= 1e-14 * b.t) return middle.t
  }
  return Math.abs(za) < Math.abs(zb) ? a.t : b.t
}

/** Whether Z has the sign at the n-th Gram point that Gram's law gives it. */
const isGood = (n: number, z: number): boolean => (n % 2 === 0 ? z > 0 : z < 0)

/** All zeros of the Gram block between two good points, in order. */
const zerosOf = (block: readonly Sample[]): readonly number[] => {
  const wanted = block.length - 1
  let samples = block
  for (let halving = 0; changes(samples) < wanted; halving++) {
    if (halving === HALVINGS_MAX) {
      const low = block[0]?.t ?? 0
      throw new Fault('DID_NOT_CONVERGE', `Zeros near t = ${low} are too close to be told apart.`, {
        measured: changes(samples),
        bound: wanted,
      })
    }
    samples = samples.flatMap((it, k) => {
      const next = samples[k + 1]
      return next === undefined ? [it] : [it, sample((it.t + next.t) / 2)]
    })
  }
  const found: number[] = []
  for (let k = 1; k < samples.length; k++) {
    const [a, b] = [samples[k - 1] as Sample, samples[k] as Sample]
    if (a.z * b.z < 0) found.push(refine(a, b))
  }
  return found
}

/**
 * Zeros above a height by Gram blocks: between the good Gram points m and m + k there are k zeros (Rosser's rule, which
 * holds far beyond t = 1e6: Brent, Math. Comp. 33 (1979) 1361), and m + 1 below the block. Intervals are halved until
 * they are all seen.
 */
export const zerosFrom = (height: number): ZeroStream => {
  const spacing = (t: number): number => TAU / log(Math.max(t, 12) / TAU)
  const polish = polisher()
  let n = -1
  let at = gramPoint(-1, 9.7)
  if (height > at) {
    // By the smooth count; then down to a good point.
    n = Math.max(-1, Math.floor((height / TAU) * (log(height / TAU) - 1) - 1 / 8))
    at = gramPoint(n, height)
    while (n > -1 && (at > height || !isGood(n, hardyZ(at)))) {
      n--
      at = gramPoint(n, at - spacing(at))
    }
  }
  let start = sample(at)
  let number = n + 2
  let ready: number[] = []
  const fill = (): void => {
    const block = [start]
    for (;;) {
      n++
      const last = block[block.length - 1] as Sample
      const point = sample(gramPoint(n, last.t + spacing(last.t)))
      block.push(point)
      if (isGood(n, point.z)) break
    }
    start = block[block.length - 1] as Sample
    ready = zerosOf(block).map(polish)
  }
  return {
    number: () => number,
    next: () => {
      while (ready.length === 0) fill()
      number++
      return ready.shift() as number
    },
  }
}
