import type { Change } from '#store/database.ts'
import { keyOf, seqKey } from '#store/key-parts.ts'
import type { Migration } from './step.ts'

/** Rows written in one batch. */
const BATCH_MAX = 1_000

/** Stores of schema 2 have moved nothing: every envelope that is not soulbound may move, and none is tied. */
export const indexMovable: Migration = {
  from: 2,
  to: 3,
  why: 'envelopes that may move get their index; moves and their lists are kept from releases that would not see them',

  async *run(database) {
    const counts = new Map<string, number>()
    let batch: Change[] = []
    for await (const [token, { soulbound, listed_under: list, index }] of database.range('envelope')) {
      if (soulbound) continue
      counts.set(list, (counts.get(list) ?? 0) + 1)
      batch.push({ table: 'envelopeMovable', key: keyOf(list, seqKey(index)), row: token })
      if (batch.length < BATCH_MAX) continue
      yield batch
      batch = []
    }
    yield [...batch, ...[...counts].map(([key, row]): Change => ({ table: 'movable', key, row }))]
  },
}
