import { asinh, atan, cosh, log1p, sin, sinh, sqrt, tan, tanh } from '#numerics/math.ts'
import { gaussRule } from '#numerics/methods/quadrature.ts'
import type { Motion } from '#numerics/solvers/solve/problem.ts'

/** Fall and drag, the axis upward turned so that the fall is not negative. */
type Law = Pick<Motion, 'fall' | 'drag'>

/** log(1 + x) of a sum that is 1 + x only near 0; a large argument is taken apart before. */
const lnGrowth = (a: number, q: number): number => {
  if (a < 1) return log1p(2 * sinh(a / 2) * sinh(a / 2) + q * sinh(a))
  const decayed = 1 - tanh(a)
  // cosh a + q·sinh a = e^a·((1 + q)/2 + (1 − q)/2·e^(−2a)), and e^(−2a) = (1 − tanh a)/(1 + tanh a).
  return a + log1p((q - 1) / 2 + ((1 - q) / 2) * (decayed / (2 - decayed)))
}

/** Height and upward speed, from height 0, of a fall with drag whose speed at time 0 is upward w >= 0 or downward. */
const verticalAt = ({ fall, drag }: Law, w: number, t: number): readonly [number, number] => {
  const terminal = sqrt(fall / drag)
  const rate = sqrt(fall * drag)
  if (w > 0) {
    const apex = atan(w / terminal) / rate
    if (t <= apex) {
      const half = sin((rate * t) / 2)
      const rise = log1p((w / terminal) * sin(rate * t) - 2 * half * half) / drag
      return [rise, terminal * tan(rate * (apex - t))]
    }
    const [height] = verticalAt({ fall, drag }, w, apex)
    const [drop, speed] = verticalAt({ fall, drag }, 0, t - apex)
    return [height + drop, speed]
  }
  const down = -w / terminal
  const grown = tanh(rate * t)
  return [-lnGrowth(rate * t, down) / drag, (-terminal * (down + grown)) / (1 + down * grown)]
}

/**
 * The state at time t of a fall with drag straight up and down, or of a slowing without any fall: tanh and ln cosh
 * downward, arctan upward, a logarithm without a fall.
 */
export const straightAt = ({ fall, drag, start }: Motion, t: number): Float64Array => {
  const [x, y, z, u, v, w] = start as unknown as [number, number, number, number, number, number]
  if (fall === 0) {
    const speed = sqrt(u * u + v * v + w * w)
    const way = speed === 0 ? t : log1p(drag * speed * t) / (drag * speed)
    const slowed = 1 / (1 + drag * speed * t)
    return Float64Array.of(x + u * way, y + v * way, z + w * way, u * slowed, v * slowed, w * slowed)
  }
  const up = fall > 0 ? 1 : -1
  const [height, speed] = verticalAt({ fall: up * fall, drag }, up * w, t)
  return Float64Array.of(x, y, z + up * height, 0, 0, up * speed)
}

const RULE = gaussRule(8)
/** Largest stretch of asinh of the slope that one rule spans. */
const STRETCH_MAX = 0.25

/** How far the rows of an oblique path are from its hodograph, in m and m/s; NaN for rows that are on none. */
export interface Off {
  readonly place: number
  readonly speed: number
}

/**
 * An oblique path with drag against its hodograph. With the slope p = w/u as the variable, 1/u² is a closed function of
 * p; time and place follow by quadrature from row to row. A row is held against the place of its own slope, moved on by
 * the difference in time.
 *
 * @param rows times, and states of 6 numbers each; the first row is the start.
 * @source Parker, American Journal of Physics 45 (1977) 606: du/dp = (k/g)·u³·sqrt(1 + p²).
 */
export const obliqueOff = (
  { fall, drag, start }: Motion,
  rows: readonly { readonly time: number; readonly state: Float64Array }[],
): Off => {
  const up = fall > 0 ? 1 : -1
  const g = Math.abs(fall)
  const level = sqrt(start[3] * start[3] + start[4] * start[4])
  const [ex, ey] = [start[3] / level, start[4] / level]
  const first = asinh((up * start[5]) / level)
  const spread = (s: number): number => sinh(s) * cosh(s) + s
  const levelAt = (s: number): number => 1 / sqrt(1 / (level * level) + (drag / g) * (spread(first) - spread(s)))
  let [s, t, x, y] = [first, 0, 0, 0]
  let place = 0
  let speed = 0
  for (const { time, state } of rows) {
    const [rx, ry, rz, u, v, w] = state as unknown as [number, number, number, number, number, number]
    const along = u * ex + v * ey
    const next = asinh((up * w) / along)
    const pieces = Math.max(1, Math.ceil(Math.abs(s - next) / STRETCH_MAX))
    if (!(along > 0) || !(pieces < 1e5)) return { place: Number.NaN, speed: Number.NaN }
    const half = (s - next) / (2 * pieces)
    for (let piece = 0; piece < pieces; piece++) {
      const middle = s - (2 * piece + 1) * half
      for (let i = 0; i < RULE.nodes.length; i++) {
        const at = middle + half * RULE.nodes[i]
        const weight = (half * RULE.weights[i] * cosh(at)) / g
        const here = levelAt(at)
        t += weight * here
        x += weight * here * here
        y += weight * here * here * sinh(at)
      }
    }
    s = next
    const late = time - t
    const across = (rx - start[0]) * ey - (ry - start[1]) * ex
    const offX = (rx - start[0]) * ex + (ry - start[1]) * ey - x - along * late
    const offY = up * (rz - start[2]) - y - up * w * late
    place = Math.max(place, sqrt(offX * offX + offY * offY + across * across))
    const pull = drag * sqrt(along * along + w * w)
    const offU = (along - levelAt(s)) * cosh(s)
    const aside = u * ey - v * ex
    const slip = late * sqrt(pull * along * pull * along + (pull * up * w + g) * (pull * up * w + g))
    speed = Math.max(speed, sqrt(offU * offU + aside * aside + slip * slip))
    if (!Number.isFinite(place + speed)) return { place: Number.NaN, speed: Number.NaN }
  }
  return { place, speed }
}
