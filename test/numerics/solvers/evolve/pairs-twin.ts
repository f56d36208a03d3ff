/** The check's pairs and sums as plain loops: the same numbers in the same order, without lanes. */

import { sqrt } from '#numerics/math.ts'
import { type Counted, EDGE, type Law, type PairSums } from '#numerics/solvers/evolve/check/near.ts'
import { eachPair } from '#numerics/solvers/evolve/pairs.ts'
import { BINS } from '#numerics/solvers/evolve/schema.ts'

/** Sums over all pairs closer than the cutoff; pairs are looked for within `reach`, in the order of the cells. */
export const twinSums = (
  places: Float64Array,
  { box, cutoff, energyAtCutoff, slopeAtCutoff }: Law,
  { reach, counted }: { readonly reach: number; readonly counted: Counted },
): PairSums => {
  const forces = new Float64Array(places.length)
  let [potential, virial] = [0, 0]
  const list = new Map<number, number[]>()
  eachPair({ places, box, reach }, (i, j) => {
    const known = list.get(i)
    if (known === undefined) list.set(i, [j])
    else known.push(j)
  })
  const scale = BINS / cutoff
  for (const [i, partners] of list) {
    const sum = [0, 0, 0] as [number, number, number]
    for (const j of partners) {
      const d = [0, 1, 2].map((axis) => {
        const off = places[3 * j + axis] - places[3 * i + axis]
        return off - box * Math.floor(off * (1 / box) + 0.5)
      }) as [number, number, number]
      const r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
      if (!(r2 < cutoff * cutoff)) continue
      const r = sqrt(r2)
      const inverse2 = 1 / r2
      const attraction = inverse2 * inverse2 * inverse2
      const repulsion = attraction * attraction
      potential += 4 * (repulsion - attraction) - energyAtCutoff - slopeAtCutoff * (r - cutoff)
      const push = 24 * (2 * repulsion - attraction) + slopeAtCutoff * r
      virial += push
      for (const axis of [0, 1, 2] as const) {
        const f = push * inverse2 * d[axis]
        forces[3 * j + axis] += f
        sum[axis] += f
      }
      const [low, high] = [Math.floor(r * scale * (1 - EDGE)), Math.min(BINS - 1, Math.floor(r * scale * (1 + EDGE)))]
      if (low === high) counted.sure[low] += 1
      else {
        counted.doubtful[low] += 1
        counted.doubtful[high] += 1
      }
    }
    for (const axis of [0, 1, 2] as const) forces[3 * i + axis] -= sum[axis]
  }
  return { potential, virial, forces }
}
