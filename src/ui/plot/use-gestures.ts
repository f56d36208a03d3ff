import { useRef, useState } from 'preact/hooks'
import type { Seen } from '#numerics/plot/plot.ts'
import { framed, nearer, type Share, type Zoomable } from './zoom.ts'

/** Pixels that a press may move and still be a click. */
const CLICK_PX = 5
/** Times nearer by one key, and by a turn of the wheel of 100. */
const KEY_TIMES = 1.5
const WHEEL_TIMES = 1.2

/** A place on the screen. */
interface Place {
  readonly x: number
  readonly y: number
}

interface Options {
  /** Where the values are on the screen. */
  readonly frame: () => DOMRect | undefined
  readonly zoom: Zoomable
  readonly see: (part: Seen | undefined) => void
  /** A pointer is here, or nowhere any more. */
  readonly point: (at: Place | undefined) => void
  /** Somebody chose this place. */
  readonly pick: (at: Place) => void
}

const shareIn = ({ left, top, width, height }: DOMRect, { x, y }: Place): Share => ({
  x: (x - left) / width,
  y: 1 - (y - top) / height,
})

const placeOf = ({ clientX: x, clientY: y }: MouseEvent): Place => ({ x, y })

const apart = (a: Place, b: Place): number => Math.hypot(a.x - b.x, a.y - b.y)

/** A rectangle that is being drawn, in pixels of the element that it is drawn in. */
const rectangle = (element: Element, a: Place, b: Place) => {
  const { left, top } = element.getBoundingClientRect()
  const [x, y] = [Math.min(a.x, b.x) - left, Math.min(a.y, b.y) - top]
  return { left: `${x}px`, top: `${y}px`, width: `${Math.abs(a.x - b.x)}px`, height: `${Math.abs(a.y - b.y)}px` }
}

/** Two fingers on the glass: where they were last. */
const pinched = (fingers: ReadonlyMap<number, Place>): readonly [Place, Place] | undefined => {
  const [a, b] = [...fingers.values()]
  return a === undefined || b === undefined ? undefined : [a, b]
}

/**
 * Zoom by mouse, wheel, fingers and keys, on one plot: a rectangle that is drawn, Ctrl and the wheel (or the wheel
 * alone where the plot has the focus), two fingers, `+`, `-` and `0`; twice pressed, all is seen again.
 */
export const useGestures = ({ frame, zoom, see, point, pick }: Options) => {
  const fingers = useRef(new Map<number, Place>())
  const begun = useRef<Place>(undefined)
  const [chosen, choose] = useState<ReturnType<typeof rectangle>>()
  const closer = (times: number, at?: Place): void => {
    const rect = frame()
    if (rect !== undefined) see(nearer(zoom, times, at === undefined ? { x: 0.5, y: 0.5 } : shareIn(rect, at)))
  }
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return
    fingers.current.set(event.pointerId, placeOf(event))
    begun.current = fingers.current.size === 1 ? placeOf(event) : undefined
    choose(undefined)
  }
  const onPointerMove = (event: PointerEvent & { readonly currentTarget: Element }): void => {
    const [at, before] = [placeOf(event), pinched(fingers.current)]
    if (fingers.current.has(event.pointerId)) fingers.current.set(event.pointerId, at)
    const after = pinched(fingers.current)
    if (before !== undefined && after !== undefined) {
      const [from, to] = [apart(...before), apart(...after)]
      const middle = { x: (after[0].x + after[1].x) / 2, y: (after[0].y + after[1].y) / 2 }
      if (from > 0 && to > 0) closer(to / from, middle)
      return
    }
    point(at)
    // A finger that is drawn along reads; a mouse draws a rectangle, and keeps it beyond the plot's edge.
    if (event.pointerType === 'touch' || begun.current === undefined) return
    if (apart(begun.current, at) <= CLICK_PX) return
    event.currentTarget.setPointerCapture(event.pointerId)
    choose(rectangle(event.currentTarget, begun.current, at))
  }
  const release = ({ pointerId }: PointerEvent): void => {
    fingers.current.delete(pointerId)
    begun.current = undefined
    choose(undefined)
  }
  const onPointerUp = (event: PointerEvent): void => {
    const [from, at, rect] = [begun.current, placeOf(event), frame()]
    release(event)
    if (from === undefined || rect === undefined) return
    if (apart(from, at) <= CLICK_PX) pick(at)
    else if (event.pointerType !== 'touch') see(framed(zoom, shareIn(rect, from), shareIn(rect, at)))
  }
  const onWheel = (event: WheelEvent & { readonly currentTarget: Element }): void => {
    if (!event.ctrlKey && !event.currentTarget.matches(':focus, :fullscreen *')) return
    event.preventDefault()
    closer(WHEEL_TIMES ** (-event.deltaY / 100), placeOf(event))
  }
  /** Whether a key was one of the zoom's. */
  const press = ({ key }: KeyboardEvent): boolean => {
    if (key === '+' || key === '=') closer(KEY_TIMES)
    else if (key === '-') closer(1 / KEY_TIMES)
    else if (key === '0') see(undefined)
    else return false
    return true
  }
  return {
    chosen,
    press,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: release,
      onPointerLeave: () => point(undefined),
      onDblClick: () => see(undefined),
      onWheel,
    },
  }
}
