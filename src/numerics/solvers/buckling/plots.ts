import type { Plot } from '#numerics/plot/plot.ts'
import type { BucklingInput, BucklingOutput } from './schema.ts'

/** Points of the drawn mode within an element. */
const POINTS = 8

/** The mode between its nodes: Hermite's cubics. */
const smooth = ({ x, mode, slope }: BucklingOutput): { readonly x: Float64Array; readonly y: Float64Array } => {
  const count = POINTS * (x.length - 1) + 1
  const [heights, values] = [new Float64Array(count), new Float64Array(count)]
  for (let k = 0; k < count; k++) {
    const e = Math.min(x.length - 2, Math.floor(k / POINTS))
    const s = (k - e * POINTS) / POINTS
    const [from, to] = [x[e] as number, x[e + 1] as number]
    const h = to - from
    heights[k] = from + s * h
    values[k] =
      (1 + 2 * s) * (1 - s) * (1 - s) * (mode[e] as number) +
      s * (1 - s) * (1 - s) * h * (slope[e] as number) +
      s * s * (3 - 2 * s) * (mode[e + 1] as number) -
      s * s * (1 - s) * h * (slope[e + 1] as number)
  }
  return { x: heights, y: values }
}

/** The critical mode, upright, beside the straight column. */
export const plotsOf = (input: BucklingInput, output: BucklingOutput): readonly Plot[] => {
  const drawn = smooth(output)
  const load = Number(output.criticalLoad.toPrecision(5))
  return [
    {
      kind: 'curves',
      title: `Critical mode at ${load} N, ${input.lower} below, ${input.upper} above`,
      x: { name: 'sideways displacement', unit: '1' },
      y: { name: 'height', unit: 'm' },
      curves: [
        { name: 'column', style: 'dashes', x: [0, 0], y: [0, output.length] },
        { name: 'mode', x: drawn.y, y: drawn.x },
        { name: 'nodes', style: 'points', x: output.mode, y: output.x },
      ],
    },
  ]
}
