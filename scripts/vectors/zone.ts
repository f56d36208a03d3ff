import { canonical } from '#core/canonical.ts'
import { daysOf } from '#core/civil.ts'
import { digest } from '#core/digest.ts'
import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '#core/time.ts'
import { duesAfter, readCron, type ZoneTable, zoneDigest, zoneOf } from '#numerics/contracts/cron/cron.ts'
import { ofZones } from './core.ts'

const secondOf = (year: number, month: number, day: number): number => daysOf(year, month, day) * SECONDS_PER_DAY

/** The last Sunday of a month of 31 days at 01:00 UTC: when clocks in Europe change. */
const lastSunday = (year: number, month: number): number => {
  const day = daysOf(year, month, 31)
  return (day - ((day + 4) % 7)) * SECONDS_PER_DAY + SECONDS_PER_HOUR
}

const years = Array.from({ length: 13 }, (_, i) => 2025 + i)

/** As the rule of the European Union says it, with no zone database. */
const berlin: ZoneTable = {
  ...{ v: 1, zone: 'Europe/Berlin', from: secondOf(2025, 1, 1), until: secondOf(2038, 1, 1), offset: 3_600 },
  changes: years.flatMap((year) => [
    { at: lastSunday(year, 3), offset: 7_200 },
    { at: lastSunday(year, 10), offset: 3_600 },
  ]),
}
/** No zone, but what may come: a day left out, half an hour twice, and an offset that is no whole minute. */
const strange: ZoneTable = {
  ...{ v: 1, zone: 'Test/Strange', from: secondOf(2025, 1, 1), until: secondOf(2038, 1, 1), offset: -36_000 },
  changes: [
    { at: secondOf(2026, 6, 30) + 36_000, offset: 50_400 },
    { at: secondOf(2027, 4, 3) + 54_000, offset: 48_600 },
    { at: secondOf(2028, 1, 6) + 43_200, offset: 45_930 },
  ],
}

const cases: readonly (readonly [table: ZoneTable, pattern: string, after: number])[] = [
  [berlin, '0,30 2 * * *', secondOf(2027, 3, 27)],
  [berlin, '30 * * * *', lastSunday(2027, 3) - 1_800],
  [berlin, '*/20 2 * * *', lastSunday(2027, 3) - SECONDS_PER_DAY],
  [berlin, '0,30 2 * * *', lastSunday(2027, 10) - 2 * SECONDS_PER_HOUR],
  [berlin, '30 * * * *', lastSunday(2027, 10) - 2 * SECONDS_PER_HOUR],
  [berlin, '0 12 13 * FRI', secondOf(2026, 2, 1)],
  [berlin, '0 12 */2 * MON', secondOf(2026, 2, 1)],
  [berlin, '0 0 29 FEB *', secondOf(2025, 1, 1)],
  [strange, '0 12 * * *', secondOf(2026, 6, 29)],
  [strange, '45 4 * * *', secondOf(2027, 4, 2)],
  [strange, '*/15 4 * * *', secondOf(2027, 4, 3) + 50_000],
  [strange, '*/15 * * * *', secondOf(2028, 1, 6) + 42_000],
]

const refused = [
  'a * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 8',
  '5/15 * * * *',
  '*/0 * * * *',
  '30-10 * * * *',
  '1,,2 * * * *',
  '* * L * *',
  '* * 15W * *',
  '* * * * MON#2',
  '* * ? * *',
  '@daily',
  '0 * * * * *',
  '0 0 31 2 *',
  '0 0 30-31 FEB */2',
]

/** The table of a zone, and when patterns are due by it. */
export const zoneVectors = () => ({
  about:
    'Tables of zones with their canonical text and digest; the next due instants of patterns after an instant, ' +
    'in Unix seconds; patterns that are refused, with the fields that are at fault: wire/cron.md.',
  digests: ofZones.map((purpose) => {
    const value = { purpose, n: 1 }
    return { purpose, value, digest: digest(purpose, value) }
  }),
  tables: [berlin, strange].map((table) => ({ table, text: canonical(table), digest: zoneDigest(table) })),
  dues: cases.map(([table, pattern, after]) => {
    const { cron } = readCron(pattern)
    if (cron === undefined) throw new Error(`${pattern} is no pattern`)
    const next = duesAfter(cron, zoneOf(table), { after, until: table.until, countMax: 6 })
    return { zone: table.zone, pattern, after, next }
  }),
  refused: refused.map((pattern) => ({ pattern, fields: readCron(pattern).faults.map((it) => it.field) })),
})
