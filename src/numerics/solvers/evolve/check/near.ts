import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { cellsAlong, eachPair } from '#numerics/solvers/evolve/pairs.ts'
import { BINS } from '#numerics/solvers/evolve/schema.ts'

/** The law as the check has it: the plain potential and its slope at the cutoff, by powers. */
export interface Law {
  readonly box: number
  readonly cutoff: number
  readonly energyAtCutoff: number
  /** u′ at the cutoff. */
  readonly slopeAtCutoff: number
}

/** What all pairs of a state add up to. */
export interface PairSums {
  readonly potential: number
  /** Σ r·F. */
  readonly virial: number
  /** Forces n × 3 on the atoms: minus the gradient of the potential energy. */
  readonly forces: Float64Array
}

/** Pairs by distance: those that surely lie in an interval, and those on an edge that may. */
export interface Counted {
  readonly sure: Float64Array
  readonly doubtful: Float64Array
}

/** Sums and forces over all pairs of some places within the cutoff; pairs are counted where that is asked for. */
export type Meeting = (places: Float64Array, counted?: Counted) => PairSums

/** Distances nearer than this to an edge of an interval may be counted on either side of it. */
export const EDGE = 1e-11

/** How much farther than the cutoff pairs are looked for: they are looked for anew when an atom moved half of it. */
const MARGIN = 0.2
/** Pairs held at a time: 32 MB. Where there are more, they are taken in parts and never kept. */
const PARTNERS_MAX = 8_000_000

/** Bytes of an atom: vectors of places, forces and order, and its numbers in the lists. */
const ATOM_BYTES = 3 * 24 + 3 * 4
const SPARE_BYTES = 1_024

/** Whether no atom is farther than this from where it was. */
const within = (places: Float64Array, origin: Float64Array, { box, most }: { box: number; most: number }): boolean => {
  for (let k = 0; k < places.length; k += 3) {
    let dx = places[k] - origin[k]
    let dy = places[k + 1] - origin[k + 1]
    let dz = places[k + 2] - origin[k + 2]
    dx -= box * Math.floor(dx / box + 0.5)
    dy -= box * Math.floor(dy / box + 0.5)
    dz -= box * Math.floor(dz / box + 0.5)
    if (!(dx * dx + dy * dy + dz * dz < most * most)) return false
  }
  return true
}

/** The kernel, set up for a law and a number of atoms. */
const kernelOf = ({ box, cutoff, energyAtCutoff, slopeAtCutoff }: Law, n: number, room: number, cells: number) => {
  const kernel = loadKernel('pairs')
  const lists = 4 * room + 8 * cells * cells * cells
  kernel.reserve(KERNEL_DATA_START + ATOM_BYTES * n + 16 * BINS + lists + SPARE_BYTES)
  const { configure, forcesAt, sureAt, headsAt, partnersAt, list, clear, add, energy, virial } = kernel.call
  assert(configure !== undefined && forcesAt !== undefined && sureAt !== undefined, 'the kernel pairs is whole')
  assert(headsAt !== undefined && partnersAt !== undefined && list !== undefined, 'the kernel pairs is whole')
  assert(clear !== undefined && add !== undefined, 'the kernel pairs is whole')
  assert(energy !== undefined && virial !== undefined, 'the kernel pairs is whole')
  configure(n, KERNEL_DATA_START, room, box, cutoff, energyAtCutoff, slopeAtCutoff, BINS, EDGE)
  const words = (at: number, length: number): Int32Array => new Int32Array(kernel.f64(0, 1).buffer, at, length)
  return {
    places: kernel.f64(KERNEL_DATA_START, 3 * n),
    forces: kernel.f64(forcesAt(), 3 * n),
    counts: kernel.f64(sureAt(), 2 * BINS),
    heads: words(headsAt(), n),
    ends: words(headsAt() + 4 * (n + 2), n),
    partners: words(partnersAt(), room),
    calls: { list, clear, add, energy, virial },
  }
}

/**
 * The check's own list of pairs for states of one fluid, and what they add up to. It knows nothing of the run's: pairs
 * are looked for in the places of the first state that it is asked for, and anew whenever an atom has gone half the
 * margin.
 */
export const meetingOf = (law: Law, n: number): Meeting => {
  const { box, cutoff } = law
  const reach = Math.min(cutoff + MARGIN, box / 2)
  const most = 0.499 * (reach - cutoff)
  const expected = (0.5 * n * n * 4.2 * reach * reach * reach) / (box * box * box)
  const room = Math.ceil(Math.min(PARTNERS_MAX, 1.5 * expected, (n * (n - 1)) / 2)) + n
  const cells = cellsAlong({ n, box, reach })
  const { places: held, forces, counts, heads, ends, partners, calls } = kernelOf(law, n, room, cells)
  let count = 0
  let origin: Float64Array | undefined
  /** Hands over all pairs, at once or in parts: heads in use each time. @returns the parts. */
  const inParts = (use: (count: number) => void): number => {
    let [parts, filled] = [1, 0]
    count = 0
    eachPair({ places: held, box, reach }, (i, j) => {
      if (filled === room || (count === n && heads[count - 1] !== i)) {
        use(count)
        parts += 1
        count = 0
        filled = 0
      }
      if (count === 0 || heads[count - 1] !== i) {
        heads[count] = i
        count += 1
      }
      partners[filled] = j
      filled += 1
      ends[count - 1] = filled
    })
    use(count)
    return parts
  }
  const met = (places: Float64Array, use: (count: number) => void): void => {
    if (origin !== undefined && within(places, origin, { box, most })) {
      use(count)
      return
    }
    count = cells === 0 ? -1 : calls.list(cells, reach)
    let parts = 1
    if (count < 0) parts = inParts(use)
    else use(count)
    origin = parts === 1 && most > 0 ? places.slice() : undefined
  }
  return (places, counted) => {
    let [potential, virial] = [0, 0]
    held.set(places)
    calls.clear()
    met(places, (number) => {
      calls.add(number, counted === undefined ? 0 : 1)
      potential += calls.energy()
      virial += calls.virial()
    })
    for (let bin = 0; counted !== undefined && bin < BINS; bin++) {
      counted.sure[bin] += counts[bin]
      counted.doubtful[bin] += counts[BINS + bin]
    }
    return { potential, virial, forces: forces.slice() }
  }
}
