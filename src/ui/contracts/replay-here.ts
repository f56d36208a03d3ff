import type { ResultAt } from '#api/result-of.ts'
import type { ChainFile } from '#core/chain-file.ts'
import { CONTRACT_EXPORT_FORMAT } from '#core/contract/export.ts'
import { sourcesBelow } from '#core/contract/sources-below.ts'
import { exportChain } from '#ui/machine/chain-export.ts'
import { askWorker } from '#ui/part/ask-worker.ts'
import type { PageSession } from '#ui/session.ts'
import type { Which } from './reads.ts'
import type { ReplayedHere, ReplayQuestion } from './replay-worker.ts'

/** Rows of a contract that a page decides again: the command line takes longer ones. */
const ROWS_MAX = 10_000

/** What is asked for, and by whom. */
interface Order extends Which {
  readonly session: PageSession
  readonly signal: AbortSignal
  readonly tell: (share: number) => void
}

type History = NonNullable<ResultAt<'GET /api/chain/{slug}/contracts/{id}/export'>['history']>

const historyOf = async ({ session, slug, id, signal }: Order): Promise<History> => {
  const asked = { slug, id, history: true }
  const { history } = await session.call('GET /api/chain/{slug}/contracts/{id}/export', asked, { signal })
  if (history === undefined) throw new Error('The node gave no history of it.')
  return history
}

/** Everything that a contract did, as a stranger would be given it. */
export const historyHere = async (order: Order): Promise<unknown> => {
  const { session, slug, signal } = order
  // Read before the chain: whatever a row says is in it.
  const { unsealed, attested: first, ...history } = await historyOf(order)
  const { length } = history.rows
  if (length > ROWS_MAX) throw new Error(`A page decides ${ROWS_MAX} rows again. Take: tickmesh contracts replay`)
  const { head } = await session.call('GET /api/chain/{slug}/state', { slug }, { signal })
  const { genesis } = history
  const blob = await exportChain({ session, slug, genesis, size: head.size, signal, tell: () => undefined })
  const chain = JSON.parse(await blob.text()) as ChainFile
  // By now what was read before the newest row is under a checkpoint too.
  const sources = unsealed === 0 ? first : (await historyOf(order)).attested
  return { format: CONTRACT_EXPORT_FORMAT, ...history, attested: sourcesBelow(sources, length), chain }
}

const startReplay = (): Worker => new Worker(new URL('./replay-worker.ts', import.meta.url), { type: 'module' })
const missing = 'What decides fires again could not be loaded.'

/** Decides every fire of a contract again, in this browser, by what it gathers of it. */
export const replayHere = async (order: Order): Promise<ReplayedHere> => {
  const { session, tell, signal } = order
  const question: ReplayQuestion = { file: await historyHere(order), trusted: session.vkey, past: session.past }
  return askWorker<ReplayedHere>(startReplay, question, { tell, signal, missing })
}
