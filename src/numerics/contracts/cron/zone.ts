import Type, { type Static } from 'typebox'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { closed, fitting, integer } from '#core/schema.ts'
import { SECONDS_PER_DAY } from '#core/time.ts'

/** Years that a table covers at least, in seconds. */
const SPAN_SECONDS_MIN = 3_652 * SECONDS_PER_DAY
/** Years that a table covers at most, in seconds. */
export const SPAN_SECONDS_MAX = 36_525 * SECONDS_PER_DAY
/** The end of year 9999. */
const UNTIL_MAX = 253_402_300_800
/** Changes of one table: no zone has had more than four a year. */
export const CHANGES_MAX = 512
/** How a zone is called in the time zone database; offsets such as +01:00 are no names. */
const NAME = '^[A-Za-z][A-Za-z0-9_+-]{0,31}(?:/[A-Za-z0-9_+-]{1,31}){0,2}$'

const offset = () =>
  integer({ minimum: -SECONDS_PER_DAY, maximum: SECONDS_PER_DAY, description: 'Seconds east of UTC.' })

/** A zone for some years, by its changes of offset: what a contract's version pins. Instants are Unix seconds. */
export const zoneSchema = closed({
  v: Type.Literal(1),
  zone: Type.String({ pattern: NAME, description: 'Its name in the time zone database.' }),
  from: integer({ minimum: SECONDS_PER_DAY, maximum: UNTIL_MAX, description: 'The first second that it covers.' }),
  until: integer({ minimum: SECONDS_PER_DAY, maximum: UNTIL_MAX, description: 'The first one that it does not.' }),
  offset: offset(),
  changes: Type.Array(closed({ at: integer({ description: 'From this second on.' }), offset: offset() }), {
    maxItems: CHANGES_MAX,
    description: 'In the order of time, between from and until; each changes something.',
  }),
})
export type ZoneTable = Static<typeof zoneSchema>

const refuse = (why: string, path: string): never => {
  throw new Fault('INVALID_INPUT', `${path}: ${why}`, { path })
}

/** A table from elsewhere, checked. @throws Fault INVALID_INPUT naming the first member that is wrong */
export const readZoneTable = (value: unknown): ZoneTable => {
  const table = fitting(zoneSchema, value)
  const span = table.until - table.from
  if (span < SPAN_SECONDS_MIN || span > SPAN_SECONDS_MAX) refuse('A table covers ten to a hundred years.', '/until')
  let [at, offset] = [table.from, table.offset]
  for (const [i, change] of table.changes.entries()) {
    if (change.at <= at || change.at >= table.until) refuse('Changes follow each other.', `/changes/${i}/at`)
    if (change.offset === offset) refuse('A change changes something.', `/changes/${i}/offset`)
    ;[at, offset] = [change.at, change.offset]
  }
  return table
}

/** The digest that a contract's version names. */
export const zoneDigest = (table: ZoneTable): string => digest(purposes.zone, table satisfies Json)

/**
 * A table prepared for looking up. Between two changes the clock on the wall runs steadily; civil seconds are Unix
 * seconds plus the offset.
 */
export interface Zone {
  /** Where each stretch begins, and where the last one ends: one more than there are stretches. Unix seconds. */
  readonly at: readonly number[]
  readonly offsets: readonly number[]
  /** The lowest civil second of which each stretch decides, when a minute that comes twice is due once. */
  readonly lowOnce: readonly number[]
  /** The same, when it is due each time it comes. */
  readonly lowEach: readonly number[]
}

/** Prepares a table: a contract does so once for a version. */
export const zoneOf = ({ from, until, offset, changes }: ZoneTable): Zone => {
  const at = [from, ...changes.map((it) => it.at), until]
  const offsets = [offset, ...changes.map((it) => it.offset)]
  const starts = offsets.map((it, k) => (at[k] ?? 0) + it)
  const ends = offsets.map((it, k) => (at[k + 1] ?? 0) + it)
  // The clock has never shown more than this before a stretch, so what lies below was shown, or left out, already.
  let reached = starts[0] ?? 0
  const lowOnce = ends.map((end) => {
    const low = reached
    reached = Math.max(reached, end)
    return low
  })
  // What the clock leaps over belongs to the stretch behind the gap.
  const lowEach = starts.map((start, k) => Math.min(start, ends[k - 1] ?? start))
  return { at, offsets, lowOnce, lowEach }
}

/** The stretch that an instant lies in; the first or the last for one outside of the table. */
export const stretchAt = ({ at, offsets }: Zone, instant: number): number => {
  let [low, high] = [0, offsets.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((at[middle] ?? 0) <= instant) low = middle
    else high = middle - 1
  }
  return low
}

/** Seconds east of UTC at an instant. */
export const offsetAt = (zone: Zone, instant: number): number => zone.offsets[stretchAt(zone, instant)] ?? 0
