import { curveColour } from '#numerics/plot/colours.ts'
import { figure, withUnit } from '#numerics/plot/figures.ts'
import type { CurvesPlot } from '#numerics/plot/plot.ts'
import type { Cursor, LineData } from './line-data.ts'

/** Curves that are named beside their colours. */
const NAMED_MAX = 16

interface Props {
  readonly plot: CurvesPlot
  readonly data: LineData
  readonly at: Cursor
}

/** The names of curves with their colours, and the value of each under the cursor. */
export const LineLegend = ({ plot: { curves, y }, data, at }: Props) => {
  const more = curves.length - NAMED_MAX
  return (
    <ul class="line-legend">
      {curves.slice(0, NAMED_MAX).map(({ name, style }, i) => {
        const index = at[i + 1]
        const value = index == null ? undefined : data.columns[i]?.[index]
        return (
          <li key={`${i} ${name}`} data-curve={name}>
            <svg width="18" height="10" aria-hidden="true" stroke={curveColour(i)} fill={curveColour(i)}>
              {style === 'points' ? (
                <circle cx="9" cy="5" r="3" />
              ) : (
                <path d="M0 5h18" stroke-width="3" {...(style === 'dashes' && { 'stroke-dasharray': '6 4' })} />
              )}
            </svg>
            <span>{name}</span>
            <b>{value == null ? '' : withUnit(figure(value), y.unit)}</b>
          </li>
        )
      })}
      {more > 0 && <li>and {more} more</li>}
    </ul>
  )
}
