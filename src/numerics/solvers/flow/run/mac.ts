import { assert } from '#core/assert.ts'
import { cos, PI, sin } from '#numerics/math.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'

/** A rectangle of cells and what flows in it. */
export interface MacPlan {
  /** Cells along x (a power of two, at least 4) and along y (a multiple of 4). */
  readonly nx: number
  readonly ny: number
  readonly dx: number
  readonly dy: number
  /** Whether a direction closes on itself; else it ends at walls. Steps need a ring along x. */
  readonly ringX: boolean
  readonly ringY: boolean
  readonly viscosity: number
  /** Force along x per mass, m/s². */
  readonly force: number
}

/** A component or the pressure, cell by cell with y fastest: u on the far face along x, v on that along y. */
export type Cells = Float64Array

/** A flow in the memory of the flow kernel. */
export interface Mac {
  readonly plan: MacPlan
  readonly read: (name: 'u' | 'v' | 'p') => Cells
  readonly write: (u: Cells, v: Cells) => void
  /** Takes one Runge–Kutta step. */
  readonly step: (dt: number) => void
  /** Makes the state free of divergence; the potential that was needed is left as `p`. */
  readonly project: () => void
  /** Sets `p` to the pressure of the state. */
  readonly pressure: () => void
}

const DOUBLE = 8
const LINE = 64

/** Bytes of a row of so many doubles: an odd number of cache lines, so that rows do not share few cache sets. */
const rowBytesOf = (doubles: number): number => {
  const lines = Math.ceil((doubles * DOUBLE) / LINE)
  return (lines % 2 === 0 ? lines + 1 : lines) * LINE
}

/** The wave that a column of the transposed array belongs to, in half waves on the length along x. */
const halfWaves = ({ nx, ringX }: MacPlan, column: number): number => {
  const k = column >> 1
  if (column === 1) return ringX ? nx : nx / 2
  if (ringX) return 2 * k
  return column % 2 === 0 ? k : nx - k
}

/** Eigenvalues of −δ²/dx², times dy², per column. */
const eigenvalues = (plan: MacPlan): Float64Array =>
  Float64Array.from({ length: plan.nx }, (_, column) => {
    const s = (2 * sin((PI * halfWaves(plan, column)) / (2 * plan.nx)) * plan.dy) / plan.dx
    return s * s
  })

/** Factors of the systems along y, the closing solution of a ring and its denominators: see the kernel. */
const tablesOf = (plan: MacPlan) => {
  const { nx, ny, ringY } = plan
  const factors = new Float64Array(nx * ny)
  const closing = new Float64Array(nx * ny)
  const ends = new Float64Array(nx)
  eigenvalues(plan).forEach((mu, column) => {
    const rows = ringY ? ny - 1 : ny
    let before = 0
    for (let j = 0; j < rows; j++) {
      const wall = !ringY && (j === 0 || j === rows - 1)
      const pivot = (wall ? 1 : 2) + mu - before
      // A constant is free under walls: the last value is taken as zero.
      before = !ringY && column === 0 && j === rows - 1 ? 0 : 1 / pivot
      factors[j * nx + column] = before
    }
    if (!ringY) return
    let d = 0
    for (let j = 0; j < rows; j++) {
      d = ((j === 0 ? 1 : 0) + (j === rows - 1 ? 1 : 0) + d) * factors[j * nx + column]
      closing[j * nx + column] = d
    }
    for (let j = rows - 2; j >= 0; j--) {
      closing[j * nx + column] += factors[j * nx + column] * closing[(j + 1) * nx + column]
    }
    const last = closing[(rows - 1) * nx + column]
    ends[column] = column === 0 ? 0 : 1 / (2 + mu - closing[column] - last)
  })
  return { factors, closing, ends }
}

/** Sets a flow up in a kernel of its own, at rest. */
export const createMac = (plan: MacPlan): Mac => {
  const { nx, ny, dx, dy, ringX, ringY, viscosity, force } = plan
  assert(nx >= 4 && (nx & (nx - 1)) === 0 && ny >= 4 && ny % 4 === 0, 'the kernel takes these numbers of cells')
  const kernel = loadKernel('flow')
  const rowBytes = rowBytesOf(ny + 2)
  const wide = rowBytesOf(ny)
  const tall = rowBytesOf(nx)
  const field = (nx + 2) * rowBytes
  const tables = KERNEL_DATA_START + 9 * field + 2 * nx * wide + ny * tall
  kernel.reserve(tables + 2 * ny * tall + tall + 24 * nx)
  const { configure, medium, open, step, project, pressure } = kernel.call
  assert(configure !== undefined && medium !== undefined && open !== undefined, 'the flow kernel is whole')
  assert(step !== undefined && project !== undefined && pressure !== undefined, 'the flow kernel is whole')
  configure(nx, ny, rowBytes, wide, tall, KERNEL_DATA_START, ringX ? 1 : 0, ringY ? 1 : 0)
  medium(dx, dy, viscosity, force)
  const { factors, closing, ends } = tablesOf(plan)
  for (let j = 0; j < ny; j++) {
    kernel.f64(tables + j * tall, nx).set(factors.subarray(j * nx, (j + 1) * nx))
    kernel.f64(tables + (ny + j) * tall, nx).set(closing.subarray(j * nx, (j + 1) * nx))
  }
  kernel.f64(tables + 2 * ny * tall, nx).set(ends)
  const roots = kernel.f64(tables + 2 * ny * tall + tall, 3 * nx)
  for (let k = 0; k < nx; k++) {
    roots[2 * k] = cos((2 * PI * k) / nx)
    roots[2 * k + 1] = -sin((2 * PI * k) / nx)
    if (k >= nx / 2) continue
    roots[2 * nx + 2 * k] = ringX ? 1 : cos((PI * k) / (2 * nx))
    roots[2 * nx + 2 * k + 1] = ringX ? 0 : sin((PI * k) / (2 * nx))
  }
  const row = (at: number, i: number): Float64Array =>
    kernel.f64(KERNEL_DATA_START + at * field + (i + 1) * rowBytes + DOUBLE, ny)
  const places = { u: 0, v: 1, p: 8 } as const
  return {
    plan,
    read: (name) => {
      const out = new Float64Array(nx * ny)
      for (let i = 0; i < nx; i++) out.set(row(places[name], i), i * ny)
      return out
    },
    write: (u, v) => {
      for (let i = 0; i < nx; i++) {
        row(places.u, i).set(u.subarray(i * ny, (i + 1) * ny))
        row(places.v, i).set(v.subarray(i * ny, (i + 1) * ny))
      }
      open()
    },
    step: (dt) => {
      step(dt)
    },
    project: () => {
      project()
    },
    pressure: () => {
      pressure()
    },
  }
}
