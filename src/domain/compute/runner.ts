import { assert } from '#core/assert.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { codesOf, Fault } from '#core/fault.ts'
import type { Instant } from '#core/tick.ts'
import { secondsOf } from '#core/time.ts'
import type { Hold, Idempotency } from '#domain/economy/economy.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Answers } from './answers.ts'
import { questionOf } from './auto-orders.ts'
import type { Paces } from './paces.ts'
import type { Prepared } from './prepared.ts'
import type { Sealer } from './seal.ts'
import { isRefusal } from './tally.ts'
import { isChecked, type Report } from './task.ts'
import type { ComputePorts, Sealed, Unsealed } from './types.ts'

/** One computation from its hold to its envelope. `cancel` ends it early, and then nothing is charged. */
export interface ComputeRun {
  readonly prepared: Prepared
  readonly caller: Caller
  readonly done: Promise<Sealed | Unsealed>
  /** The newest report; undefined until a thread takes the task. */
  readonly latest: Report | undefined
  /** Ends the worker. Nothing once the seal has begun. */
  cancel(reason: unknown): void
  /** Called with every report from now on. */
  watch(onReport: (report: Report) => void): void
  /** Adds to the batch of the seal. */
  also(work: (tx: Transaction, tokenId: string) => void): void
}

export interface RunOrder {
  readonly prepared: Prepared
  readonly caller: Caller
  readonly idempotency: Extract<Idempotency, { kind: 'fresh' }> | undefined
  /** Its price, where it is kept back already: of a batch all of them are before the first runs. */
  readonly hold?: Hold
}

/** Refusals of the gate itself. */
const gateCodes: ReadonlySet<string> = new Set(codesOf('gate'))

/** How often a run that is through looks whether the log takes leaves again. */
const CONFIRM_POLL_MS = 250

type Ports = Pick<ComputePorts, 'store' | 'economy' | 'clock' | 'meter' | 'sleep' | 'tally'>

interface Collaborators {
  readonly seal: Sealer['seal']
  readonly answers: Answers
  readonly paces: Paces
}

/** What a run lets happen to it while it runs. */
interface RunControls {
  readonly signal: AbortSignal
  onReport(report: Report): void
  also(tx: Transaction, tokenId: string): void
  keep(tx: Transaction, answer: Json): void
}

/** Runs, checks and seals, and counts what came of it. */
const createRunning = (
  { store, economy, clock, meter, sleep, tally }: Ports,
  { seal, answers, paces }: Collaborators,
) => {
  const secondsSince = (start: Instant): number => secondsOf(clock.now() - start)

  /**
   * No new call begins while witnesses are asked how far the log was, but jobs of before the restart are made again
   * before that: what they computed is kept until it can be sealed.
   */
  const untilConfirmed = async (signal: AbortSignal): Promise<void> => {
    while (store.held?.code === 'LOG_UNCONFIRMED' && !signal.aborted) await sleep(CONFIRM_POLL_MS, signal)
  }

  const runAndSeal = async (
    prepared: Prepared,
    hold: Hold | undefined,
    controls: RunControls,
  ): Promise<Sealed | Unsealed> => {
    const start = clock.now()
    // Waiting for a thread says nothing about how fast one is: the first report is the thread's own start.
    let taken: Instant | undefined
    const onReport = (report: Report): void => {
      taken ??= clock.now()
      controls.onReport(report)
    }
    const checked = await prepared.execute({ signal: controls.signal, onReport, keep: controls.keep })
    const isOwn = !isChecked(checked) || checked.contributed === undefined
    if (isOwn) paces.learn(prepared, secondsSince(taken ?? start))
    if (!isChecked(checked)) {
      const { value, unit, output, extras, unsealed: reason } = checked
      return { kind: 'unsealed', value, unit, output, extras, precisionActual: null, check: null, reason }
    }
    await untilConfirmed(controls.signal)
    controls.signal.throwIfAborted()
    assert(hold !== undefined, 'what was judged has a price')
    const { recipe } = prepared
    const asked = questionOf(recipe)
    await economy.cover(hold)
    const outcome = await seal({ checked, hold, published: recipe.publish, asked, also: controls.also })
    if (outcome.kind === 'failed') return { kind: 'unsealed', ...answers.checked(checked), reason: outcome.reason }
    meter.observe('seal_seconds', secondsSince(start), { solver: prepared.kind })
    return answers.fresh(checked, outcome.minted)
  }

  const count = (solver: string, result: string): void => {
    meter.count('seals_total', { solver, result })
    if (gateCodes.has(result)) meter.count('gate_rejections_total', { solver, code: result })
  }

  return async (prepared: Prepared, hold: Hold | undefined, controls: RunControls): Promise<Sealed | Unsealed> => {
    try {
      const result = await runAndSeal(prepared, hold, controls)
      count(prepared.kind, result.kind)
      if (result.kind === 'sealed' && hold !== undefined) {
        meter.count('credits_burned', { asset: hold.funding }, hold.credits)
      }
      return result
    } catch (cause) {
      count(prepared.kind, cause instanceof Fault ? cause.code : 'error')
      if (isRefusal(cause)) tally.refused()
      throw cause
    }
  }
}

/** Starts computations: hold, run, gate, seal, in this order. Whatever ends one early gives the hold back. */
export interface Runner {
  /** @throws Fault INSUFFICIENT_BALANCE, WORK_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED, before anything runs. */
  start(order: RunOrder): ComputeRun
  /** Ends every computation that still runs, and waits until all are over; none starts any more. */
  stop(reason: unknown): Promise<void>
}

/** The runner of one node. */
export const createRunner = (ports: Ports, parts: Collaborators): Runner => {
  const { economy } = ports
  const runAndSeal = createRunning(ports, parts)
  const live = new Set<ComputeRun>()
  let stopped: unknown

  const start = ({ prepared, caller, idempotency, hold: held }: RunOrder): ComputeRun => {
    if (stopped !== undefined) throw stopped
    if (caller.kind === 'anonymous') economy.keyless(caller.bucket, prepared.work)
    const leave = prepared.enter?.() ?? (() => undefined)
    let hold: Hold | undefined
    try {
      // What can have no envelope has no price, so no balance is asked for.
      hold = held ?? (prepared.price === 0 ? undefined : economy.hold(caller, prepared.price))
    } catch (refusal) {
      leave()
      throw refusal
    }
    const stop = new AbortController()
    const extras: ((tx: Transaction, tokenId: string) => void)[] = []
    let latest: Report | undefined
    let onReport: ((report: Report) => void) | undefined
    const also = (tx: Transaction, tokenId: string): void => {
      prepared.record?.(tx, tokenId)
      for (const work of extras) work(tx, tokenId)
      idempotency?.keep(tx, () => ({ token_id: tokenId }))
    }
    const report = (it: Report): void => {
      latest = it
      onReport?.(it)
    }
    const keep = (tx: Transaction, answer: Json): void => idempotency?.keep(tx, () => answer)
    const done = runAndSeal(prepared, hold, { signal: stop.signal, onReport: report, also, keep }).finally(() => {
      hold?.release()
      leave()
      idempotency?.release()
      live.delete(run)
    })
    // Whoever waits hears of it; a run that nobody waits for any more must not end the process.
    done.catch(() => undefined)
    const run: ComputeRun = {
      prepared,
      caller,
      done,
      get latest() {
        return latest
      },
      cancel: (reason) => stop.abort(reason),
      watch: (listener) => {
        onReport = listener
      },
      also: (work) => void extras.push(work),
    }
    live.add(run)
    return run
  }

  return {
    start: start,
    /** Ends every computation that still runs, and waits until all are over. */
    async stop(reason: unknown): Promise<void> {
      stopped = reason
      const runs = [...live]
      for (const run of runs) run.cancel(reason)
      await Promise.allSettled(runs.map((it) => it.done))
    },
  }
}
