import type { Json } from '#core/canonical.ts'
import { type ChallengeOfWork, signChallenge } from '#core/dispute/challenge.ts'
import { commitmentTo } from '#core/dispute/draw.ts'
import { boundsOf, firstDifference, provenStateOf, type SegmentName, statesTree } from '#core/work/segments.ts'
import { outcomeDigest } from '#core/work/work.ts'
import { planOf, runTiny, stateDigest } from './compute.ts'
import type { Party } from './party.ts'
import { catchUp, spread } from './spread.ts'
import { placeOf, type SimChallenge, type SimWork, secretOf, type Told, tell, type World } from './world.ts'

/** The value that a challenger commits to for a work. */
export const challengerValue = (party: Party, work: SimWork, segment: SegmentName | null): string =>
  secretOf(party, `c ${work.key} ${segment}`)

const commitmentOf = (party: Party, work: SimWork, segment: SegmentName | null): string =>
  commitmentTo({ of: 'c', about: work.digest, value: challengerValue(party, work, segment) })

const statesOf = (work: SimWork, segment: SegmentName): Pick<ChallengeOfWork, 'before' | 'after'> => {
  const { job, run } = work
  if (job.k === 0) return { before: null, after: null }
  const digests = run.states.map(stateDigest)
  const tree = statesTree(job.inputs, planOf(job), digests)
  const at = boundsOf(digests.length, segment)
  const proven = (i: number | null) =>
    i === null ? null : provenStateOf(tree, planOf(job), { i, sha256: digests[i] as string })
  return { before: proven(at.before), after: proven(at.after) }
}

interface Claim {
  readonly segment: SegmentName
  readonly own: string
  readonly isTrue: boolean
}

/** What an honest node finds that runs a job again; undefined where it agrees. */
export const differenceOf = (world: World, { job, run }: SimWork): Claim | undefined => {
  const right = runTiny(job, world.chance)
  const sides = [right, run].map((it) => ({
    states: job.k === 0 ? null : it.states.map(stateDigest),
    outcome: outcomeDigest(it.outcome),
  }))
  const [mine, theirs] = sides as [(typeof sides)[0], (typeof sides)[0]]
  const segment = firstDifference(mine, theirs)
  if (segment === undefined) return undefined
  const { after } = boundsOf(job.k + 1, segment)
  return { segment, own: after === null ? mine.outcome : (mine.states?.[after] as string), isTrue: true }
}

interface HowToChallenge {
  readonly follows?: Told
  readonly backdate?: number
  /** Whether its author gives what a check needs. */
  readonly served?: boolean
}

const send = (
  world: World,
  by: Party,
  work: SimWork,
  said: { challenge: ChallengeOfWork; isTrue: boolean } & HowToChallenge,
): SimChallenge => {
  const { challenge, isTrue, follows, backdate = 0, served = true } = said
  const payload = signChallenge(by.seed, challenge) as unknown as Json
  const named = follows === undefined ? [work.told] : [work.told, follows]
  const told = tell(world, by, { type: 'challenge', payload, named, backdate })
  const { before } = boundsOf(work.job.k + 1, challenge.segment ?? 'all')
  const bytes = before === null ? undefined : work.run.states[before]
  const made: SimChallenge = { told, by, work, before: bytes, isTrue, served }
  world.challenges.set(told.id, made)
  catchUp(world, work, by)
  spread(world, by, work, told)
  return made
}

/** Challenges what a run shows to be wrong. */
export const challengeWrong = (
  world: World,
  by: Party,
  work: SimWork,
  claim: Claim,
  how: HowToChallenge = {},
): SimChallenge =>
  send(world, by, work, {
    challenge: {
      ...{ kind: 'wrong', place: placeOf(work), inputs: work.job.inputs, segment: claim.segment, own: claim.own },
      ...statesOf(work, claim.segment),
      ...{ commitment: commitmentOf(by, work, claim.segment), follows: how.follows?.id ?? null },
    },
    isTrue: claim.isTrue,
    ...how,
  })

/** Challenges a work whose data are not to be had. */
export const challengeUnavailable = (world: World, by: Party, work: SimWork): SimChallenge =>
  send(world, by, work, {
    challenge: {
      ...{
        kind: 'unavailable',
        place: placeOf(work),
        inputs: null,
        segment: null,
        own: null,
        before: null,
        after: null,
      },
      ...{ commitment: commitmentOf(by, work, null), follows: null },
    },
    isTrue: false,
  })

/** What a cheat says of somebody's work: nonsense about a segment that is right, or that is not where the fault is. */
export const challengeFalsely = (world: World, by: Party, work: SimWork): void => {
  const { chance } = world
  const right =
    work.job.k === 0 ? [] : Array.from({ length: work.job.k }, (_, i) => i).filter((i) => !work.run.wrong.includes(i))
  if (work.job.k > 0 && right.length === 0) return
  if (work.job.k === 0 && work.run.wrong.length > 0) return
  const segment: SegmentName = work.job.k === 0 ? 'all' : chance.pick(right)
  const how = { backdate: chance.happens(0.5) ? chance.integer(0, 119) : 0, served: chance.happens(0.8) }
  const nonsense = () => ({ segment, own: stateDigest(chance.bytes(32)), isTrue: false })
  challengeWrong(world, by, work, nonsense(), how)
  // Now and then a second one about the same segment, so that an order decides which of both counts.
  if (chance.happens(0.5)) challengeWrong(world, by, work, nonsense(), how)
}
