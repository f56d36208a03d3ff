import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import type { Axis } from '#numerics/plot/axes.ts'
import { type Cursor, cursorAt, type LineData } from './line-data.ts'

/** Places that Page up and Page down go on. */
const PAGE = 20

/** Leads the cursor to a place on the screen, or away, as a mouse does: the linked plots follow no other way. */
export const lead = (u: uPlot | undefined, place: { readonly x: number; readonly y: number } | undefined): void => {
  const at = place === undefined ? {} : { clientX: place.x, clientY: place.y }
  u?.over.dispatchEvent(new MouseEvent(place === undefined ? 'mouseleave' : 'mousemove', at))
}

interface Options {
  readonly drawn: RefObject<uPlot | undefined>
  readonly data: LineData
  /** What of the places is seen. */
  readonly axis: Axis
  readonly point: (at: Cursor) => void
}

/**
 * Reads lines by key, place by place: a mouse points at whole pixels, under one of which there may be many places.
 * `move` says whether a key was one of these; `forget` begins anew from where the pointer is.
 */
export const useLineKeys = ({ drawn, data, axis, point }: Options) => {
  const index = useRef<number>(undefined)
  const go = (to: number): void => {
    const u = drawn.current
    const first = data.x.findIndex((it) => it >= axis.low)
    const last = data.x.findLastIndex((it) => it <= axis.high)
    const at = Math.min(last, Math.max(first, to))
    const x = data.x[at]
    if (u == null || x === undefined) return
    const { left, top, height } = u.over.getBoundingClientRect()
    lead(u, { x: left + u.valToPos(x, 'x'), y: top + height / 2 })
    index.current = at
    point(cursorAt(data, at))
  }
  const forget = (): void => {
    index.current = undefined
  }
  const move = (key: string): boolean => {
    const now = index.current ?? drawn.current?.cursor.idx ?? -1
    const places = new Map([
      ['ArrowRight', now + 1],
      ['ArrowLeft', now - 1],
      ['PageUp', now + PAGE],
      ['PageDown', now - PAGE],
      ['Home', 0],
      ['End', data.x.length - 1],
    ])
    const next = places.get(key)
    if (next !== undefined) go(next)
    return next !== undefined
  }
  return { move, forget }
}
