import { useEffect, useRef, useState } from 'preact/hooks'

interface State<Found> {
  /** Share of the run that is done, while it goes on. */
  readonly share?: number
  readonly found?: Found
  readonly problem?: string
}

/** A run in this browser, and where it stands. */
export interface Rerunning<Found> extends State<Found> {
  /** Begins anew; what was going on ends. */
  start(): void
  stop(): void
}

/** Runs something in this browser when it is asked to; it ends with the part of the page that shows it. */
export const useRerun = <Found>(
  work: (tell: (share: number) => void, signal: AbortSignal) => Promise<Found>,
): Rerunning<Found> => {
  const [state, show] = useState<State<Found>>({})
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (): Promise<void> => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    show({ share: 0 })
    try {
      const found = await work((share) => show({ share }), stop.signal)
      show({ found })
    } catch (error) {
      if (running.current !== stop) return
      show(stop.signal.aborted ? {} : { problem: error instanceof Error ? error.message : String(error) })
    }
  }
  return { ...state, start: () => void run(), stop: () => running.current?.abort() }
}
