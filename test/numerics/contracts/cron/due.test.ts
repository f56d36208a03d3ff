// Goal: a pattern is due when the rules of protocols/wire/cron.md say so, for any table. Method: a clock that is walked
// half minute by half minute over drawn tables, overlapping changes among them; the cases of the document and of the
// vectors; properties over ten and more years of real zones.
import assert from 'node:assert/strict'
import { canonical, type Json } from '#core/canonical.ts'
import { zoneTable } from '#node/zones.ts'
import {
  duesAfter,
  lastDue,
  nextDue,
  onClock,
  readCron,
  readZoneTable,
  type ZoneTable,
  zoneDigest,
  zoneOf,
} from '#numerics/contracts/cron/cron.ts'
import { readVector } from '../../../hostile/vectors.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { type Drawn, drawPattern } from './drawn.ts'

const test = suite('numerics/contracts/cron/due')
const random = seeded()

const DAY = 86_400
const HALF = 30
const MS_MAX = 60_000
const [FROM, UNTIL] = [1_735_689_600, 2_145_916_800]
const MANY = 1_000_000

const cronOf = (pattern: string) => {
  const { cron, faults } = readCron(pattern)
  assert(cron !== undefined, `${pattern}: ${JSON.stringify(faults)}`)
  return cron
}

/** Three days with up to five changes somewhere in ten years, some of them within the hour. */
const drawTable = (): ZoneTable => {
  const start = FROM + 400 * DAY
  let [at, offset] = [start, random.integer(-24, 24) * 1_800]
  const first = offset
  const changes = Array.from({ length: random.integer(1, 5) }, () => {
    at += HALF * random.integer(1, random.pick([60, 600, 2_000]))
    const shift = random.pick([1_800, 3_600, 7_200, 1_230, DAY])
    const moved = offset + (random.next() < 0.5 ? shift : -shift)
    offset = Math.abs(moved) <= DAY ? moved : offset - Math.sign(offset) * shift
    return { at, offset }
  })
  return readZoneTable({
    v: 1,
    zone: 'Test/Drawn',
    from: start - 2 * DAY,
    until: start + 4_000 * DAY,
    offset: first,
    changes,
  })
}

/** Due instants as the document says them, by a clock that is looked at every half minute. */
const walked = ({ from, offset, changes }: ZoneTable, pattern: Drawn, days: number): readonly number[] => {
  const found: number[] = []
  const anyIn = (low: number, end: number): boolean => {
    for (let minute = Math.ceil(low / 60) * 60; minute < end; minute += 60) if (pattern.fits(minute)) return true
    return false
  }
  let shown = from + offset - 1
  let before = offset
  for (let t = from; t < from + days * DAY; t += HALF) {
    const now = changes.findLast((it) => it.at <= t)?.offset ?? offset
    const civil = t + now
    const leapt = now > before && anyIn(t + before, civil)
    const isDue = pattern.everyRepeat ? pattern.fits(civil) || leapt : anyIn(shown + 1, civil + 1)
    if (isDue) found.push(t)
    shown = Math.max(shown, civil)
    before = now
  }
  return found
}

test(
  'due instants are those of a clock that is walked, forwards and backwards',
  () => {
    let dues = 0
    for (let i = 0; i < 400; i++) {
      const [table, pattern] = [drawTable(), drawPattern(random)]
      const [zone, cron] = [zoneOf(table), cronOf(pattern.text)]
      const wanted = walked(table, pattern, 6)
      const until = table.from + 6 * DAY - 1
      const said = `${pattern.text} by ${JSON.stringify(table)}`
      assert.deepEqual(duesAfter(cron, zone, { after: table.from - 1, until, countMax: MANY }), wanted, said)
      const back: number[] = []
      for (let due = lastDue(cron, zone, until + 1); due !== undefined; due = lastDue(cron, zone, due)) back.push(due)
      assert.deepEqual(back.reverse(), wanted, said)
      dues += wanted.length
    }
    assert(dues > 10_000, String(dues))
  },
  MS_MAX,
)

interface Vectors {
  readonly tables: readonly { readonly table: ZoneTable; readonly text: string; readonly digest: string }[]
  readonly dues: readonly { zone: string; pattern: string; after: number; next: readonly number[] }[]
  readonly refused: readonly { readonly pattern: string; readonly fields: readonly string[] }[]
}

test('the vectors: tables with their digest, due instants, refused patterns', () => {
  const { tables, dues, refused } = readVector<Vectors>('zone')
  const byName = new Map(tables.map(({ table }) => [table.zone, table]))
  for (const it of tables) {
    assert.equal(canonical(readZoneTable(JSON.parse(it.text)) satisfies Json), it.text)
    assert.equal(zoneDigest(it.table), it.digest)
  }
  for (const { zone, pattern, after, next } of dues) {
    const bounds = { after, until: UNTIL, countMax: next.length }
    assert.deepEqual(duesAfter(cronOf(pattern), zoneOf(byName.get(zone)!), bounds), next, pattern)
  }
  for (const { pattern, fields } of refused) {
    assert.deepEqual(
      readCron(pattern).faults.map((it) => it.field),
      fields,
    )
  }
  assert(dues.length >= 12 && refused.length >= 18)
})

/** As a clock in the zone shows it: `28T03:00+2`. */
const shownIn = (table: ZoneTable, pattern: string, [from, until]: readonly [number, number]): readonly string[] => {
  const [zone, cron] = [zoneOf(table), cronOf(pattern)]
  return duesAfter(cron, zone, { after: from, until, countMax: 100 }).map((due) => {
    const { offset, mark } = onClock(cron, zone, due)
    const text = new Date((due + offset) * 1_000).toISOString()
    const civil = text.slice(8, text.slice(17, 19) === '00' ? 16 : 19)
    return [`${civil}${offset < 0 ? '' : '+'}${offset / 3_600}`, ...(mark === undefined ? [] : [mark])].join(' ')
  })
}

const at = (text: string): number => Date.parse(text) / 1_000

test('gaps and repeats are those of the table in the document, and are marked', () => {
  const { tables } = readVector<Vectors>('zone')
  const berlin = tables[0]!.table
  const march = [at('2027-03-28T00:00Z'), at('2027-03-28T01:59Z')] as const
  const october = [at('2027-10-30T23:59Z'), at('2027-10-31T02:45Z')] as const
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['30 2 * * *', ['28T03:00+2 gap'], ['31T02:30+2 first']],
    ['0,30 2 * * *', ['28T03:00+2 gap'], ['31T02:00+2 first', '31T02:30+2 first']],
    ['0 3 * * *', ['28T03:00+2'], ['31T03:00+1']],
    [
      '0-30/10 2-3 * * *',
      ['28T03:00+2 gap', '28T03:10+2', '28T03:20+2', '28T03:30+2'],
      [
        ...['31T02:00+2 first', '31T02:10+2 first', '31T02:20+2 first', '31T02:30+2 first'],
        ...['31T03:00+1', '31T03:10+1', '31T03:20+1', '31T03:30+1'],
      ],
    ],
    [
      '30 * * * *',
      ['28T01:30+1', '28T03:00+2 gap', '28T03:30+2'],
      ['31T02:30+2 first', '31T02:30+1 again', '31T03:30+1'],
    ],
    [
      '*/20 2 * * *',
      ['28T03:00+2 gap'],
      [
        ...['31T02:00+2 first', '31T02:20+2 first', '31T02:40+2 first'],
        ...['31T02:00+1 again', '31T02:20+1 again', '31T02:40+1 again'],
      ],
    ],
  ]
  for (const [pattern, inMarch, inOctober] of cases) {
    assert.deepEqual(shownIn(berlin, pattern, march), inMarch, pattern)
    assert.deepEqual(shownIn(berlin, pattern, october), inOctober, pattern)
  }
})

test('other clocks: half an hour, a lost day, two hours, three quarters', () => {
  const over = { from: DAY, until: 99 * 365 * DAY }
  const cases: readonly (readonly [string, string, string, string, readonly string[]])[] = [
    ['Australia/Lord_Howe', '45 1 * * *', '2027-04-03T12:00Z', '2027-04-03T18:00Z', ['04T01:45+11 first']],
    ['Pacific/Apia', '0 12 * * *', '2011-12-30T00:00Z', '2011-12-30T23:00Z', ['31T00:00+14 gap', '31T12:00+14']],
    ['Antarctica/Troll', '30 1,2 * * *', '2027-03-28T00:00Z', '2027-03-28T09:00Z', ['28T03:00+2 gap']],
    ['Africa/Monrovia', '30 0 * * *', '1972-01-07T00:00Z', '1972-01-07T09:00Z', ['07T00:44:30+0 gap']],
  ]
  for (const [zone, pattern, from, until, wanted] of cases) {
    assert.deepEqual(shownIn(zoneTable(zone, over)!, pattern, [at(from), at(until)]), wanted, zone)
  }
})

test(
  'over ten years and more: a due instant follows the last, before and after agree, nothing drifts',
  () => {
    for (const name of ['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca', 'America/St_Johns']) {
      const table = zoneTable(name, { from: FROM, until: UNTIL })!
      const zone = zoneOf(table)
      for (const pattern of ['*/30 * * * *', '0 9 * * *', '30 2 * * SUN', '0 0 1 * *']) {
        const cron = cronOf(pattern)
        const dues = duesAfter(cron, zone, { after: FROM, until: UNTIL, countMax: MANY })
        for (const [i, due] of dues.entries()) {
          if (i > 0) assert.equal(lastDue(cron, zone, due), dues[i - 1], `${pattern} in ${name}`)
          assert.equal(nextDue(cron, zone, due - 1), due)
        }
        assert(dues.every((due, i) => i === 0 || due > dues[i - 1]!))
      }
      const nine = cronOf('0 9 * * *')
      const days = duesAfter(nine, zone, { after: FROM, until: UNTIL, countMax: MANY })
      assert(days.every((due) => (due + onClock(nine, zone, due).offset) % DAY === 9 * 3_600))
      assert(Math.abs(days.length - (UNTIL - FROM) / DAY) <= 1, `${name}: ${days.length}`)
    }
  },
  MS_MAX,
)

test(
  'the halves of a table say what the whole says, wherever it is cut',
  () => {
    const span = { from: DAY * 365, until: UNTIL }
    for (const name of ['Europe/Berlin', 'Pacific/Apia', 'Africa/Casablanca', 'Asia/Gaza', 'Africa/Monrovia']) {
      const whole = zoneTable(name, span)!
      for (let i = 0; i < 12; i++) {
        const inside = whole.changes.filter((it) => it.at > span.from + 3_700 * DAY && it.at < UNTIL - 3_700 * DAY)
        const near = inside.length === 0 ? FROM : random.pick(inside).at
        const cut = near + random.integer(-5_000, 5_000)
        const halves = [
          zoneTable(name, { from: span.from, until: cut })!,
          zoneTable(name, { from: cut, until: UNTIL })!,
        ]
        const pattern = drawPattern(random)
        const cron = cronOf(pattern.text)
        const in4 = (table: ZoneTable, after: number, until: number): readonly number[] =>
          duesAfter(cron, zoneOf(table), { after, until, countMax: MANY })
        const [a, b] = [cut - 2 * DAY, cut + 2 * DAY]
        const parts = [...in4(halves[0]!, a, cut - 1), ...in4(halves[1]!, cut - 1, b)]
        assert.deepEqual(parts, in4(whole, a, b), `${pattern.text} in ${name}, cut at ${cut}`)
      }
    }
  },
  MS_MAX,
)

test('nothing is due past the end of a table, and lists keep their bounds', () => {
  const { tables } = readVector<Vectors>('zone')
  const zone = zoneOf(tables[0]!.table)
  const cron = cronOf('*/5 * * * *')
  assert.equal(nextDue(cron, zone, UNTIL - 3_600 * 2), UNTIL - 3_600 * 2 + 300)
  assert.equal(nextDue(cron, zone, UNTIL - 1), undefined)
  assert.equal(nextDue(cron, zone, UNTIL + DAY), undefined)
  assert.equal(lastDue(cron, zone, UNTIL + DAY), UNTIL - 300)
  assert.equal(lastDue(cron, zone, FROM + 1), FROM)
  assert.equal(lastDue(cron, zone, FROM), undefined)
  assert.deepEqual(duesAfter(cron, zone, { after: FROM, until: FROM + 900, countMax: 9 }).length, 3)
  assert.deepEqual(duesAfter(cron, zone, { after: FROM, until: UNTIL, countMax: 2 }), [FROM + 300, FROM + 600])
  assert.equal(nextDue(cronOf('0 0 29 2 MON'), zone, FROM), at('2025-02-02T23:00Z'))
})

test('a table from elsewhere is held against its form and its order', () => {
  const { tables } = readVector<Vectors>('zone')
  const good = tables[0]!.table
  const [first] = good.changes
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ ...good, v: 2 }, /\/v/],
    [{ ...good, zone: '+01:00' }, /\/zone/],
    [{ ...good, zone: 'a/b/c/d' }, /\/zone/],
    [{ ...good, more: 1 }, /additional|more/],
    [{ ...good, offset: 0.5 }, /\/offset/],
    [{ ...good, offset: DAY + 1 }, /\/offset/],
    [{ ...good, from: 0 }, /\/from/],
    [{ ...good, until: good.from + 3_651 * DAY, changes: [] }, /\/until/],
    [{ ...good, until: good.from + 36_526 * DAY }, /\/until/],
    [{ ...good, changes: [first, { at: first!.at, offset: 0 }] }, /\/changes\/1\/at/],
    [{ ...good, changes: [{ at: good.from, offset: 0 }] }, /\/changes\/0\/at/],
    [{ ...good, changes: [{ at: good.until, offset: 0 }] }, /\/changes\/0\/at/],
    [{ ...good, changes: [{ at: good.from + 9, offset: good.offset }] }, /\/changes\/0\/offset/],
    [
      { ...good, changes: Array.from({ length: 513 }, (_, i) => ({ at: good.from + i + 1, offset: i % 2 })) },
      /\/changes/,
    ],
  ]
  for (const [table, why] of wrong) assert.throws(() => readZoneTable(table), why)
  assert.deepEqual(readZoneTable({ ...good, changes: good.changes.slice(0, 1) }).changes.length, 1)
})

test.run()
