import { useEffect, useRef, useState } from 'preact/hooks'
import { type Judged, Verdict } from '#ui/part/verdict.tsx'
import { download } from '#ui/receipt/evidence.ts'
import type { Session } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { type ProvedAnswer, readProof } from './read-proof.ts'
import type { BlockShape } from './shapes.ts'

interface Asked {
  readonly session: Session
  readonly slug: string
  readonly genesis: string
  readonly row: BlockShape
}

interface State {
  readonly busy?: boolean
  readonly found?: Judged
  readonly problem?: Error
}

/** Buttons that verify an entry in this browser, and save its proof. */
export const VerifyEntry = ({ session, slug, genesis, row }: Asked) => {
  const [state, show] = useState<State>({})
  const running = useRef<AbortController>(undefined)
  useEffect(() => {
    show({})
    return () => running.current?.abort()
  }, [slug, row.seq, row.stateHash])
  const ask = async (work: (answer: ProvedAnswer) => Promise<Judged | undefined>): Promise<void> => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    show({ busy: true })
    try {
      const found = await work(await readProof({ session, slug, seq: row.seq }, stop.signal))
      if (!stop.signal.aborted) show(found === undefined ? {} : { found })
    } catch (error) {
      if (!stop.signal.aborted) show({ problem: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  const verify = (): void =>
    void ask(async (answer) => {
      const { judgeEntry } = await import('./judge-entry.ts')
      const { vkey: trusted, past } = session
      return judgeEntry({ slug, genesis, seq: row.seq, hash: row.stateHash, trusted, past }, answer)
    })
  const save = (): void =>
    void ask((answer) => {
      const document = JSON.stringify({ ...answer, slug, genesis_hash: genesis, vkey: session.vkey }, undefined, 2)
      download(`${slug}-${row.seq}-proof.json`, new Blob([document], { type: 'application/json' }))
      return Promise.resolve(undefined)
    })
  return (
    <>
      <div class="actions">
        <button type="button" onClick={verify} aria-disabled={state.busy}>
          {state.busy ? 'Waiting for the seal …' : 'Verify here'}
        </button>
        <button type="button" onClick={save}>
          Download proof
        </button>
      </div>
      {state.problem !== undefined && <ProblemCard problem={state.problem} />}
      {state.found !== undefined && <Verdict of={state.found} subject={`${slug}, entry ${row.seq}`} />}
    </>
  )
}
