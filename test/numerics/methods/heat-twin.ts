/**
 * The heat kernel's step as plain loops: the same numbers in the same order, without blocks, lanes or transposition.
 */

import type { ExplicitPlan } from '#numerics/methods/diffusion/explicit.ts'
import { lineOperator, linesAcross, linesAlong } from '#numerics/methods/diffusion/lines.ts'

/** A field of rows × columns unknowns, row-major. */
export interface TwinPlan {
  readonly rows: number
  readonly columns: number
  readonly rAcross: number
  readonly rAlong: number
  readonly insulated: boolean
}

/** One line of unknowns: reads and writes element k, wherever it lies. */
interface Line {
  readonly length: number
  readonly get: (k: number) => number
  readonly set: (k: number, value: number) => void
}

const lineOf = (values: Float64Array, at: number, step: number, length: number): Line => ({
  length,
  get: (k) => values[at + k * step],
  set: (k, value) => {
    values[at + k * step] = value
  },
})

/** a·u + (left + right), with the mirror or nothing beyond the ends. */
const stencil = (from: Line, to: Line, r: number, insulated: boolean): void => {
  const n = from.length
  const a = (1 - r) / (r / 2)
  for (let k = 0; k < n; k++) {
    const left = k > 0 ? from.get(k - 1) : insulated ? from.get(1) : 0
    const right = k < n - 1 ? from.get(k + 1) : insulated ? from.get(n - 2) : 0
    to.set(k, a * from.get(k) + (left + right))
  }
}

/** Solves b·x − (left + right) = w in place by elimination from element 0 (Thomas). */
const solve = (line: Line, r: number, insulated: boolean): void => {
  const n = line.length
  const b = (1 + r) / (r / 2)
  const edge = insulated ? 2 : 1
  const factors: number[] = []
  let d = 0
  for (let k = 0; k < n; k++) {
    const coupling = k === n - 1 ? edge : 1
    const pivot = 1 / (k === 0 ? b : b - coupling * factors[k - 1])
    factors.push(k === 0 ? edge * pivot : pivot)
    d = (line.get(k) + coupling * d) * pivot
    line.set(k, d)
  }
  for (let k = n - 2; k >= 0; k--) line.set(k, line.get(k) + factors[k] * line.get(k + 1))
}

/** Takes the step of a number in place; even steps eliminate across the rows upwards, odd ones downwards. */
export const twinStep = (u: Float64Array, plan: TwinPlan, number: number): void => {
  const { rows, columns, rAcross, rAlong, insulated } = plan
  const row = (values: Float64Array, i: number): Line => lineOf(values, i * columns, 1, columns)
  const column = (values: Float64Array, j: number): Line =>
    number % 2 === 0 ? lineOf(values, j, columns, rows) : lineOf(values, j + (rows - 1) * columns, -columns, rows)
  const v = new Float64Array(u.length)
  for (let i = 0; i < rows; i++) stencil(row(u, i), row(v, i), rAlong, insulated)
  for (let j = 0; j < columns; j++) solve(column(v, j), rAcross, insulated)
  for (let j = 0; j < columns; j++) stencil(column(v, j), column(u, j), rAcross, insulated)
  for (let i = 0; i < rows; i++) solve(row(u, i), rAlong, insulated)
}

/** The same step on a ring of rings, by the line operators one after the other. */
export const twinRing = (u: Float64Array, { rows, columns, rAcross, rAlong }: Omit<TwinPlan, 'insulated'>): void => {
  const along = lineOperator(linesAlong(rows, columns), rAlong, 'periodic')
  const across = lineOperator(linesAcross(rows, columns), rAcross, 'periodic')
  const v = new Float64Array(u.length)
  along.stencil(u, v)
  across.solve(v)
  across.stencil(v, u)
  along.solve(u)
}

/** Logistic growth of every node in place: with u = scale·x, x ← u·gain/(1 + u·rise). */
export const twinGrow = (field: Float64Array, scale: number, gain: number, rise: number): void => {
  for (let at = 0; at < field.length; at++) {
    const u = scale * field[at]
    field[at] = (u * gain) / (1 + u * rise)
  }
}

/** Sums of u and of u·(1 − u) over grown nodes as the kernel takes them: edges counted half, pairs of columns apart. */
export const twinTally = (field: Float64Array, { rows, columns }: TwinPlan): readonly [number, number] => {
  const whole = columns - (columns % 2)
  const rowOf = (row: number, term: (u: number) => number): number => {
    const at = (column: number): number => term(field[row * columns + column])
    const lanes = [0, 0] as [number, number]
    for (let column = 0; column < whole; column++) lanes[column % 2 === 0 ? 0 : 1] += at(column)
    const inner = lanes[0] + lanes[1] - at(0) / 2
    return whole < columns ? inner + at(columns - 1) / 2 : inner - at(columns - 1) / 2
  }
  const sum = (term: (u: number) => number): number => {
    let all = 0
    for (let row = 0; row < rows; row++) all += (row === 0 || row === rows - 1 ? 0.5 : 1) * rowOf(row, term)
    return all
  }
  return [sum((u) => u), sum((u) => u * (1 - u))]
}

/** A step forward in time: u + r_x·δx²u, then + r_y·δy²u on a rectangle, for each kind of edge. */
export const twinExplicit = (
  u: Float64Array,
  { rows, columns, rAlong, rAcross, boundary }: ExplicitPlan,
): Float64Array => {
  const beyond = (i: number, n: number): number => (boundary === 'periodic' ? (i + n) % n : i < 0 ? 1 : n - 2)
  const value = (row: number, column: number): number => {
    const inside = row >= 0 && row < rows && column >= 0 && column < columns
    if (inside) return u[row * columns + column]
    if (boundary === 'fixed') return 0
    const r = row < 0 || row >= rows ? beyond(row, rows) : row
    return u[r * columns + (column < 0 || column >= columns ? beyond(column, columns) : column)]
  }
  return u.map((now, i) => {
    const column = i % columns
    const row = (i - column) / columns
    const next = now + rAlong * (value(row, column - 1) - 2 * now + value(row, column + 1))
    return rows === 1 ? next : next + rAcross * (value(row - 1, column) - 2 * now + value(row + 1, column))
  })
}
