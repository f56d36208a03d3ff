/** Samples of a bounded interval, and per factor of ten of an unbounded one. */
const SAMPLES = 512
const SAMPLES_PER_DECADE = 8
/** Powers of ten an unbounded search spans, either side of 1. */
const DECADES = 40
/** Halvings of a bracket; doubles are exhausted before. */
const HALVINGS_MAX = 1_200
/** A bounded interval of positive numbers as wide as this is sampled by factors as well. */
const WIDE = 100

const POWERS: readonly number[] = Array.from({ length: DECADES * 2 * SAMPLES_PER_DECADE + 1 }, (_, i) => {
  const decade = Math.floor(i / SAMPLES_PER_DECADE) - DECADES
  const within = 1 + (9 * (i % SAMPLES_PER_DECADE)) / SAMPLES_PER_DECADE
  return Number(`1e${decade}`) * within
})

/** Where an unknown may lie, in SI; the ends are part of it. */
export interface SearchInterval {
  readonly min: number
  readonly max: number
}

/** The points at which an interval is sampled, ascending. */
const samplesOf = ({ min, max }: SearchInterval): readonly number[] => {
  const spread = [...POWERS.map((it) => -it), 0, ...POWERS].filter((it) => it >= min && it <= max)
  const ends = [min, max].filter(Number.isFinite)
  const bounded = ends.length === 2
  const even = bounded ? Array.from({ length: SAMPLES + 1 }, (_, i) => min + ((max - min) * i) / SAMPLES) : []
  const useSpread = !bounded || min <= 0 || max / min > WIDE
  return [...new Set([...ends, ...even, ...(useSpread ? spread : [])])].sort((a, b) => a - b)
}

type RealFunction = (x: number) => number

const bisect = (f: RealFunction, from: number, to: number): number => {
  let [a, b] = [from, to]
  let fa = f(a)
  for (let step = 0; step < HALVINGS_MAX; step += 1) {
    const middle = a + (b - a) / 2
    if (middle === a || middle === b) break
    const value = f(middle)
    if (value === 0) return middle
    if (Math.sign(value) === Math.sign(fa)) [a, fa] = [middle, value]
    else b = middle
  }
  return Math.abs(f(a)) <= Math.abs(f(b)) ? a : b
}

/**
 * The roots of f in an interval that show as a sign change between samples, ascending; poles are left out. Two roots
 * between neighbouring samples, and roots where f only touches zero, are not seen.
 */
export const rootsIn = (f: RealFunction, interval: SearchInterval): readonly number[] => {
  const found: number[] = []
  let before: { x: number; y: number } | undefined
  for (const x of samplesOf(interval)) {
    const y = f(x)
    if (y === 0) found.push(x)
    else if (before !== undefined && before.y !== 0 && before.y * y < 0) {
      const root = bisect(f, before.x, x)
      if (Math.abs(f(root)) <= Math.min(Math.abs(before.y), Math.abs(y))) found.push(root)
    }
    before = Number.isFinite(y) ? { x, y } : undefined
  }
  return found
}
