import { useEffect, useRef, useState } from 'preact/hooks'
import { Verdict, type VerificationView } from '#ui/part/verdict.tsx'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { type Reactor, solverOf } from './reactor.ts'
import { readProved } from './read-proved.ts'
import { rerunHere } from './rerun-here.ts'

interface State {
  /** Share that is done, while it goes on. */
  readonly share?: number
  readonly found?: VerificationView
  readonly subject?: string
  readonly problem?: Error
}

interface Work {
  readonly signal: AbortSignal
  readonly tell: (share: number) => void
}

type Found = { readonly found: VerificationView; readonly subject: string }

const verify = async (session: PageSession, id: string, work: Work): Promise<Found> => {
  const [proved, { verifyTrajectory }] = await Promise.all([
    readProved(session, id, work),
    import('./verify-trajectory.ts'),
  ])
  const found = await verifyTrajectory({ ...proved, trusted: session.vkey, past: session.past })
  return { found, subject: `${solverOf(proved.reactor)}, ${proved.rows.length - 1} steps` }
}

const useWork = (id: string) => {
  const [state, show] = useState<State>({})
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [id])
  const run = async (work: (work: Work) => Promise<Found>): Promise<void> => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    const { signal } = stop
    show({ share: 0 })
    try {
      const found = await work({ signal, tell: (share) => signal.aborted || show({ share }) })
      if (!signal.aborted) show(found)
    } catch (error) {
      if (running.current !== stop) return
      show(signal.aborted ? {} : { problem: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return { ...state, run, stop: () => running.current?.abort() }
}

/** Verifies a trajectory in this browser, and takes its second half again. */
export const VerifyTrajectory = ({ session, reactor }: { session: PageSession; reactor: Reactor }) => {
  const { id } = reactor
  const { share, found, subject, problem, run, stop } = useWork(id)
  return (
    <>
      <div class="actions">
        {share !== undefined && (
          <button type="button" onClick={stop}>
            Stop verifying
          </button>
        )}
        {share === undefined && (
          <>
            <button type="button" onClick={() => void run((work) => verify(session, id, work))}>
              Verify here
            </button>
            <button
              type="button"
              disabled={reactor.step === 0}
              onClick={() => void run((work) => rerunHere(session, id, work))}
            >
              Run the second half again
            </button>
          </>
        )}
      </div>
      {share !== undefined && <progress value={share} max={1} aria-label="verification" />}
      {problem !== undefined && <ProblemCard problem={problem} />}
      {found !== undefined && <Verdict of={found} subject={subject ?? ''} />}
    </>
  )
}
