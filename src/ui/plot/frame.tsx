import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Axis, sizeOf, ticksOf } from './axes.ts'

/** Room around the plot, in pixels: for the numbers and labels of the axes. */
const LEFT_PX = 58
const BELOW_PX = 42
const ABOVE_PX = 8
const RIGHT_PX = 14
/** Largest and least side of the plot itself. */
const SIDE_PX_MAX = 440
const WIDTH_PX_MAX = 640
const SIDE_PX_MIN = 32
/** Distance between ticks that keeps their numbers apart. */
const TICK_X_PX = 64
const TICK_Y_PX = 36
/** Steps that even the shortest axis has: one number says nothing of a length. */
const STEPS_MIN = 2
const TICK_PX = 5

/** The plot itself within its frame, in pixels. */
export interface Room {
  readonly width: number
  readonly height: number
}

/** The largest width for a ratio of height to width. */
const widthMax = (ratio: number): number => Math.min(WIDTH_PX_MAX, SIDE_PX_MAX / ratio)

/** The largest room of the physical ratio; one that would be a hair line is widened. */
const roomOf = (available: number, ratio: number): Room => {
  const width = Math.min(available, widthMax(ratio))
  const clamp = (side: number): number => Math.round(Math.max(SIDE_PX_MIN, side))
  return { width: clamp(width), height: clamp(width * ratio) }
}

const useWidth = () => {
  const box = useRef<HTMLDivElement>(null)
  const [width, resize] = useState(0)
  useEffect(() => {
    if (box.current === null) return
    const watch = new ResizeObserver(([entry]) => resize(entry?.contentRect.width ?? 0))
    watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  return { box, width }
}

const AxisX = ({ axis, room }: { readonly axis: Axis; readonly room: Room }) => {
  const { ticks, label } = ticksOf(axis, Math.max(STEPS_MIN, room.width / TICK_X_PX))
  const span = axis.high - axis.low || 1
  const bottom = ABOVE_PX + room.height
  return (
    <g>
      {ticks.map(({ at, text }) => {
        const x = LEFT_PX + ((at - axis.low) / span) * room.width
        return (
          <g key={text}>
            <line x1={x} x2={x} y1={bottom} y2={bottom + TICK_PX} />
            <text x={x} y={bottom + 18} text-anchor="middle">
              {text}
            </text>
          </g>
        )
      })}
      <text class="axis" x={LEFT_PX + room.width / 2} y={bottom + 36} text-anchor="middle">
        {label}
      </text>
    </g>
  )
}

const AxisY = ({ axis, room }: { readonly axis: Axis; readonly room: Room }) => {
  const { ticks, label } = ticksOf(axis, Math.max(STEPS_MIN, room.height / TICK_Y_PX))
  const span = axis.high - axis.low || 1
  const middle = ABOVE_PX + room.height / 2
  return (
    <g>
      {ticks.map(({ at, text }) => {
        const y = ABOVE_PX + room.height * (1 - (at - axis.low) / span)
        return (
          <g key={text}>
            <line x1={LEFT_PX - TICK_PX} x2={LEFT_PX} y1={y} y2={y} />
            <text x={LEFT_PX - TICK_PX - 4} y={y + 4} text-anchor="end">
              {text}
            </text>
          </g>
        )
      })}
      <text class="axis" x={14} y={middle} text-anchor="middle" transform={`rotate(-90 14 ${middle})`}>
        {label}
      </text>
    </g>
  )
}

interface Props {
  readonly x: Axis
  readonly y: Axis
  /** What is drawn inside, of exactly this room. */
  readonly children: (room: Room) => ComponentChildren
}

/** Two axes of one scale around a drawing: a metre is as long across as it is up. */
export const Frame = ({ x, y, children }: Props) => {
  const { box, width } = useWidth()
  const ratio = (y.high - y.low || 1) / (x.high - x.low || 1)
  const room = roomOf(width - LEFT_PX - RIGHT_PX, ratio)
  const common = x.unit === y.unit ? { size: Math.max(sizeOf(x), sizeOf(y)) } : {}
  const size = { width: LEFT_PX + room.width + RIGHT_PX, height: ABOVE_PX + room.height + BELOW_PX }
  return (
    <div ref={box} class="frame" style={{ width: `${LEFT_PX + widthMax(ratio) + RIGHT_PX}px` }}>
      {width > 0 && (
        <div class="frame-inner" style={{ width: `${size.width}px`, height: `${size.height}px` }}>
          <svg {...size} aria-hidden="true">
            <rect x={LEFT_PX - 0.5} y={ABOVE_PX - 0.5} width={room.width + 1} height={room.height + 1} />
            <AxisX axis={{ ...x, ...common }} room={room} />
            <AxisY axis={{ ...y, ...common }} room={room} />
          </svg>
          <div class="frame-room" style={{ left: `${LEFT_PX}px`, top: `${ABOVE_PX}px` }}>
            {children(room)}
          </div>
        </div>
      )}
    </div>
  )
}
