/**
 * Grids for tests: built-in ones as own grids, drawn ones, and their flows by dense elimination.
 */
import { BASE_MVA, type CASES, caseOf } from '#numerics/solvers/grid/ieee.ts'
import type { Random } from '../../../kit/random.ts'

export interface Bus {
  load: number
  generation: number
  slack: boolean
}
export interface Branch {
  from: number
  to: number
  x: number
  tap: number
  shift: number
}
export interface Own {
  readonly case: 'own'
  buses: Bus[]
  lines: Branch[]
  contingencies?: boolean
}

/** A built-in case as an own grid. */
export const asOwn = (name: (typeof CASES)[number]): Own => {
  const { load, generation, slack, lines } = caseOf(name)
  return {
    case: 'own',
    buses: Array.from(load, (it, k) => ({ load: it, generation: generation[k] ?? 0, slack: k + 1 === slack })),
    lines: lines.map((line) => ({ ...line, shift: 0 })),
  }
}

/** Flows by dense elimination with exchange of rows, the lines in `out` left away. */
export const dense = ({ buses, lines }: Own, out = -1): number[] => {
  const n = buses.length
  const rows = buses.map((bus, i) =>
    Array.from({ length: n + 1 }, (_, j) => (j === n ? (bus.generation - bus.load) / BASE_MVA : 0)).map((it, j) =>
      bus.slack ? (j === i ? 1 : 0) : it,
    ),
  )
  const at = (i: number, j: number, by: number): void => {
    const row = rows[i]
    if (row !== undefined && buses[i]?.slack === false) row[j] = (row[j] ?? 0) + by
  }
  for (const [k, { from, to, x, tap, shift }] of lines.entries()) {
    if (k === out) continue
    const b = 1 / (x * tap)
    at(from - 1, from - 1, b)
    at(from - 1, to - 1, -b)
    at(to - 1, to - 1, b)
    at(to - 1, from - 1, -b)
    at(from - 1, n, (b * shift * Math.PI) / 180)
    at(to - 1, n, (-b * shift * Math.PI) / 180)
  }
  for (let k = 0; k < n; k++) {
    let best = k
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i]?.[k] ?? 0) > Math.abs(rows[best]?.[k] ?? 0)) best = i
    const pivot = rows[best] as number[]
    rows[best] = rows[k] as number[]
    rows[k] = pivot
    for (let i = 0; i < n; i++) {
      const row = rows[i] as number[]
      if (i === k || row[k] === 0) continue
      const factor = (row[k] ?? 0) / (pivot[k] ?? 1)
      for (let j = k; j <= n; j++) row[j] = (row[j] ?? 0) - factor * (pivot[j] ?? 0)
    }
  }
  const angle = (bus: number): number => (rows[bus - 1]?.[n] ?? 0) / (rows[bus - 1]?.[bus - 1] ?? 1)
  return lines.map(({ from, to, x, tap, shift }, k) =>
    k === out ? 0 : (BASE_MVA * (angle(from) - angle(to) - (shift * Math.PI) / 180)) / (x * tap),
  )
}

/** Buses in a row with lines drawn besides, some of them parallel, with taps and shifts. */
export const drawnGrid = (random: Random, buses: number, more: number): Own => {
  const line = (from: number, to: number): Branch => ({
    from,
    to,
    x: 0.01 + random.next(),
    tap: random.next() < 0.3 ? 0.9 + 0.2 * random.next() : 1,
    shift: random.next() < 0.2 ? 20 * random.next() - 10 : 0,
  })
  const other = (bus: number): number => 1 + ((bus + random.integer(0, buses - 2)) % buses)
  return {
    case: 'own',
    buses: Array.from({ length: buses }, (_, k) => ({
      load: Math.floor(100 * random.next()),
      generation: random.next() < 0.3 ? Math.floor(300 * random.next()) : 0,
      slack: k === 0,
    })),
    lines: [
      ...Array.from({ length: buses - 1 }, (_, k) => line(random.integer(1, k + 1), k + 2)),
      ...Array.from({ length: more }, () => {
        const from = random.integer(1, buses)
        return line(from, other(from))
      }),
    ],
  }
}
