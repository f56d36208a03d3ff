import { exp, expm1 } from '#numerics/math.ts'
import type { TumorInput } from '#numerics/solvers/tumor/schema.ts'

/** A second derivative of sixth order: A·u″ = B·u/dx² with these weights of the node, its neighbours and theirs. */
const DERIVATIVE = [1, 2 / 11, 0] as const
const DIFFERENCE = [-51 / 22, 12 / 11, 3 / 44] as const
/** Steps at the start of a rough density that are each taken as two of backward Euler. */
const DAMPED_STEPS = 2

/** A matrix of five diagonals with a mirror at both ends, and its factors. */
interface Banded {
  readonly rows: readonly Float64Array[]
  readonly factors: readonly Float64Array[]
}

const bandsOf = (count: number, weights: readonly [number, number, number]): readonly Float64Array[] => {
  const rows = Array.from({ length: 5 }, () => new Float64Array(count))
  for (let i = 0; i < count; i++) {
    for (let k = -2; k <= 2; k++) {
      const j = i + k
      const inside = j < 0 ? -j : j >= count ? 2 * (count - 1) - j : j
      const band = rows[inside - i + 2]
      if (band !== undefined) band[i] += weights[Math.abs(k) as 0 | 1 | 2]
    }
  }
  return rows
}

/** Elimination without exchange of rows: the matrices are dominated by their diagonal for every r. */
const factorsOf = (bands: readonly Float64Array[]): readonly Float64Array[] => {
  const [b2 = bands[0], b1 = bands[0], d = bands[0], a1 = bands[0], a2 = bands[0]] = bands.map((it) => it?.slice())
  if (b2 === undefined || b1 === undefined || d === undefined || a1 === undefined || a2 === undefined) return []
  for (let i = 0; i < d.length; i++) {
    if (i > 1) {
      b2[i] *= d[i - 2]
      b1[i] -= b2[i] * a1[i - 2]
      d[i] -= b2[i] * a2[i - 2]
    }
    if (i > 0) {
      b1[i] *= d[i - 1]
      d[i] -= b1[i] * a1[i - 1]
      a1[i] -= b1[i] * a2[i - 1]
    }
    d[i] = 1 / d[i]
  }
  return [b2, b1, d, a1, a2]
}

/** (A − implicit·r·B)·u′ = (A + explicit·r·B)·u, on lines of this many nodes. */
const schemeOf = (count: number, r: number, [implicit, explicit]: readonly [number, number]): Banded => {
  const mix = (part: number): readonly [number, number, number] => [
    DERIVATIVE[0] + part * DIFFERENCE[0],
    DERIVATIVE[1] + part * DIFFERENCE[1],
    DERIVATIVE[2] + part * DIFFERENCE[2],
  ]
  return { rows: bandsOf(count, mix(explicit * r)), factors: factorsOf(bandsOf(count, mix(-implicit * r))) }
}

/** Where the lines of one direction lie in a field: nodes of a line, and how far apart nodes and lines are. */
interface Lines {
  readonly count: number
  readonly lines: number
  readonly stride: number
  readonly apart: number
}

/** Diffusion of every line of one direction over a step, in place. */
const diffuse = (field: Float64Array, { count, lines, stride, apart }: Lines, { rows, factors }: Banded): void => {
  const [m2, m1, m0, p1, p2] = rows as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
  const [l2, l1, d, a1, a2] = factors as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
  // Two nodes before the line and two behind it, of weight zero.
  const here = new Float64Array(count + 4)
  const due = new Float64Array(count + 4)
  for (let line = 0; line < lines; line++) {
    const base = line * apart
    for (let i = 0; i < count; i++) here[i + 2] = field[base + i * stride]
    for (let i = 0; i < count; i++) {
      const sum =
        m2[i] * here[i] + m1[i] * here[i + 1] + m0[i] * here[i + 2] + p1[i] * here[i + 3] + p2[i] * here[i + 4]
      due[i + 2] = sum - l1[i] * due[i + 1] - l2[i] * due[i]
    }
    due[count + 2] = 0
    due[count + 3] = 0
    for (let i = count - 1; i >= 0; i--) {
      due[i + 2] = (due[i + 2] - a1[i] * due[i + 3] - a2[i] * due[i + 4]) * d[i]
      field[base + i * stride] = due[i + 2]
    }
  }
}

/** One course through the run at its step over a number, moved on in place. */
const courseOf = (input: TumorInput, start: Float64Array, { parts, damped }: { parts: number; damped: boolean }) => {
  const { dim, D, rho, nx, ny, lx, ly, dt } = input
  const h = dt / parts
  const columns = nx + 1
  const directions = [
    { count: columns, lines: start.length / columns, stride: 1, apart: columns, r: (D * h * nx * nx) / (lx * lx) },
    ...(dim === 1
      ? []
      : [{ count: ny + 1, lines: columns, stride: columns, apart: 1, r: (D * h * ny * ny) / (ly * ly) }]),
  ]
  const plans = directions.map(({ r, ...lines }) => ({
    lines,
    whole: schemeOf(lines.count, r, [0.5, 0.5]),
    damped: schemeOf(lines.count, r / 2, [1, 0]),
  }))
  const field = start.slice()
  const [gain, rise] = [exp((rho * h) / 2), expm1((rho * h) / 2)]
  const grow = (): void => {
    for (let at = 0; at < field.length; at++) field[at] *= gain / (1 + rise * field[at])
  }
  let taken = 0
  /** Moves on by so many steps of the run. */
  const advance = (steps: number): void => {
    for (let step = 0; step < steps * parts; step++) {
      grow()
      const isDamped = damped && taken < DAMPED_STEPS
      for (const { lines, whole, damped: half } of plans) {
        diffuse(field, lines, isDamped ? half : whole)
        if (isDamped) diffuse(field, lines, half)
      }
      grow()
      taken++
    }
  }
  return { field, advance }
}

/**
 * The density on its way once more, from the start: differences of sixth order, diffusion of one direction after the
 * other (they commute), and two courses, at the run's step and at half of it, of which the limit for small steps is
 * taken. Tails far below rounding of the largest density keep their own relative error, as no sum over waves does:
 * what grows out of them becomes the front.
 *
 * @param damped whether the start is so rough that diffusion begins with damped steps.
 */
export const regrown = (input: TumorInput, start: Float64Array, damped: boolean) => {
  const [coarse, fine] = [1, 2].map((parts) => courseOf(input, start, { parts, damped }))
  return {
    /** Moves on by so many steps of the run, and tells the density there. */
    advance: (steps: number): void => {
      coarse?.advance(steps)
      fine?.advance(steps)
    },
    /** The density at a node. */
    at: (node: number): number => {
      const [first, second] = [coarse?.field[node] ?? Number.NaN, fine?.field[node] ?? Number.NaN]
      return second + (second - first) / 3
    },
  }
}
