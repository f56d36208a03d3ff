import type { Rules } from './rules.ts'
import type { DisputeEvent, Happened } from './types.ts'

/** Ascending texts, by UTF-16 code units as everywhere. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The place in time of what is pending: behind all that is not. */
export const atOf = (when: Happened | null): number => when?.at ?? Number.MAX_SAFE_INTEGER

/** Ascending by *When*, then id. */
export const byWhen = (a: Pick<DisputeEvent, 'when' | 'id'>, b: Pick<DisputeEvent, 'when' | 'id'>): number =>
  atOf(a.when) - atOf(b.when) || byText(a.id, b.id)

/**
 * The events as a set, each once, in the one order that all nodes agree on. Of one event that is known with and without
 * its time the earlier time counts.
 */
export const ordered = (events: readonly DisputeEvent[], { order }: Pick<Rules, 'order'>): readonly DisputeEvent[] => {
  const known = new Map<string, DisputeEvent>()
  for (const event of events) {
    const before = known.get(event.id)
    if (before === undefined || atOf(event.when) < atOf(before.when)) known.set(event.id, event)
  }
  return order === 'arrival' ? [...known.values()] : [...known.values()].sort(byWhen)
}
