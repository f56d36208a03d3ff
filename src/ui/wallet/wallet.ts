import type { ResultAt } from '#api/result-of.ts'
import { nodeOfLog } from '#core/ids.ts'
import { provenPast } from '#core/succession.ts'
import type { PageSession } from '#ui/session.ts'

/** What the parts of the wallet are told by the node. */
export type EnvelopeList = ResultAt<'GET /api/tally/envelopes/{zid}'>
export type Item = EnvelopeList['envelopes'][number]
export type MoveItem = ResultAt<'GET /api/tally/moves'>['moves'][number]

/** A number of envelopes in words. */
export const envelopesText = (count: number): string => (count === 1 ? '1 envelope' : `${count} envelopes`)

/** Whose log a token comes from, in words: this node's, that of an earlier key of it, or another node's. */
export const homeText = (home: string, { node, past }: Pick<PageSession, 'node' | 'past'>): string => {
  const of = nodeOfLog(home)
  if (of === node) return 'this node'
  const before = provenPast(past).some(({ succession }) => succession.old_node === of)
  return before ? `this node, by its earlier key …${of.slice(-6)}` : `node …${of.slice(-6)}`
}

/** Whether the page acts as an account: what moves is an account's, and a demo key has none. */
export const isAccount = ({ self }: Pick<PageSession, 'self'>): boolean => self.kind !== 'demo'
