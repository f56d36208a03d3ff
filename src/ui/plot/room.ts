import { useEffect, useRef, useState } from 'preact/hooks'

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

/** The room for a plot. */
export interface Room {
  readonly widthMax: number
  readonly heightMax: number
  /** Whether what explains the values stands below them. */
  readonly below: boolean
  /** All of it across; 0 before it was measured. */
  readonly across: number
}

const roomOf = (across: number, full: boolean): Room => {
  const below = across < NARROW_PX
  return {
    widthMax: Math.max(WIDTH_PX_MIN, across - (below ? AXES_PX : SIDES_PX)),
    heightMax: Math.max(HEIGHT_PX_MIN, full ? innerHeight - AROUND_PX : HEIGHT_SHARE * innerHeight),
    below,
    across,
  }
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
