import { exp, PI } from '#numerics/math.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { gapsOf } from './report.ts'
import type { ZetaOutput } from './schema.ts'
import { hardyZ } from './siegel.ts'

/** Zeros that Z is drawn across: the last ones. */
const SHOWN_MAX = 30
const PLACES = 900
const BINS = 24
const GAP_MAX = 3

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
      title: 'Z(t) and its zeros',
      x: height,
      y: { name: 'Z', unit: '1' },
      curves: [
        { name: 'Z', x: t, y: t.map((it) => hardyZ(it)) },
        { name: 'zeros', x: shown, y: new Float64Array(shown.length), style: 'points' },
      ],
    },
  ]
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
