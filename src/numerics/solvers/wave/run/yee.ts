import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { LIGHT, permittivities, scheduleOf } from '#numerics/solvers/wave/problem.ts'
import type { WaveInput } from '#numerics/solvers/wave/schema.ts'

/** E at the nodes and c·B between them, both in V/m, on their way. */
export interface Yee extends Advancing {
  /** E of the last three levels, the newest first, and c·B at the time of the newest. */
  readonly end: () => { readonly levels: readonly Float64Array[]; readonly flux: Float64Array }
}

const DOUBLE = 8

/** Light at time 0. */
export interface LightStart {
  /** V/m at the nodes. */
  readonly electric: Float64Array
  /** c·B in V/m between them. */
  readonly flux: Float64Array
}

/** Sets E and B up in a kernel of its own, at their start or as they were stopped. */
export const createYee = (input: WaveInput, { electric, flux }: LightStart, origin: RunOrigin = {}): Yee => {
  const { nx, lx, boundary } = input
  const s = (LIGHT * scheduleOf(input).dt) / (lx / nx)
  const kernel = loadKernel('wave')
  const bytesOf = (count: number): number => Math.ceil((count * DOUBLE) / 64) * 64 + 64
  const e = KERNEL_DATA_START
  const b = e + bytesOf(nx + 1)
  const g = b + bytesOf(nx + 1)
  kernel.reserve(g + bytesOf(nx + 1))
  const { light } = kernel.call
  assert(light !== undefined, 'the wave kernel is whole')
  const field = kernel.f64(e, nx + 1)
  const between = kernel.f64(b, nx)
  const gains = kernel.f64(g, nx + 1)
  const walls = boundary === 'fixed'
  gains.set(permittivities(input).map((share) => s / share))
  if (walls) gains[0] = gains[nx] = 0
  /** dt·∂E/∂t of a c·B, as a field of its own. */
  const rise = (half: Float64Array): Float64Array =>
    gains.map((gain, i) => gain * ((i === 0 ? half[nx - 1] : half[i - 1]) - (i === nx ? half[0] : half[i])))
  /** dt·∂(c·B)/∂t of an E. */
  const turn = (level: Float64Array): Float64Array =>
    Float64Array.from({ length: nx }, (_, i) => -s * (level[i + 1] - level[i]))
  const journal = journalOf(origin)
  const { held } = journal
  if (held === undefined) {
    // B lives at half steps: half a step ahead from the start, by Taylor's series to second order.
    const [first, second] = [turn(electric), turn(rise(flux))]
    field.set(electric)
    between.set(flux.map((value, i) => value + first[i] / 2 + second[i] / 8))
  } else {
    field.set(held.doubles(nx + 1))
    between.set(held.doubles(nx))
    journal.taken()
  }
  const advance = (from: number, to: number, each: (step: number) => void): void => {
    for (let taken = from + 1; taken <= to; taken++) {
      light(e, b, g, nx, s)
      each(taken)
    }
  }
  const end = (): ReturnType<Yee['end']> => {
    const now = field.slice()
    const ahead = between.slice()
    const sum = (x: Float64Array, y: Float64Array, sign: number): Float64Array =>
      x.map((value, i) => value + sign * y[i])
    // The scheme runs both ways: two steps back, and half a step on either side for four values of B around now.
    const half = sum(ahead, turn(now), -1)
    const one = sum(now, rise(half), -1)
    const earlier = sum(half, turn(one), -1)
    const two = sum(one, rise(earlier), -1)
    const next = sum(ahead, turn(sum(now, rise(ahead), 1)), 1)
    const behind = ahead.map((value, i) => (9 * (value + half[i]) - (next[i] + earlier[i])) / 16)
    return { levels: [now, one, two], flux: behind }
  }
  return { advance, bytes: () => concat(littleEndianBytes(field), littleEndianBytes(between)), end }
}
