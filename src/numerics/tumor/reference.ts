import { type Axis, expand, halfWavesOf, inverseFactor } from '#numerics/fft.ts'
import { exp, PI } from '#numerics/math.ts'
import type { TumorInput } from './schema.ts'

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
  const axes: readonly Axis[] = [
    ...(dim === 1 ? [] : [{ kind: 'cosine', intervals: ny } as const]),
    { kind: 'cosine', intervals: nx },
  ]
  const factor = inverseFactor(axes)
  const h = time / parts
  const columns = nx + 1
  const decay = new Float64Array(start.length)
  const waves = (index: number, intervals: number, length: number): number =>
    (PI * halfWavesOf('cosine', index, intervals)) / length
  for (let at = 0; at < decay.length; at++) {
    const column = at % columns
    const kx = waves(column, nx, lx)
    const ky = dim === 1 ? 0 : waves((at - column) / columns, ny, ly)
    decay[at] = exp((-D * (kx * kx + ky * ky) * h) / 2)
  }
  const growth = (modes: Float64Array): Float64Array =>
    expand(
      expand(modes, axes).map((value) => {
        const u = value * factor
        return rho * u * (1 - u)
      }),
      axes,
    )
  const late = (modes: Float64Array): Float64Array => modes.map((value, i) => value * decay[i])
  let now = expand(start, axes)
  for (let part = 0; part < parts; part++) {
    const a = growth(now)
    const first = late(now.map((value, i) => value + (h / 2) * a[i]))
    const b = growth(first)
    const resting = late(now)
    const c = growth(resting.map((value, i) => value + (h / 2) * b[i]))
    const d = growth(late(resting.map((value, i) => value + h * c[i])))
    now = now.map((value, i) => {
      const e = decay[i]
      return e * e * (value + (h / 6) * a[i]) + (h / 3) * e * (b[i] + c[i]) + (h / 6) * d[i]
    })
  }
  return expand(now, axes).map((value) => value * factor)
}
