/*
 * Goal: equal unions give equal states, whoever learnt of what first, whatever came twice or late; and what a node
 * finds by its own check never goes away. Method: random worlds of three works, of honest and other events at random
 * ticks, folded in shuffled orders with repeats, with events left out and learnt at last, and with pending ones that
 * get their time later. `npm run hunt -- core/dispute` takes other worlds.
 */
import assert from 'node:assert/strict'
import { dutiesOf } from '#core/dispute/duties.ts'
import { foldDisputes } from '#core/dispute/fold.ts'
import { trustRules } from '#core/dispute/rules.ts'
import { rulingOutcomes } from '#core/dispute/statements.ts'
import type { DisputeEvent, DisputeUnion, EventOf } from '#core/dispute/types.ts'
import { type Random, seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import {
  challengeOf,
  checkedAt,
  cReveal,
  hash,
  POOL,
  rulingOf,
  T0,
  textOf,
  theWork,
  unionOf,
  withheldBy,
  wReveal,
} from './world.ts'

const test = suite('core/dispute: unions')
const WORLDS = 400
const CHALLENGES_MAX = 14
const works = [0, 1, 2].map((index) => theWork({ index, work: hash(`work ${index}`) }))

const shuffled = <T>(random: Random, items: readonly T[]): T[] => {
  const list = [...items]
  for (let i = list.length - 1; i > 0; i--) {
    const j = random.integer(0, i)
    ;[list[i], list[j]] = [list[j]!, list[i]!]
  }
  return list
}

const about = (random: Random, challenge: EventOf<'challenge'>, n: number): DisputeEvent[] => {
  const opened = challenge.when === 'pending' ? T0 : challenge.when.at
  const w = wReveal(challenge, random.next() < 0.1 ? null : opened + random.integer(-5, 150), n)
  const c = cReveal(challenge, opened + random.integer(0, 300), random.next() < 0.8 ? w : null)
  const rulings = Array.from({ length: random.integer(0, 3) }, () =>
    rulingOf(random.pick([...POOL, 'cid']), challenge, opened + random.integer(0, 2_500), random.pick(rulingOutcomes)),
  )
  const outcome = random.pick(['upheld', 'dismissed', 'not_reproducible', 'unchecked'] as const)
  const checks = random.next() < 0.5 ? [checkedAt(challenge, opened + random.integer(0, 900), outcome)] : []
  const withheld =
    random.next() < 0.2 ? [withheldBy(random.pick(['home', 'home2', 'cid']), challenge, opened + 50)] : []
  return [challenge, ...[w, c].filter(() => random.next() < 0.8), ...rulings, ...checks, ...withheld]
}

const worldOf = (random: Random): DisputeUnion => {
  const challenges = Array.from({ length: random.integer(1, CHALLENGES_MAX) }, () => {
    const author = random.pick(['ann', 'bob', 'requester', 'stranger', 'p1', 'worker'])
    const when = random.next() < 0.1 ? null : T0 + random.integer(0, 1_400)
    const parts = random.next() < 0.15 ? { kind: 'unavailable' as const, segment: null, own: null } : {}
    const segment = random.pick([3, 4, 'init', 'finish'] as const)
    return challengeOf(author, when, {
      work: random.pick(works),
      segment,
      own: hash(random.pick(['x', 'y'])),
      ...parts,
    })
  })
  const events = challenges.flatMap((it, n) => about(random, it, n))
  return unionOf(events, T0 + random.integer(0, 4_000), { works })
}

test('equal unions are equal states in any order, with repeats', () => {
  const random = seeded()
  for (let n = 0; n < WORLDS; n++) {
    const world = worldOf(random)
    const expected = textOf(foldDisputes(world))
    const again = [...world.events, ...world.events.filter(() => random.next() < 0.3)]
    const other = { ...world, events: shuffled(random, again), works: shuffled(random, world.works) }
    assert.equal(textOf(foldDisputes(other)), expected)
  }
})

test('by arrival they would not be: the property sees an order that counts', () => {
  const random = seeded()
  const rules = { ...trustRules, order: 'arrival' as const }
  const differs = Array.from({ length: WORLDS }, () => worldOf(random)).some((world) => {
    const other = { ...world, events: shuffled(random, world.events) }
    return textOf(foldDisputes(other, rules)) !== textOf(foldDisputes(world, rules))
  })
  assert.ok(differs)
})

test('who learns of events late, or of their time late, ends with the state of whoever knew all along', () => {
  const random = seeded()
  for (let n = 0; n < WORLDS; n++) {
    const world = worldOf(random)
    const part = world.events.filter(() => random.next() < 0.6)
    const timeless = part.map((it) => (random.next() < 0.2 ? { ...it, when: 'pending' as const } : it))
    foldDisputes({ ...world, events: timeless })
    const all = [...timeless, ...shuffled(random, world.events)]
    assert.equal(textOf(foldDisputes({ ...world, events: all })), textOf(foldDisputes(world)))
  }
})

test('what a node has proven by its own check of a challenge that stands is proven, whatever else is said', () => {
  const random = seeded()
  for (let n = 0; n < WORLDS; n++) {
    const challenge = challengeOf('ann', T0 + 1, { work: works[0]!, segment: 9 })
    const world = worldOf(random)
    const events = [
      ...world.events.filter((it) => it.type !== 'checked'),
      challenge,
      checkedAt(challenge, T0 + 5, 'upheld'),
    ]
    const standing = foldDisputes({ ...world, tick: T0 + 5_000, events: shuffled(random, events) })
    if (standing.disputes.get(challenge.id)?.refused !== null) continue
    assert.equal(standing.works.get(`${works[0]!.event}/0`)?.proven, challenge.id)
  }
})

test('no union proves a work wrong without a check that says so', () => {
  const random = seeded()
  for (let n = 0; n < WORLDS; n++) {
    const world = worldOf(random)
    const events = world.events.filter((it) => it.type !== 'checked' || it.payload.outcome !== 'upheld')
    const { works: found } = foldDisputes({ ...world, events })
    assert.ok([...found.values()].every(({ proven }) => proven === null))
  }
})

test('every dispute that stands and has its documents ends, and no duty outlives it', () => {
  const random = seeded()
  for (let n = 0; n < WORLDS; n++) {
    const world = { ...worldOf(random), tick: T0 + 20_000 }
    const standing = foldDisputes(world)
    for (const { phase, refused, challenge } of standing.disputes.values()) {
      if (refused === null && challenge.when !== 'pending') assert.equal(phase, 'ended')
    }
    const owed = [...POOL, 'worker', 'ann', 'home'].flatMap((node) => dutiesOf(standing, node, world.tick))
    assert.deepEqual(
      owed.filter(({ what, until }) => what !== 'check' && until !== null),
      [],
    )
  }
})

test.run()
