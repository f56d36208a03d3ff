import { civilOf, daysOf } from '#core/civil.ts'
import { didYouMean, shortened, slipsOf } from '#core/near-names.ts'
import { type RecentMap, recent } from '#core/recent.ts'
import { MS_PER_SECOND, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '#core/time.ts'
import type { ZoneTable } from '#numerics/contracts/cron/cron.ts'

/** No two changes of a zone since 1950 lie closer than seven days, so none hides between two looks. */
const LOOK_SECONDS = 5 * SECONDS_PER_DAY
/** Nothing that begins is repeated from before: no clock was ever put back further than a day. */
const QUIET_SECONDS = 2 * SECONDS_PER_DAY
/** Years from the one asked in to the end of a table: eleven of them are ahead at least. */
const YEARS = 12
/** Tables of this process that are kept: some hundred numbers each. */
const KEPT_MAX = 64

/** The part of time that a table covers, in Unix seconds. */
export interface ZoneSpan {
  readonly from: number
  readonly until: number
}

/** From the beginning of the year before an instant, so that all who ask within a year get the same. Unix seconds. */
export const spanAround = (instant: number): ZoneSpan => {
  const { year } = civilOf(Math.floor(instant / SECONDS_PER_DAY))
  const start = (it: number): number => daysOf(it, 1, 1) * SECONDS_PER_DAY
  return { from: start(year - 1), until: start(year + YEARS) }
}

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

/** What says the offset of a zone at an instant, both in seconds; undefined where the engine knows no such zone. */
const offsetsOf = (timeZone: string): ((instant: number) => number) | undefined => {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    return (instant) => {
      const [, sign, ...parts] = OFFSET.exec(format.format(instant * MS_PER_SECOND)) ?? []
      const [hours = 0, minutes = 0, seconds = 0] = parts.map((it) => Number(it ?? 0))
      return (sign === '-' ? -1 : 1) * (hours * SECONDS_PER_HOUR + minutes * 60 + seconds)
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The first second of another offset than that at `from`, where the one at `to` is another. */
const changeBetween = (offsetAt: (instant: number) => number, from: number, to: number): number => {
  const before = offsetAt(from)
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === before) low = middle
    else high = middle
  }
  return high
}

const changesIn = (offsetAt: (instant: number) => number, { from, until }: ZoneSpan): ZoneTable['changes'] => {
  const changes: ZoneTable['changes'] = []
  let [at, offset] = [from, offsetAt(from)]
  while (at < until - 1) {
    const look = Math.min(at + LOOK_SECONDS, until - 1)
    const change = offsetAt(look) === offset ? undefined : changeBetween(offsetAt, at, look)
    at = change ?? look
    if (change === undefined) continue
    offset = offsetAt(change)
    changes.push({ at: change, offset })
  }
  return changes
}

/** A name of the time zone database; the engine also takes offsets, and names in any case. */
const NAME = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/

const listed = (): readonly string[] => Intl.supportedValuesOf('timeZone')

const misspelt = (name: string): boolean =>
  !NAME.test(name) || listed().some((it) => it !== name && it.toLowerCase() === name.toLowerCase())

const tables: RecentMap<string, ZoneTable> = recent(KEPT_MAX)

/**
 * A zone as this engine knows it, as a table that a decision needs no zone database with; undefined for a name that it
 * does not know ({@link noZone}). The table begins earlier than asked where the clock was changed just before.
 */
export const zoneTable = (zone: string, span: ZoneSpan): ZoneTable | undefined => {
  const key = `${zone} ${span.from} ${span.until}`
  const kept = tables.get(key)
  if (kept !== undefined) return kept
  const offsetAt = misspelt(zone) ? undefined : offsetsOf(zone)
  if (offsetAt === undefined) return undefined
  const { until } = span
  let { from } = span
  while (offsetAt(from - QUIET_SECONDS) !== offsetAt(from)) from -= QUIET_SECONDS
  const table: ZoneTable = {
    v: 1,
    zone,
    from,
    until,
    offset: offsetAt(from),
    changes: changesIn(offsetAt, { from, until }),
  }
  tables.set(key, table)
  return table
}

/** Zones that a name may be a slip of; a name without a continent is looked for among cities. */
const zonesLike = (name: string): readonly string[] => {
  if (name.includes('/')) return slipsOf(name, listed())
  const cityOf = (it: string): string => it.slice(it.lastIndexOf('/') + 1)
  const cities = new Map(listed().map((it) => [cityOf(it), it]))
  return slipsOf(name, [...cities.keys()]).map((it) => cities.get(it) ?? it)
}

/** What is said of a name that is no zone: in words, and the zones it may be a slip of. */
export const noZone = (name: string): { readonly message: string; readonly suggestions: readonly string[] } => {
  const suggestions = zonesLike(name)
  return { message: `there is no zone ${shortened(name)}.${didYouMean(suggestions)}`, suggestions }
}

/** The zone of this machine. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone
