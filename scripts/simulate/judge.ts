import { createHash } from 'node:crypto'
import { type DisputesStanding, foldDisputes } from '#core/dispute/fold.ts'
import { trustRules } from '#core/dispute/rules.ts'
import { workKey } from '#core/dispute/types.ts'
import { BOND_WORKS_MAX, DISPUTE_TICKS } from '#core/work/exposure.ts'
import { countedOf } from './keeping.ts'
import { standingOf } from './node.ts'
import { isHonest } from './party.ts'
import {
  disputedWork,
  enter,
  honestNodes,
  isWrong,
  type SimNode,
  type SimWork,
  violate,
  type World,
  whenOf,
} from './world.ts'

/** The invariants by their names, with what each says. */
export const invariants = {
  'honest bond': 'no honest home takes a bond, and no honest node holds a work to be wrong, whose work is right',
  proven: 'a true challenge that stands, with data that can be had, is proven at every honest home, and the bond taken',
  agreement: 'nodes that hold the same events about a work have the same state of its disputes',
  locks: 'a lock ends neither before its time nor in a dispute, one count of changes is used once, 64 works at most',
  'blind draw': 'each value of a draw was fixed before the other was known, and no party is drawn',
} as const
export type Invariant = keyof typeof invariants

/** A state as a text that does not depend on the order of maps. */
const digestOf = (standing: DisputesStanding): string => {
  const disputes = [...standing.disputes.values()]
    .map(({ id, refused, phase, end, course, lost, verdict }) => {
      const rulings = course?.rulings.map(({ event }) => event) ?? []
      return { id, refused, phase, end, lost, verdict, draw: course?.draw ?? null, ranks: course?.ranks ?? [], rulings }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(disputes)).digest('hex')
}

/** What a node makes of one work alone, from what it holds about it, in the order in which it came. */
const alone = (world: World, node: SimNode, work: SimWork, tick: number): { ids: string; state: string } => {
  const { now } = world.agenda
  const told = [...node.known.values()].filter((it) => work.said.includes(it))
  const events = told.flatMap((it) => {
    const read = enter(world, it)
    return read === null ? [] : [{ ...read, when: whenOf(it, now) }]
  })
  const union = { works: [disputedWork(work, now)], events, bonded: world.bonded, owners: world.owners, tick }
  const ids = told
    .map(({ id }) => id)
    .sort()
    .join()
  return { ids, state: digestOf(foldDisputes(union, world.asked.rules)) }
}

const judgeAgreement = (world: World): void => {
  const tick = world.agenda.now + 10_000
  for (const work of world.works.values()) {
    if (work.said.length === 0) continue
    const states = new Map<string, string>()
    for (const node of honestNodes(world)) {
      if (!node.works.has(work.key)) continue
      const { ids, state } = alone(world, node, work, tick)
      const before = states.get(ids)
      if (before !== undefined && before !== state) {
        return violate(world, 'agreement', `${node.party.index} has another state of ${work.key} from the same events`)
      }
      states.set(ids, state)
    }
    const followers = honestNodes(world).filter(({ party }) => work.followers.has(party.index))
    if (world.asked.mode === 'liveness' && states.size > 1 && followers.length > 1) {
      return violate(world, 'agreement', `after all healed, nodes hold different events about ${work.key}`)
    }
  }
}

const judgeDraws = (world: World, standing: DisputesStanding): void => {
  for (const { id, course, work, challenge } of standing.disputes.values()) {
    if (course === null || course.drawnAt === null) continue
    const { w, c, wUntil } = course.draw
    const isBlind = c !== null && (w === null ? c.at > wUntil : w.at <= c.at)
    const parties = [work.requester, work.worker, challenge.author]
    if (!isBlind || course.ranks.some((it) => parties.includes(it))) {
      return violate(world, 'blind draw', `a value of the draw of ${id} could be chosen when the other was known`)
    }
  }
}

/** Counted works of a bond that stood at one time, counted apart from the rule. */
const mostAtOnce = (world: World, works: readonly SimWork[]): number => {
  const times = works.flatMap(({ told }) => {
    const when = whenOf(told, world.agenda.now)
    return when === 'pending' ? [] : [when.at]
  })
  return Math.max(0, ...times.map((at) => times.filter((it) => it <= at && at <= it + DISPUTE_TICKS).length))
}

const judgeLocks = (world: World): void => {
  for (const bond of world.bonds.values()) {
    const all = [...world.works.values()].filter((it) => it.bond === bond)
    if (all.length <= BOND_WORKS_MAX) continue
    const counted = new Set(countedOf(world, all, bond))
    const most = mostAtOnce(
      world,
      all.filter(({ key }) => counted.has(key)),
    )
    if (most > BOND_WORKS_MAX) {
      return violate(world, 'locks', `the bond of ${bond.owner.index} answers for ${most} works at once`)
    }
  }
  for (const home of world.homes) {
    if (isHonest(home.party) && home.twice.length > 0) {
      return violate(world, 'locks', `home ${home.party.index} signed one count of changes twice`)
    }
  }
}

/** True challenges by honest nodes whose work is under a bond that answers for it. */
export const provable = (world: World): readonly SimWork[] => {
  const works = new Set(
    [...world.challenges.values()].filter((it) => it.isTrue && isHonest(it.by)).map(({ work }) => work),
  )
  return [...works].filter((work) => isWrong(work) && work.terms.atRisk)
}

/** Honest homes that have not proven what they could have, with why. */
const judgeProven = (world: World): void => {
  if (world.asked.mode !== 'liveness') return
  for (const work of provable(world)) {
    const counted = countedOf(world, world.works.values(), work.bond)
    for (const { home } of work.bond.homes) {
      if (!isHonest(home.party)) continue
      const node = world.nodes[home.party.index] as SimNode
      const found = standingOf(world, node).works.get(work.key)
      // Whether it stands is asked of the rules as they are, whatever this world breaks.
      const standing = standingOf(world, node, trustRules)
      const stands = [...world.challenges.values()].some(
        (it) => it.work === work && it.isTrue && standing.disputes.get(it.told.id)?.refused === null,
      )
      if (!stands) continue
      if (found?.proven === null || found === undefined) {
        return violate(
          world,
          'proven',
          `home ${home.party.index} has not proven ${work.key} of ${work.worker.index} wrong`,
        )
      }
      const name = work.bond.bond.bond
      if (counted.includes(work.key) && !home.withheld.has(name) && !isAlone(world, work, home.party.index)) {
        return violate(world, 'proven', `home ${home.party.index} has not taken the bond of ${work.worker.index}`)
      }
    }
  }
}

/** Whether a home is a side, and nobody else has said the same yet: it waits for another node. */
const isAlone = (world: World, work: SimWork, home: number): boolean =>
  work.requester.index === home || [...world.challenges.values()].some((it) => it.work === work && it.by.index === home)

/** Whether a home has proven a work under a bond, is a side itself, and nobody else has said the same. */
const isWaiting = (world: World, bond: string, home: number): boolean => {
  const standing = standingOf(world, world.nodes[home] as SimNode)
  return [...standing.works.values()].some((it) => {
    const found = world.works.get(workKey(it.work))
    return it.proven !== null && found?.bond.bond.bond === bond && isAlone(world, found, home)
  })
}

const judgeEnded = (world: World): void => {
  if (world.asked.mode !== 'liveness') return
  for (const node of honestNodes(world)) {
    for (const dispute of standingOf(world, node).disputes.values()) {
      if (dispute.refused === null && dispute.phase !== 'ended') {
        return violate(
          world,
          'agreement',
          `${node.party.index} has ${dispute.id} open (${dispute.phase}) after all healed`,
        )
      }
    }
  }
  for (const [name, at] of world.released) {
    const bond = [...world.bonds.values()].find((it) => it.bond.bond === name)
    for (const { home } of bond?.homes ?? []) {
      if (!isHonest(home.party) || home.unlocked.has(name) || home.withheld.has(name)) continue
      if (isWaiting(world, name, home.party.index)) continue
      return violate(world, 'locks', `home ${home.party.index} still locks a bond that was released at ${at}`)
    }
  }
}

/** Holds a finished world against the invariants; in liveness mode also against what must have come to its end. */
export const judgeEnd = (world: World): void => {
  for (const node of honestNodes(world)) {
    if (world.violations.length === 0) judgeDraws(world, standingOf(world, node))
  }
  for (const judge of [judgeLocks, judgeAgreement, judgeEnded, judgeProven]) {
    if (world.violations.length === 0) judge(world)
  }
}
