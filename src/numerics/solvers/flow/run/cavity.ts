import { createMac } from './mac.ts'

/**
 * Steady flow in a square under a lid that moves along x: side 1, lid speed 1, viscosity 1/Re. Cells with y fastest, u
 * on the far face along x and v on that along y, as in {@link createMac}.
 */
export interface Cavity {
  readonly n: number
  readonly re: number
  readonly u: Float64Array
  readonly v: Float64Array
  readonly p: Float64Array
}

/** Velocity components as functions of any place, those beyond the walls included. */
interface Components {
  readonly u: (i: number, j: number) => number
  readonly v: (i: number, j: number) => number
}

const LID = 1

/**
 * Through a wall nothing flows; along it lies the mirror with its sign turned, beyond the lid twice its speed less
 * that.
 */
const componentsOf = ({ n, u, v }: Cavity): Components => ({
  u: (i, j) => {
    if (i < 0 || i >= n - 1) return 0
    if (j < 0) return -u[i * n]
    return j >= n ? 2 * LID - u[i * n + n - 1] : u[i * n + j]
  },
  v: (i, j) => {
    if (j < 0 || j >= n - 1) return 0
    if (i < 0) return -v[j]
    return i >= n ? -v[(n - 1) * n + j] : v[i * n + j]
  },
})

/** Forces on the faces, pressure included: what is zero in the steady flow. */
const forcesOf = (cavity: Cavity, fu: Float64Array, fv: Float64Array): void => {
  const { n, re, p } = cavity
  const { u, v } = componentsOf(cavity)
  const spread = (n * n) / re
  const quarter = n / 4
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const at = i * n + j
      const [u0, un, v0, ve] = [u(i, j), u(i, j + 1), v(i, j), v(i + 1, j)]
      const [uw, us, vw, vs] = [u(i - 1, j), u(i, j - 1), v(i - 1, j), v(i, j - 1)]
      const corner = (u0 + un) * (v0 + ve)
      if (i < n - 1) {
        const ue = u(i + 1, j)
        const along = (ue + u0) * (ue + u0) - (u0 + uw) * (u0 + uw)
        const across = corner - (us + u0) * (vs + v(i + 1, j - 1))
        fu[at] = spread * (ue + uw + un + us - 4 * u0) - quarter * (along + across) - n * (p[at + n] - p[at])
      }
      if (j < n - 1) {
        const vn = v(i, j + 1)
        const across = (vn + v0) * (vn + v0) - (v0 + vs) * (v0 + vs)
        const along = corner - (uw + u(i - 1, j + 1)) * (vw + v0)
        fv[at] = spread * (ve + vw + vn + vs - 4 * v0) - quarter * (along + across) - n * (p[at + 1] - p[at])
      }
    }
  }
}

/** One line of equations lower·x₋ + centre·x + upper·x₊ = right. */
interface Line {
  readonly lower: Float64Array
  readonly centre: Float64Array
  readonly upper: Float64Array
  readonly right: Float64Array
}

/** Thomas's elimination; the solution is left in `right`. */
const solveLine = ({ lower, centre, upper, right }: Line, count: number): void => {
  for (let k = 1; k < count; k++) {
    const share = lower[k] / centre[k - 1]
    centre[k] -= share * upper[k - 1]
    right[k] -= share * right[k - 1]
  }
  right[count - 1] /= centre[count - 1]
  for (let k = count - 2; k >= 0; k--) right[k] = (right[k] - upper[k] * right[k + 1]) / centre[k]
}

/** What one direction of an implicit step works on: every `step`th value from `at`. */
interface Sweep {
  readonly values: Float64Array
  readonly at: number
  readonly step: number
  readonly count: number
  /** Velocity that carries along the line, on the near side of place k. */
  readonly carried: (k: number) => number
  /** Whether the places are half a cell from the walls: their ghosts mirror them. */
  readonly mirrored: boolean
}

/** Solves (1 − dt·(ν·δ² − δ(carried ·)))·x = values along a line, in place. */
const sweepLine = (
  line: Line,
  { values, at, step, count, carried, mirrored }: Sweep,
  [diffusion, advection]: readonly [number, number],
): void => {
  let before = advection * carried(0)
  for (let k = 0; k < count; k++) {
    const after = advection * carried(k + 1)
    line.lower[k] = -diffusion - before
    line.upper[k] = after - diffusion
    line.centre[k] = 1 + 2 * diffusion + after - before
    line.right[k] = values[at + k * step]
    before = after
  }
  if (mirrored) {
    line.centre[0] -= line.lower[0]
    line.centre[count - 1] -= line.upper[count - 1]
  }
  solveLine(line, count)
  for (let k = 0; k < count; k++) values[at + k * step] = line.right[k]
}

/** Goes one pseudo-time step towards the steady flow; tells the largest change of a velocity. */
export type Relax = (dt: number) => number

/**
 * A way to the steady flow. Each step solves (1 − dt·Lx)(1 − dt·Ly)·Δ = dt·forces with viscosity and the carrying
 * velocity of now in L (Beam and Warming's delta form of an alternating-direction method), adds Δ, and makes the sum
 * free of divergence by a pressure that is kept (van Kan). Where it comes to rest the forces are zero, whatever dt was.
 */
export const relaxation = (cavity: Cavity): Relax => {
  const { n, re, u, v, p } = cavity
  const mac = createMac({ nx: n, ny: n, dx: 1 / n, dy: 1 / n, ringX: false, ringY: false, viscosity: 1 / re, force: 0 })
  const [du, dv] = [new Float64Array(n * n), new Float64Array(n * n)]
  const values = (): Float64Array => new Float64Array(n)
  const line: Line = { lower: values(), centre: values(), upper: values(), right: values() }
  const { u: uAt, v: vAt } = componentsOf(cavity)
  const meanU = (i: number, j: number): number => (uAt(i, j) + uAt(i, j + 1)) / 2
  const meanV = (i: number, j: number): number => (vAt(i, j) + vAt(i + 1, j)) / 2
  const sweeps = (weights: readonly [number, number]): void => {
    for (let j = 0; j < n; j++) {
      const carriedU = (k: number): number => (uAt(k - 1, j) + uAt(k, j)) / 2
      sweepLine(line, { values: du, at: j, step: n, count: n - 1, carried: carriedU, mirrored: false }, weights)
      if (j === n - 1) continue
      sweepLine(
        line,
        { values: dv, at: j, step: n, count: n, carried: (k) => meanU(k - 1, j), mirrored: true },
        weights,
      )
    }
    for (let i = 0; i < n; i++) {
      const carriedV = (k: number): number => (vAt(i, k - 1) + vAt(i, k)) / 2
      sweepLine(line, { values: dv, at: i * n, step: 1, count: n - 1, carried: carriedV, mirrored: false }, weights)
      if (i === n - 1) continue
      sweepLine(
        line,
        { values: du, at: i * n, step: 1, count: n, carried: (k) => meanV(i, k - 1), mirrored: true },
        weights,
      )
    }
  }
  return (dt) => {
    forcesOf(cavity, du, dv)
    for (let k = 0; k < n * n; k++) {
      du[k] *= dt
      dv[k] *= dt
    }
    sweeps([(dt * n * n) / re, (dt * n) / 2])
    for (let k = 0; k < n * n; k++) {
      du[k] += u[k]
      dv[k] += v[k]
    }
    mac.write(du, dv)
    mac.project()
    const [nextU, nextV, potential] = [mac.read('u'), mac.read('v'), mac.read('p')]
    let change = 0
    for (let k = 0; k < n * n; k++) {
      change = Math.max(change, Math.abs(nextU[k] - u[k]), Math.abs(nextV[k] - v[k]))
      u[k] = nextU[k]
      v[k] = nextV[k]
      p[k] += potential[k] / dt
    }
    return change
  }
}

/** A cavity at rest. */
export const restingCavity = (n: number, re: number): Cavity => ({
  n,
  re,
  u: new Float64Array(n * n),
  v: new Float64Array(n * n),
  p: new Float64Array(n * n),
})

/** A cavity of twice the cells that starts from what a coarser one came to: each cell's values for its four. */
export const refined = ({ n, re, u, v, p }: Cavity): Cavity => {
  const finer = restingCavity(2 * n, re)
  for (let i = 0; i < 2 * n; i++) {
    for (let j = 0; j < 2 * n; j++) {
      const from = (i >> 1) * n + (j >> 1)
      const at = i * 2 * n + j
      if (i < 2 * n - 1) finer.u[at] = u[from]
      if (j < 2 * n - 1) finer.v[at] = v[from]
      finer.p[at] = p[from]
    }
  }
  return finer
}
