/*
 * Goal: what homes, sides and pool owe and may do: withholding, locks, data that cannot be had, duties. Method: as
 * rules.test.ts, by small worlds and expectations from the rule.
 */
import assert from 'node:assert/strict'
import { dutiesOf } from '#core/dispute/duties.ts'
import type { DisputeEvent, EventOf } from '#core/dispute/types.ts'
import { locksUntil, NEVER, notWithheld } from '#core/dispute/withhold.ts'
import { suite } from '../../kit/suite.ts'
import {
  challengeOf,
  checkedAt,
  cReveal,
  drawn,
  fold,
  hash,
  one,
  refusedOf,
  rulingOf,
  T0,
  theWork,
  withheldBy,
  wReveal,
} from './world.ts'

const test = suite('core/dispute: homes, sides and pool')

test('a home withholds what it has proven itself; where it is a party it also needs another node', () => {
  const zids = new Map([
    ['home', 'zid home'],
    ['ann', 'zid ann'],
  ])
  const view = { node: 'home', zidOf: (node: string) => zids.get(node), isCounted: true }
  const why = (events: readonly DisputeEvent[], of = view, work = theWork()) => {
    const standing = fold(events, T0 + 100, { works: [work] })
    return notWithheld([...standing.works.values()][0]!, standing.disputes, of)
  }
  const { challenge, events } = drawn()
  const proven = [...events, checkedAt(challenge, T0 + 61, 'upheld')]
  assert.equal(why(events), 'nothing_proven')
  assert.equal(why(proven), null)
  assert.equal(why(proven, { ...view, isCounted: false }), 'not_counted')
  assert.equal(why(proven, { ...view, node: 'bob' }), 'no_home')
  assert.equal(why(proven, view, theWork({}, { atRisk: false })), 'no_bond_at_risk')
  const asRequester = theWork({ requester: 'home' })
  assert.equal(why(proven, view, asRequester), 'needs_another')
  assert.equal(why([...proven, withheldBy('home2', challenge, T0 + 70)], view, asRequester), null)
  assert.equal(why([...proven, withheldBy('cid', challenge, T0 + 70)], view, asRequester), 'needs_another', 'no home')
  assert.equal(why([...proven, rulingOf('p1', challenge, T0 + 50, 'upheld')], view, asRequester), null)
  const own = challengeOf('home', T0 + 10)
  const alone = [own, checkedAt(own, T0 + 61, 'upheld')]
  assert.equal(why(alone), 'needs_another', 'its own challenge')
  zids.set('ann', 'zid home')
  assert.equal(why(proven), 'needs_another', 'a challenge of a node of the same owner')
})

test('a home that cannot load the code keeps the lock 9,009 ticks beyond the end, and no longer', () => {
  const { challenge, events } = drawn()
  const until = T0 + 30 + 8 * 240
  assert.equal(locksUntil(one(events, T0 + 40, challenge.id)), until + 9_009)
  assert.equal(
    locksUntil(one([...events, checkedAt(challenge, T0 + 60, 'unchecked')], T0 + 70, challenge.id)),
    until + 9_009,
  )
  assert.equal(
    locksUntil(one([...events, checkedAt(challenge, T0 + 60, 'dismissed')], T0 + 70, challenge.id)),
    undefined,
  )
  assert.equal(locksUntil(one([...events, checkedAt(challenge, T0 + 60, 'upheld')], T0 + 70, challenge.id)), NEVER)
  const both = [checkedAt(challenge, T0 + 60, 'unchecked'), checkedAt(challenge, T0 + 90, 'upheld')]
  assert.equal(one([...events, ...both], T0 + 100, challenge.id).verdict, 'proven', 'it could later')
})

test('data that cannot be had: who gets them dismisses without loss; ranks that do not make it unavailable', () => {
  const challenge = challengeOf('ann', T0 + 10, { kind: 'unavailable', segment: null, own: null })
  const w = wReveal(challenge, T0 + 20)
  const events = [challenge, w, cReveal(challenge, T0 + 30, w)]
  const { course } = one(events, T0 + 40, challenge.id)
  const [r0 = '', r1 = ''] = course?.ranks ?? []
  const look = dutiesOf(fold(events, T0 + 40), r1, T0 + 40).find(({ what }) => what === 'look')
  assert.deepEqual([look?.from, look?.until], [T0 + 270, T0 + 510])
  const found = one([...events, rulingOf(r0, challenge, T0 + 50, 'available')], T0 + 60, challenge.id)
  assert.deepEqual([found.end, found.lost], [{ how: 'available', at: T0 + 50 }, false])
  const nothing = [...events, rulingOf(r0, challenge, T0 + 200, 'unavailable')]
  assert.equal(one(nothing, T0 + 750, challenge.id).end, null)
  const over = fold(nothing, T0 + 751)
  assert.equal(over.disputes.get(challenge.id)?.end?.how, 'unavailable')
  assert.deepEqual(
    [...over.works.values()].map(({ unavailable, proven }) => [unavailable, proven]),
    [[true, null]],
  )
  assert.equal(one(events, T0 + 751, challenge.id).end?.how, 'unresolved', 'nobody looked')
})

test('what the data allow is the same dispute within max(240, 4 × estimate), also past the 1,287', () => {
  const asked = challengeOf('ann', T0 + 1_200, { kind: 'unavailable', segment: null, own: null })
  const found = rulingOf('p2', asked, T0 + 1_400, 'available')
  const next = (tick: number, parts = {}) => challengeOf('ann', tick, { follows: asked.id, ...parts })
  const why = (it: EventOf<'challenge'>) => refusedOf([asked, found, it], it)
  assert.equal(why(next(T0 + 1_640)), null)
  assert.equal(why(next(T0 + 1_641)), 'late')
  const byOther = challengeOf('bob', T0 + 1_500, { follows: asked.id })
  assert.equal(why(byOther), 'follows_nothing')
  assert.equal(why(challengeOf('ann', T0 + 1_500, { follows: hash('nothing') })), 'follows_nothing')
})

test('without offer and accept nobody can be drawn, and nothing is decided', () => {
  const { challenge, events } = drawn()
  const dispute = one(events, T0 + 5_000, challenge.id, { works: [theWork({ terms: null })] })
  assert.deepEqual([dispute.phase, dispute.end, dispute.lost], ['documents', null, false])
})

test('nobody left to rule is unresolved at once, and homes still check', () => {
  const { challenge, events } = drawn()
  const standing = fold(events, T0 + 31, { works: [theWork({}, { pool: ['ann', 'worker'] })] })
  assert.equal(standing.disputes.get(challenge.id)?.end?.how, 'unresolved')
  assert.ok(dutiesOf(standing, 'home', T0 + 31).some(({ what }) => what === 'check'))
})

/** While a dispute may last beyond 1,287 + 240 ticks, data are served as long: c by T0 + 250, then 8 · 240. */
const SERVE = `serve ${T0 + 250 + 1_920}`

test('duties of the two sides: the worker to reveal, then the challenger, both to serve what a check needs', () => {
  const { challenge, w } = drawn()
  const of = (events: readonly DisputeEvent[], node: string, tick: number) =>
    dutiesOf(fold(events, tick), node, tick).map(({ what, until }) => `${what} ${until}`)
  assert.deepEqual(of([challenge], 'worker', T0 + 15).toSorted(), ['check null', `reveal ${T0 + 130}`, SERVE])
  assert.deepEqual(of([challenge, w], 'worker', T0 + 25).toSorted(), ['check null', `serve ${T0 + 140 + 1_920}`])
  assert.ok(of([challenge, w], 'ann', T0 + 25).includes(`reveal ${T0 + 140}`))
  const pending = challengeOf('ann', null)
  assert.ok(of([pending], 'worker', T0 + 15).includes('reveal null'), 'what is pending calls for duties')
})

test.run()
