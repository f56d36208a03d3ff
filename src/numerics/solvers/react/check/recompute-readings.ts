import { sqrt } from '#numerics/math.ts'
import type { ReactInput, ReactOutput } from '#numerics/solvers/react/schema.ts'

/** What of a state of rest may be left over: it is found to rounding. */
const REST = 1e-9

/**
 * The check's own readings. The run has its from `report.ts` and `start.ts`: taken from there, a wrong formula for the
 * sealed value would be held against itself.
 */
export interface Recomputed {
  readonly integralU: number
  readonly integralV: number
  readonly activity: number
  /** Integrals of |u| and |v|: the scale of what rounding does to a sum that cancels. */
  readonly sizeU: number
  readonly sizeV: number
}

/** The larger D·dt/dx². */
export const recomputeR = ({ Du, Dv, dt, dx }: ReactInput): number => Math.max((Du / dx / dx) * dt, (Dv / dx / dx) * dt)

/** Whether both reaction terms vanish there, the first times b: on the scale of what they are made of. */
export const rests = ({ model, a, b, current }: ReactInput, { u, v }: { readonly u: number; readonly v: number }) => {
  if (model === 'gray-scott') return u === 1 && v === 0
  const cube = (u * u * u) / 3
  const both = b * (u - cube + current) - u - a
  const scale = 1 + Math.abs(u) + Math.abs(a)
  return (
    Math.abs(both) <= REST * (scale + Math.abs(b) * (Math.abs(u) + Math.abs(cube) + Math.abs(current))) &&
    Math.abs(u + a - b * v) <= REST * (scale + Math.abs(b * v))
  )
}

/** Integrals of both fields, and the root mean square of u's deviation from rest: line by line. */
export const recomputeReadings = (
  { n, dx }: ReactInput,
  u: ArrayLike<number>,
  v: ArrayLike<number>,
  rest: number,
): Recomputed => {
  let [sumU, sumV, square, sizeU, sizeV] = [0, 0, 0, 0, 0]
  for (let row = 0; row < n; row++) {
    let [lineU, lineV, lineSquare] = [0, 0, 0]
    for (let at = row * n; at < (row + 1) * n; at++) {
      const off = (u[at] as number) - rest
      lineU += u[at] as number
      lineV += v[at] as number
      sizeU += Math.abs(u[at] as number)
      sizeV += Math.abs(v[at] as number)
      lineSquare += off * off
    }
    sumU += lineU
    sumV += lineV
    square += lineSquare
  }
  const area = (sum: number): number => dx * sum * dx
  return {
    integralU: area(sumU),
    integralV: area(sumV),
    activity: sqrt(square) / n,
    sizeU: area(sizeU),
    sizeV: area(sizeV),
  }
}

/** Whether the members that only repeat the input, or follow from it, do so. */
export const repeatsInput = (input: ReactInput, output: ReactOutput): boolean => {
  const { model, n, dx, dt, steps } = input
  const r = recomputeR(input)
  return (
    output.model === model &&
    output.n === n &&
    output.dx === dx &&
    output.dt === dt &&
    output.steps === steps &&
    Math.abs(output.time / dt - steps) <= 1e-12 * steps &&
    Math.abs(output.r - r) <= 1e-12 * r
  )
}

/** Whether the shown means are those of the kept sums, at up to 201 steps that share the run evenly. */
export const meansHold = ({ n, dt, steps }: ReactInput, output: ReactOutput, totals: Float64Array): boolean => {
  const last = Math.min(200, steps)
  const { times, meanU, meanV } = output
  if ([times, meanU, meanV].some((it) => it.length !== last + 1)) return false
  const near = (found: number | undefined, wanted: number): boolean =>
    Math.abs((found ?? Number.NaN) - wanted) <= 1e-12 * Math.abs(wanted)
  for (let i = 0; i <= last; i++) {
    const step = (steps * i - ((steps * i) % last)) / last
    const due = near(times[i], step * dt) && near(meanU[i], totals[2 * step] / n / n)
    if (!(due && near(meanV[i], totals[2 * step + 1] / n / n))) return false
  }
  return true
}
