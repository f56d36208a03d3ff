import { exp, PI, sin, sqrt, TAU } from '#numerics/math.ts'
import { bottomHeight } from './problem.ts'
import type { ClimateInput } from './schema.ts'

/** A bound of (|u| + c)/dx + (|v| + c)/dy where formulas give the water. */
const bounded = (input: ClimateInput): number => {
  const { mode, nx, ny, lx, ly, depth, speed, m, n, gravity, coriolis, initial } = input
  let [deepest, u, v] = [depth, 0, 0]
  if (mode === 'jet') {
    const [kx, ky] = [(TAU * m) / lx, (TAU * n) / ly]
    const stream = Math.abs(speed) / sqrt(kx * kx + ky * ky)
    deepest += (Math.abs(coriolis) * stream) / gravity
    u = stream * Math.abs(ky)
    v = stream * Math.abs(kx)
  } else if (mode !== 'dam-break') {
    deepest += (mode === 'general' ? Math.max(0, initial.amplitude) : 0) - Math.min(0, bottomHeight(input))
  }
  const c = sqrt(gravity * deepest)
  return ((u + c) * nx) / lx + ((v + c) * ny) / ly
}

/** A hill of height 1 at the middle of the cells of an axis. */
const profileOf = (cells: number, at: number, sigma: number): Float64Array =>
  Float64Array.from({ length: cells }, (_, i) => {
    const off = sin(PI * ((i + 0.5) / cells - at)) / (PI * sigma)
    return exp(-(off * off) / 2)
  })

/** The largest rate of water that arrays give, at least in part: one fast cell makes all steps short; all are seen. */
const scanned = (input: ClimateInput): number => {
  const { mode, nx, ny, lx, ly, depth, gravity, bottom, initial } = input
  const general = mode === 'general'
  const [perX, perY] = [nx / lx, ny / ly]
  const [ground, swell] = [bottomHeight(input), general ? initial.amplitude : 0]
  const [groundX, groundY] = [profileOf(nx, bottom.x, bottom.sigma), profileOf(ny, bottom.y, bottom.sigma)]
  const [swellX, swellY] = [profileOf(nx, initial.x, initial.sigma), profileOf(ny, initial.y, initial.sigma)]
  const given: Partial<ClimateInput['initial']> = general ? initial : {}
  let most = 0
  for (let row = 0; row < ny; row++) {
    for (let column = 0; column < nx; column++) {
      const i = row * nx + column
      const b = bottom.values?.[i] ?? ground * groundX[column] * groundY[row]
      const h = given.depth?.[i] ?? depth + swell * swellX[column] * swellY[row] - b
      const c = sqrt(gravity * h)
      const [u, v] = [Math.abs((given.fluxX?.[i] ?? 0) / h), Math.abs((given.fluxY?.[i] ?? 0) / h)]
      const rate = (u + c) * perX + (v + c) * perY
      if (rate > most) most = rate
    }
  }
  return most
}

/**
 * The largest (|u| + c)/dx + (|v| + c)/dy at the start, about or from above, in 1/s: what quotes and limits need of the
 * water, without making it. A number that is not finite where there is no such water, which is refused later.
 */
export const rateAbout = (input: ClimateInput): number => {
  const { mode, bottom, initial } = input
  const arrays = [bottom.values, ...(mode === 'general' ? [initial.depth, initial.fluxX, initial.fluxY] : [])]
  const read = mode === 'general' || mode === 'rest'
  return read && arrays.some((it) => it !== undefined) ? scanned(input) : bounded(input)
}
