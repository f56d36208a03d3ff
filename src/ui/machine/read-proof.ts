import type { EntryProof } from '#core/machine.ts'
import { sleep } from '#core/wait.ts'
import { TICK_MS } from '#ui/server/pulse.ts'
import type { PageSession } from '#ui/session.ts'

/** Ticks in which an entry must long be under a checkpoint, even a late one. */
const TICKS_MAX = 20

/** An entry with its proof, as the node gives it: nothing of it is checked. */
export interface ProvedAnswer {
  readonly entry: unknown
  readonly proof: EntryProof
}

interface Asked {
  readonly session: PageSession
  readonly slug: string
  readonly seq: number
}

/** The entry with its proof, as soon as its tick is sealed. @throws ApiProblem, NodeGone, the signal's reason */
export const readProof = async ({ session, slug, seq }: Asked, signal: AbortSignal): Promise<ProvedAnswer> => {
  for (let attempt = 1; ; attempt++) {
    const answer = await session.call('GET /api/chain/{slug}/block', { slug, seq }, { signal })
    if (answer.proof !== null) return { ...answer, proof: answer.proof }
    if (attempt >= TICKS_MAX) throw new Error('The tick of this entry is not sealed yet. Try again in a moment.')
    await sleep(TICK_MS, signal)
  }
}
