// Goal: due ticks lie on the grid of the creation, and a gap holds exactly those that were not sealed. Method: random
// rhythms; the answers are held against counting tick by tick.
import assert from 'node:assert/strict'
import { dueAfter, dueBy, gapBefore, gapsBefore, reasonOf } from '#domain/channels/due.ts'
import { createDueSet } from '#domain/channels/due-set.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('domain: due ticks of channels')

const CASES = 500

test('due ticks and gaps are those that counting finds', () => {
  const random = seeded()
  for (let i = 0; i < CASES; i++) {
    const row = { created_mesh: random.integer(0, 1_000), interval: random.integer(1, 40) }
    const now = row.created_mesh + random.integer(0, 400)
    const isDue = (tick: number): boolean => (tick - row.created_mesh) % row.interval === 0
    let [by, after] = [now, now + 1]
    while (!isDue(by)) by -= 1
    while (!isDue(after)) after += 1
    assert.deepEqual([dueBy(row, now), dueAfter(row, now)], [by, after])
    const next_due = dueAfter(row, row.created_mesh + random.integer(0, 400) - row.interval)
    const ticks = Array.from({ length: Math.max(0, now - next_due) }, (_, at) => next_due + at).filter(isDue)
    const found = gapBefore(row, { next_due }, now)
    const due = ticks.length === 0 ? undefined : { from: ticks[0], to: ticks.at(-1), missed: ticks.length }
    assert.deepEqual(found, due)
  }
  assert.equal(gapBefore({ created_mesh: 0, interval: 1 }, { next_due: null }, 9), undefined)
})

test('a gap has the reason of how the channel stood, and of whether the node was there', () => {
  const gap = { from: 100, to: 110, missed: 11 }
  const reasons = (['open', 'starved', 'stopped'] as const).map((status) => reasonOf({ status }, gap, 50))
  assert.deepEqual(reasons, ['late', 'starved', 'stopped'])
  assert.equal(reasonOf({ status: 'open' }, gap, 101), 'down')
})

test('due ticks that were refused are a gap of their own, and those behind them have the reason of the rest', () => {
  const random = seeded()
  for (let i = 0; i < CASES; i++) {
    const row = { created_mesh: 0, interval: random.integer(1, 9) }
    const next_due = row.interval * random.integer(1, 50)
    const ticks = random.integer(0, 9)
    const before = next_due + (ticks - 1) * row.interval + 1
    const refused = random.integer(0, 12)
    const status = random.pick(['open', 'starved', 'stopped'] as const)
    // Before the first refusal there is none; afterwards one of long ago stands, on the grid or beside it.
    const ago = random.pick([0, row.interval, random.integer(1, 9 * row.interval)])
    const before_due = ago === 0 ? undefined : next_due - ago
    const refused_to = refused > 0 ? next_due + (refused - 1) * row.interval : before_due
    const head = { status, next_due, ...(refused_to !== undefined && { refused_to }) }
    const reasons = Array.from({ length: ticks }, (_, at) =>
      at < refused ? 'refused' : status === 'open' ? 'late' : status,
    )
    const said = gapsBefore(row, head, { before, awakeSince: 0 })
    const each = said.flatMap(({ from, to, missed, reason }) => {
      assert(missed > 0)
      assert.equal(to, from + (missed - 1) * row.interval)
      return Array.from({ length: missed }, (_, at) => [from + at * row.interval, reason])
    })
    assert.deepEqual(
      each,
      reasons.map((reason, at) => [next_due + at * row.interval, reason]),
    )
    assert(said.length < 3)
  }
  // One that was said already says nothing of what comes: the last one, those before it, and those of another rhythm.
  for (const refused_to of [20, 10, 0, 27, 3, -40]) {
    const later = { status: 'open', next_due: 30, refused_to } as const
    const gaps = gapsBefore({ created_mesh: 0, interval: 10 }, later, { before: 51, awakeSince: 60 })
    assert.deepEqual(gaps, [{ from: 30, to: 50, missed: 3, reason: 'down' }], `${refused_to}`)
  }
})

test('a set of what is due gives each name once, at its newest place, the earliest first', () => {
  const random = seeded()
  const set = createDueSet()
  const places = new Map<string, number>()
  const place = (id: string, at: number | undefined): void => {
    set.place(id, at)
    if (at === undefined) places.delete(id)
    else places.set(id, at)
  }
  for (let now = 0; now < CASES; now++) {
    for (let i = 0; i < 5; i++) {
      const at = random.integer(0, 9) === 0 ? undefined : now + random.integer(0, 30)
      place(`channel ${random.integer(0, 50)}`, at)
    }
    if (random.integer(0, 3) > 0) continue
    const due = [...places].filter(([, at]) => at <= now)
    const taken = set.take(now)
    assert.deepEqual(new Set(taken), new Set(due.map(([id]) => id)))
    const ticks = taken.map((id) => places.get(id) ?? 0)
    assert.deepEqual(
      ticks,
      ticks.toSorted((a, b) => a - b),
    )
    for (const id of taken) places.delete(id)
    assert.equal(set.size, places.size)
  }
})

test.run()
