/*
 * Goal: every rule of disputes is seen to decide a case: who may open one, how many, what a draw takes, whose duty it
 * is, what a check comes to. Method: small worlds in which each event and its time are written down, folded by the
 * product's rules; expectations are worked out by hand from the rule, not copied from the fold.
 */
import assert from 'node:assert/strict'
import { ranksOf } from '#core/dispute/draw.ts'
import { dutiesOf } from '#core/dispute/duties.ts'
import { suite } from '../../kit/suite.ts'
import {
  challengeOf,
  checkedAt,
  cReveal,
  cValue,
  drawn,
  fold,
  hash,
  one,
  POOL,
  refusedOf,
  rulingOf,
  T0,
  theWork,
  wCommitment,
  wReveal,
  wValue,
} from './world.ts'

const test = suite('core/dispute: rules')

test('a dispute opens within 1,287 ticks of the event that publishes the work, by When', () => {
  assert.equal(refusedOf([challengeOf('ann', T0 + 1_287)], challengeOf('ann', T0 + 1_287)), null)
  assert.equal(refusedOf([challengeOf('ann', T0 + 1_288)], challengeOf('ann', T0 + 1_288)), 'late')
  const pending = challengeOf('ann', null)
  assert.equal(one([pending], T0 + 5_000, pending.id).phase, 'pending', 'what is pending stands in no window yet')
})

test('the requester opens one without a bond, anybody else needs one at that time', () => {
  for (const [author, why] of [
    ['requester', null],
    ['ann', null],
    ['stranger', 'not_bonded'],
  ] as const) {
    const challenge = challengeOf(author, T0 + 1)
    assert.equal(refusedOf([challenge], challenge), why, author)
  }
  const challenge = challengeOf('ann', T0 + 50)
  const spans = (from: number, until: number | null) => ({ bonded: [{ node: 'ann', from, until }] })
  assert.equal(refusedOf([challenge], challenge, spans(T0 + 51, null)), 'not_bonded', 'the bond came later')
  assert.equal(refusedOf([challenge], challenge, spans(0, T0 + 50)), 'not_bonded', 'the bond was over')
})

test('a challenge of a work that is not there, or is another one at that place, opens nothing', () => {
  const challenge = challengeOf('ann', T0 + 1)
  assert.equal(fold([challenge], T0 + 2, { works: [] }).disputes.size, 0)
  assert.equal(fold([challenge], T0 + 2, { works: [theWork({ work: hash('other') })] }).disputes.size, 0)
  assert.equal(fold([challenge], T0 + 2, { works: [theWork({ worker: 'bob' })] }).disputes.size, 0)
})

test('one dispute for each work, challenger and segment: the first by When, then id, never by arrival', () => {
  const first = challengeOf('ann', T0 + 1, { own: hash('a') })
  const second = challengeOf('ann', T0 + 2, { own: hash('b') })
  for (const events of [
    [first, second],
    [second, first],
  ]) {
    assert.deepEqual([refusedOf(events, first), refusedOf(events, second)], [null, 'repeated'])
  }
  const elsewhere = challengeOf('ann', T0 + 2, { segment: 8 })
  const another = challengeOf('bob', T0 + 2)
  assert.equal(refusedOf([first, elsewhere], elsewhere), null)
  assert.equal(refusedOf([first, another], another), null)
  const [low, high] = [hash('1'), hash('2')].sort() as [string, string]
  const atOnce = [challengeOf('ann', T0 + 1, { id: high }), challengeOf('ann', T0 + 1, { id: low })]
  assert.deepEqual([refusedOf(atOnce, { id: low }), refusedOf(atOnce, { id: high })], [null, 'repeated'])
})

test('one challenger has 8 disputes open; the ninth waits until one is over', () => {
  const works = Array.from({ length: 10 }, (_, index) => theWork({ index, work: hash(`work ${index}`) }))
  const open = works.slice(0, 8).map((work) => challengeOf('ann', T0 + 1, { work }))
  const ninth = challengeOf('ann', T0 + 5, { work: works[8]! })
  const tenth = challengeOf('bob', T0 + 5, { work: works[9]! })
  assert.equal(refusedOf([...open, ninth, tenth], ninth, { works }), 'too_many')
  assert.equal(refusedOf([...open, ninth, tenth], tenth, { works }), null, 'the bound is each challenger’s')
  const w = wReveal(open[0]!, T0 + 2)
  const over = [w, cReveal(open[0]!, T0 + 3, w), rulingOf('p0', open[0]!, T0 + 4, 'not_reproducible')]
  assert.equal(refusedOf([...open, ...over, ninth], ninth, { works }), null)
})

test('64 disputes over one work: those of requester and pool first, then by When and id', () => {
  const many = Array.from({ length: 70 }, (_, i) => `node ${String(i).padStart(2, '0')}`)
  const bonded = [...many, ...POOL].map((node) => ({ node, from: 0, until: null }))
  const strangers = many.map((node, i) => challengeOf(node, T0 + 1 + i))
  const late = [challengeOf('requester', T0 + 900), challengeOf('p3', T0 + 901)]
  const events = [...strangers, ...late]
  const refused = events.map((it) => refusedOf(events, it, { bonded }))
  assert.deepEqual(refused.slice(70), [null, null], 'who has the first right')
  assert.deepEqual(
    refused.slice(0, 70),
    many.map((_, i) => (i < 62 ? null : 'crowded')),
  )
})

test('after n lost in a row the next waits 1,287 · 2^n ticks, and one that is won ends the row', () => {
  const works = Array.from({ length: 5 }, (_, index) => theWork({ index, work: hash(`w ${index}`), when: 'pending' }))
  const of = (index: number, tick: number) => challengeOf('ann', tick, { work: works[index]! })
  const [a, b] = [of(0, T0), of(1, T0 + 5_000)]
  const lost = checkedAt(a, T0 + 100, 'dismissed')
  const tooSoon = of(1, T0 + 100 + 2_573)
  const inTime = of(1, T0 + 100 + 2_574)
  assert.equal(refusedOf([a, lost, tooSoon], tooSoon, { works }), 'waiting')
  assert.equal(refusedOf([a, lost, inTime], inTime, { works }), null)
  const lostAgain = checkedAt(b, T0 + 5_100, 'dismissed')
  const [c, d] = [of(2, T0 + 5_100 + 5_147), of(2, T0 + 5_100 + 5_148)]
  assert.equal(refusedOf([a, lost, b, lostAgain, c], c, { works }), 'waiting', 'twice: 1,287 · 4')
  assert.equal(refusedOf([a, lost, b, lostAgain, d], d, { works }), null)
  const won = checkedAt(b, T0 + 5_100, 'upheld')
  const next = of(2, T0 + 5_101)
  assert.equal(refusedOf([a, lost, b, won, next], next, { works }), null)
  const withheldC = of(3, T0 + 300)
  assert.equal(refusedOf([a, withheldC], withheldC, { works }), 'waiting', 'c withheld until T0 + 240 is lost')
})

test('the worker reveals within 120 ticks, else its value is empty; then the challenger, else it has lost', () => {
  const { challenge, w, c } = drawn()
  assert.equal(one([challenge], T0 + 130, challenge.id).phase, 'w')
  assert.equal(one([challenge], T0 + 131, challenge.id).phase, 'c')
  assert.equal(one([challenge, w], T0 + 20, challenge.id).phase, 'c')
  const silent = one([challenge], T0 + 251, challenge.id)
  assert.deepEqual([silent.phase, silent.end, silent.lost], ['ended', { how: 'c_withheld', at: T0 + 250 }, true])
  assert.equal(one([challenge, w], T0 + 141, challenge.id).end?.how, 'c_withheld', '120 ticks after w')
  assert.equal(one([challenge, w, c], T0 + 31, challenge.id).phase, 'duty')
  const lateW = wReveal(challenge, T0 + 131)
  const answer = cReveal(challenge, T0 + 140, null)
  const course = one([challenge, lateW, answer], T0 + 150, challenge.id).course
  assert.deepEqual([course?.draw.w, course?.drawnAt], [null, T0 + 140])
  const empty = ranksOf({ work: theWork().work, challenge: challenge.id, c: cValue('ann'), w: null }, POOL)
  assert.deepEqual(course?.ranks, empty.slice(0, 8))
})

test('the challenger’s value counts only after the worker’s is out, or cannot come any more', () => {
  const { challenge, w } = drawn()
  const early = cReveal(challenge, T0 + 15, null)
  assert.equal(one([challenge, early, w], T0 + 60, challenge.id).phase, 'c', 'it came first and does not count')
  assert.equal(one([challenge, early], T0 + 140, challenge.id).phase, 'c', 'nor without w')
  const unnamed = cReveal(challenge, T0 + 30, null)
  assert.equal(one([challenge, w, unnamed], T0 + 60, challenge.id).phase, 'c', 'it does not name the reveal of w')
})

test('values are those that were committed to: of this work, in the order of the worker’s log, each once', () => {
  const a = challengeOf('ann', T0 + 10)
  const b = challengeOf('bob', T0 + 10)
  const [first, second] = [wReveal(a, T0 + 20, 0), wReveal(b, T0 + 21, 1)]
  const both = fold([a, b, first, second], T0 + 30)
  assert.equal(both.disputes.get(a.id)?.course?.draw.w?.value, wValue(0))
  assert.equal(both.disputes.get(b.id)?.course?.draw.w?.value, wValue(1))
  const outOfTurn = fold([a, b, second], T0 + 30)
  assert.equal(outOfTurn.disputes.get(b.id)?.course?.draw.w, null, 'the one before it is not here')
  const replayed = { ...wReveal(b, T0 + 21, 0), seq: 101 }
  assert.equal(fold([a, b, first, replayed], T0 + 30).disputes.get(b.id)?.course?.draw.w, null, 'a value used before')
  const foreign = theWork({}, { w: wCommitment(0, hash('another offer')) })
  assert.equal(one([a, first], T0 + 30, a.id, { works: [foreign] }).course?.draw.w, null, 'a value of another offer')
  const byOther = wReveal(a, T0 + 20, 0, { author: 'cid' })
  assert.equal(one([a, byOther], T0 + 30, a.id).course?.draw.w, null, 'a reveal by somebody else')
  const wrongC = cReveal(a, T0 + 25, first, { value: hash('another') })
  assert.equal(one([a, first, wrongC], T0 + 30, a.id).phase, 'c')
})

test('parties and nodes of their owners are never drawn', () => {
  const pool = [...POOL, 'ann', 'requester', 'worker'].sort()
  const { challenge, events } = drawn()
  const owners = [
    { node: 'ann', zid: 'zid ann' },
    { node: 'p4', zid: 'zid ann' },
    { node: 'p5', zid: 'zid else' },
    { node: 'worker', zid: 'zid worker' },
    { node: 'p6', zid: 'zid worker' },
  ]
  const { course } = one(events, T0 + 40, challenge.id, { works: [theWork({}, { pool })], owners })
  assert.deepEqual([...(course?.ranks ?? [])].sort(), ['p0', 'p1', 'p2', 'p3', 'p5', 'p7', 'p8', 'p9'])
})

test('rank r has max(240, 4 × estimate) ticks, the estimate of a segment being that of the run divided by k', () => {
  const { challenge, events, ranks } = drawn()
  const dutyOf = (node: string, parts = {}) =>
    dutiesOf(fold(events, T0 + 31, parts), node, T0 + 31).find(({ what }) => what === 'rule')
  assert.deepEqual([dutyOf(ranks[0]!)?.from, dutyOf(ranks[0]!)?.until], [T0 + 30, T0 + 270])
  assert.deepEqual([dutyOf(ranks[7]!)?.from, dutyOf(ranks[7]!)?.until], [T0 + 30 + 7 * 240, T0 + 30 + 8 * 240])
  assert.equal(dutyOf(ranks[8]!), undefined, 'ranks 0 to 7')
  const large = { works: [theWork({}, { workUnits: 1_000_000, k: 10 })] }
  assert.equal(dutyOf(ranks[0]!, large)?.until, T0 + 30 + 400, 'ceil(1,000 / 10) · 4')
  const whole = challengeOf('ann', T0 + 10, { segment: 'all' })
  const w = wReveal(whole, T0 + 20)
  const all = [whole, w, cReveal(whole, T0 + 30, w)]
  const works = [theWork({}, { workUnits: 500_000, k: 0 })]
  assert.equal(one(all, T0 + 40, whole.id, { works }).course?.span, 2_000)
  assert.equal(one(events, T0 + 30 + 1_920, challenge.id).phase, 'duty')
  const end = one(events, T0 + 30 + 1_921, challenge.id)
  assert.deepEqual(end.end, { how: 'unresolved', at: T0 + 30 + 1_920 }, 'no verdict after rank 7')
  assert.equal(end.lost, false)
})

test('a ruling by any pool member beside the parties is as good as rank 0’s; a stranger’s is none', () => {
  const { challenge, events, ranks } = drawn()
  const last = rulingOf(ranks[9]!, challenge, T0 + 35, 'dismissed')
  assert.deepEqual(one([...events, last], T0 + 40, challenge.id).end, { how: 'ruled', at: T0 + 35 })
  for (const author of ['cid', 'ann', 'worker', 'requester']) {
    const ruling = rulingOf(author, challenge, T0 + 35, 'upheld')
    assert.equal(one([...events, ruling], T0 + 40, challenge.id).end, null, author)
  }
  const early = rulingOf(ranks[3]!, challenge, T0 + 9, 'upheld')
  assert.equal(one([...events, early], T0 + 40, challenge.id).end, null, 'before the challenge')
  const twice = [
    rulingOf(ranks[1]!, challenge, T0 + 41, 'upheld'),
    rulingOf(ranks[1]!, challenge, T0 + 42, 'dismissed'),
  ]
  assert.deepEqual(
    one([...events, ...twice], T0 + 50, challenge.id).course?.rulings.map(({ outcome }) => outcome),
    ['upheld'],
    'the first of each',
  )
})

test('after upheld ranks 1 and 2 may be asked; after dismissed nobody is', () => {
  const { challenge, events, ranks } = drawn()
  const asked = (outcome: 'upheld' | 'dismissed') => {
    const standing = fold([...events, rulingOf(ranks[0]!, challenge, T0 + 50, outcome)], T0 + 60)
    return ranks.filter((node) => dutiesOf(standing, node, T0 + 60).some(({ what }) => what === 'rule'))
  }
  assert.deepEqual(asked('upheld'), [ranks[1], ranks[2]])
  assert.deepEqual(asked('dismissed'), [])
})

test('a ruling calls for a check and proves nothing; only the own check does', () => {
  const { challenge, events, ranks } = drawn()
  const rulings = ranks.slice(0, 8).map((node) => rulingOf(node, challenge, T0 + 50, 'upheld'))
  const believed = fold([...events, ...rulings], T0 + 60)
  assert.deepEqual(
    [...believed.works.values()].map(({ proven }) => proven),
    [null],
  )
  assert.ok(dutiesOf(believed, 'home', T0 + 60).some(({ what, atOnce }) => what === 'check' && atOnce))
  const found = fold([...events, ...rulings, checkedAt(challenge, T0 + 61, 'dismissed')], T0 + 62)
  assert.deepEqual(
    [...found.works.values()].map(({ proven }) => proven),
    [null],
  )
  assert.deepEqual(found.disputes.get(challenge.id)?.refutedRulers.toSorted(), ranks.slice(0, 8).toSorted())
  assert.equal(found.disputes.get(challenge.id)?.lost, true)
  const proven = fold([...events, checkedAt(challenge, T0 + 61, 'upheld')], T0 + 62)
  assert.deepEqual(
    [...proven.works.values()].map(({ proven: by }) => by),
    [challenge.id],
    'with no ruling at all',
  )
})

test('neither side’s digest is not_reproducible: nothing is proven, and nobody has lost', () => {
  const { challenge, events } = drawn()
  const dispute = one([...events, checkedAt(challenge, T0 + 61, 'not_reproducible')], T0 + 62, challenge.id)
  assert.deepEqual([dispute.verdict, dispute.lost, dispute.refutedRulers], ['not_reproducible', false, []])
})

test('each dispute stands alone, and one proven one ends all', () => {
  const shield = challengeOf('cid', T0 + 1, { own: hash('nonsense') })
  const real = challengeOf('ann', T0 + 500, { segment: 9 })
  const dismissed = [rulingOf('p1', shield, T0 + 5, 'dismissed'), checkedAt(shield, T0 + 6, 'dismissed')]
  const open = fold([shield, ...dismissed, real], T0 + 510)
  assert.equal(open.disputes.get(real.id)?.phase, 'w')
  const standing = fold([shield, ...dismissed, real, checkedAt(real, T0 + 520, 'upheld')], T0 + 530)
  assert.deepEqual(
    [...standing.works.values()].map(({ proven }) => proven),
    [real.id],
  )
  assert.deepEqual(
    [...standing.disputes.values()].map(({ end }) => end?.how),
    ['proven', 'proven'],
  )
})

test('challenges of one work with equal segment and digest are checked once', () => {
  const [a, b, other] = [
    challengeOf('ann', T0 + 1),
    challengeOf('bob', T0 + 2),
    challengeOf('cid', T0 + 3, { segment: 8 }),
  ]
  const duties = dutiesOf(fold([a, b, other], T0 + 10), 'home', T0 + 10).filter(({ what }) => what === 'check')
  assert.deepEqual(duties.map((it) => it.challenge).toSorted(), [a.id, other.id].toSorted())
  const found = fold([a, b, checkedAt(a, T0 + 11, 'dismissed')], T0 + 12)
  assert.deepEqual(
    [...found.disputes.values()].map(({ verdict }) => verdict),
    ['refuted', 'refuted'],
  )
})

test('a whole run is checked by homes, requester and ranks 0 to 2 alone', () => {
  const whole = challengeOf('ann', T0 + 10, { segment: 'all' })
  const w = wReveal(whole, T0 + 20)
  const works = [theWork({}, { k: 0 })]
  const standing = fold([whole, w, cReveal(whole, T0 + 30, w)], T0 + 40, { works })
  const ranks = standing.disputes.get(whole.id)?.course?.ranks ?? []
  const checks = (node: string) => dutiesOf(standing, node, T0 + 40).some(({ what }) => what === 'check')
  assert.deepEqual(['home', 'requester', ranks[2]!, ranks[3]!, 'bob'].map(checks), [true, true, true, false, false])
})

test.run()
