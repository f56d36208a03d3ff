import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import type { Fields } from '#numerics/solvers/react/problem.ts'
import type { ReactEvidence, ReactInput } from '#numerics/solvers/react/schema.ts'
import { keptOf } from './problem.ts'

/** Two fields on their way. */
export interface Lattice extends Advancing {
  readonly fields: () => Fields
  readonly evidence: () => ReactEvidence
}

const DOUBLE = 8
const LINE = 64
const GHOSTS = 2

/** Numbers of the reaction as the kernel takes them. */
export const reactionOf = ({ model, F, k, rate, a, b, epsilon, current }: ReactInput): readonly number[] => {
  const recovery = rate * epsilon
  return model === 'gray-scott' ? [F, F + k, 0, 0, 0] : [rate, rate * current, recovery, recovery * a, recovery * b]
}

/** Sets both fields up in a kernel of its own, at the start that is given or where a run stopped. */
export const createLattice = (input: ReactInput, given: Fields, origin: RunOrigin = {}): Lattice => {
  const { n, dx, dt, steps, model } = input
  const journal = journalOf(origin)
  const { held } = journal
  const start = held === undefined ? given : { u: held.doubles(n * n), v: held.doubles(n * n) }
  const kernel = loadKernel('reaction')
  const lines = Math.ceil(((n + 2 * GHOSTS + 1) * DOUBLE) / LINE)
  const rowBytes = (lines % 2 === 0 ? lines + 1 : lines) * LINE
  const fieldBytes = (n + 2) * rowBytes
  kernel.reserve(KERNEL_DATA_START + 8 * fieldBytes)
  const { configure, surround, step, total } = kernel.call
  assert(configure !== undefined && surround !== undefined, 'the reaction kernel is whole')
  assert(step !== undefined && total !== undefined, 'the reaction kernel is whole')
  const kind = model === 'gray-scott' ? 0 : 1
  const square = dx * dx
  const weights = [input.Du / square, input.Dv / square, ...reactionOf(input), dt]
  configure(n, rowBytes, fieldBytes, KERNEL_DATA_START, kind, ...weights)
  const views = [0, 1].map((i) => kernel.f64(KERNEL_DATA_START + i * fieldBytes, fieldBytes / DOUBLE))
  const rowAt = (row: number): number => ((row + 1) * rowBytes) / DOUBLE + GHOSTS
  for (const [i, values] of [start.u, start.v].entries()) {
    for (let row = 0; row < n; row++) views[i].set(values.subarray(row * n, (row + 1) * n), rowAt(row))
    surround(KERNEL_DATA_START + i * fieldBytes)
  }
  const both = new Float64Array(2 * n * n)
  const read = (): Float64Array => {
    for (let i = 0; i < 2; i++) {
      for (let row = 0; row < n; row++) {
        both.set(views[i].subarray(rowAt(row), rowAt(row) + n), (i * n + row) * n)
      }
    }
    return both
  }
  const totals = new Float64Array(2 * (steps + 1))
  const keep = new Set(keptOf(steps))
  const states: Float64Array[] = []
  const chain = journal.chain(journal.step + 1)
  const enter = (taken: number, sums: Float64Array, state: () => Float64Array): void => {
    totals.set(sums, 2 * taken)
    chain.link(sums)
    if (!keep.has(taken)) return
    states.push(state())
    chain.link(states[states.length - 1] as Float64Array)
  }
  const note = (taken: number): void => enter(taken, Float64Array.of(total(0), total(1)), () => read().slice())
  if (held === undefined) note(0)
  else
    journal.taken((tape) => {
      for (let taken = 0; taken <= journal.step; taken++) enter(taken, tape.doubles(2), () => tape.doubles(both.length))
    })
  const advance = (from: number, to: number, each: (number: number) => void): void => {
    for (let taken = from + 1; taken <= to; taken++) {
      step()
      note(taken)
      each(taken)
    }
  }
  const evidence = (): ReactEvidence => {
    const all = new Float64Array(states.length * both.length)
    for (const [i, state] of states.entries()) all.set(state, i * both.length)
    return { totals, states: all }
  }
  const fields = (): Fields => ({ u: read().slice(0, n * n), v: both.slice(n * n) })
  return { advance, bytes: () => concat(littleEndianBytes(read()), chain.digest()), fields, evidence }
}
