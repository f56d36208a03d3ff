// Goal: a table of a zone is what the engine knows of it, and an unknown zone is refused by name. Method: every hour of
// a table against the engine's own calendar, read another way; changes that the time zone database has recorded; names
// with slips.
import assert from 'node:assert/strict'
import { noZone, ownZone, spanAround, zoneTable } from '#node/zones.ts'
import { readZoneTable, zoneDigest } from '#numerics/contracts/cron/cron.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('node/zones')
const random = seeded()

const at = (text: string): number => Date.parse(text) / 1_000
const NOW = at('2026-11-27T12:00Z')

/** Seconds east of UTC by the fields of a date, in place of the name of an offset. */
const offsetBy = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  return (instant: number): number => {
    const parts = Object.fromEntries(format.formatToParts(instant * 1_000).map((it) => [it.type, Number(it.value)]))
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000 - instant
  }
}

test('at every hour a table has the offset that the engine has, and changes to the second', () => {
  const listed = Intl.supportedValuesOf('timeZone')
  const names = ['Australia/Lord_Howe', 'Africa/Casablanca', ...Array.from({ length: 3 }, () => random.pick(listed))]
  for (const name of names) {
    const table = zoneTable(name, { from: at('1994-06-01T00:00Z'), until: at('2005-06-01T00:00Z') })!
    const offsetAt = offsetBy(name)
    let next = 0
    let offset = table.offset
    for (let t = table.from; t < table.until; t += 10_800) {
      while (table.changes[next] !== undefined && table.changes[next]!.at <= t) offset = table.changes[next++]!.offset
      assert.equal(offsetAt(t), offset, `${name} at ${t}`)
    }
    for (const it of table.changes) {
      assert.notEqual(offsetAt(it.at - 1), it.offset, name)
      assert.equal(offsetAt(it.at), it.offset, name)
    }
  }
})

test('changes are those of the time zone database', () => {
  const apia = zoneTable('Pacific/Apia', { from: at('2011-01-01T00:00Z'), until: at('2022-01-01T00:00Z') })!
  assert.deepEqual(
    apia.changes.find((it) => it.offset > 0),
    { at: at('2011-12-30T10:00Z'), offset: 14 * 3_600 },
  )
  const monrovia = zoneTable('Africa/Monrovia', { from: at('1971-01-01T00:00Z'), until: at('1981-01-02T00:00Z') })!
  assert.deepEqual([monrovia.offset, monrovia.changes], [-2_670, [{ at: at('1972-01-07T00:44:30Z'), offset: 0 }]])
})

test('a table covers ten years and more from any instant, is the same for a year, and reads back', () => {
  const [first, last] = [spanAround(at('2026-01-01T00:00Z')), spanAround(at('2026-12-31T23:59:59Z'))]
  assert.deepEqual(first, last)
  assert.deepEqual(first, { from: at('2025-01-01T00:00Z'), until: at('2038-01-01T00:00Z') })
  const table = zoneTable('Europe/Berlin', first)!
  assert.equal(zoneTable('Europe/Berlin', last), table, 'kept')
  assert.deepEqual(readZoneTable(JSON.parse(JSON.stringify(table))), table)
  assert.match(zoneDigest(table), /^[0-9a-f]{64}$/)
})

test('a table begins earlier where a clock was changed just before', () => {
  const change = at('2026-10-25T01:00Z')
  const cut = zoneTable('Europe/Berlin', { from: change + 600, until: at('2038-01-01T00:00Z') })!
  assert(cut.from < change && cut.changes[0]!.at === change)
  const quiet = zoneTable('Europe/Berlin', { from: change + 200_000, until: at('2038-01-01T00:00Z') })!
  assert.equal(quiet.from, change + 200_000)
})

test('a name that the engine does not know has no table, and names near to it are offered', () => {
  const span = spanAround(NOW)
  for (const name of ['Europe/Berlni', 'Mars/Base', 'europe/berlin', '+01:00', '', 'Europe/Berlin ', 'x'.repeat(200)]) {
    assert.equal(zoneTable(name, span), undefined, name)
  }
  for (const name of ['Asia/Kolkata', 'US/Pacific', 'Etc/GMT+5', 'UTC', 'EST5EDT']) assert(zoneTable(name, span), name)
  assert.deepEqual(noZone('Europe/Berlni').suggestions, ['Europe/Berlin'])
  assert.deepEqual(noZone('berlin').suggestions, ['Europe/Berlin'])
  assert.deepEqual(noZone('new york').suggestions, ['America/New_York'])
  assert.deepEqual(noZone('Mars/Olympus_Mons_Base').suggestions, [])
  assert(zoneTable(ownZone(), span) !== undefined)
})

test.run()
