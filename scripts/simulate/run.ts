import { chanceOf } from './chance.ts'
import { startJob } from './jobs.ts'
import { judgeEnd } from './judge.ts'
import { homeOf, makeBond, mint, type SimBond, spendTwice } from './ledger.ts'
import { agendaFrom, type Faults, faultsOf, networkOf } from './network.ts'
import { isHonest, type Party, partyOf, type Strategy, strategies } from './party.ts'
import { catchUp, wakeAt } from './spread.ts'
import type { Asked, SimNode, World } from './world.ts'

/** Mesh tick at which simulated worlds begin. */
const START = 2_310_000_000
/** Jobs that a node gives in a tick on average: ten thousand among a thousand nodes take some minutes of the mesh. */
const TICKS_PER_JOB = 0.2
const TICKS_MIN = 600
/** Ticks that a healed world has until everything must have ended: a window, a dispute from end to end, a release. */
const SETTLE_TICKS = 6_000
/** Ticks that a clock is off where witnesses say what time it was, and where nobody does. */
const SKEW_MAX = 119
const SKEW_UNWITNESSED_MAX = 20
const WITNESSED = 0.75

const cheating = strategies.filter((it) => it !== 'honest')

const strategyOf = (index: number, { nodes, cheats }: Asked): Strategy => {
  const many = Math.round(nodes * cheats)
  return index < many ? (cheating[index % cheating.length] as Strategy) : 'honest'
}

const nodeOf = (party: Party): SimNode => ({
  ...{
    party,
    known: new Map(),
    works: new Map(),
    checks: new Map(),
    done: new Set(),
    barred: new Set(),
    seq: 0,
    wakeAt: -1,
  },
})

/** A world as it stands before its first job: keys, clocks, homes, and a bond for everybody. */
const worldOf = (asked: Asked): { readonly world: World; readonly faults: Faults } => {
  const chance = chanceOf(asked.seed)
  const witnesses = chance.happens(WITNESSED)
  const most = witnesses ? SKEW_MAX : SKEW_UNWITNESSED_MAX
  const parties = Array.from({ length: asked.nodes }, (_, index) =>
    partyOf(index, strategyOf(index, asked), chance.integer(-most, most), chance),
  )
  const agenda = agendaFrom(START)
  const ticks = Math.max(TICKS_MIN, Math.ceil(asked.jobs * TICKS_PER_JOB))
  const drawn = faultsOf(chance, asked.nodes, ticks)
  const faults = {
    ...drawn,
    cuts: drawn.cuts.map((it) => ({ ...it, from: it.from + START, until: it.until + START })),
    away: drawn.away.map((it) => ({ ...it, from: it.from + START, until: it.until + START })),
  }
  const homes = parties.map((party) => homeOf(party, START))
  const bonds = new Map<number, SimBond>()
  for (const party of parties) {
    const others = homes.filter((it) => it.party !== party)
    const held = chance.some(others, chance.integer(1, 2))
    bonds.set(party.index, makeBond(party, held, { chance, tick: START, rules: asked.rules }))
  }
  const bonded = parties.map(({ node }) => ({ node, from: 0, until: null as number | null }))
  const world: World = {
    ...{ asked, chance, agenda, network: networkOf(agenda, chance, faults), witnesses, parties, homes, bonds, bonded },
    ...{ byNode: new Map(parties.map((it) => [it.node, it])), nodes: parties.map(nodeOf) },
    owners: parties.map(({ node, zid }) => ({ node, zid })),
    ...{ works: new Map(), challenges: new Map(), released: new Map(), violations: [], rightWhole: new Map() },
    costs: {
      steps: { execution: 0, samples: 0, audits: 0, checks: 0 },
      whole: { execution: 0, samples: 0, audits: 0, checks: 0 },
    },
  }
  return { world, faults }
}

/** A node comes back: with its disk it goes on, without it asks for everything again. */
const comeBack = (world: World, index: number, disk: boolean): void => {
  const node = world.nodes[index] as SimNode
  if (!disk) {
    const followed = [...node.works.values()]
    node.known.clear()
    node.works.clear()
    node.checks.clear()
    for (const work of followed) catchUp(world, work, node.party)
  }
  wakeAt(world, node, world.agenda.now)
}

/** Cheats try their hand at the ledger too. */
const plotAtHomes = ({ chance, parties, homes, asked }: World): void => {
  for (const cheat of parties.filter((it) => !isHonest(it))) {
    const home = chance.pick(homes.filter((it) => it.party !== cheat))
    spendTwice(home, cheat, { chance, tick: START, rules: asked.rules })
  }
  // Everybody's home has tokens of its own that no bond ties.
  for (const home of homes) mint(home, home.party.zid, 1)
}

/** Runs a world to its end, or to the first invariant that does not hold. */
export const simulate = (asked: Asked): World => {
  const { world, faults } = worldOf(asked)
  const { agenda, chance, network } = world
  plotAtHomes(world)
  const ticks = Math.max(TICKS_MIN, Math.ceil(asked.jobs * TICKS_PER_JOB))
  for (let i = 0; i < asked.jobs; i++) agenda.at(START + chance.integer(0, ticks), () => startJob(world, i))
  for (const { node, until, disk } of faults.away) agenda.at(until, () => comeBack(world, node, disk))
  const end = START + ticks + (asked.mode === 'liveness' ? 300 : SETTLE_TICKS)
  const go = (until: number): void => {
    for (let at = agenda.now; at <= until && world.violations.length === 0; at += 20)
      agenda.run(Math.min(until, at + 20))
  }
  go(end)
  if (asked.mode === 'liveness') {
    network.heal()
    go(end + SETTLE_TICKS)
  }
  if (world.violations.length === 0) judgeEnd(world)
  return world
}
