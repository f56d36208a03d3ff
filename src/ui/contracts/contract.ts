import type { ResultAt } from '#api/result-of.ts'
import type { ShownContract } from './reads.ts'

/** A contract in a list. */
export type ContractLine = ResultAt<'GET /api/chain/{slug}/contracts'>['contracts'][number]

/** How a status is coloured. */
export const statusClass = { live: 'sealed', paused: 'promised', frozen: 'final' } as const

/** Where the page of a contract is. */
export const placeOf = ({ slug, id }: Pick<ContractLine, 'slug' | 'id'>): string => `contract/${slug}/${id}`

/** Why a contract does nothing, in words. */
export const statusWords = ({ status, paused_by }: Pick<ShownContract, 'status' | 'paused_by'>): string => {
  if (status === 'live') return 'It acts by itself.'
  if (status === 'frozen') return 'It has ended for good; it can be read for ever.'
  if (paused_by === 'author') return 'It was not started yet.'
  return paused_by === 'failures' ? 'It was paused by failures in a row.' : 'It was paused by hand.'
}
