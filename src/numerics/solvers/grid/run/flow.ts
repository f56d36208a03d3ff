import { Fault } from '#core/fault.ts'
import { factorSparse, type SparseFactor, sparseOf } from '#numerics/methods/linear/sparse-ldl.ts'
import type { Progress } from '#numerics/runtime/solver.ts'
import type { Line, Network } from '#numerics/solvers/grid/problem.ts'
import { bridgesOf } from './bridges.ts'

/** Least pivot, as a share of its column, of a matrix that still says something. */
const PIVOT_MIN = 1e-12

/** What a grid does: angles in radians, flows in megawatts. */
export interface Flow {
  readonly angles: Float64Array
  readonly flows: Float64Array
  readonly outages: Outages | undefined
}

/** What it does without each line: row k holds the flows while line k is out, zeros where that cuts an island. */
export interface Outages {
  readonly bridges: Uint8Array
  readonly flows: Float64Array
}

/** Numbers of the unknown angles by bus; −1 at slack buses. */
const unknownsOf = ({ buses, slack }: Network): { readonly of: Int32Array; readonly count: number } => {
  const of = new Int32Array(buses)
  let count = 0
  for (let bus = 0; bus < buses; bus++) of[bus] = slack[bus] === 1 ? -1 : count++
  return { of, count }
}

const factorOf = ({ lines }: Network, of: Int32Array, count: number): SparseFactor => {
  const row = new Int32Array(4 * lines.length)
  const column = new Int32Array(4 * lines.length)
  const value = new Float64Array(4 * lines.length)
  let used = 0
  const add = (i: number, j: number, by: number): void => {
    if (i < 0 || j < 0) return
    row[used] = i
    column[used] = j
    value[used++] = by
  }
  for (const { from, to, drop } of lines) {
    const [i, j, b] = [of[from], of[to], 1 / drop]
    add(i, i, b)
    add(j, j, b)
    add(i, j, -b)
    add(j, i, -b)
  }
  const triples = { row: row.subarray(0, used), column: column.subarray(0, used), value: value.subarray(0, used) }
  const factor = factorSparse(sparseOf(count, triples))
  if (factor === undefined || factor.leastPivot < PIVOT_MIN) {
    const why = 'Reactances of both signs cancel: the angles have no one answer.'
    throw new Fault('ILL_POSED', why, { measured: factor?.leastPivot ?? 0, limit: PIVOT_MIN })
  }
  return factor
}

/** θ_from − θ_to of a line. */
const tension = (angles: Float64Array, of: Int32Array, { from, to }: Line): number =>
  (of[from] < 0 ? 0 : angles[of[from]]) - (of[to] < 0 ? 0 : angles[of[to]])

/**
 * Flows without each line, from those with all of them: power that a line carried takes the ways that a transfer
 * between its ends would take. With p(l) the share of a transfer over line k's ends that line l carries, the flow is
 * f(l) + f(k)·p(l)/(1 − p(k)) (line outage distribution factors; Wood, Wollenberg, Power Generation, Operation, and
 * Control, 2nd ed., 11A).
 */
const outagesOf = (
  network: Network,
  { of, count, factor, flows }: { of: Int32Array; count: number; factor: SparseFactor; flows: Float64Array },
  progress: (line: number) => void,
): Outages => {
  const { lines } = network
  const bridges = bridgesOf(network)
  const table = new Float64Array(lines.length * lines.length)
  const transfer = new Float64Array(count)
  for (const [k, out] of lines.entries()) {
    progress(k)
    if (bridges[k] === 1) continue
    transfer.fill(0)
    if (of[out.from] >= 0) transfer[of[out.from]] = 1
    if (of[out.to] >= 0) transfer[of[out.to]] = -1
    factor.solve(transfer)
    const rest = 1 - tension(transfer, of, out) / out.drop
    if (!(Math.abs(rest) > PIVOT_MIN)) {
      throw new Fault('ILL_POSED', `Without line ${k + 1} the reactances cancel: the flows have no one answer.`, {
        measured: rest,
        limit: PIVOT_MIN,
        line: k + 1,
      })
    }
    const moved = flows[k] / rest
    const row = k * lines.length
    for (const [l, line] of lines.entries()) {
      table[row + l] = l === k ? 0 : flows[l] + (moved * tension(transfer, of, line)) / line.drop
    }
  }
  return { bridges, flows: table }
}

/** Solves a grid that was not refused. @throws Fault ILL_POSED where reactances of both signs cancel. */
export const flowOf = (network: Network, contingencies: boolean, progress: Progress): Flow => {
  const { buses, lines, load, generation } = network
  const { of, count } = unknownsOf(network)
  const factor = factorOf(network, of, count)
  const angles = new Float64Array(count)
  for (let bus = 0; bus < buses; bus++) if (of[bus] >= 0) angles[of[bus]] = generation[bus] - load[bus]
  for (const { from, to, drop, shift } of lines) {
    if (of[from] >= 0) angles[of[from]] += shift / drop
    if (of[to] >= 0) angles[of[to]] -= shift / drop
  }
  factor.solve(angles)
  const flows = Float64Array.from(lines, (line) => (tension(angles, of, line) - line.shift) / line.drop)
  const steps = contingencies ? lines.length + 1 : 1
  progress({ step: 1, steps })
  const each = (line: number): void => progress({ step: line + 2, steps })
  const outages = contingencies ? outagesOf(network, { of, count, factor, flows }, each) : undefined
  return { angles: Float64Array.from(of, (unknown) => (unknown < 0 ? 0 : angles[unknown])), flows, outages }
}
