import type { CurvesPlot } from '#numerics/plot/plot.ts'

/** A number of an input or of an answer: its name and its unit. */
interface Quantity {
  readonly name: string
  readonly unit: string
}

/** One run of a sweep; null where it was refused, or is not done yet. */
interface SweepPoint {
  readonly x: number
  readonly y: number | null
}

export interface Sweep {
  readonly input: Quantity
  readonly output: Quantity
  readonly points: readonly SweepPoint[]
}

/** Ratio of the greatest to the least input, all positive, from which on steps are taken as factors. */
const FACTOR_MIN = 100

/** A sweep as a plot: its runs in the order of the input, with a gap where one has no number. */
export const sweepPlot = ({ input, output, points }: Sweep): CurvesPlot => {
  const sorted = points.toSorted((a, b) => a.x - b.x)
  const [least, most] = [sorted[0]?.x ?? 0, sorted.at(-1)?.x ?? 0]
  const factors = least > 0 && most / least >= FACTOR_MIN
  return {
    kind: 'curves',
    title: `${output.name} over ${input.name}`,
    x: { ...input, ...(factors && { scale: 'log' as const }) },
    y: output,
    curves: [
      {
        name: output.name,
        style: 'marks',
        x: sorted.map((it) => it.x),
        y: sorted.map((it) => it.y ?? Number.NaN),
      },
    ],
  }
}
