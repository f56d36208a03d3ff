import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import { cos, PI, sin } from '#numerics/math.ts'
import { ratioTable } from '#numerics/methods/bessel.ts'
import { streamOf } from '#numerics/methods/random.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import type { GaugeInput } from '#numerics/solvers/gauge/schema.ts'
import { tableOf } from './layout.ts'

/** A field in the memory of the gauge kernel, and what was measured of it. */
export interface Chain extends Advancing {
  /** Takes the sweeps `from` (inclusive) to `to` (exclusive), those before measuring included. */
  readonly advance: (from: number, to: number, each: (sweep: number) => void) => void
  readonly links: Float64Array
  readonly history: Float64Array
}

const WORDS = 4_294_967_296
const DOUBLE = 8
/** Stream of the seed that a hot start takes: sweeps have streams of another kind, by block. */
const START_STREAM = 4_294_967_295

/** Links at the start, real and imaginary parts in turn. */
const startOf = ({ L, start, links, seed }: GaugeInput): Float64Array => {
  if (links !== undefined) return Float64Array.from(links)
  const field = new Float64Array(4 * L * L)
  const stream = streamOf(seed, START_STREAM)
  for (let link = 0; link < 2 * L * L; link++) {
    const angle = start === 'cold' ? 0 : PI * (2 * stream.uniform(link) - 1)
    field[2 * link] = cos(angle)
    field[2 * link + 1] = sin(angle)
  }
  return field
}

/** Sets a field up in a kernel of its own. */
export const chainOf = (input: GaugeInput): Chain => {
  const { L, beta, sweeps, thermal, seed, first } = input
  const count = 2 * L * L
  const table = tableOf(L)
  const ratio = ratioTable(2 * beta)
  const kernel = loadKernel('gauge')
  const linksAt = KERNEL_DATA_START
  const tableAt = linksAt + 2 * count * DOUBLE
  const meansAt = tableAt + table.byteLength
  kernel.reserve(meansAt + ratio.cubics.byteLength)
  const links = kernel.f64(linksAt, 2 * count)
  links.set(startOf(input))
  kernel.f64(tableAt, table.length / 2).set(new Float64Array(table.buffer))
  kernel.f64(meansAt, ratio.cubics.length).set(ratio.cubics)
  const { configure, sweep } = kernel.call
  assert(configure !== undefined && sweep !== undefined, 'the gauge kernel is whole')
  const [low, high] = [seed % WORDS, Math.floor(seed / WORDS)]
  configure(beta, linksAt, tableAt, count / 4, meansAt, ratio.perKappa, low, high)
  const history = new Float64Array(sweeps)
  let measured = 0
  const advance = (from: number, to: number, each: (sweep: number) => void): void => {
    for (let number = from; number < to; number++) {
      const sum = sweep((first + number) % WORDS)
      // A link is in two plaquettes, and each of them has half of |S|·I1/I0 as its conditional mean.
      if (number >= thermal) {
        history[number - thermal] = sum / (2 * count)
        measured = number - thermal + 1
      }
      each(number + 1)
    }
  }
  // The history enters as a chain of digests, one link a sweep, however the run is cut.
  let kept: Uint8Array = new Uint8Array(0)
  let linked = 0
  const bytes = (): Uint8Array => {
    for (; linked < measured; linked++) {
      kept = sha256(concat(kept, littleEndianBytes(history.slice(linked, linked + 1))))
    }
    return concat(littleEndianBytes(links), kept)
  }
  return { advance, bytes, links, history }
}
