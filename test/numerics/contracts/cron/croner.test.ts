// Goal: due instants are those of another program, but where a rule of ours says otherwise. Method: croner 11 over
// drawn patterns, zones and instants, half of them near a change of the clock; each difference must have one of the
// reasons of protocols/wire/cron.md, found without the code under test, and behind it both must agree again.
// `TICKMESH_FUZZ_INPUTS=100000 node test/numerics/contracts/cron/croner.test.ts` takes more, and every zone.
import assert from 'node:assert/strict'
import { Cron as Croner } from 'croner'
import { zoneTable } from '#node/zones.ts'
import { nextDue, readCron, type ZoneTable, zoneOf } from '#numerics/contracts/cron/cron.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { type Drawn, drawPattern } from './drawn.ts'

const test = suite('numerics/contracts/cron/croner')
const random = seeded()

const MS_MAX = 120_000
const HUNTED_MS_MAX = 3_600_000
const hunted = process.env['TICKMESH_FUZZ_INPUTS']
const INPUTS = hunted === undefined ? 4_000 : Number(hunted)
/** Steps behind a difference until both agree again: the minutes of a day that comes twice. */
const APART_MAX = 2_000
const SPAN = { from: 365 * 86_400, until: 68 * 31_556_952 }

const ODD = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Antarctica/Troll', 'UTC'],
  ...['Africa/Casablanca', 'Africa/Monrovia', 'Asia/Gaza', 'America/Sao_Paulo', 'Asia/Beirut', 'America/St_Johns'],
  ...['Pacific/Kwajalein', 'Asia/Pyongyang', 'Antarctica/Casey', 'Asia/Kathmandu', 'America/Caracas', 'Africa/Cairo'],
  ...['Antarctica/Vostok', 'Asia/Tehran', 'Europe/Dublin', 'America/Scoresbysund', 'Pacific/Kiritimati', 'Asia/Amman'],
]
const tables = (hunted === undefined ? ODD : [...new Set([...ODD, ...Intl.supportedValuesOf('timeZone')])]).map(
  (it) => zoneTable(it, SPAN)!,
)

const changeAt = ({ offset, changes }: ZoneTable, at: number) => {
  const k = changes.findIndex((it) => it.at === at)
  return k < 0 ? undefined : { before: changes[k - 1]?.offset ?? offset, after: changes[k]!.offset }
}

const offsetIn = ({ offset, changes }: ZoneTable, at: number): number =>
  changes.findLast((it) => it.at <= at)?.offset ?? offset

const dayOf = (civil: number): number => Math.floor(civil / 86_400)

/** Whether a clock is set back by more than three hours about an instant, further than croner looks. */
const isFar = (table: ZoneTable, at: number): boolean =>
  table.changes.some((it) => Math.abs(it.at - at) < 2 * 86_400 && changeAt(table, it.at)!.before - it.offset > 10_800)

/** Whether an instant is one of the first days of March, over which croner runs to a 30 or 31 February. */
const isOverrun = (pattern: Drawn, table: ZoneTable, at: number): boolean => {
  const date = new Date((at + offsetIn(table, at)) * 1_000)
  return pattern.hasLastDays && date.getUTCMonth() === 2 && date.getUTCDate() <= 2
}

/** Why only we fire at an instant: it ends a gap with a due minute in it. */
const oursAlone = (pattern: Drawn, table: ZoneTable, at: number): string | undefined => {
  if (isOverrun(pattern, table, at)) return 'the first days of March'
  const change = changeAt(table, at)
  if (change === undefined || change.after < change.before) return undefined
  const [from, to] = [at + change.before, at + change.after]
  const first = Math.ceil(from / 60) * 60
  const due = Array.from({ length: Math.ceil((to - first) / 60) }, (_, i) => first + i * 60).find(pattern.fits)
  if (due === undefined) return undefined
  if (!pattern.isFixed) return 'a gap, and more than one minute or hour'
  return dayOf(due) === dayOf(to) ? undefined : 'a gap that ends on another day'
}

/** Why only croner fires at an instant: the minute was there before. */
const theirsAlone = (pattern: Drawn, table: ZoneTable, at: number): string | undefined => {
  const civil = at + offsetIn(table, at)
  const wasThere = table.changes.some((it) => {
    const { before } = changeAt(table, it.at)!
    return it.at <= at && it.at > at - 2 * 86_400 && it.offset < before && civil < it.at + before
  })
  return wasThere && !pattern.everyRepeat && !pattern.isFixed ? 'a list or range, the second time' : undefined
}

test(
  'the next due instant is that of croner, and every difference has its reason',
  () => {
    const reasons = new Map<string, number>()
    let [alike, joined] = [0, 0]
    for (let i = 0; i < INPUTS; i++) {
      const table = random.pick(tables)
      const near = table.changes.length > 0 && random.next() < 0.6
      const around = near ? random.pick(table.changes).at : random.integer(table.from, table.until - 366 * 86_400)
      const after = Math.max(table.from, around + (near ? random.integer(random.pick([-90_000, -5_400]), 7_200) : 0))
      const pattern = drawPattern(random)
      const { cron } = readCron(pattern.text)
      assert(cron !== undefined, pattern.text)
      const zone = zoneOf(table)
      const croner = new Croner(pattern.forCroner, { timezone: table.zone, mode: '5-part', paused: true })
      const theirNext = (at: number): number | undefined => {
        const next = croner.nextRun(new Date(at * 1_000))
        return next === null || next.getTime() >= table.until * 1_000 ? undefined : next.getTime() / 1_000
      }
      if (pattern.forCroner !== pattern.text) joined++
      let [ours, theirs] = [nextDue(cron, zone, after), theirNext(after)]
      if (ours === theirs) alike++
      for (let steps = 0; ours !== theirs; steps++) {
        const said = `${pattern.text} in ${table.zone} after ${after}: ${ours}, croner ${theirs}`
        const mine = theirs === undefined || (ours !== undefined && ours < theirs)
        const at = mine ? ours! : theirs!
        const why = mine ? oursAlone(pattern, table, at) : theirsAlone(pattern, table, at)
        const reason = why ?? (isFar(table, at) ? 'set back by more than three hours' : undefined)
        assert(reason !== undefined && steps < APART_MAX, said)
        if (steps === 0) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
        if (mine) ours = nextDue(cron, zone, at)
        else theirs = theirNext(at)
      }
    }
    const found = [...reasons].map(([reason, count]) => `${reason}: ${count}`)
    console.log(
      `${INPUTS} drawn, ${tables.length} zones: ${alike} alike; ${joined} with *-steps of days; ${found.join('; ')}`,
    )
    assert(reasons.size >= 2, found.join('; '))
  },
  hunted === undefined ? MS_MAX : HUNTED_MS_MAX,
)

test('croner loses a day in a gap that is due here at the end of the gap', () => {
  const berlin = zoneTable('Europe/Berlin', SPAN)!
  const at = Date.UTC(2027, 2, 27, 12)
  const { cron } = readCron('0,30 2 * * *')
  assert.equal(nextDue(cron!, zoneOf(berlin), at / 1_000), Date.UTC(2027, 2, 28, 1) / 1_000)
  const theirs = new Croner('0,30 2 * * *', { timezone: 'Europe/Berlin', mode: '5-part', paused: true })
  assert.equal(theirs.nextRun(new Date(at))?.getTime(), Date.UTC(2027, 2, 29))
})

test.run()
