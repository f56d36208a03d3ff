import { PI } from '#numerics/math.ts'
import { BASE_MVA, caseOf } from './ieee.ts'
import type { GridInput } from './schema.ts'

/** A line; buses are counted from 0 here. */
export interface Line {
  readonly from: number
  readonly to: number
  /** Reactance times tap, in radians per megawatt: what an angle costs a flow. */
  readonly drop: number
  /** Phase shift in radians. */
  readonly shift: number
}

/** A grid as the equations have it. */
export interface Network {
  readonly buses: number
  readonly lines: readonly Line[]
  /** Megawatts that each bus takes and gives; what slack buses give is not read. */
  readonly load: Float64Array
  readonly generation: Float64Array
  readonly slack: Uint8Array
}

export const DEGREE = PI / 180

const builtIn = (name: Exclude<GridInput['case'], 'own'>, scale: number): Network => {
  const { load, generation, slack, lines } = caseOf(name)
  const slacks = new Uint8Array(load.length)
  slacks[slack - 1] = 1
  return {
    buses: load.length,
    lines: lines.map(({ from, to, x, tap }) => ({ from: from - 1, to: to - 1, drop: (x * tap) / BASE_MVA, shift: 0 })),
    load: load.map((it) => it * scale),
    generation: generation.map((it) => it * scale),
    slack: slacks,
  }
}

/** The grid of an input whose form was looked at. */
export const networkOf = (input: GridInput): Network => {
  if (input.case !== 'own') return builtIn(input.case, input.scale)
  const { buses = [], lines = [], baseMva, scale } = input
  return {
    buses: buses.length,
    lines: lines.map(({ from, to, x, tap, shift }) => ({
      from: from - 1,
      to: to - 1,
      drop: (x * tap) / baseMva,
      shift: shift * DEGREE,
    })),
    load: Float64Array.from(buses, ({ load }) => load * scale),
    generation: Float64Array.from(buses, ({ generation }) => generation * scale),
    slack: Uint8Array.from(buses, ({ slack }) => (slack ? 1 : 0)),
  }
}

/** Lines at each bus, by number. */
export const linesAt = ({ buses, lines }: Network): readonly (readonly number[])[] => {
  const at = Array.from({ length: buses }, (): number[] => [])
  for (const [number, { from, to }] of lines.entries()) {
    at[from]?.push(number)
    at[to]?.push(number)
  }
  return at
}

/** The bus at the other end of a line. */
export const across = ({ from, to }: Line, bus: number): number => (bus === from ? to : from)

/** The island of each bus, numbered from 0 by their first bus. */
export const islandsOf = ({ buses, lines }: Network): { readonly of: Int32Array; readonly count: number } => {
  // Each bus points at one before it in its island, the first one at itself.
  const before = Int32Array.from({ length: buses }, (_, bus) => bus)
  const firstOf = (bus: number): number => {
    let at = bus
    while (before[at] !== at) {
      before[at] = before[before[at]]
      at = before[at]
    }
    return at
  }
  for (const { from, to } of lines) {
    const [a, b] = [firstOf(from), firstOf(to)]
    before[Math.max(a, b)] = Math.min(a, b)
  }
  const of = new Int32Array(buses)
  let count = 0
  for (let bus = 0; bus < buses; bus++) of[bus] = before[bus] === bus ? count++ : of[before[bus]]
  return { of, count }
}
