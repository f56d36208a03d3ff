import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { bottomOf, turnOf, type Water } from '#numerics/solvers/climate/problem.ts'
import type { ClimateInput } from '#numerics/solvers/climate/schema.ts'

/** Point value from cell means: 1 − δ²/24 + 3δ⁴/640 − 5δ⁶/7168, and back: 1 + δ²/24 − 17δ⁴/5760 + 367δ⁶/967680. */
const TO_POINTS = [-1 / 24, 3 / 640, -5 / 7168] as const
const TO_MEANS = [1 / 24, -17 / 5760, 367 / 967_680] as const

const DOUBLE = 8
const LINE = 64
const GHOSTS = 4
/** Fields of the kernel: three groups of five, the sums of three, the bottom. */
const FIELDS = 19
const BETWEEN = 10
const BOTTOM = 18

/** Weights of a symmetric sum over seven cells that is the series 1 + a·δ² + b·δ⁴ + c·δ⁶. */
const weightsOf = ([a, b, c]: readonly [number, number, number]): readonly [number, number, number, number] => [
  1 - 2 * a + 6 * b - 20 * c,
  a - 4 * b + 15 * c,
  b - 6 * c,
  c,
]

/** The kernel with room for the fields of a grid: rows as it keeps them, and the address of a field. */
const openKernel = ({ nx, ny }: ClimateInput) => {
  const kernel = loadKernel('reflow')
  // Odd lines, so that the rows of a column do not all fall on one set of a cache.
  const lines = Math.ceil(((nx + 2 * GHOSTS + 1) * DOUBLE) / LINE)
  const rowBytes = (lines % 2 === 0 ? lines + 1 : lines) * LINE
  const fieldBytes = (ny + 2 * GHOSTS) * rowBytes
  kernel.reserve(KERNEL_DATA_START + FIELDS * fieldBytes)
  const { configure, surround, convert, begin, step } = kernel.call
  assert(configure !== undefined && surround !== undefined && convert !== undefined, 'the kernel reflow is whole')
  assert(begin !== undefined && step !== undefined, 'the kernel reflow is whole')
  const at = (field: number): number => KERNEL_DATA_START + field * fieldBytes
  const rowsOf = (field: number): readonly Float64Array[] =>
    Array.from({ length: ny }, (_, row) => kernel.f64(at(field) + (row + GHOSTS) * rowBytes + GHOSTS * DOUBLE, nx))
  const setUp = (input: ClimateInput, dt: number): void => {
    configure(ny, nx, rowBytes, KERNEL_DATA_START, nx / input.lx, ny / input.ly, turnOf(input), input.gravity, dt)
  }
  const write = (field: number, rows: readonly Float64Array[], values: Float64Array): void => {
    for (const [row, cells] of rows.entries()) cells.set(values.subarray(row * nx, (row + 1) * nx))
    convert(at(field), at(BETWEEN), ...weightsOf(TO_POINTS))
  }
  const take = (rows: readonly Float64Array[]): Float64Array => {
    const values = new Float64Array(nx * ny)
    for (const [row, cells] of rows.entries()) values.set(cells, row * nx)
    return values
  }
  const read = (field: number, rows: readonly Float64Array[]): Float64Array => {
    convert(at(field), at(BETWEEN), ...weightsOf(TO_MEANS))
    return take(rows)
  }
  return { at, rowsOf, setUp, write, take, read, surround, begin, step }
}

/** Values at the centres of cells from means over them. */
export const recomputeCentres = <K extends string>(
  input: ClimateInput,
  means: Readonly<Record<K, Float64Array>>,
): Readonly<Record<K, Float64Array>> => {
  const { rowsOf, setUp, write, take } = openKernel(input)
  const rows = rowsOf(0)
  setUp(input, 0)
  const centres = Object.entries<Float64Array>(means).map(([name, values]) => {
    write(0, rows, values)
    return [name, take(rows)]
  })
  return Object.fromEntries(centres) as Readonly<Record<K, Float64Array>>
}

/** Steps of the way, and seconds of each. */
interface Stretch {
  readonly steps: number
  readonly dt: number
}

/**
 * The way of the water again, from any start: the advective form of the equations (surface and velocities at points,
 * not depth and fluxes as means) by central differences of eighth order and the classical Runge–Kutta method. It
 * shares neither fluxes, reconstruction nor steps with the run.
 *
 * @returns a function that gives the water some steps after a start.
 */
export const referenceFlow = (input: ClimateInput): ((start: Water, stretch: Stretch) => Water) => {
  const { nx, ny } = input
  const { at, rowsOf, setUp, write, read, surround, begin, step } = openKernel(input)
  const [first, second, third, bottom] = [rowsOf(0), rowsOf(1), rowsOf(2), rowsOf(BOTTOM)]
  /** Turns three fields into three others, cell by cell: (a, b, c) with the bottom. */
  const turned = (to: (row: readonly Float64Array[]) => void): void => {
    for (let row = 0; row < ny; row++) to([first[row], second[row], third[row], bottom[row]])
  }
  setUp(input, 0)
  write(BOTTOM, bottom, bottomOf(input))
  return ({ h, p, q }, { steps, dt }) => {
    setUp(input, dt)
    for (const [field, [rows, values]] of (
      [
        [first, h],
        [second, p],
        [third, q],
      ] as const
    ).entries()) {
      write(field, rows, values)
    }
    turned(([e, u, v, ground]) => {
      for (let i = 0; i < nx; i++) {
        const depth = e[i]
        e[i] = depth + ground[i]
        u[i] /= depth
        v[i] /= depth
      }
    })
    for (let field = 0; field < 3; field++) surround(at(field))
    begin()
    for (let taken = 0; taken < steps; taken++) step()
    turned(([e, u, v, ground]) => {
      for (let i = 0; i < nx; i++) {
        e[i] -= ground[i]
        u[i] *= e[i]
        v[i] *= e[i]
      }
    })
    return { h: read(0, first), p: read(1, second), q: read(2, third) }
  }
}
