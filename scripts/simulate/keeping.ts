import type { Json } from '#core/canonical.ts'
import type { DisputesStanding } from '#core/dispute/fold.ts'
import { lockedBy, NEVER, notWithheld } from '#core/dispute/withhold.ts'
import { countedWorks, unlocksAt } from '#core/work/exposure.ts'
import { type Home, type SimBond, unlockAt, withholdAt } from './ledger.ts'
import { isHonest } from './party.ts'
import { spread, wakeAt } from './spread.ts'
import { clockOf, type SimNode, type SimWork, tell, violate, type World, whenOf } from './world.ts'

/** Works of a bond that the rules count, in the order of their times. */
export const countedOf = (world: World, works: Iterable<SimWork>, bond: SimBond): readonly string[] => {
  const all = [...works].filter((work) => work.bond === bond && work.terms.atRisk)
  const timed = all.map((work) => {
    const when = whenOf(work.told, world.agenda.now)
    return { id: work.key, at: when === 'pending' ? undefined : when.at }
  })
  return countedWorks(timed, world.asked.rules.worksMax)
}

const withhold = (world: World, node: SimNode, home: Home, work: SimWork, challenge: string): void => {
  const { bond } = work
  if (home.withheld.has(bond.bond.bond)) return
  if (home.unlocked.has(bond.bond.bond)) {
    violate(
      world,
      'locks',
      `home ${node.party.index} had let the bond of ${work.worker.index} go before ${work.key} was proven`,
    )
    return
  }
  withholdAt(bond, home, challenge)
  if (isHonest(node.party) && work.run.wrong.length === 0) {
    violate(world, 'honest bond', `home ${node.party.index} took the bond of ${work.worker.index} for a right work`)
  }
  const payload = { home: home.log, bond: bond.bond.bond, challenge, ruling: null } as Json
  const named = world.challenges.get(challenge)?.told
  const told = tell(world, node.party, { type: 'withheld', payload, named: named === undefined ? [] : [named] })
  node.done.add(`withheld ${work.key}`)
  spread(world, node.party, work, told)
}

const release = (world: World, node: SimNode, home: Home, standing: DisputesStanding): void => {
  for (const [name, released] of world.released) {
    const bond = [...world.bonds.values()].find((it) => it.bond.bond === name)
    const mine = bond?.homes.some((it) => it.home === home) === true
    if (bond === undefined || !mine || home.unlocked.has(name) || home.withheld.has(name)) continue
    const now = clockOf(world, node.party)
    const works = [...node.works.values()].filter((work) => work.bond === bond)
    const counted = new Set(countedOf(world, works, bond))
    const at = world.asked.rules.releaseWaits
      ? unlocksAt({
          released,
          works: works.map((work) => ({ result: work.resultAt, published: work.told.event.tick })),
          disputesUntil: lockedBy(standing, name, (key) => counted.has(key)),
        })
      : released
    if (now > at) unlockAt(bond, home, now, world.asked.rules)
    else if (at < NEVER) wakeAt(world, node, world.agenda.now + at - now + 1)
  }
}

/** What a node does as home of tokens under bonds: it withholds what it has proven, and lets go what nothing holds. */
export const keepHome = (world: World, node: SimNode, standing: DisputesStanding): void => {
  const home = world.homes[node.party.index]
  if (home === undefined || !isHonest(node.party)) return
  for (const [key, it] of standing.works) {
    const work = world.works.get(key)
    if (work === undefined || it.proven === null || node.done.has(`withheld ${key}`)) continue
    const counted = countedOf(world, node.works.values(), work.bond)
    const zidOf = (who: string) => world.byNode.get(who)?.zid
    const why = notWithheld(it, standing.disputes, { node: node.party.node, zidOf, isCounted: counted.includes(key) })
    if (why === null) withhold(world, node, home, work, it.proven)
  }
  release(world, node, home, standing)
}
