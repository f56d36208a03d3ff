import { eachPair } from './pairs.ts'
import type { Law } from './repeat.ts'

/** Pairs by their first atoms: heads[k] with partners[ends[k − 1]] to partners[ends[k] − 1], ends[−1] being 0. */
export interface Pairs {
  readonly heads: Int32Array
  readonly ends: Int32Array
  readonly partners: Int32Array
  /** Heads in use. */
  readonly count: number
}

/** Hands over all pairs within the cutoff, and some a little beyond it: at once, or a part at a time. */
export type Neighbours = (places: Float64Array, use: (pairs: Pairs) => void) => void

/** How much farther than the cutoff pairs are looked for: they are looked for anew when an atom moved half of it. */
const MARGIN = 0.2
/** Pairs held at a time: 32 MB. Where there are more, they are handed over in parts and never kept. */
const PARTNERS_MAX = 8_000_000

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

/**
 * The check's own list of pairs for states of one fluid. It knows nothing of the run's: pairs are looked for in the
 * places of the first state that it is asked for, and anew whenever an atom has gone half the margin.
 */
export const neighboursOf = ({ box, cutoff }: Law, n: number): Neighbours => {
  const reach = Math.min(cutoff + MARGIN, box / 2)
  const most = 0.499 * (reach - cutoff)
  const expected = (0.5 * n * n * 4.2 * reach * reach * reach) / (box * box * box)
  const room = Math.ceil(Math.min(PARTNERS_MAX, 1.5 * expected, (n * (n - 1)) / 2)) + n
  const partners = new Int32Array(room)
  const [heads, ends] = [new Int32Array(n), new Int32Array(n)]
  let [count, filled] = [0, 0]
  let origin: Float64Array | undefined
  return (places, use) => {
    if (origin !== undefined && within(places, origin, { box, most })) {
      use({ heads, ends, partners, count })
      return
    }
    let parts = 1
    count = 0
    filled = 0
    eachPair({ places, box, reach }, (i, j) => {
      if (filled === room || (count === n && heads[count - 1] !== i)) {
        use({ heads, ends, partners, count })
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
    use({ heads, ends, partners, count })
    origin = parts === 1 && most > 0 ? places.slice() : undefined
  }
}
