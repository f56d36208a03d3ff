import { commitmentTo } from './draw.ts'
import { byText, tickOf } from './order.ts'
import { REVEAL_TICKS, type Rules } from './rules.ts'
import type { DisputedWork, EventOf } from './types.ts'

/** A value of a draw and the event that revealed it. */
export interface Revealed {
  readonly event: string
  readonly value: string
  readonly at: number
}

/**
 * The worker's values, by the challenge that each was revealed for. Every reveal carries the commitment to the next, in
 * the order of the worker's log, so what does not open the commitment before it counts for nothing: a value of another
 * work, one that was seen before, one out of turn.
 */
export const workerReveals = (
  work: DisputedWork,
  reveals: readonly EventOf<'reveal'>[],
): ReadonlyMap<string, EventOf<'reveal'>> => {
  const found = new Map<string, EventOf<'reveal'>>()
  if (work.terms === null) return found
  const about = work.terms.offer
  let commitment: string | null = work.terms.w
  const chain = reveals
    .filter(({ author, payload }) => author === work.worker && payload.of === 'w')
    .sort((a, b) => a.seq - b.seq || byText(a.id, b.id))
  for (const reveal of chain) {
    const { challenge, value, next } = reveal.payload
    if (commitmentTo({ of: 'w', about, value }) !== commitment) continue
    commitment = next
    if (!found.has(challenge)) found.set(challenge, reveal)
  }
  return found
}

/** Where a draw stands: both values, and until when each may come. */
export interface DrawState {
  /** Null where the worker's time is over, or it is not known yet. */
  readonly w: Revealed | null
  readonly wUntil: number
  readonly c: Revealed | null
  readonly cUntil: number
}

const revealedAs = (event: EventOf<'reveal'> | undefined): Revealed | null =>
  event === undefined || event.when === 'pending'
    ? null
    : { event: event.id, value: event.payload.value, at: event.when.at }

/**
 * The values of one draw. The challenger's counts only once the worker's was out, which it names, or could not come any
 * more: otherwise the worker would choose between its value and none after it knew the other.
 */
export const drawState = (
  challenge: EventOf<'challenge'>,
  of: {
    readonly work: DisputedWork
    readonly byWorker: EventOf<'reveal'> | undefined
    readonly reveals: readonly EventOf<'reveal'>[]
    readonly rules: Rules
  },
): DrawState => {
  const opened = tickOf(challenge.when) ?? Number.MAX_SAFE_INTEGER - 2 * REVEAL_TICKS
  const wUntil = opened + REVEAL_TICKS
  const inTime = revealedAs(of.byWorker)
  const w = inTime !== null && inTime.at <= wUntil ? inTime : null
  const cUntil = (w?.at ?? wUntil) + REVEAL_TICKS
  const opens = ({ author, payload, when }: EventOf<'reveal'>): boolean => {
    const { of: side, value, after } = payload
    if (author !== challenge.author || side !== 'c' || when === 'pending' || when.at > cUntil) return false
    if (commitmentTo({ of: 'c', about: of.work.work, value }) !== challenge.payload.commitment) return false
    if (!of.rules.workerFirst) return true
    return w === null ? when.at > wUntil : after === w.event && when.at >= w.at
  }
  return { w, wUntil, c: revealedAs(of.reveals.find(opens)), cUntil }
}
