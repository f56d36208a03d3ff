import { useEffect, useRef, useState } from 'preact/hooks'
import type { Style } from '#numerics/plot/marks.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { pageInks } from './inks.ts'

/** Room beside the values, for axes and legend; below the least width the drawing is scaled down. */
const SIDES_PX = 300
const WIDTH_PX_MIN = 190
/** Where there is no room beside the values, legends stand below them; the room for the axes. */
const NARROW_PX = 620
const AXES_PX = 118
/** A plot is this share of the window high at most, and at least so many pixels. */
const HEIGHT_SHARE = 0.6
const HEIGHT_PX_MIN = 240
/** Full screen: title, tools, numbers and labels stand above and below. */
const AROUND_PX = 260

/** The room for a plot, in pixels across and down. */
export interface Room {
  readonly across: number
  readonly heightMax: number
}

const roomOf = (across: number, full: boolean): Room => ({
  across,
  heightMax: Math.max(HEIGHT_PX_MIN, full ? innerHeight - AROUND_PX : HEIGHT_SHARE * innerHeight),
})

/** Whether something stands beside the values: a scale of colours, the names of several curves. */
const hasAside = (plot: Plot): boolean =>
  plot.kind === 'map' || (plot.kind === 'curves' && (plot.curves.length > 1 || plot.curves[0]?.shade !== undefined))

/** How a plot is drawn in such a room, in the colours of the page. */
export const styleIn = ({ across, heightMax }: Room, plot: Plot): Style => {
  const below = across < NARROW_PX
  const sides = hasAside(plot) && !below ? SIDES_PX : AXES_PX
  return { inks: pageInks, widthMax: Math.max(WIDTH_PX_MIN, across - sides), heightMax, below }
}

/** The room of an element as it changes, and whether that is the whole screen. */
export const useRoom = () => {
  const box = useRef<HTMLElement>(null)
  const [room, fit] = useState<Room>()
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const measure = (): void => fit(roomOf(current.clientWidth, document.fullscreenElement === current))
    const watch = new ResizeObserver(measure)
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  return { box, room }
}
