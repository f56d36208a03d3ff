import { useEffect, useState } from 'preact/hooks'
import { TICK_NS } from '#core/tick.ts'
import { send } from './api.ts'

/** The node's clock as this page shows it between two readings. */
export interface Pulse {
  readonly tick: number
  /** In [0, 1). */
  readonly phase: number
  readonly meshTick: number
  /** Whether the last reading came through. */
  readonly live: boolean
}

interface Reading {
  readonly tick: number
  readonly phase: number
  readonly mesh_tick: number
  /** Milliseconds of this page's own clock at the reading. */
  readonly at: number
}

const TICK_MS = Number(TICK_NS) / 1e6
/** How often the node is asked; in between the page counts by itself. */
const READ_EVERY_MS = 10_000
/** How often the face of the clock is drawn anew. */
const DRAW_EVERY_MS = 50

const countOn = ({ tick, phase, mesh_tick, at }: Reading, now: number, live: boolean): Pulse => {
  const ticks = phase + (now - at) / TICK_MS
  const whole = Math.floor(ticks)
  return { tick: tick + whole, phase: ticks - whole, meshTick: mesh_tick + whole, live }
}

/** The node's pulse, counted on locally and set right by a reading every ten seconds. */
export const usePulse = (): Pulse | undefined => {
  const [pulse, show] = useState<Pulse>()
  useEffect(() => {
    let reading: Reading | undefined
    let live = false
    const read = async (): Promise<void> => {
      const before = performance.now()
      try {
        const found = await send<Omit<Reading, 'at'>>('/api/svc/pulse')
        reading = { ...found, at: (before + performance.now()) / 2 }
        live = true
      } catch {
        live = false
      }
    }
    const draw = (): void => {
      if (reading !== undefined) show(countOn(reading, performance.now(), live))
    }
    void read()
    const reads = setInterval(() => void read(), READ_EVERY_MS)
    const draws = setInterval(draw, DRAW_EVERY_MS)
    return () => {
      clearInterval(reads)
      clearInterval(draws)
    }
  }, [])
  return pulse
}
