import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'
import { cos, PI, sin } from '#numerics/math.ts'
import { ratioTable } from '#numerics/methods/bessel.ts'
import { streamOf } from '#numerics/methods/random.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { journalOf, type RunOrigin, type StateReader } from '#numerics/runtime/origin.ts'
import { refuseModuli } from '#numerics/solvers/gauge/limits.ts'
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

/** Links that were stopped. The kernel's table of means ends where their moduli do. */
const heldLinks = (held: StateReader, count: number): Float64Array => {
  const links = held.doubles(2 * count)
  refuseModuli(links)
  return links
}

/** Sets a field up in a kernel of its own, at its start or as it was stopped. */
export const chainOf = (input: GaugeInput, origin: RunOrigin = {}): Chain => {
  const { L, beta, sweeps, thermal, seed, first } = input
  const count = 2 * L * L
  const table = tableOf(L)
  const ratio = ratioTable(2 * beta)
  const kernel = loadKernel('gauge')
  const linksAt = KERNEL_DATA_START
  const tableAt = linksAt + 2 * count * DOUBLE
  const meansAt = tableAt + table.byteLength
  kernel.reserve(meansAt + ratio.cubics.byteLength)
  const journal = journalOf(origin)
  const { held } = journal
  const links = kernel.f64(linksAt, 2 * count)
  links.set(held === undefined ? startOf(input) : heldLinks(held, count))
  kernel.f64(tableAt, table.length / 2).set(new Float64Array(table.buffer))
  kernel.f64(meansAt, ratio.cubics.length).set(ratio.cubics)
  const { configure, sweep } = kernel.call
  assert(configure !== undefined && sweep !== undefined, 'the gauge kernel is whole')
  const [low, high] = [seed % WORDS, Math.floor(seed / WORDS)]
  configure(beta, linksAt, tableAt, count / 4, meansAt, ratio.perKappa, low, high)
  const history = new Float64Array(sweeps)
  const before = Math.max(0, journal.step - thermal)
  // The history enters as a chain of digests, one link a sweep, however the run is cut.
  const chain = journal.chain(before)
  const note = (k: number, mean: number): void => {
    history[k] = mean
    chain.link(history.subarray(k, k + 1))
  }
  if (held !== undefined) {
    journal.taken((tape) => {
      for (let k = 0; k < before; k++) note(k, tape.doubles(1)[0])
    })
  }
  const advance = (from: number, to: number, each: (sweep: number) => void): void => {
    for (let number = from; number < to; number++) {
      const sum = sweep((first + number) % WORDS)
      // A link is in two plaquettes, and each of them has half of |S|·I1/I0 as its conditional mean.
      if (number >= thermal) note(number - thermal, sum / (2 * count))
      each(number + 1)
    }
  }
  const bytes = (): Uint8Array => concat(littleEndianBytes(links), chain.digest())
  return { advance, bytes, links, history }
}
