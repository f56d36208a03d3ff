import { useEffect, useRef, useState } from 'preact/hooks'
import { type Judged, Verdict } from '#ui/part/verdict.tsx'
import { download } from '#ui/receipt/evidence.ts'
import { pause } from '#ui/server/pause.ts'
import { TICK_MS } from '#ui/server/pulse.ts'
import type { Session } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { BlockShape } from './shapes.ts'

/** Ticks in which an entry must long be under a checkpoint, even a late one. */
const TICKS_MAX = 20

interface BlockAnswer {
  readonly entry: unknown
  readonly proof: unknown
}

interface Asked {
  readonly session: Session
  readonly slug: string
  readonly genesis: string
  readonly row: BlockShape
}

/** The entry with its proof, as soon as its tick is sealed. @throws ApiProblem, NodeGone, the signal's reason */
const readProof = async ({ session, slug, row }: Asked, signal: AbortSignal): Promise<BlockAnswer> => {
  const path = `/api/chain/${slug}/block?seq=${row.seq}`
  for (let attempt = 1; ; attempt++) {
    const answer = await session.send<BlockAnswer>(path, { signal })
    if (answer.proof !== null) return answer
    if (attempt >= TICKS_MAX) throw new Error('The tick of this entry is not sealed yet. Try again in a moment.')
    await pause(TICK_MS, signal)
  }
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
  const ask = async (work: (answer: BlockAnswer) => Promise<Judged | undefined>): Promise<void> => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    show({ busy: true })
    try {
      const found = await work(await readProof({ session, slug, genesis, row }, stop.signal))
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
