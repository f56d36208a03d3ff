/** The wave kernel's steps as plain loops: the same numbers in the same order, without lanes or ghost nodes. */

import { cos, sin } from '#numerics/math.ts'
import type { Plan, Weights } from '#numerics/solvers/wave/run/membrane.ts'

/** The value beyond a side: zero and the odd mirror, the even mirror, or the other end. */
const beyond = (values: Float64Array, { rows, columns, boundary }: Plan, row: number, column: number): number => {
  let sign = 1
  const settle = (i: number, n: number): number => {
    if (n === 1 && i !== 0) sign = 0
    if (i >= 0 && i < n) return i
    if (boundary === 'periodic') return (i + n) % n
    if (boundary === 'free') return i < 0 ? -i : 2 * (n - 1) - i
    if (i === -1 || i === n) sign = 0
    sign = -sign
    return i < 0 ? -2 - i : 2 * n - i
  }
  const [r, c] = [settle(row, rows), settle(column, columns)]
  return sign === 0
    ? 0
    : sign * (values[(((r % rows) + rows) % rows) * columns + (((c % columns) + columns) % columns)] ?? 0)
}

/** S of a field. */
export const twinStencil = (values: Float64Array, plan: Plan, w: Weights): Float64Array => {
  const { rows, columns } = plan
  return values.map((here, i) => {
    const column = i % columns
    const row = (i - column) / columns
    const at = (r: number, c: number): number => beyond(values, plan, row + r, column + c)
    const sides = at(0, -1) + at(0, 1)
    const ends = at(-1, 0) + at(1, 0)
    const corners = at(-1, -1) + at(-1, 1) + (at(1, -1) + at(1, 1))
    const near = w.along * sides + (w.across * ends + w.diagonal * corners)
    const wide = w.along2 * (at(0, -2) + at(0, 2)) + w.across2 * (rows > 1 ? at(-2, 0) + at(2, 0) : 0)
    return w.centre * here + (near + wide)
  })
}

/** The level after `now`, which was `before` one step ago. */
export const twinStep = (now: Float64Array, before: Float64Array, plan: Plan, w: Weights): Float64Array => {
  const stencil = twinStencil(now, plan, w)
  return now.map((u, i) => 2 * u - before[i] + stencil[i])
}

/** A step of Yee's scheme: E at the nodes, then B between them, in place. */
export const twinLight = (e: Float64Array, b: Float64Array, gains: Float64Array, s: number): void => {
  const n = b.length
  const rise = e.map((_, i) => gains[i] * ((i === n ? b[0] : b[i]) - (i === 0 ? b[n - 1] : b[i - 1])))
  for (let i = 0; i <= n; i++) e[i] -= rise[i]
  if (gains[n] === 0) e[n] = 0
  else e[n] = e[0]
  for (let i = 0; i < n; i++) b[i] -= s * (e[i + 1] - e[i])
}

/** The kernel `swing`: modes of both fields in place, turned by ω = c·k; k² is a mode's in its row and the row's. */
export const twinSwing = (
  { u, v }: { readonly u: Float64Array; readonly v: Float64Array },
  { across, down }: { readonly across: Float64Array; readonly down: Float64Array },
  { c, time, factor }: { readonly c: number; readonly time: number; readonly factor: number },
): void => {
  for (let at = 0; at < u.length; at++) {
    const column = at % across.length
    const omega = c * Math.sqrt(across[column] + down[(at - column) / across.length])
    const [turned, rising] = [cos(omega * time), sin(omega * time)]
    const [a, b] = [factor * u[at], factor * v[at]]
    u[at] = a * turned + (omega === 0 ? b * time : (b * rising) / omega)
    v[at] = b * turned - a * omega * rising
  }
}
