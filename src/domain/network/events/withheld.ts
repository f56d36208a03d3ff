import { withheldSchema } from '#core/dispute/statements.ts'
import { nodeOfLog } from '#core/ids.ts'
import { keepDisputed } from '#domain/network/disputes/keep.ts'
import { lastingType } from '#domain/network/event-type.ts'
import { actsFor } from './bond-release.ts'

/**
 * A home withheld its part of a bond. It proves nothing to others: each believes what it ran itself, and a home that is
 * a party waits for another's word (trust.md, Verdicts are checked).
 */
export const withheld = lastingType({
  type: 'withheld',
  payload: withheldSchema,
  atOnce: false,
  // It names a challenge and no work: whose that was is not known without a search.
  shard: () => undefined,
  names: (_, { bond }) => [{ kind: 'bond', name: bond, isIt: false }],

  check: () => undefined,

  apply: (tx, { sourceNodeId }, { bond, ...word }) => {
    const row = tx.get('bond', bond)
    const isPart = row?.parts.some(({ home }) => home === word.home) === true
    if (row === undefined || !isPart || !actsFor(tx, sourceNodeId, nodeOfLog(word.home))) return
    // One word a home, the first: parts are bounded, and so are words.
    if (row.said.some(({ home }) => home === word.home)) return
    tx.put('bond', bond, { ...row, said: [...row.said, word] })
  },

  keep: (put, event, at, { challenge }) => keepDisputed(put, event, { type: 'withheld', about: challenge, at }),
})
