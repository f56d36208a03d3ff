import { exp, PI } from '#numerics/math.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { gapsOf } from './run/report.ts'
import { hardyZ, theta } from './run/siegel.ts'
import type { ZetaOutput } from './schema.ts'

/** Zeros that Z is drawn across: the last ones. */
const SHOWN_MAX = 30
const PLACES = 900
const BINS = 24
const GAP_MAX = 3

/** How many zeros there are up to a height, beside the smooth count θ(t)/π + 1: every zero is a step. */
const staircase = ({ first, countLower }: ZetaOutput, zeros: Float64Array): Plot => {
  const steps = zeros.length * 2
  const x = Float64Array.from({ length: steps }, (_, k) => zeros[k >> 1] as number)
  const y = Float64Array.from({ length: steps }, (_, k) => first - 1 + ((k + 1) >> 1))
  const [low, high] = [x[0] ?? 10, x[steps - 1] ?? 10]
  const t = Float64Array.from({ length: PLACES }, (_, k) => low + ((high - low) * k) / (PLACES - 1))
  return {
    kind: 'curves',
    title: `All ${zeros.length} zeros, counted`,
    x: { name: 't', unit: '1' },
    y: { name: countLower === 0 ? 'zeros up to t' : 'zeros from 0 up to t', unit: '1' },
    curves: [
      { name: 'zeros', x, y },
      { name: 'smooth count θ(t)/π + 1', x: t, y: t.map((it) => theta(it) / PI + 1), style: 'dashes' },
    ],
  }
}

/** Z with its zeros, their distances beside those of random matrices, and their number beside the smooth count. */
export const plotsOf = (output: ZetaOutput): readonly Plot[] => {
  const zeros = Float64Array.from(output.zeros)
  const shown = zeros.slice(Math.max(0, zeros.length - SHOWN_MAX))
  const [low, high] = [Math.max(10, (shown[0] ?? 14) - 1), (shown[shown.length - 1] ?? 14) + 1]
  const t = Float64Array.from({ length: PLACES }, (_, k) => low + ((high - low) * k) / (PLACES - 1))
  const height = { name: 't', unit: '1' }
  const plots: Plot[] = [
    {
      kind: 'curves',
      title: shown.length < zeros.length ? `Z(t) at the last ${shown.length} zeros` : 'Z(t) and its zeros',
      x: height,
      y: { name: 'Z', unit: '1' },
      curves: [
        { name: 'Z', x: t, y: t.map((it) => hardyZ(it)) },
        { name: 'zeros', x: shown, y: new Float64Array(shown.length), style: 'points' },
      ],
    },
  ]
  if (zeros.length > 1) plots.push(staircase(output, zeros))
  const gaps = gapsOf(zeros)
  if (gaps.length > 1) {
    const counts = new Float64Array(BINS)
    for (const gap of gaps) counts[Math.min(BINS - 1, Math.floor((gap / GAP_MAX) * BINS))]++
    const middle = counts.map((_, k) => ((k + 0.5) * GAP_MAX) / BINS)
    plots.push({
      kind: 'curves',
      title: 'Distances of neighbouring zeros',
      x: { name: 'distance over the local mean', unit: '1' },
      y: { name: 'density', unit: '1' },
      curves: [
        { name: 'zeros', x: middle, y: counts.map((it) => (it * BINS) / GAP_MAX / gaps.length), style: 'stems' },
        {
          name: 'random unitary matrices (Wigner)',
          x: middle,
          y: middle.map((s) => ((32 * s * s) / (PI * PI)) * exp((-4 * s * s) / PI)),
        },
      ],
    })
  }
  return plots
}
