import { firstMinute, lastMinute } from './minutes.ts'
import type { Cron } from './pattern.ts'
import { stretchAt, type Zone } from './zone.ts'

export { readCron } from './pattern.ts'
export { offsetAt, readZoneTable, type ZoneTable, zoneDigest, zoneOf } from './zone.ts'

/**
 * The clock part of contracts: when a pattern is due by the clock of a zone. All of it is whole numbers, and the same
 * for the same table wherever it is asked. Instants are Unix seconds.
 *
 * A minute that the clock leaps over is due once, at the end of the gap, together with all others of that gap. One that
 * comes twice is due the first time alone, unless minute or hour of the pattern begins with `*`.
 */

const lowsOf = ({ everyRepeat }: Cron, { lowEach, lowOnce }: Zone): readonly number[] =>
  everyRepeat ? lowEach : lowOnce

/** The first due instant after one, or undefined where none comes before the table ends. */
export const nextDue = (cron: Cron, zone: Zone, after: number): number | undefined => {
  const { at, offsets } = zone
  const lows = lowsOf(cron, zone)
  let k = stretchAt(zone, after)
  let low = Math.max(after + 1 + (offsets[k] ?? 0), lows[k] ?? 0)
  for (; k < offsets.length; k += 1, low = lows[k] ?? 0) {
    const offset = offsets[k] ?? 0
    const end = (at[k + 1] ?? 0) + offset
    const due = firstMinute(cron, low, end)
    if (due < end) return Math.max(due - offset, at[k] ?? 0)
  }
  return undefined
}

/** The last due instant before one, or undefined where the table has none: the newest missed, say. */
export const lastDue = (cron: Cron, zone: Zone, before: number): number | undefined => {
  const { at, offsets } = zone
  const lows = lowsOf(cron, zone)
  let k = stretchAt(zone, before - 1)
  let high = Math.min(before, at[k + 1] ?? 0) - 1 + (offsets[k] ?? 0)
  for (; k >= 0; k -= 1, high = (at[k + 1] ?? 0) - 1 + (offsets[k] ?? 0)) {
    const low = lows[k] ?? 0
    const due = lastMinute(cron, high, low)
    if (due >= low) return Math.max(due - (offsets[k] ?? 0), at[k] ?? 0)
  }
  return undefined
}

/** The due instants after one, up to `until` and `countMax` of them, oldest first. */
export const duesAfter = (
  cron: Cron,
  zone: Zone,
  bounds: { readonly after: number; readonly until: number; readonly countMax: number },
): readonly number[] => {
  const found: number[] = []
  let due = nextDue(cron, zone, bounds.after)
  while (due !== undefined && due <= bounds.until && found.length < bounds.countMax) {
    found.push(due)
    due = nextDue(cron, zone, due)
  }
  return found
}

/** How a due instant stands on the clock of its zone. */
export interface DueOnClock {
  /** Seconds east of UTC. */
  readonly offset: number
  /**
   * `gap`: the clock leapt over a due minute and this is the end of the gap. `first`, `again`: its minute comes twice,
   * and this is the first time, or a later one.
   */
  readonly mark: 'gap' | 'first' | 'again' | undefined
  /** The first due minute that was leapt over, in civil seconds. */
  readonly wanted: number | undefined
}

/** What a clock in the zone shows at a due instant, and whether a change of offset is about it. */
export const onClock = (cron: Cron, zone: Zone, due: number): DueOnClock => {
  const { at, offsets } = zone
  const k = stretchAt(zone, due)
  const offset = offsets[k] ?? 0
  const civil = due + offset
  const [low, start] = [lowsOf(cron, zone)[k] ?? 0, (at[k] ?? 0) + offset]
  const wanted = low < start && due === at[k] ? firstMinute(cron, low, start) : start
  if (wanted < start) return { offset, mark: 'gap', wanted }
  const others = offsets.map((other, j) => {
    const instant = civil - other
    return instant >= (at[j] ?? 0) && instant < (at[j + 1] ?? 0) ? j : k
  })
  const mark = others.some((j) => j < k) ? 'again' : others.some((j) => j > k) ? 'first' : undefined
  return { offset, mark, wanted: undefined }
}
