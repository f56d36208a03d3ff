import type { Plot } from '#numerics/plot/plot.ts'
import { barsText } from './draw-bars.ts'
import { curvesText } from './draw-curves.ts'
import { mapText } from './draw-map.ts'
import type { Screen } from './screen.ts'

/** Characters that are not ASCII, of labels and numbers, as those that are. */
const ascii: Readonly<Record<string, string>> = { '−': '-', '×': 'x', '·': '*', '…': '...', '≤': '<=', '≥': '>=' }

const plainly = (line: string): string =>
  line
    .replace(
      /[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+/g,
      (it) =>
        `^${[...it]
          .map((one) => '⁰¹²³⁴⁵⁶⁷⁸⁹⁻'.indexOf(one))
          .map((n) => (n === 10 ? '-' : n))
          .join('')}`,
    )
    .replace(/[−×·…≤≥]/g, (it) => ascii[it] ?? '?')

/** A plot in lines of text: curves in braille, fields in half blocks or shades, amounts as bars. */
export const plotText = (plot: Plot, screen: Screen): string => {
  const lines =
    plot.kind === 'map'
      ? mapText(plot, screen)
      : plot.kind === 'curves'
        ? curvesText(plot, screen)
        : barsText(plot, screen)
  return lines.map((line) => (screen.plain ? plainly(line) : line).trimEnd()).join('\n')
}
