import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import type { Sealed } from '#domain/compute/types.ts'
import type { Idempotency } from '#domain/economy/economy.ts'
import type { ChannelContext } from './context.ts'
import { type ChannelRefusals, isRefusalOfTick } from './refusal.ts'
import { BoundPassed, type ChannelStep } from './step.ts'
import type { ChannelTurns } from './turns.ts'
import type { ChannelRequest } from './types.ts'
import type { BesideTick } from './views.ts'
import { assertTicks, type ChannelWriting, tickTaken, type WrittenTick } from './write.ts'

/** A tick that was sealed, as whoever asked for it is answered. */
export interface TickedChannel {
  readonly sealed: Sealed
  readonly stream: BesideTick
}

interface Asking {
  readonly repeat: Repeat
  readonly signal: AbortSignal
}

interface Collaborators {
  readonly turns: ChannelTurns
  readonly steps: (it: ReturnType<ChannelContext['channels']['find']>, signal: AbortSignal) => Promise<ChannelStep>
  readonly writing: ChannelWriting
  readonly refusals: ChannelRefusals
}

const besideOf = ({ row, head, newest }: WrittenTick): BesideTick => {
  const { epoch, count, state, error_sum: errorSum, seq } = newest
  return { id: row.id, status: head.status, epoch, count, state, errorSum, seq }
}

/** What is kept of a tick under an Idempotency-Key. */
interface KeptTick {
  readonly token_id: string
  readonly stream: BesideTick
}

/** Creates what seals the next tick of a channel because somebody asks for it. */
export const createTicking = (context: ChannelContext, { turns, steps, writing, refusals }: Collaborators) => {
  const { store, economy, channels, held } = context

  const commit = async (step: ChannelStep, it: Idempotency | undefined): Promise<WrittenTick> => {
    try {
      return await store.commit((tx) => {
        const written = writing.tick(tx, step, false)
        if (it?.kind === 'fresh') {
          const kept: KeptTick = { token_id: written.newest.token_id, stream: besideOf(written) }
          it.keep(tx, () => ({ ...kept }))
        }
        return written
      })
    } finally {
      step.run.release()
    }
  }

  const once = async (
    { caller, id }: ChannelRequest,
    asked: number | undefined,
    { it, signal }: { readonly it: Idempotency | undefined; readonly signal: AbortSignal },
  ): Promise<TickedChannel> => {
    const seen = channels.find(id, caller, 'tick').head
    assertTicks(seen)
    if (asked !== undefined && asked !== seen.count + 1) throw tickTaken(seen, asked)
    return turns.take(id, async () => {
      signal.throwIfAborted()
      const standing = channels.find(id, caller, 'tick')
      const { head } = standing
      // Whoever came first has taken it, and this call is told what stands.
      if (head.epoch !== seen.epoch || head.count !== seen.count) throw tickTaken(head, asked)
      assertTicks(head)
      try {
        const step = await steps(standing, signal)
        const written = await commit(step, it)
        return { sealed: held.answer(step.run, written.sealing.minted()), stream: besideOf(written) }
      } catch (cause) {
        if (isRefusalOfTick(cause)) await store.commit((tx) => refusals.refused(tx, id, cause, false))
        throw cause instanceof BoundPassed ? cause.fault : cause
      }
    })
  }

  const lookUp = ({ caller, id }: ChannelRequest, asked: number | undefined, { scope, key = '' }: Repeat) =>
    economy.idempotent(caller, scope, key, digest(purposes.request, { channel: id, count: asked ?? null }))

  /**
   * Seals the next tick, charged to the channel's owner whoever asks.
   *
   * @param asked the count that it must get.
   * @throws Fault NOT_FOUND, SCOPE_REQUIRED, TICK_TAKEN, CHANNEL_CLOSED, MACHINE_NOT_ACTIVE, and as a computation.
   */
  return async (
    request: ChannelRequest,
    asked: number | undefined,
    { repeat, signal }: Asking,
  ): Promise<WithReplayed<TickedChannel>> => {
    const { caller, id } = request
    channels.find(id, caller, 'tick')
    if (store.held !== undefined) throw store.held
    if (store.clockBehind) throw new Fault('CLOCK_BEHIND')
    if (repeat.key === undefined) return { ...(await once(request, asked, { it: undefined, signal })), replayed: false }
    const it = await lookUp(request, asked, repeat)
    if (it.kind === 'replay') {
      const { token_id, stream } = it.answer as unknown as KeptTick
      return { sealed: await held.recall(token_id), stream, replayed: true }
    }
    try {
      return { ...(await once(request, asked, { it, signal })), replayed: false }
    } finally {
      it.release()
    }
  }
}
