/**
 * The gauge kernel's sweep link by link in plain arithmetic: the same numbers in the same order, without lanes.
 */
import { philox } from '#numerics/methods/random.ts'

/** A field and the law it is drawn by; arrays as the kernel has them. */
export interface TwinPlan {
  readonly beta: number
  readonly key: readonly [number, number]
  /** Byte offsets of each link and its six neighbours, eight to an entry. */
  readonly table: Uint32Array
  readonly perKappa: number
  readonly cubics: Float64Array
}

const MAGIC = 6755399441055744
const BLOCKS_MAX = 64

const SINE = [
  -8.22063524662433e-18, 2.8114572543455206e-15, -7.647163731819816e-13, 1.6059043836821613e-10, -2.505210838544172e-8,
  2.7557319223985893e-6, -1.984126984126984e-4, 8.333333333333333e-3, -0.16666666666666666, 1,
]
const EXP = [
  2.08767569878681e-9, 2.505210838544172e-8, 2.755731922398589e-7, 2.7557319223985893e-6, 2.48015873015873e-5,
  1.984126984126984e-4, 1.388888888888889e-3, 8.333333333333333e-3, 4.1666666666666664e-2, 0.16666666666666666, 0.5, 1,
  1,
]

const horner = (coefficients: readonly number[], x: number): number => {
  let sum = coefficients[0] ?? 0
  for (const coefficient of coefficients.slice(1)) sum = sum * x + coefficient
  return sum
}

/** cos(πu) for |u| < 1. */
export const twinCosPi = (u: number): number => {
  const x = (Math.abs(u) - 0.5) * Math.PI
  return -(x * horner(SINE, x * x))
}

/** exp(w) for w <= 1. */
export const twinExp = (given: number): number => {
  const w = Math.max(given, -60)
  const k = w * Math.LOG2E + MAGIC - MAGIC
  const r = w - k * 0.6931471803691238 - k * 1.9082149292705877e-10
  return horner(EXP, r) * 2 ** k
}

const meanCosine = ({ perKappa, cubics }: TwinPlan, kappa: number): number => {
  const place = kappa * perKappa
  const i = Math.trunc(place)
  const x = place - i
  const at = (k: number): number => cubics[4 * i + k] ?? Number.NaN
  return at(0) + x * (at(1) + x * (at(2) + x * at(3)))
}

/** Draws the cosine of a von Mises angle, and a number with its sign. */
const drawn = ({ key }: TwinPlan, kappa: number, { link, sweep }: { link: number; sweep: number }) => {
  const tau = 1 + Math.sqrt(1 + 4 * (kappa * kappa))
  const w = tau + Math.sqrt(tau + tau)
  const rho = (kappa + kappa) / w
  const q = 1 + rho * rho
  const c0 = q * w * 0.25
  for (let block = 0; block < BLOCKS_MAX; block++) {
    const words = philox([link, sweep, block, 0], key)
    for (const half of [0, 2]) {
      const u = ((words[half] ?? 0) | 0) + 0.5
      const v = ((words[half + 1] ?? 0) + 0.5) * 2.3283064365386963e-10
      const sign = u * 4.656612873077393e-10
      const z = twinCosPi(sign)
      const f = (rho + rho + q * z) / (q + (rho + rho) * z)
      const c = c0 - kappa * f
      if (c * (2 - c) > v || c * twinExp(1 - c) >= v) return { f, sign }
    }
  }
  return { f: 1, sign: 0 }
}

/** Takes a sweep in place. Returns the sum of |S|·I1/I0. */
export const twinSweep = (links: Float64Array, plan: TwinPlan, sweep: number): number => {
  const { table, beta } = plan
  const count = table.length / 8
  let total = 0
  for (let turn = 0; turn < 4; turn++) {
    const lanes = [0, 0]
    for (let entry = (turn * count) / 4; entry < ((turn + 1) * count) / 4; entry++) {
      const part = (k: number): readonly [number, number] => {
        const at = (table[8 * entry + k] ?? 0) / 8
        return [links[at] ?? 0, links[at + 1] ?? 0]
      }
      const [[ar, ai], [br, bi], [cr, ci]] = [part(1), part(2), part(3)]
      const [[dr, di], [er, ei], [fr, fi]] = [part(4), part(5), part(6)]
      const [pr, pi] = [br * cr - bi * ci, br * ci + bi * cr]
      const [qr, qi] = [dr * er - di * ei, dr * ei + di * er]
      const sr = ar * pr + ai * pi + (fr * qr + fi * qi)
      const si = ai * pr - ar * pi + (fi * qr - fr * qi)
      const size = Math.sqrt(sr * sr + si * si)
      const kappa = beta * size
      const [x, y] = size < 1e-15 ? [1, 0] : [sr / size, -(si / size)]
      lanes[entry % 2] = (lanes[entry % 2] ?? 0) + size * meanCosine(plan, kappa)
      const own = (table[8 * entry] ?? 0) / 8
      const { f, sign } = drawn(plan, kappa, { link: own / 2, sweep })
      const flat = Math.sqrt(Math.max(0, 1 - f * f))
      const s = sign < 0 ? -flat : flat
      links[own] = x * f - y * s
      links[own + 1] = x * s + y * f
    }
    total += (lanes[0] ?? 0) + (lanes[1] ?? 0)
  }
  return total
}
