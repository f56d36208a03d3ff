import { figure, rangeOf, withUnit } from '#numerics/plot/figures.ts'
import type { BarsPlot } from '#numerics/plot/plot.ts'
import { curveInk, RESET } from './colour.ts'
import type { Screen } from './screen.ts'

/** Parts of a character, from an eighth to seven. */
const PARTS = '▏▎▍▌▋▊▉'
const EIGHTHS = 8

/** Labels may take so much of the width. */
const LABEL_SHARE = 0.4

/** A bar of so many columns. */
const barOf = (length: number, plain: boolean): string => {
  if (plain) return '#'.repeat(Math.round(length))
  const eighths = Math.round(length * EIGHTHS)
  return `${'█'.repeat(Math.floor(eighths / EIGHTHS))}${PARTS[(eighths % EIGHTHS) - 1] ?? ''}`
}

/** Labelled amounts, one below the other, in lines of text; a negative one is marked by its number. */
export const barsText = (plot: BarsPlot, { columns, plain, depth }: Screen): readonly string[] => {
  const { title, name, unit, about, labels, values } = plot
  const [low, high] = rangeOf(values)
  const size = Math.max(Math.abs(low), Math.abs(high)) || 1
  const numbers = values.map(figure)
  const numberWidth = Math.max(0, ...numbers.map((it) => it.length))
  const labelMax = Math.floor(columns * LABEL_SHARE)
  const shown = labels.map((it) => (it.length > labelMax ? `${it.slice(0, labelMax - 1)}…` : it))
  const labelWidth = Math.max(0, ...shown.map((it) => it.length))
  const room = Math.max(1, columns - labelWidth - numberWidth - 2)
  const ink = curveInk(0, depth)
  return [
    title,
    `${about}: ${withUnit(name, unit === '1' || unit === '' ? unit : `/ ${unit}`)}`,
    ...values.map((value, i) => {
      const bar = barOf((Math.abs(value) / size) * room, plain)
      const number = (numbers[i] ?? '').padStart(numberWidth)
      return `${(shown[i] ?? '').padEnd(labelWidth)} ${number} ${ink}${bar}${ink === '' ? '' : RESET}`
    }),
  ]
}
