import type { InputAt } from '#api/result-of.ts'
import { sleep } from '#core/wait.ts'
import { TICK_MS } from '#ui/server/pulse.ts'
import type { PageSession } from '#ui/session.ts'
import type { ProvedStep, Reactor, Trajectory } from './reactor.ts'

type Asked = InputAt<'GET /api/svc/reactor/trajectory'>

/** Rows of one page with proofs: the node gives no more. */
const PAGE_ROWS = 50
/** Ticks in which an entry must long be under a checkpoint, even a late one. */
const TICKS_MAX = 20

export interface Proved {
  readonly reactor: Reactor
  readonly rows: readonly ProvedStep[]
}

/** One page; as soon as every entry of it is under a checkpoint. */
const readPage = async (session: PageSession, asked: Asked, signal: AbortSignal): Promise<Trajectory> => {
  for (let attempt = 1; ; attempt++) {
    const page = await session.call('GET /api/svc/reactor/trajectory', asked, { signal })
    if (page.rows.every(({ entry }) => entry === null || entry.proof !== null)) return page
    if (attempt >= TICKS_MAX) throw new Error('The tick of a step is not sealed yet. Try again in a moment.')
    await sleep(TICK_MS, signal)
  }
}

/** A whole trajectory with the proof of every entry. @throws ApiProblem, NodeGone, or the signal's reason. */
export const readProved = async (
  session: PageSession,
  id: string,
  { signal, tell }: { readonly signal: AbortSignal; readonly tell: (share: number) => void },
): Promise<Proved> => {
  let rows: readonly ProvedStep[] = []
  for (;;) {
    signal.throwIfAborted()
    const after = rows.length === 0 ? undefined : rows.length - 1
    const asked = { reactor: id, proofs: true, limit: PAGE_ROWS, after }
    const { reactor, rows: more, next_after: next } = await readPage(session, asked, signal)
    rows = [...rows, ...more]
    tell(rows.length / (reactor.step + 1))
    if (next === null) return { reactor, rows }
  }
}
