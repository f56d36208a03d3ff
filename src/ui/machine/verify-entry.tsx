import { useEffect, useRef, useState } from 'preact/hooks'
import { Verdict, type VerificationView } from '#ui/part/verdict.tsx'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { ChainRow } from './entry.ts'
import { readProof } from './read-proof.ts'

interface Asked {
  readonly session: PageSession
  readonly slug: string
  readonly genesis: string
  readonly row: ChainRow
}

interface State {
  readonly busy?: boolean
  readonly found?: VerificationView
  readonly problem?: Error
}

/** A button that verifies an entry in this browser, and what came of it. */
export const VerifyEntry = ({ session, slug, genesis, row }: Asked) => {
  const [state, show] = useState<State>({})
  const running = useRef<AbortController>(undefined)
  useEffect(() => {
    show({})
    return () => running.current?.abort()
  }, [slug, row.seq, row.stateHash])
  const verify = async (): Promise<void> => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    show({ busy: true })
    try {
      const answer = await readProof({ session, slug, seq: row.seq }, stop.signal)
      const [{ verifyEntry }, { provenPast }] = await Promise.all([
        import('#core/machine-proof.ts'),
        import('#core/succession.ts'),
      ])
      const trust = { trusted: session.vkey, successions: provenPast(session.past) }
      const found = verifyEntry({ slug, genesis, row }, answer, trust)
      if (!stop.signal.aborted) show({ found })
    } catch (error) {
      if (!stop.signal.aborted) show({ problem: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => void verify()} aria-disabled={state.busy}>
          {state.busy ? 'Waiting for the seal …' : 'Verify here'}
        </button>
      </div>
      {state.problem !== undefined && <ProblemCard problem={state.problem} />}
      {state.found !== undefined && <Verdict of={state.found} subject={`${slug}, entry ${row.seq}`} />}
    </>
  )
}
