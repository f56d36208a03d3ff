import type { ResultAt } from '#api/result-of.ts'

/** One entry of a chain. */
export type ChainRow = ResultAt<'GET /api/chain/{slug}/explore'>['rows'][number]

/** What an entry is called: an event by its own name, anything else by its type. */
export const nameOf = ({ transitionType, body }: Pick<ChainRow, 'transitionType' | 'body'>): string => {
  const event = typeof body === 'object' && body !== null ? (body as { event?: unknown }).event : undefined
  return transitionType === 'event' && typeof event === 'string' ? event : transitionType
}

/** Where an entry came from, as everyone may know it. */
export const sourceOf = ({ body }: ChainRow): string => {
  const source = typeof body === 'object' && body !== null ? (body as { source?: unknown }).source : undefined
  return typeof source === 'string' ? source : 'node'
}
