import type { ResultAt } from '#api/result-of.ts'
import type { PageSession } from '#ui/session.ts'

type Read = ResultAt<'GET /api/chain/{slug}/contracts/{id}'>['contract']

/** A contract as it stands now. */
export type ShownContract = Extract<Read, { firing: boolean }>

/** A contract of a machine. */
export interface Which {
  readonly slug: string
  readonly id: string
}

/** Reads a contract as it stands. @throws ApiProblem, NodeGone, the signal's reason */
export const readContract = async (session: PageSession, which: Which, signal: AbortSignal): Promise<ShownContract> => {
  const { contract } = await session.call('GET /api/chain/{slug}/contracts/{id}', { ...which }, { signal })
  return contract as ShownContract
}
