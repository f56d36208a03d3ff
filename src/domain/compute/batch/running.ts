import { Fault } from '#core/fault.ts'
import type { Pool } from '#domain/compute/pool.ts'
import type { Runner } from '#domain/compute/runner.ts'
import type { ComputePorts, Sealed, Unsealed } from '#domain/compute/types.ts'
import type { Hold } from '#domain/economy/economy.ts'
import { type BatchOutcomeRow, outcomeKey } from '#store/rows/batch.ts'
import { outcomeOf, unwritten } from './ends.ts'
import { known, type LiveBatch } from './live.ts'
import { closeIn, openingHash } from './statements.ts'
import { createTurnstile, type Turnstile } from './turnstile.ts'
import { FORMS_AT_ONCE, type PreparedCall } from './types.ts'

/** How often it is looked whether the line for threads is shorter, or whether the log takes leaves again. */
const LOOK_MS = 20

/** A call that can begin: its price is kept back. */
export interface HeldCall extends PreparedCall {
  readonly index: number
  readonly hold: Hold
}

/** The calls that a batch has still to run: at hand, or made again after a restart. */
export type CallsToRun = () => readonly HeldCall[] | Promise<readonly HeldCall[]>

type Ports = Pick<ComputePorts, 'store' | 'signer' | 'node' | 'sleep' | 'options' | 'log'>

interface Collaborators {
  readonly runner: Pick<Runner, 'start'>
  readonly pool: Pick<Pool, 'waiting'>
  /** Worker threads. */
  readonly threads: number
}

/** Runs the calls of batches and closes them. */
export interface BatchRuns {
  /**
   * Runs calls, each to its envelope or its refusal, and closes the batch when none is left. It never throws: what
   * keeps a batch from going on in this process is said to its readers, and the next start takes it up.
   */
  run(batch: LiveBatch, calls: CallsToRun): Promise<void>
  /** Writes down what came of a call that does not run. */
  settle(batch: LiveBatch, index: number, outcome: BatchOutcomeRow): Promise<void>
  /** From now on an ended run says nothing of its batch: it goes on at the next start. */
  stop(): void
}

/** Calls by operators alone are computed where they are; all others need a thread. */
const needsThread = ({ prepared }: PreparedCall): boolean => prepared.recipe.what !== 'operators'

/** Runs one call to its envelope. @throws its refusal, or why it was ended */
const begin = async (
  runner: Pick<Runner, 'start'>,
  batch: LiveBatch,
  { index, prepared, hold }: HeldCall,
): Promise<Sealed | Unsealed> => {
  const { id, caller } = batch.row
  const run = runner.start({ prepared, caller, idempotency: undefined, hold })
  // In the seal's own batch: a crash leaves no envelope of which the batch does not know.
  run.also((tx, token_id) => tx.put('batchOutcome', outcomeKey(id, index), { outcome: 'sealed', token_id }))
  batch.runs.set(index, run)
  try {
    return await run.done
  } finally {
    batch.runs.delete(index)
  }
}

/** Closes a batch of which nothing is left, as soon as the log takes leaves. @throws the signal's reason */
const close = async (ports: Ports, batch: LiveBatch, signal: AbortSignal): Promise<void> => {
  const { store, sleep } = ports
  const opening = await openingHash(ports, batch.row)
  while ((store.held !== undefined || store.clockBehind) && !signal.aborted) await sleep(LOOK_MS, signal)
  signal.throwIfAborted()
  const outcomes = batch.outcomes as readonly BatchOutcomeRow[]
  batch.row = await store.commit((tx) => closeIn(tx, ports, { row: batch.row, opening, outcomes }))
  batch.move()
}

/** The runs of all batches of a node: they share the threads, a few calls of each at a time. */
export const createRunning = (ports: Ports, { runner, pool, threads }: Collaborators): BatchRuns => {
  const { store, sleep, options, log } = ports
  const stopped = new AbortController()
  const { signal } = stopped
  const lanes = { forms: createTurnstile(FORMS_AT_ONCE), threads: createTurnstile(threads) }

  const settle: BatchRuns['settle'] = async (batch, index, outcome) => {
    await store.commit((tx) => tx.put('batchOutcome', outcomeKey(batch.row.id, index), outcome))
    known(batch, index, outcome)
  }

  const isOver = (batch: LiveBatch): boolean =>
    signal.aborted || store.failure !== undefined || batch.broken !== undefined

  /** What came of a call; undefined of one that the stopping node ended, which is still to be done. */
  const ended = async (batch: LiveBatch, call: HeldCall): Promise<BatchOutcomeRow | undefined> => {
    try {
      const it = await begin(runner, batch, call)
      if (it.kind === 'unsealed') return isOver(batch) ? undefined : unwritten(it)
      batch.fresh.keep(call.index, it)
      known(batch, call.index, { outcome: 'sealed', token_id: it.envelope.token_id })
      return undefined
    } catch (cause) {
      if (isOver(batch)) return undefined
      if (!(cause instanceof Fault)) log.error({ batch: batch.row.id, cause: String(cause) }, 'batch_call_failed')
      return outcomeOf(cause)
    } finally {
      call.hold.release()
    }
  }

  const one = async (batch: LiveBatch, call: HeldCall): Promise<void> => {
    try {
      const outcome = await ended(batch, call)
      if (outcome !== undefined) await settle(batch, call.index, outcome)
    } catch (cause) {
      batch.broken ??= cause
    }
  }

  /** Calls of a batch must not fill the line that other callers wait in. */
  const roomInLine = async (): Promise<void> => {
    while (pool.waiting > options.queueMax / 2 && !signal.aborted) await sleep(LOOK_MS, signal)
  }

  const through = async (batch: LiveBatch, calls: readonly HeldCall[], lane: Turnstile): Promise<void> => {
    const all: Promise<void>[] = []
    for (const call of calls) {
      await lane.enter()
      if (lane === lanes.threads) await roomInLine()
      if (isOver(batch) || batch.givenUp !== undefined) {
        lane.leave()
        call.hold.release()
        continue
      }
      batch.begun.add(call.index)
      all.push(one(batch, call).finally(lane.leave))
    }
    await Promise.all(all)
  }

  return {
    settle,
    stop: () => stopped.abort(new Fault('NODE_STOPPING')),
    run: async (batch, toRun) => {
      try {
        const calls = await toRun()
        batch.start()
        const [inThread, here] = [calls.filter(needsThread), calls.filter((it) => !needsThread(it))]
        await Promise.all([through(batch, here, lanes.forms), through(batch, inThread, lanes.threads)])
        await batch.givenUp
        signal.throwIfAborted()
        if (isOver(batch)) throw batch.broken ?? store.failure
        await close(ports, batch, signal)
      } catch (cause) {
        batch.broken = cause
        if (!signal.aborted) log.error({ batch: batch.row.id, cause: String(cause) }, 'batch_not_closed')
        batch.start()
        batch.move()
      }
    },
  }
}
