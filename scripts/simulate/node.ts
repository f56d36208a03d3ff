import type { Json } from '#core/canonical.ts'
import { outcomeOf } from '#core/dispute/challenge.ts'
import { commitmentTo } from '#core/dispute/draw.ts'
import { type DisputeDuty, dutiesOf } from '#core/dispute/duties.ts'
import { type Dispute, type DisputesStanding, foldDisputes } from '#core/dispute/fold.ts'
import { type DrawReveal, type RulingOutcome, signRuling } from '#core/dispute/statements.ts'
import { workKey } from '#core/dispute/types.ts'
import { challengerValue, challengeWrong, differenceOf } from './challenging.ts'
import { costOf, rerun } from './compute.ts'
import { keepHome } from './keeping.ts'
import { isHonest } from './party.ts'
import { onWake, spread, wakeAt } from './spread.ts'
import {
  clockOf,
  disputedWork,
  enter,
  type SimChallenge,
  type SimNode,
  type SimWork,
  secretOf,
  tell,
  violate,
  type World,
  whenOf,
} from './world.ts'

/** Ticks after which a node that could not get data asks again. */
const AGAIN_TICKS = 15
/** How long before its time is over a node says that it found no data. */
const BEFORE_END_TICKS = 5

/** What a node makes of all that it knows, at its own clock. */
export const standingOf = (world: World, node: SimNode, rules = world.asked.rules): DisputesStanding => {
  const { now } = world.agenda
  const events = [...node.known.values()].flatMap((told) => {
    const read = enter(world, told)
    return read === null ? [] : [{ ...read, when: whenOf(told, now) }]
  })
  return foldDisputes(
    {
      works: [...node.works.values()].map((work) => disputedWork(work, now)),
      events: [...events, ...node.checks.values()],
      ...{ bonded: world.bonded, owners: world.owners, tick: clockOf(world, node.party) },
    },
    rules,
  )
}

/** The value of a worker for the n-th draw over a work. */
export const workerValue = (work: Pick<SimWork, 'worker' | 'offerDigest'>, n: number): string =>
  secretOf(work.worker, `w ${work.offerDigest} ${n}`)

/** The commitment to it. */
export const workerCommitment = (work: Pick<SimWork, 'worker' | 'offerDigest'>, n: number): string =>
  commitmentTo({ of: 'w', about: work.offerDigest, value: workerValue(work, n) })

/** How many values of a work its worker has revealed. */
const revealedOf = ({ said, worker }: SimWork): number =>
  said.filter(({ event }) => event.type === 'reveal' && event.sourceNodeId === worker.node).length

const publish = (world: World, node: SimNode, made: SimChallenge, payload: DrawReveal): void => {
  const named = [made.told, ...made.work.said.filter(({ id }) => id === payload.after)]
  const told = tell(world, node.party, { type: 'reveal', payload: payload as unknown as Json, named })
  node.done.add(`reveal ${made.told.id}`)
  spread(world, node.party, made.work, told)
}

const reveal = (world: World, node: SimNode, dispute: Dispute, made: SimChallenge): void => {
  const { work } = made
  const challenge = made.told.id
  if (node.party === work.worker) {
    // Who withholds reveals nothing: its value is empty then, and nothing else changes.
    if (node.party.strategy === 'withhold') return
    // A cheat would rather know the other value first. The rule gives it none before its own is out or its time over.
    const waits = !isHonest(node.party) && !world.asked.rules.workerFirst
    if (waits && !work.said.some(({ event }) => isRevealOf(event.payload, 'c', challenge))) {
      wakeAt(world, node, world.agenda.now + BEFORE_END_TICKS)
      return
    }
    const n = revealedOf(work)
    const value = workerValue(work, n)
    publish(world, node, made, { of: 'w', challenge, value, next: workerCommitment(work, n + 1), after: null })
    return
  }
  // What was said too early by a clock that is ahead counts for nothing, and is said again.
  const mine = work.said.filter(
    ({ event }) => event.sourceNodeId === node.party.node && isRevealOf(event.payload, 'c', challenge),
  )
  if (mine.some((it) => whenOf(it, world.agenda.now) === 'pending') || dispute.course?.draw.c !== null) return
  wakeAt(world, node, world.agenda.now + AGAIN_TICKS)
  const after = dispute.course?.draw.w?.event ?? null
  const value = challengerValue(node.party, work, dispute.challenge.payload.segment)
  publish(world, node, made, { of: 'c', challenge, value, next: null, after })
}

const isRevealOf = (payload: unknown, of: 'w' | 'c', challenge: string): boolean => {
  const it = payload as Partial<DrawReveal>
  return it.of === of && it.challenge === challenge
}

/** Whether a node gets what it needs to run a challenged segment: from the challenger, or from who serves the work. */
const hasData = ({ network, parties }: World, node: SimNode, { by, work, served }: SimChallenge): boolean => {
  if (served && network.reaches(by.index, node.party.index)) return true
  const sides = work.served ? [work.requester, work.worker] : []
  return sides.some(({ index }) => parties[index] !== undefined && network.reaches(index, node.party.index))
}

const runAgain = (world: World, { work, before }: SimChallenge, dispute: Dispute): RulingOutcome => {
  const segment = dispute.challenge.payload.segment ?? 'all'
  const costs = work.job.k === 0 ? world.costs.whole : world.costs.steps
  costs.checks += costOf(work.job, segment)
  return outcomeOf(rerun(work.job, segment, before), dispute.challenge.payload, work.work)
}

/** Runs a segment for itself, and keeps what came. @returns undefined while the data are not here */
const check = (world: World, node: SimNode, dispute: Dispute, made: SimChallenge): RulingOutcome | undefined => {
  const known = node.checks.get(dispute.id)
  if (known?.type === 'checked') return known.payload.outcome as RulingOutcome
  if (!hasData(world, node, made)) {
    wakeAt(world, node, world.agenda.now + AGAIN_TICKS)
    return undefined
  }
  const outcome = runAgain(world, made, dispute)
  const at = { at: clockOf(world, node.party), mark: null }
  const payload = { challenge: dispute.id, outcome: outcome as 'upheld' | 'dismissed' }
  node.checks.set(dispute.id, {
    type: 'checked',
    id: `check ${dispute.id}`,
    author: node.party.node,
    seq: 0,
    when: at,
    payload,
  })
  return outcome
}

/** What a cheat says for another: that its work is right, that its challenge is true. */
const bentRuling = ({ by, work }: SimChallenge, outcome: RulingOutcome): RulingOutcome => {
  if (!isHonest(work.worker)) return 'dismissed'
  return isHonest(by) ? outcome : 'upheld'
}

const rule = (world: World, node: SimNode, made: SimChallenge, outcome: RulingOutcome): void => {
  const { work, told } = made
  const said = isHonest(node.party) ? outcome : bentRuling(made, outcome)
  const aboutData = said === 'available' || said === 'unavailable'
  const ran = { recomputed: aboutData ? null : work.digest, code: aboutData ? null : work.work.code }
  const payload = signRuling(node.party.seed, { challenge: told.id, work: work.digest, outcome: said, ...ran })
  node.done.add(`rule ${told.id}`)
  spread(
    world,
    node.party,
    work,
    tell(world, node.party, { type: 'ruling', payload: payload as unknown as Json, named: [told] }),
  )
}

const look = (world: World, node: SimNode, duty: DisputeDuty, made: SimChallenge): void => {
  const { work } = made
  const got =
    work.served && [work.requester, work.worker].some(({ index }) => world.network.reaches(index, node.party.index))
  const now = clockOf(world, node.party)
  if (got || !isHonest(node.party)) return rule(world, node, made, got ? 'available' : 'unavailable')
  if (duty.until !== null && now >= duty.until - BEFORE_END_TICKS) return rule(world, node, made, 'unavailable')
  wakeAt(world, node, world.agenda.now + AGAIN_TICKS)
}

const follow = (world: World, node: SimNode, made: SimChallenge): void => {
  node.done.add(`follow ${made.told.id}`)
  const claim = differenceOf(world, made.work)
  if (claim !== undefined) challengeWrong(world, node.party, made.work, claim, { follows: made.told })
}

const doDuty = (world: World, node: SimNode, duty: DisputeDuty, dispute: Dispute): void => {
  const made = world.challenges.get(duty.challenge)
  if (made === undefined) return
  const isDone = (what: string): boolean => node.done.has(`${what} ${duty.challenge}`)
  switch (duty.what) {
    case 'reveal':
      if (!isDone('reveal') || node.party === made.by) reveal(world, node, dispute, made)
      return
    case 'rule': {
      if (isDone('rule')) return
      const outcome = check(world, node, dispute, made)
      if (outcome !== undefined) rule(world, node, made, outcome)
      return
    }
    case 'look':
      if (!isDone('rule')) look(world, node, duty, made)
      return
    case 'check':
      if (duty.atOnce && isHonest(node.party)) check(world, node, dispute, made)
      return
    case 'challenge':
      if (!isDone('follow')) follow(world, node, made)
      return
    case 'serve':
  }
}

/** What honest nodes hold to be proven is held against what is true. */
const holdProven = (world: World, node: SimNode, standing: DisputesStanding): void => {
  if (!isHonest(node.party)) return
  for (const { work, proven } of standing.works.values()) {
    const found = world.works.get(workKey(work))
    if (proven === null || found === undefined) continue
    node.barred.add(work.worker)
    if (found.run.wrong.length === 0) {
      violate(world, 'honest bond', `${node.party.index} holds a right work of ${found.worker.index} to be wrong`)
    }
  }
}

/** What a node does when it wakes: it folds what it knows, does what is due, and sleeps until the next duty. */
export const actAt = (world: World, node: SimNode): void => {
  const { agenda, network, violations } = world
  if (violations.length > 0) return
  if (network.isAway(node.party.index)) return wakeAt(world, node, agenda.now + AGAIN_TICKS)
  const standing = standingOf(world, node)
  const before = node.checks.size
  const now = clockOf(world, node.party)
  let next = Number.MAX_SAFE_INTEGER
  for (const duty of dutiesOf(standing, node.party.node, now)) {
    const dispute = standing.disputes.get(duty.challenge)
    if (dispute === undefined || duty.what === 'serve') continue
    if (duty.from > now) next = Math.min(next, duty.from)
    else doDuty(world, node, duty, dispute)
  }
  // A challenger that may say its value first does: this is what the order of both values is there to forbid.
  if (!world.asked.rules.workerFirst) sayFirst(world, node, standing)
  const checked = node.checks.size > before ? standingOf(world, node) : standing
  holdProven(world, node, checked)
  keepHome(world, node, checked)
  if ([...checked.disputes.values()].some(({ phase }) => phase === 'pending')) next = Math.min(next, now + AGAIN_TICKS)
  if (next < Number.MAX_SAFE_INTEGER) wakeAt(world, node, agenda.now + Math.max(1, next - now))
}

const sayFirst = (world: World, node: SimNode, { disputes }: DisputesStanding): void => {
  for (const dispute of disputes.values()) {
    const made = world.challenges.get(dispute.id)
    if (made?.by !== node.party || dispute.phase !== 'w' || node.done.has(`reveal ${dispute.id}`)) continue
    reveal(world, node, dispute, made)
  }
}

onWake(actAt)
