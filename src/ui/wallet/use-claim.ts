import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageSession } from '#ui/session.ts'
import { claimHere, type Working } from './claiming.ts'

/** Where a claim of this page stands. */
export interface ClaimState {
  readonly busy: boolean
  /** Milliseconds of the page's clock when the work began. */
  readonly sinceMs: number
  /** Once the workers have measured themselves. */
  readonly working: Working | undefined
  readonly said: string
  readonly problem: Error | undefined
}

export interface ClaimControl extends ClaimState {
  start(): void
  cancel(): void
}

const IDLE: ClaimState = { busy: false, sinceMs: 0, working: undefined, said: '', problem: undefined }

/** A claim that the visitor may begin and cancel. It ends when the view goes: what was not sent costs nothing. */
export const useClaim = (session: PageSession, onClaimed: () => void): ClaimControl => {
  const [state, show] = useState<ClaimState>(IDLE)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [session])
  const run = async (stop: AbortController): Promise<void> => {
    const { signal } = stop
    const end = (last: Partial<ClaimState>): void => {
      if (running.current === stop) show({ ...IDLE, ...last })
    }
    show({ ...IDLE, busy: true, sinceMs: performance.now() })
    try {
      const tell = (working: Working): void => {
        if (!signal.aborted) show((it) => ({ ...it, working }))
      }
      const claimed = await claimHere(session, { signal, tell })
      end({ said: claimed === undefined ? 'This took too long; try again.' : `${claimed.credits} free credits came.` })
      onClaimed()
    } catch (error) {
      if (signal.aborted) end({ said: 'Cancelled: nothing was spent.' })
      else end({ problem: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return {
    ...state,
    start: () => {
      if (state.busy) return
      running.current = new AbortController()
      void run(running.current)
    },
    cancel: () => running.current?.abort(),
  }
}
