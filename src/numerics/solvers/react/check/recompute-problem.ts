import type { Fields } from '#numerics/solvers/react/problem.ts'
import type { ReactInput } from '#numerics/solvers/react/schema.ts'

const CLOSE = 1e-9

/**
 * Whether a start is the one that the input states: a square of (1/2, 1/4) in (1, 0) of Gray–Scott, of u = 3/2 in the
 * state of rest of FitzHugh–Nagumo, where neither field moves by itself; and noise no higher than asked for, of mean
 * 0 within chance. Run and check take it from one function, so that this is worked out anew.
 */
export const isStartOf = (input: ReactInput, { u, v }: Fields): boolean => {
  const { model, n, initial, a, b, current } = input
  if (initial.kind === 'values') {
    return u.every((it, k) => it === initial.u?.[k]) && v.every((it, k) => it === initial.v?.[k])
  }
  const noise = initial.kind === 'noise' ? initial.noise : 0
  const gray = model === 'gray-scott'
  const side = Math.floor(initial.size * n)
  const low = Math.floor((n - side) / 2)
  const inside = (i: number): boolean => i >= low && i < low + side
  // The rest of an excitable medium is read off a corner, and must be one.
  const [restU, restV] = gray ? [1, 0] : [u[0], v[0]]
  const moves = gray
    ? 0
    : Math.max(Math.abs(restU - (restU * restU * restU) / 3 - restV + current), Math.abs(restU + a - b * restV))
  if (moves > CLOSE + 16 * noise * (1 + b + restU * restU)) return false
  const slack = (gray ? noise : 2 * noise) + CLOSE
  let [sumU, sumV] = [0, 0]
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      const at = row * n + column
      const spot = inside(column) && inside(row)
      const offU = u[at] - (spot ? (gray ? 0.5 : 1.5) : restU)
      const offV = v[at] - (spot && gray ? 0.25 : restV)
      if (!(Math.abs(offU) <= slack && Math.abs(offV) <= slack)) return false
      sumU += offU
      sumV += offV
    }
  }
  // The mean of n² even numbers of this height has a deviation of noise/(√3·n).
  const chance = 6 * (noise / n) + CLOSE
  return !gray || (Math.abs(sumU) / (n * n) <= chance && Math.abs(sumV) / (n * n) <= chance)
}
