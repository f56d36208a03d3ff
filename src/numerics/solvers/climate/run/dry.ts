import { littleEndianBytes } from '#core/arrays.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import type { Beginning } from '#numerics/solvers/climate/limits.ts'
import type { Water } from '#numerics/solvers/climate/problem.ts'
import type { ClimateInput } from '#numerics/solvers/climate/schema.ts'
import type { Flow } from './flow.ts'

/** Cells beyond either end of a row that a face needs. */
const GHOSTS = 2

/** Koren's limiter: half the step to a face, from the change behind a cell and the one ahead of it. */
const limited = (back: number, ahead: number): number => {
  if (back * ahead <= 0) return 0
  const size = Math.min(Math.abs(back), Math.abs(ahead), Math.abs(back + 2 * ahead) / 6)
  return ahead < 0 ? -size : size
}

/** A row of water on its way along x, with room for what a step needs. */
interface Row {
  readonly h: Float64Array
  readonly p: Float64Array
  readonly u: Float64Array
  readonly volume: Float64Array
  readonly push: Float64Array
}

/** Ghosts of a torus, and velocities; where there is no water there is none. */
const surround = ({ h, p, u }: Row, nx: number): void => {
  for (let i = 0; i < GHOSTS; i++) {
    for (const field of [h, p]) {
      field[i] = field[nx + i]
      field[nx + GHOSTS + i] = field[GHOSTS + i]
    }
  }
  for (let i = 0; i < u.length; i++) u[i] = h[i] > 0 ? p[i] / h[i] : 0
}

/**
 * Fluxes through all faces by Harten, Lax, van Leer with the speeds of a wave into the dry (Toro, Shock-Capturing
 * Methods for Free-Surface Shallow Flows, 2001, section 10.4). Depth and velocity are led to the faces, not the flux:
 * so no face is under less than no water, and none faster than the cells beside it.
 */
const fluxes = ({ h, u, volume, push }: Row, nx: number, g: number): void => {
  for (let face = 0; face <= nx; face++) {
    const i = face + GHOSTS - 1
    const [hl, hr] = [
      h[i] + limited(h[i] - h[i - 1], h[i + 1] - h[i]),
      h[i + 1] + limited(h[i + 1] - h[i + 2], h[i] - h[i + 1]),
    ]
    const [ul, ur] = [
      u[i] + limited(u[i] - u[i - 1], u[i + 1] - u[i]),
      u[i + 1] + limited(u[i + 1] - u[i + 2], u[i] - u[i + 1]),
    ]
    if (hl <= 0 && hr <= 0) {
      volume[face] = 0
      push[face] = 0
      continue
    }
    const [cl, cr] = [Math.sqrt(g * hl), Math.sqrt(g * hr)]
    const middle = (ul + ur) / 2 + cl - cr
    const between = (cl + cr) / 2 + (ul - ur) / 4
    const left = hl <= 0 ? ur - 2 * cr : Math.min(ul - cl, hr <= 0 ? ul - cl : middle - between)
    const right = hr <= 0 ? ul + 2 * cl : Math.max(ur + cr, hl <= 0 ? ur + cr : middle + between)
    const [pl, pr] = [hl * ul, hr * ur]
    const [fl, fr] = [pl * ul + (g * hl * hl) / 2, pr * ur + (g * hr * hr) / 2]
    if (left >= 0 || right <= 0) {
      volume[face] = left >= 0 ? pl : pr
      push[face] = left >= 0 ? fl : fr
      continue
    }
    volume[face] = (right * pl - left * pr + left * right * (hr - hl)) / (right - left)
    push[face] = (right * fl - left * fr + left * right * (pr - pl)) / (right - left)
  }
}

/** A dam break over a bed that is dry or nearly so: all rows are one, worked out by itself. */
export const createDryFlow = (input: ClimateInput, beginning: Beginning, origin: RunOrigin = {}): Flow => {
  const { start, schedule } = beginning
  const { steps, dt } = schedule
  const { nx, ny, lx, gravity } = input
  const padded = (): Float64Array => new Float64Array(nx + 2 * GHOSTS)
  const row: Row = { h: padded(), p: padded(), u: padded(), volume: padded(), push: padded() }
  const journal = journalOf(origin)
  const { held } = journal
  row.h.set(held?.doubles(nx) ?? start.h.subarray(0, nx), GHOSTS)
  row.p.set(held?.doubles(nx) ?? start.p.subarray(0, nx), GHOSTS)
  if (held !== undefined) journal.taken()
  const before = { h: padded(), p: padded() }
  const k = (dt * nx) / lx
  const stage = (kept: number): void => {
    surround(row, nx)
    fluxes(row, nx, gravity)
    const { h, p, volume, push } = row
    for (let i = 0; i < nx; i++) {
      const at = i + GHOSTS
      h[at] = kept * before.h[at] + (1 - kept) * (h[at] - k * (volume[i + 1] - volume[i]))
      p[at] = kept * before.p[at] + (1 - kept) * (p[at] - k * (push[i + 1] - push[i]))
    }
  }
  const advance = (from: number, to: number, each: (number: number) => void): void => {
    for (let taken = from + 1; taken <= to; taken++) {
      before.h.set(row.h)
      before.p.set(row.p)
      // The three stages of Shu and Osher.
      stage(0)
      stage(0.75)
      stage(1 / 3)
      each(taken)
    }
  }
  const all = (values: Float64Array): Float64Array =>
    Float64Array.from({ length: nx * ny }, (_, i) => values[(i % nx) + GHOSTS])
  const water = (): Water => ({ h: all(row.h), p: all(row.p), q: new Float64Array(nx * ny) })
  const bytes = (): Uint8Array => {
    const state = new Float64Array(2 * nx)
    state.set(row.h.subarray(GHOSTS, nx + GHOSTS))
    state.set(row.p.subarray(GHOSTS, nx + GHOSTS), nx)
    return littleEndianBytes(state)
  }
  return { steps, advance, bytes, water, evidence: () => ({ states: new Float64Array(0) }) }
}
