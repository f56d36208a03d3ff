import { assert } from '#core/assert.ts'
import { fromUtf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { msOf } from '#core/time.ts'
import type { HeldRun } from '#domain/compute/held.ts'
import { errorAfter } from '#numerics/reactor/errors.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import type { ChannelRow } from '#store/rows/channel.ts'
import type { StandingChannel } from './channel-store.ts'
import { type ChannelContext, channelPayer } from './context.ts'
import { createFreshInputs } from './fresh-inputs.ts'

/** A tick that was computed and passed the gate; what it costs is held until it is written or let go. */
export interface ChannelStep {
  readonly it: StandingChannel
  readonly run: HeldRun
  readonly epoch: number
  readonly count: number
  readonly errorSum: number
  /** JSON text of the inputs of the next tick, of a channel that is carried on. */
  readonly next: string | null
  readonly tookMs: number
}

/** The errors of an epoch have passed the bound: nothing more is sealed of it. */
export class BoundPassed extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/** Name and revision of a solver as it is here; null of one that is not. */
export const revisionOf = (name: string): string | null => {
  const found = solverByName(name)
  return found === undefined ? null : `${found.name}@${found.revision}`
}

/** What the inputs of the next tick are; of a channel that is carried on, and has begun, what the last one left. */
const createInputs = (context: ChannelContext) => {
  const { store, channels } = context
  const worked = createFreshInputs(context)

  /** The inputs that an epoch begins with, or any tick of a channel that computes anew. */
  const anew = (row: ChannelRow, of: { readonly count: number; readonly it: StandingChannel }) =>
    worked(row, channels.program(row), { count: of.count, head: of.it.head.head })

  const carried = async ({ id, revision, solver }: ChannelRow): Promise<Readonly<Record<string, Json>>> => {
    if (revision !== revisionOf(solver ?? '')) {
      throw new Fault('NOT_STEPPABLE', `It was begun with ${revision}, which is not here any more.`)
    }
    const state = await store.get('channelState', id)
    assert(state !== undefined, 'a tick of a channel that is carried on leaves a state')
    return JSON.parse(fromUtf8(state)) as Readonly<Record<string, Json>>
  }

  return { anew, carried }
}

/** Creates what computes ticks of channels: each is one held computation, or none. */
export const createChannelSteps = (context: ChannelContext) => {
  const { held, clock } = context
  const { anew, carried } = createInputs(context)

  const computed = async (
    it: StandingChannel,
    place: { readonly epoch: number; readonly count: number; readonly errorSum: number },
    signal: AbortSignal,
  ): Promise<ChannelStep> => {
    const { row } = it
    const { epoch, count } = place
    const goesOn = row.mode === 'continue'
    const inputs = goesOn && count > 1 ? await carried(row) : anew(row, { count, it })
    const payer = channelPayer(context, row)
    const start = clock.now()
    const order = { solver: row.solver ?? undefined, operators: row.operators ?? undefined, inputs, goesOn }
    const prepared = held.prepare(order, payer)
    const run = await held.run(prepared, payer, signal)
    const tookMs = msOf(clock.now() - start)
    try {
      await run.ready()
      const { errorPct } = run.checked.reality
      const errorSum = goesOn ? within(place, errorPct) : errorPct
      return { it, run, epoch, count, errorSum, next: run.checked.continued?.inputs ?? null, tookMs }
    } catch (cause) {
      run.release()
      throw cause
    }
  }

  /**
   * The next tick of a channel. Where the errors of its epoch pass the bound, the first one of the next epoch if the
   * channel is to begin again.
   *
   * @throws BoundPassed; Fault as a computation; the signal's reason.
   */
  return async (it: StandingChannel, signal: AbortSignal): Promise<ChannelStep> => {
    const { row, head } = it
    const { epoch, count, head: last } = head
    const errorSum = count === 0 ? 0 : (last?.error_sum ?? 0)
    try {
      return await computed(it, { epoch, count: count + 1, errorSum }, signal)
    } catch (cause) {
      if (!(cause instanceof BoundPassed) || row.on_bound === 'stop' || count === 0) throw cause
      return computed(it, { epoch: epoch + 1, count: 1, errorSum: 0 }, signal)
    }
  }
}

/** Errors of an epoch with one more. @throws BoundPassed */
const within = (
  { errorSum, count }: { readonly errorSum: number; readonly count: number },
  errorPct: number,
): number => {
  try {
    return errorAfter(errorSum, { step: count, errorPct, seal: true })
  } catch (cause) {
    throw cause instanceof Fault ? new BoundPassed(cause) : cause
  }
}
