import { useEffect, useState } from 'preact/hooks'

/** Frames a second at each speed. */
export const speeds = [2, 5, 10, 20] as const

export type Speed = (typeof speeds)[number]

/** A place among `count` that goes on by itself while it is played, and halts at the end. */
export const useClockwork = (count: number) => {
  const [at, go] = useState(0)
  const [plays, play] = useState(false)
  const [speed, hurry] = useState<Speed>(5)
  const last = Math.max(0, count - 1)
  useEffect(() => {
    if (!plays) return
    const timer = setInterval(() => go((old) => Math.min(last, old + 1)), 1000 / speed)
    return () => clearInterval(timer)
  }, [plays, speed, last])
  useEffect(() => {
    if (plays && at >= last) play(false)
  }, [plays, at, last])
  const toggle = (): void => {
    if (!plays && at >= last) go(0)
    play(!plays)
  }
  const seek = (to: number): void => {
    play(false)
    go(Math.min(last, Math.max(0, to)))
  }
  return { at: Math.min(at, last), plays, speed, toggle, seek, hurry }
}
