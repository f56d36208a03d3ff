import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { keptSteps } from '#numerics/runtime/segments.ts'
import type { Beginning } from '#numerics/solvers/climate/limits.ts'
import { bottomOf, turnOf, type Water } from '#numerics/solvers/climate/problem.ts'
import type { ClimateInput } from '#numerics/solvers/climate/schema.ts'
import { type ClimateEvidence, SEGMENT_STEPS } from '#numerics/solvers/climate/schema.ts'

/** The mean of cell i + `off` along an axis of the torus. */
const beside =
  (values: Float64Array, { nx, ny }: { readonly nx: number; readonly ny: number }, along: 'x' | 'y') =>
  (i: number, off: number): number => {
    const column = i % nx
    const row = (i - column) / nx
    return along === 'x' ? values[row * nx + ((column + off + nx) % nx)] : values[((row + off + ny) % ny) * nx + column]
  }

type Size = { readonly nx: number; readonly ny: number }

/** Bottom of the faces before the cells along an axis, from the means of six: sixth order, one number a face. */
export const faceBottoms = (bottom: Float64Array, size: Size, along: 'x' | 'y'): Float64Array => {
  const at = beside(bottom, size, along)
  const pair = (i: number, k: number): number => at(i, -1 - k) + at(i, k)
  return bottom.map((_, i) => (37 * pair(i, 0) - 8 * pair(i, 1) + pair(i, 2)) / 60)
}

/** Bottom on the middle lines of the cells across an axis, from the means of three: fourth order. */
export const middleBottoms = (bottom: Float64Array, size: Size, along: 'x' | 'y'): Float64Array => {
  const at = beside(bottom, size, along)
  return bottom.map((here, i) => here + (2 * here - at(i, -1) - at(i, 1)) / 24)
}

/** Water on its way. */
export interface Flow extends Advancing {
  readonly steps: number
  readonly water: () => Water
  readonly evidence: () => ClimateEvidence
}

const DOUBLE = 8
const LINE = 64
const GHOSTS = 3

/** Sets the water up in a kernel of its own, at its beginning or where a run stopped. */
export const createFlow = (input: ClimateInput, beginning: Beginning, origin: RunOrigin = {}): Flow => {
  const { steps, dt } = beginning.schedule
  const { nx, ny, lx, ly, gravity, mode } = input
  const journal = journalOf(origin)
  const { held } = journal
  const next = (): Float64Array | undefined => held?.doubles(nx * ny)
  const { start: water0 } = beginning
  const start = { h: next() ?? water0.h, p: next() ?? water0.p, q: next() ?? water0.q }
  const kernel = loadKernel('shallow')
  const lines = Math.ceil(((nx + 2 * GHOSTS + 2) * DOUBLE) / LINE)
  const rowBytes = (lines % 2 === 0 ? lines + 1 : lines) * LINE
  const fieldBytes = (ny + 2 * GHOSTS + 1) * rowBytes
  kernel.reserve(KERNEL_DATA_START + 17 * fieldBytes + 16 * rowBytes)
  const { configure, surround, step } = kernel.call
  assert(configure !== undefined && surround !== undefined && step !== undefined, 'the shallow kernel is whole')
  const limits = mode === 'dam-break' ? 1 : 0
  const turn = turnOf(input) * dt
  configure(ny, nx, rowBytes, KERNEL_DATA_START, gravity, (dt * nx) / lx, (dt * ny) / ly, turn, limits)
  const viewOf = (field: number): Float64Array =>
    kernel.f64(KERNEL_DATA_START + field * fieldBytes, fieldBytes / DOUBLE)
  const rowAt = (row: number): number => ((row + GHOSTS) * rowBytes) / DOUBLE + GHOSTS
  const write = (field: number, values: Float64Array): void => {
    const view = viewOf(field)
    for (let row = 0; row < ny; row++) view.set(values.subarray(row * nx, (row + 1) * nx), rowAt(row))
    surround(KERNEL_DATA_START + field * fieldBytes)
  }
  for (const [i, values] of [start.h, start.p, start.q].entries()) write(i, values)
  const bottom = bottomOf(input)
  write(9, bottom)
  write(10, faceBottoms(bottom, input, 'x'))
  write(11, faceBottoms(bottom, input, 'y'))
  write(12, middleBottoms(bottom, input, 'x'))
  write(13, middleBottoms(bottom, input, 'y'))
  const surface = start.h.map((h, i) => h + bottom[i])
  write(14, surface)
  const views = [viewOf(0), viewOf(1), viewOf(2)]
  const size = nx * ny
  const all = new Float64Array(3 * size)
  const read = (): Float64Array => {
    for (const [i, view] of views.entries()) {
      for (let row = 0; row < ny; row++) {
        all.set(view.subarray(rowAt(row), rowAt(row) + nx), i * size + row * nx)
      }
    }
    return all
  }
  const keep = new Set(mode === 'general' ? keptSteps(steps, SEGMENT_STEPS) : [])
  const states: Float64Array[] = []
  const before = [...keep].filter((step) => step <= journal.step).length
  const chain = journal.chain(before)
  const enter = (state: Float64Array): void => {
    states.push(state)
    chain.link(state)
  }
  if (held !== undefined) {
    journal.taken((tape) => {
      for (let k = 0; k < before; k++) enter(tape.doubles(all.length))
    })
  }
  const advance = (from: number, to: number, each: (number: number) => void): void => {
    for (let taken = from + 1; taken <= to; taken++) {
      step()
      if (keep.has(taken)) enter(read().slice())
      each(taken)
    }
  }
  const water = (): Water => {
    read()
    return { h: all.slice(0, size), p: all.slice(size, 2 * size), q: all.slice(2 * size) }
  }
  const evidence = (): ClimateEvidence => {
    const joined = new Float64Array(states.length * all.length)
    for (const [i, state] of states.entries()) joined.set(state, i * all.length)
    return { states: joined }
  }
  return { steps, advance, bytes: () => concat(littleEndianBytes(read()), chain.digest()), water, evidence }
}
