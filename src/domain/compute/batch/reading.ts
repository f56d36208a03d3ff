import { assert } from '#core/assert.ts'
import type { BatchCall } from '#core/batch/forms.ts'
import type { Answers } from '#domain/compute/answers.ts'
import type { ComputePorts } from '#domain/compute/types.ts'
import { leafProof } from '#store/leaf-proof.ts'
import type { BatchCallRecord, BatchOutcomeRow } from '#store/rows/batch.ts'
import type { LiveBatch } from './live.ts'
import { closingOf, openingOf } from './statements.ts'
import type { BatchLine } from './types.ts'

/** Waits for a change. @throws the signal's reason when its reader leaves; what keeps the batch from going on */
const moved = async (batch: LiveBatch, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted()
  if (batch.broken !== undefined) throw batch.broken
  const left = Promise.withResolvers<never>()
  const leave = (): void => left.reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    await Promise.race([batch.moved(), left.promise])
  } finally {
    signal.removeEventListener('abort', leave)
    left.promise.catch(() => undefined)
  }
}

const callOf = ({ route, input, inputs_digest }: BatchCallRecord): BatchCall => ({ route, input, inputs_digest })

type Ports = Pick<ComputePorts, 'store'>

/** Reads batches, whether or not they are under way. */
export const createReading = (ports: Ports, { answers }: { readonly answers: Pick<Answers, 'recall'> }) => {
  const { store } = ports

  const answered = async (
    { fresh }: LiveBatch,
    { index, call }: { readonly index: number; readonly call: BatchCall },
    it: BatchOutcomeRow,
  ): Promise<BatchLine> =>
    it.outcome === 'sealed'
      ? { kind: 'sealed', index, call, answer: fresh.take(index) ?? (await answers.recall(it.token_id)) }
      : { kind: it.outcome, index, call, problem: it.problem }

  const closed = async ({ row }: LiveBatch): Promise<BatchLine> => {
    assert(row.closed !== null, 'it is asked for once the batch is closed')
    const [opening, closing] = await Promise.all([row.opened, row.closed].map((it) => leafProof(store, it)))
    const proofs = { opening: opening ?? null, closing: closing ?? null }
    return { kind: 'closing', ...(await closingOf(ports, row.closed)), proofs }
  }

  return async function* (
    batch: LiveBatch,
    calls: readonly BatchCallRecord[],
    { after, signal }: { readonly after: number; readonly signal: AbortSignal },
  ): AsyncGenerator<BatchLine> {
    yield { kind: 'opening', ...(await openingOf(ports, batch.row)) }
    for (const [index, call] of calls.entries()) {
      if (index < after) continue
      let outcome = batch.outcomes[index]
      for (; outcome === undefined; outcome = batch.outcomes[index]) await moved(batch, signal)
      yield await answered(batch, { index, call: callOf(call) }, outcome)
    }
    while (batch.row.closed === null) await moved(batch, signal)
    yield await closed(batch)
  }
}
