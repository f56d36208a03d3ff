/*
 * Goal: a tally is a function of the union of stakes and evidence, whatever came when and how often, and passes by the
 * rules of trust.md. Method: random unions, shuffled, repeated and cut in two; a plain count beside it that shares no
 * line with the one under test; and each rule by a case on both sides of its bound.
 */
import assert from 'node:assert/strict'
import type { Side } from '#core/vote/documents.ts'
import { type CountedStake, isSettled, QUORUM_WEIGHT, sortStakes, tallyOf, type VoteRules } from '#core/vote/tally.ts'
import { type Random, seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/vote: tally')
const random = seeded()

const UNIONS = 400
const STAKES_MAX = 24
const CLOSES = 10_000
const HOMES = ['tickmesh.log/a/1', 'tickmesh.log/b/1', 'tickmesh.log/c/1']
const ZIDS = ['zid1a', 'zid1b', 'zid1c', 'zid1d', 'zid1e']

const hex = (n: number): string => n.toString(16).padStart(64, '0')

const drawn = (from: Random, at: number): CountedStake => ({
  id: hex(from.integer(0, 1 << 20) * 64 + at),
  zid: from.pick(ZIDS),
  side: from.pick<Side>(['yes', 'yes', 'no']),
  weight: from.integer(1, 60),
  home: from.pick(HOMES),
  // A lock that stands in two stakes, now and then.
  op_digest: hex(from.integer(0, 3) === 0 ? 1 : 1_000 + at),
  tick: from.integer(CLOSES - 2_000, CLOSES),
})
const shuffled = <T>(from: Random, items: readonly T[]): readonly T[] =>
  items
    .map((it) => ({ it, at: from.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ it }) => it)

const rulesOf = (over: Partial<VoteRules> = {}): VoteRules => ({
  ...{ closes: CLOSES, logs: undefined, voided: new Set<string>() },
  ...over,
})
const count = (stakes: readonly CountedStake[], rules: VoteRules) => tallyOf(sortStakes(stakes, rules), rules)

/** What is counted, told in the words of the rule and no faster than that. */
const plainly = (stakes: readonly CountedStake[], voided: ReadonlySet<string>): readonly string[] => {
  const good = stakes.filter((it) => !voided.has(it.op_digest))
  const isBefore = (a: CountedStake, b: CountedStake): boolean => a.tick < b.tick || (a.tick === b.tick && a.id < b.id)
  const sided = good.filter((it) => {
    const first = good.filter(({ zid }) => zid === it.zid).reduce((least, one) => (isBefore(one, least) ? one : least))
    return first.side === it.side
  })
  const once = sided.filter((it) => !sided.some((one) => one.op_digest === it.op_digest && isBefore(one, it)))
  return once.map((it) => it.id).sort()
}

test('equal unions have equal tallies, whatever the order and however often a stake came', () => {
  for (let n = 0; n < UNIONS; n += 1) {
    const stakes = Array.from({ length: random.integer(0, STAKES_MAX) }, (_, at) => drawn(random, at))
    const voided = new Set(stakes.filter(() => random.integer(0, 5) === 0).map((it) => it.op_digest))
    const rules = rulesOf({ voided, logs: [undefined, 1, 2, 3][random.integer(0, 3)] })
    const once = count(stakes, rules)
    const again = shuffled(random, [...stakes, ...stakes.filter(() => random.integer(0, 1) === 0)])
    assert.deepEqual(count(again, rules), once)
    const { counted } = sortStakes(again, rules)
    assert.deepEqual(counted.map((it) => it.id).sort(), plainly(stakes, voided))
    assert.equal(
      once.yes + once.no,
      counted.reduce((sum, it) => sum + it.weight, 0),
    )
    // A stake that comes late, or evidence that does, leads where it would have led from the start.
    const [late, ...early] = shuffled(random, stakes)
    if (late === undefined) continue
    count(early, rulesOf({ logs: rules.logs }))
    assert.deepEqual(count([...early, late], rules), once)
  }
})

test('a stake that two nodes tell of happened when it happened first', () => {
  const it = drawn(random, 0)
  for (const both of [
    [it, { ...it, tick: it.tick - 5 }],
    [{ ...it, tick: it.tick - 5 }, it],
  ]) {
    assert.deepEqual(sortStakes(both, rulesOf()).counted, [{ ...it, tick: it.tick - 5 }])
  }
})

test('a later stake of the other side, a lock that was counted, and one that evidence voids say why', () => {
  const base = { ...drawn(random, 0), zid: 'zid1a', tick: 9_000, op_digest: hex(1), side: 'yes' as Side }
  const other = { ...base, id: hex(2), side: 'no' as Side, op_digest: hex(2), tick: 9_001 }
  const same = { ...base, id: hex(3), tick: 9_002 }
  const first = { ...base, id: hex(4), side: 'no' as Side, op_digest: hex(4), tick: 8_000 }
  const sort = (stakes: readonly CountedStake[], voided: readonly string[] = []) =>
    sortStakes(stakes, { voided: new Set(voided) })
  assert.deepEqual(
    [...sort([other, base, same]).out],
    [
      [other.id, 'other_side'],
      [same.id, 'lock_counted'],
    ],
  )
  // Found later, and happened before: now the others are of the other side.
  assert.deepEqual(
    sort([other, base, first]).counted.map((it) => it.id),
    [first.id, other.id],
  )
  // Evidence against the first one: the next fixes the side.
  const sorted = sort([other, base, first], [first.op_digest])
  assert.deepEqual([[...sorted.out.values()].sort(), sorted.counted], [['other_side', 'voided'], [base]])
})

const plain = (at: number, over: Partial<CountedStake>): CountedStake => ({
  ...{
    id: hex(at),
    zid: `zid1${at}`,
    side: 'yes',
    weight: 40,
    home: HOMES[0] as string,
    op_digest: hex(at),
    tick: 9_900,
  },
  ...over,
})

test('three ZIDs, a weight of 100 and more yes than no: one less of any and it does not pass', () => {
  const weigh = (...weights: readonly number[]) =>
    count(
      weights.map((weight, at) => plain(at, { weight })),
      rulesOf(),
    )
  assert.deepEqual(weigh(50, 49, 1).missing, [])
  assert.deepEqual(weigh(50, 48, 1).missing, ['weight'])
  assert.deepEqual(weigh(50, 50).missing, ['zids'])
  const against = (weight: number) => count([plain(0, {}), plain(1, {}), plain(2, { side: 'no', weight })], rulesOf())
  assert.deepEqual([against(79).missing, against(80).missing], [[], ['majority']])
  assert.equal(QUORUM_WEIGHT, 100)
})

test('where the policy names two logs, yes comes from two homes, none with more than half of what passes', () => {
  const two = rulesOf({ logs: 2 })
  const homes = (...weights: readonly number[]) =>
    weights.flatMap((half, at) =>
      [2 * half - 2, 1, 1].map((weight, n) => plain(at * 3 + n, { weight, home: HOMES[at] as string })),
    )
  assert.deepEqual(count(homes(500), two).missing, ['weight', 'majority', 'homes'])
  assert.equal(count(homes(500), rulesOf({ logs: 1 })).passed, true)
  assert.deepEqual([count(homes(500, 20), two).yes_effective, count(homes(500, 20), two).missing], [80, ['weight']])
  assert.deepEqual([count(homes(500, 25), two).yes_effective, count(homes(500, 25), two).passed], [100, true])
  assert.equal(count(homes(30, 20, 10), two).yes_effective, 120)
  assert.deepEqual([count(homes(500), two).indicative, count(homes(500), rulesOf()).indicative], [false, true])
})

test('more yes never undoes a pass', () => {
  let passed = 0
  for (let n = 0; n < UNIONS; n += 1) {
    const stakes = Array.from({ length: random.integer(3, STAKES_MAX) }, (_, at) => plain(at, drawnFor(random)))
    const rules = rulesOf({ logs: [undefined, 2, 3][random.integer(0, 2)] })
    const before = count(stakes, rules)
    const more = plain(99, { side: 'yes', weight: random.integer(1, 10_000), home: random.pick(HOMES) })
    const after = count([...stakes, more], rules)
    assert(after.yes_effective >= before.yes_effective)
    if (!before.passed) continue
    passed += 1
    assert.equal(after.passed, true)
  }
  assert(passed > 20, `${passed} of them passed before`)
})
const drawnFor = (from: Random): Partial<CountedStake> => ({
  ...{ side: from.pick<Side>(['yes', 'yes', 'no']), weight: from.integer(1, 60), home: from.pick(HOMES) },
  tick: from.integer(CLOSES - 2_000, CLOSES),
})

test('the share of the last 1,287 ticks, and when a result is settled', () => {
  const stakes = [plain(0, { tick: CLOSES - 1_287, weight: 30 }), plain(1, { tick: CLOSES - 1_286, weight: 10 })]
  assert.equal(count(stakes, rulesOf()).last_ticks_share, 0.25)
  assert.equal(count([], rulesOf()).last_ticks_share, null)
  const settled = (tick: number, alone = false) => isSettled(tick, { closes: CLOSES, alone })
  assert.deepEqual([settled(CLOSES, true), settled(CLOSES + 1, true)], [false, true])
  assert.deepEqual([settled(CLOSES + 1_286), settled(CLOSES + 1_287)], [false, true])
})

test.run()
