import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { axesOf } from '#numerics/plot/draw-curves.ts'
import { figure, withUnit } from '#numerics/plot/figures.ts'
import type { CurvesPlot } from '#numerics/plot/plot.ts'
import { aboutOf } from './about.ts'
import { canvasInks, useTheme } from './inks.ts'
import { type Cursor, type LineData, lineDataOf } from './line-data.ts'
import { LineLegend } from './line-legend.tsx'
import { lineOptions } from './line-options.ts'
import type { LiveProps } from './live-props.ts'
import { TouchFrame } from './touch-frame.tsx'
import { useGestures } from './use-gestures.ts'
import { lead, useLineKeys } from './use-line-keys.ts'

/** The sides of a plot. */
const RATIO = 0.5
const HEIGHT_PX_MIN = 200

interface Props extends LiveProps {
  readonly plot: CurvesPlot
  readonly whole: CurvesPlot
}

/** The drawing, made anew when what it shows changes: uPlot takes milliseconds for it. */
const useLines = ({ plot, room, linked, moment }: Props, data: LineData, point: (at: Cursor) => void) => {
  const host = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot>(undefined)
  const theme = useTheme()
  const axes = useMemo(() => axesOf(plot), [plot])
  const width = Math.max(1, room.across)
  const height = Math.round(Math.max(HEIGHT_PX_MIN, Math.min(room.heightMax, RATIO * width)))
  useEffect(() => {
    const { current } = host
    const bars = uPlot.paths.bars?.({ size: [1, 2] })
    if (current === null || bars === undefined) return
    const group = linked === undefined ? undefined : `${linked} ${plot.x.name} ${plot.x.unit}`
    const order = { plot, axes, width, height, inks: canvasInks(), linked: group, moment, point }
    const u = new uPlot(lineOptions(order, bars), [data.x, ...data.columns] as uPlot.AlignedData, current)
    drawn.current = u
    return () => u.destroy()
  }, [plot, data, axes, width, height, linked, moment, theme])
  return { host, drawn, axes }
}

/** The numbers of a cursor in words. */
const wordsOf = ({ x, y, curves }: CurvesPlot, data: LineData, at: Cursor): string | undefined => {
  const place = at[0] == null ? undefined : data.x[at[0]]
  if (place === undefined) return undefined
  const values = curves.map(({ name }, i) => {
    const index = at[i + 1]
    const value = index == null ? undefined : data.columns[i]?.[index]
    return value == null ? undefined : `${name} ${withUnit(figure(value), y.unit)}`
  })
  return `${x.name} ${withUnit(figure(place), x.unit)}: ${values.filter((it) => it !== undefined).join(', ')}`
}

/** Curves over one x, with the values of all of them under one cursor. */
export const LineView = (props: Props) => {
  const { plot, whole, look, change } = props
  const data = useMemo(() => lineDataOf(plot), [plot.curves, plot.x.scale, plot.y.scale])
  const [at, point] = useState<Cursor>([])
  const [byKey, keyed] = useState(false)
  const { host, drawn, axes } = useLines(props, data, point)
  const { move, forget } = useLineKeys({ drawn, data, axis: axes.x, point })
  const zoom = { axes, whole: useMemo(() => axesOf(whole), [whole]), seen: look.seen, fixed: false }
  const { chosen, press, handlers } = useGestures({
    frame: () => drawn.current?.over.getBoundingClientRect(),
    zoom,
    see: (seen) => change({ seen }),
    point: (place) => {
      keyed(false)
      forget()
      lead(drawn.current, place)
    },
    pick: () => undefined,
  })
  const keyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') return lead(drawn.current, undefined)
    const moved = move(event.key)
    if (moved) keyed(true)
    // The arrows move along the plot and not the page.
    if (moved || press(event)) event.preventDefault()
  }
  const about = useMemo(() => aboutOf(plot), [plot])
  return (
    <>
      <TouchFrame
        label={`${about}. The arrow keys read its numbers, plus and minus zoom.`}
        onKeyDown={keyDown}
        chosen={chosen}
        handlers={handlers}
      >
        <div ref={host} class="lines" aria-hidden="true" />
      </TouchFrame>
      <LineLegend plot={plot} data={data} at={at} />
      <figcaption aria-live={byKey ? 'polite' : 'off'}>{wordsOf(plot, data, at) ?? about}</figcaption>
    </>
  )
}
