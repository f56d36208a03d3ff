import { cos, PI, sin, sqrt, tan } from '#numerics/math.ts'
import { heldAt, type Segment, segmentsOf } from '#numerics/solvers/buckling/problem.ts'
import type { BucklingInput } from '#numerics/solvers/buckling/schema.ts'

/** Below this λ = L·√(P/EI) series replace quotients of nearly equal numbers. */
const SERIES_MAX = 0.2

/**
 * Stability functions of a segment under load: moments at the near and the far end for a turn of the near one, over
 * EI/L (Livesley, Chandler, Stability Functions for Structural Frameworks, 1956).
 */
const stabilityOf = (lambda: number): readonly [number, number] => {
  if (lambda < SERIES_MAX) {
    const q = lambda * lambda
    return [4 - q * (2 / 15 + q * (11 / 6300 + q / 27_000)), 2 + q * (1 / 30 + q * (13 / 12_600 + (q * 11) / 378_000))]
  }
  const [s, c] = [sin(lambda), cos(lambda)]
  const divisor = 2 - 2 * c - lambda * s
  return [(lambda * (s - lambda * c)) / divisor, (lambda * (lambda - s)) / divisor]
}

/** How many loads below this one buckle a segment whose both ends are held and cannot turn. */
const clampedBelow = (lambda: number): number => {
  const half = lambda / 2
  const turns = Math.floor(half / PI)
  if (turns < 1) return 0
  const into = half - turns * PI
  // One root of tan x = x lies in the first half of each further interval of π.
  const passed = into >= PI / 2 || tan(into) > half
  return turns + turns - 1 + (passed ? 1 : 0)
}

/** Places beside the diagonal that hold anything: a segment couples four neighbouring unknowns. */
const REACH = 3

/** Exact stiffness of the whole column under a load, without the unknowns that are held: dense, by rows. */
const stiffnessUnder = (input: BucklingInput, segments: readonly Segment[], load: number) => {
  const size = 2 * segments.length + 2
  const full = Array.from({ length: size }, () => new Float64Array(size))
  segments.forEach(({ length: L, stiffness }, k) => {
    const lambda = L * sqrt(load / stiffness)
    const [near, far] = stabilityOf(lambda)
    const b = near + far
    const a = 2 * b - lambda * lambda
    const unit = stiffness / (L * L * L)
    const rows = [
      [a, b * L, -a, b * L],
      [b * L, near * L * L, -b * L, far * L * L],
      [-a, -b * L, a, -b * L],
      [b * L, far * L * L, -b * L, near * L * L],
    ]
    rows.forEach((row, i) => {
      row.forEach((value, j) => {
        const at = full[2 * k + i] as Float64Array
        at[2 * k + j] += unit * value
      })
    })
  })
  const held = [...heldAt(input.lower), ...heldAt(input.upper)]
  const free = full.map((_, i) => i).filter((i) => !(i < 2 ? held[i] : i >= size - 2 && held[4 + i - size]))
  const matrix = free.map((i, k) => {
    const row = new Float64Array(free.length)
    const end = Math.min(free.length, k + 1 + REACH)
    for (let j = Math.max(0, k - REACH); j < end; j++) row[j] = full[i]?.[free[j] ?? size] ?? 0
    return row
  })
  return { free, matrix }
}

/** Elimination without pivoting, in place: how many pivots are negative. */
const negativesOf = (matrix: readonly Float64Array[]): number => {
  let negatives = 0
  matrix.forEach((row, k) => {
    const pivot = row[k] === 0 ? Number.MIN_VALUE : row[k]
    if (pivot < 0) negatives++
    for (let i = k + 1; i < Math.min(matrix.length, k + 1 + REACH); i++) {
      const other = matrix[i] as Float64Array
      const factor = other[k] / pivot
      if (factor === 0) continue
      for (let j = k + 1; j < Math.min(matrix.length, k + 1 + REACH); j++) other[j] -= factor * row[j]
    }
  })
  return negatives
}

/**
 * How many critical loads of a column are below a load: those of its segments with clamped ends, and the negative
 * pivots of its exact stiffness (Wittrick, Williams, Q. J. Mech. Appl. Math. 24 (1971) 263).
 */
export const loadsBelow = (input: BucklingInput, load: number): number => {
  const segments = segmentsOf(input)
  const inner = segments.reduce((sum, { length, stiffness }) => sum + clampedBelow(length * sqrt(load / stiffness)), 0)
  return inner + negativesOf(stiffnessUnder(input, segments, load).matrix)
}

const HALVINGS = 60

/** The lowest critical load by halving, from a bracket around a load that is nearly right; NaN when it is not. */
export const exactLoad = (input: BucklingInput, near: number): number => {
  let [low, high] = [near * 0.5, near * 2]
  if (!(low > 0) || loadsBelow(input, low) !== 0 || loadsBelow(input, high) === 0) return Number.NaN
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2
    if (loadsBelow(input, middle) === 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Displacements and slopes of the exact mode at heights, of any size and sign. */
export const exactMode = (
  input: BucklingInput,
  load: number,
  heights: ArrayLike<number>,
): { readonly mode: Float64Array; readonly slope: Float64Array } => {
  // A segment in halves has no mode of its own with clamped ends near the lowest load.
  const segments = segmentsOf(input).flatMap(({ length, stiffness }) => [
    { length: length / 2, stiffness },
    { length: length / 2, stiffness },
  ])
  const ends = nullVector(input, segments, load)
  const mode = new Float64Array(heights.length)
  const slope = new Float64Array(heights.length)
  let from = 0
  let k = 0
  for (let i = 0; i < heights.length; i++) {
    const height = heights[i] as number
    while (k < segments.length - 1 && height > from + (segments[k] as Segment).length * (1 + 1e-12)) {
      from += (segments[k] as Segment).length
      k++
    }
    const [value, turn] = within(segments[k] as Segment, load, {
      at: height - from,
      ends: ends.subarray(2 * k, 2 * k + 4),
    })
    mode[i] = value
    slope[i] = turn
  }
  return { mode, slope }
}

/** w = a·(cos kx − 1) + b·(sin kx − kx) + θ₁·x + w₁ through the ends of a segment. */
const within = (
  { length: L, stiffness }: Segment,
  load: number,
  { at, ends }: { readonly at: number; readonly ends: Float64Array },
): readonly [number, number] => {
  const k = sqrt(load / stiffness)
  const [w1, t1, w2, t2] = ends as unknown as readonly [number, number, number, number]
  const [c, s] = [cos(k * L), sin(k * L)]
  const [p, q] = [w2 - w1 - t1 * L, (t2 - t1) / k]
  // a(c − 1) + b(s − kL) = p and −a·s + b(c − 1) = q.
  const determinant = (c - 1) * (c - 1) + s * (s - k * L)
  const a = (p * (c - 1) - q * (s - k * L)) / determinant
  const b = (q * (c - 1) + p * s) / determinant
  const [cx, sx] = [cos(k * at), sin(k * at)]
  return [a * (cx - 1) + b * (sx - k * at) + t1 * at + w1, k * (b * (cx - 1) - a * sx) + t1]
}

const ROUNDS = 6

/** The vector that the exact stiffness at its critical load sends to zero, all unknowns of the ends of segments. */
const nullVector = (input: BucklingInput, segments: readonly Segment[], load: number): Float64Array => {
  const { free, matrix } = stiffnessUnder(input, segments, load)
  const size = free.length
  let x: Float64Array = Float64Array.from({ length: size }, (_, i) => 1 + ((i * 13) % 7) / 7)
  for (let round = 0; round < ROUNDS; round++) {
    x = eliminated(matrix, x)
    const most = x.reduce((best, it) => Math.max(best, Math.abs(it)), 0)
    x = x.map((it) => it / most)
  }
  const all = new Float64Array(2 * segments.length + 2)
  free.forEach((i, k) => {
    all[i] = x[k]
  })
  return all
}

/** Gaussian elimination with row pivoting; a pivot that vanishes is a hair. */
const eliminated = (matrix: readonly Float64Array[], right: Float64Array): Float64Array => {
  const rows: Float64Array[] = matrix.map((row, i) => Float64Array.of(...row, right[i]))
  const n = rows.length
  for (let k = 0; k < n; k++) {
    let best = k
    const end = Math.min(n, k + 1 + REACH)
    for (let i = k + 1; i < end; i++) if (Math.abs(rows[i]?.[k] ?? 0) > Math.abs(rows[best]?.[k] ?? 0)) best = i
    const [here, there] = [rows[k] as Float64Array, rows[best] as Float64Array]
    rows[k] = there
    rows[best] = here
    if (Math.abs(there[k]) < 1e-300) there[k] = 1e-300
    for (let i = k + 1; i < end; i++) {
      const row = rows[i] as Float64Array
      const factor = row[k] / there[k]
      // Exchanged rows reach twice as far.
      for (let j = k; j < Math.min(n, k + 1 + 2 * REACH); j++) row[j] -= factor * there[j]
      row[n] -= factor * there[n]
    }
  }
  const x = new Float64Array(n)
  for (let i = n - 1; i >= 0; i--) {
    const row = rows[i] as Float64Array
    let sum = row[n]
    for (let j = i + 1; j < n; j++) sum -= row[j] * x[j]
    x[i] = sum / row[i]
  }
  return x
}

/** P·L²/EI of uniform columns: π², π²/4, 4π² and the square of the least root of tan x = x. */
export const uniformFactor = ({ lower, upper }: BucklingInput): number => {
  const ends = [lower, upper].sort().join(' ')
  if (ends === 'pinned pinned') return PI * PI
  if (ends === 'fixed free') return (PI * PI) / 4
  if (ends === 'fixed fixed') return 4 * PI * PI
  return 4.493409457909064 * 4.493409457909064
}
