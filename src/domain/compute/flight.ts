import { Fault } from '#core/fault.ts'
import type { Hold, Idempotency } from '#domain/economy/economy.ts'
import type { Caller } from '#domain/identity/caller.ts'
import type { Transaction } from '#store/store.ts'
import type { Answers } from './answers.ts'
import type { ComputePorts, Sealed, Unsealed } from './compute.ts'
import type { Paces } from './paces.ts'
import type { Prepared } from './prepared.ts'
import type { Sealer } from './seal.ts'
import { isJudged, type Report } from './task.ts'

/** One computation from its hold to its envelope. It ends by itself; `cancel` ends it early, and then nothing is charged. */
export interface Flight {
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

export interface TakeOff {
  readonly prepared: Prepared
  readonly caller: Caller
  readonly idempotency: Extract<Idempotency, { kind: 'fresh' }> | undefined
}

const nothingToSeal = 'This kind of call has no envelope.'

/**
 * Starts computations: hold, run, gate, seal, in this order. Whatever ends one early gives the hold back.
 *
 * @throws Fault (from the call itself, before anything runs) INSUFFICIENT_BALANCE, WORK_LIMIT_EXCEEDED,
 * DAILY_LIMIT_EXCEEDED.
 */
export const createRunway = (
  { economy, clock, meter }: Pick<ComputePorts, 'economy' | 'clock' | 'meter'>,
  { seal, answers, paces }: { readonly seal: Sealer; readonly answers: Answers; readonly paces: Paces },
) => {
  const live = new Set<Flight>()

  /** Runs, judges and seals; counts what came of it. */
  const fly = async (
    { prepared }: TakeOff,
    hold: Hold,
    flight: { readonly signal: AbortSignal; onReport(report: Report): void; also(tx: Transaction, id: string): void },
  ): Promise<Sealed | Unsealed> => {
    const start = clock.now()
    const checked = await prepared.execute({ signal: flight.signal, onReport: flight.onReport })
    paces.learn(prepared.kind, prepared.work, Number(clock.now() - start) / 1e9)
    const { value, unit, output, extras } = checked
    if (!isJudged(checked)) {
      const reason = checked.unsealed ?? nothingToSeal
      return { kind: 'unsealed', value, unit, output, extras, precisionActual: null, check: null, reason }
    }
    flight.signal.throwIfAborted()
    const outcome = await seal({ checked, hold, also: flight.also })
    if (outcome.kind === 'failed') return { kind: 'unsealed', ...answers.judged(checked), reason: outcome.reason }
    meter.observe('seal_seconds', Number(clock.now() - start) / 1e9, { solver: prepared.kind })
    return answers.fresh(checked, outcome.minted)
  }

  const count = (kind: string, outcome: Sealed | Unsealed | unknown): void => {
    const code = outcome instanceof Fault ? outcome.code : undefined
    const result = code ?? (outcome as { kind?: string } | undefined)?.kind ?? 'error'
    meter.count('seals_total', { solver: kind, result })
    if (code === 'PRECISION_NOT_MET' || code === 'ENERGY_NOT_CONSERVED' || code === 'DID_NOT_CONVERGE') {
      meter.count('gate_rejections_total', { solver: kind, code })
    }
  }

  const takeOff = (order: TakeOff): Flight => {
    const { prepared, caller, idempotency } = order
    if (caller.kind === 'anonymous') economy.keyless(caller.bucket, prepared.work)
    const hold = economy.hold(caller, prepared.price)
    const stop = new AbortController()
    const extras: ((tx: Transaction, tokenId: string) => void)[] = []
    let latest: Report | undefined
    let onReport: ((report: Report) => void) | undefined
    const also = (tx: Transaction, tokenId: string): void => {
      for (const work of extras) work(tx, tokenId)
      idempotency?.keep(tx, () => ({ token_id: tokenId }))
    }
    const report = (it: Report): void => {
      latest = it
      onReport?.(it)
    }
    const done = fly(order, hold, { signal: stop.signal, onReport: report, also })
      .then(
        (result) => (count(prepared.kind, result), result),
        (cause: unknown) => {
          count(prepared.kind, cause)
          throw cause
        },
      )
      .finally(() => {
        hold.release()
        idempotency?.release()
        live.delete(flight)
      })
    // Whoever waits hears of it; a flight that nobody waits for any more must not end the process.
    done.catch(() => undefined)
    const flight: Flight = {
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
    live.add(flight)
    return flight
  }

  return {
    takeOff,
    /** Ends every computation that still runs, and waits until all are over. */
    async ground(reason: unknown): Promise<void> {
      const flights = [...live]
      for (const flight of flights) flight.cancel(reason)
      await Promise.allSettled(flights.map((it) => it.done))
    },
  }
}

export type Runway = ReturnType<typeof createRunway>
