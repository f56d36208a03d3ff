/** The shallow kernel's step as plain loops: the same numbers in the same order, without lanes, ghosts or buffers. */

import type { Water } from '#numerics/solvers/climate/problem.ts'

/** What a step depends on: bottoms as {@link file://src/numerics/solvers/climate/run/flow.ts} makes them. */
export interface Sea {
  readonly nx: number
  readonly ny: number
  readonly gravity: number
  /** dt/dx, dt/dy and dt·f. */
  readonly kx: number
  readonly ky: number
  readonly turn: number
  readonly limited: boolean
  readonly bottom: Float64Array
  readonly sides: Float64Array
  readonly floors: Float64Array
  readonly middles: readonly [Float64Array, Float64Array]
}

type Five = readonly [number, number, number, number, number]

const face = ([a, b, c, d, e]: Five, limited: boolean): number => {
  const [back, ahead] = [c - b, d - c]
  if (!limited) return c + (1 / 60) * (13 * back + 27 * ahead + (2 * (a - c) - 3 * (e - c)))
  const third = (1 / 6) * (back + (ahead + ahead))
  const size = Math.min(Math.abs(back), Math.abs(ahead), Math.abs(third))
  return c + (back * ahead > 0 ? Math.sign(ahead) * size : 0)
}

interface Flux {
  readonly volume: number
  readonly normal: number
  readonly tangent: number
  readonly left: number
  readonly right: number
}

/** Flux through the face before cell (row, column) along an axis. */
const fluxAt = (
  sea: Sea,
  { h, p, q }: Water,
  { row, column, along }: { row: number; column: number; along: 'x' | 'y' },
) => {
  const { nx, ny, gravity: g, limited, bottom } = sea
  const at = (k: number): number =>
    along === 'x' ? row * nx + ((column + k + nx) % nx) : ((row + k + ny) % ny) * nx + column
  const six = (of: (i: number) => number): readonly [number, number] => {
    const x = [-3, -2, -1, 0, 1, 2].map((k) => of(at(k))) as [number, number, number, number, number, number]
    return [face([x[0], x[1], x[2], x[3], x[4]], limited), face([x[5], x[4], x[3], x[2], x[1]], limited)]
  }
  const [el, er] = six((i) => h[i] + bottom[i])
  const [nl, nr] = six((i) => (along === 'x' ? p : q)[i])
  const [tl, tr] = six((i) => (along === 'x' ? q : p)[i])
  const ground = (along === 'x' ? sea.sides : sea.floors)[at(0)]
  const [hl, hr] = [el - ground, er - ground]
  const [ul, ur] = [nl / hl, nr / hr]
  const [gl, gr] = [g * hl, g * hr]
  const speed = 0.5 * Math.max(Math.abs(ul) + Math.sqrt(gl), Math.abs(ur) + Math.sqrt(gr))
  const push = nl * ul + 0.5 * (gl * hl) + (nr * ur + 0.5 * (gr * hr))
  return {
    volume: 0.5 * (nl + nr) - speed * (hr - hl),
    normal: 0.5 * push - speed * (nr - nl),
    tangent: 0.5 * (tl * ul + tr * ur) - speed * (tr - tl),
    left: hl,
    right: hr,
  } satisfies Flux
}

const tilt = (h: readonly [number, number, number], b: readonly [number, number, number]): number => {
  const whole = (h[0] + h[2]) * (b[2] - b[0])
  const halves = (h[0] + h[1]) * (b[1] - b[0]) + (h[1] + h[2]) * (b[2] - b[1])
  return (1 / 3) * (4 * halves - whole)
}

const stage = (sea: Sea, base: Water, now: Water, [wa, wb]: readonly [number, number]): Water => {
  const { nx, ny, gravity, kx, ky, turn, bottom } = sea
  const out: Water = { h: new Float64Array(nx * ny), p: new Float64Array(nx * ny), q: new Float64Array(nx * ny) }
  for (let row = 0; row < ny; row++) {
    for (let column = 0; column < nx; column++) {
      const i = row * nx + column
      const [east, north] = [row * nx + ((column + 1) % nx), ((row + 1) % ny) * nx + column]
      const [west, south] = [row * nx + ((column + nx - 1) % nx), ((row + ny - 1) % ny) * nx + column]
      const w = fluxAt(sea, now, { row, column, along: 'x' })
      const e = fluxAt(sea, now, { row, column: (column + 1) % nx, along: 'x' })
      const d = fluxAt(sea, now, { row, column, along: 'y' })
      const u = fluxAt(sea, now, { row: (row + 1) % ny, column, along: 'y' })
      const level = (at: number): number => now.h[at] + bottom[at]
      const middle = (before: number, after: number, ground: number): number =>
        level(i) + (1 / 24) * (level(i) - level(before) + level(i) - level(after)) - ground
      const [bx, by] = [sea.middles[0][i], sea.middles[1][i]]
      const tiltX =
        0.5 * gravity * kx * tilt([w.right, middle(west, east, bx), e.left], [sea.sides[i], bx, sea.sides[east]])
      const tiltY =
        0.5 * gravity * ky * tilt([d.right, middle(south, north, by), u.left], [sea.floors[i], by, sea.floors[north]])
      const dh = kx * (e.volume - w.volume) + ky * (u.volume - d.volume)
      const dp = kx * (e.normal - w.normal) + tiltX + (ky * (u.tangent - d.tangent) - turn * now.q[i])
      const dq = ky * (u.normal - d.normal) + tiltY + (kx * (e.tangent - w.tangent) + turn * now.p[i])
      out.h[i] = wa * base.h[i] + wb * (now.h[i] - dh)
      out.p[i] = wa * base.p[i] + wb * (now.p[i] - dp)
      out.q[i] = wa * base.q[i] + wb * (now.q[i] - dq)
    }
  }
  return out
}

/** The water a step later. */
export const twinStep = (sea: Sea, base: Water): Water => {
  const one = stage(sea, base, base, [0, 1])
  const other = stage(sea, base, one, [0.75, 0.25])
  return stage(sea, base, other, [1 / 3, 2 / 3])
}
