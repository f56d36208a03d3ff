import type { Rules } from './rules.ts'
import type { DisputeEvent, EventTime } from './types.ts'

/** Ascending texts, by UTF-16 code units as everywhere. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The mesh tick of an event that has its time. */
export const tickOf = (when: EventTime | 'pending'): number | undefined => (when === 'pending' ? undefined : when.at)

/** The place in time of what is pending: behind all that is not. */
export const atOf = (when: EventTime | 'pending'): number => tickOf(when) ?? Number.MAX_SAFE_INTEGER

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
