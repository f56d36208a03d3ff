import { exp, PI } from '#numerics/math.ts'
import { expand, type GridAxis, halfWavesOf, inverseFactor } from '#numerics/methods/fft.ts'
import type { TumorInput } from '#numerics/solvers/tumor/schema.ts'

/**
 * The density a time later from cosine modes of the continuum: diffusion exactly by exp(−D·k²·t), growth by the
 * classical Runge–Kutta method on what the modes' own decay leaves (Lawson, SIAM J. Numer. Anal. 4 (1967) 372). It
 * shares neither splitting nor differences with the run.
 *
 * @param parts steps that the time is divided into.
 */
export const regrown = (
  input: TumorInput,
  start: Float64Array,
  { time, parts }: { readonly time: number; readonly parts: number },
): Float64Array => {
  const { dim, D, rho, nx, ny, lx, ly } = input
  const axes: readonly GridAxis[] = [
    ...(dim === 1 ? [] : [{ kind: 'cosine', intervals: ny } as const]),
    { kind: 'cosine', intervals: nx },
  ]
  const factor = inverseFactor(axes)
  const h = time / parts
  const columns = nx + 1
  const rows = start.length / columns
  /** What is left of each wave along an axis after half a part. */
  const leftOf = (count: number, intervals: number, length: number): Float64Array =>
    Float64Array.from({ length: count }, (_, index) => {
      const k = (PI * halfWavesOf('cosine', index, intervals)) / length
      return exp((-D * k * k * h) / 2)
    })
  const [along, across] = [leftOf(columns, nx, lx), dim === 1 ? Float64Array.of(1) : leftOf(rows, ny, ly)]
  const decay = new Float64Array(start.length)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) decay[row * columns + column] = along[column] * across[row]
  }
  const size = start.length
  // Plain loops: a closure asked for each of a quarter of a million nodes cost as much as the transforms.
  const nodesOf = (modes: Float64Array): Float64Array => {
    const nodes = expand(modes, axes)
    for (let i = 0; i < size; i++) nodes[i] *= factor
    return nodes
  }
  const growth = (nodes: Float64Array): Float64Array => {
    const rate = new Float64Array(size)
    for (let i = 0; i < size; i++) rate[i] = rho * nodes[i] * (1 - nodes[i])
    return expand(rate, axes)
  }
  const now = expand(start, axes)
  const stage = new Float64Array(size)
  for (let part = 0; part < parts; part++) {
    const a = growth(part === 0 ? start : nodesOf(now))
    for (let i = 0; i < size; i++) stage[i] = (now[i] + (h / 2) * a[i]) * decay[i]
    const b = growth(nodesOf(stage))
    for (let i = 0; i < size; i++) stage[i] = now[i] * decay[i] + (h / 2) * b[i]
    const c = growth(nodesOf(stage))
    for (let i = 0; i < size; i++) stage[i] = (now[i] * decay[i] + h * c[i]) * decay[i]
    const d = growth(nodesOf(stage))
    for (let i = 0; i < size; i++) {
      const e = decay[i]
      now[i] = e * e * (now[i] + (h / 6) * a[i]) + (h / 3) * e * (b[i] + c[i]) + (h / 6) * d[i]
    }
  }
  return nodesOf(now)
}
