import type { ComputePorts } from '#domain/compute/types.ts'
import { outcomeKey } from '#store/rows/batch.ts'
import { givenUp, outcomeOf } from './ends.ts'
import { known, type LiveBatch, openCalls } from './live.ts'

/** Ends what is computed, and writes down at once that nothing comes of the calls that were never begun. */
const endRest = async ({ store }: Pick<ComputePorts, 'store'>, batch: LiveBatch): Promise<void> => {
  await batch.ready
  const rest = openCalls(batch).filter((index) => !batch.begun.has(index))
  for (const run of batch.runs.values()) run.cancel(givenUp())
  const outcome = outcomeOf(givenUp())
  await store.commit((tx) => {
    for (const index of rest) tx.put('batchOutcome', outcomeKey(batch.row.id, index), outcome)
  })
  for (const index of rest) known(batch, index, outcome)
}

/**
 * Gives a batch up: what is computed is ended, what has not begun never begins, and neither costs anything. It ends
 * when that is written down, and nothing of it is taken up again after a restart. What is sealed stays sealed.
 *
 * @throws what keeps the batch from going on
 */
export const cancelBatch = async (ports: Pick<ComputePorts, 'store'>, batch: LiveBatch): Promise<void> => {
  batch.givenUp ??= endRest(ports, batch).catch((cause) => {
    batch.broken ??= cause
  })
  await batch.givenUp
  if (batch.broken !== undefined) throw batch.broken
}
