import { toHex, utf8 } from '#core/bytes.ts'
import { type ChallengeOfWork, signChallenge } from '#core/dispute/challenge.ts'
import { commitmentTo } from '#core/dispute/draw.ts'
import { type DrawReveal, type RulingOfChallenge, signRuling } from '#core/dispute/statements.ts'
import { eventId, signEvent } from '#core/events.ts'
import { type Accept, signAccept } from '#core/work/accept.ts'
import { auditCommitment, isAudited, type JobClosed, RATE_DEFAULT } from '#core/work/audit.ts'
import { offerDigest, signOffer, type WorkOffer } from '#core/work/offer.ts'
import { publishedWorks, type WorkPlace } from '#core/work/published.ts'
import { provenStateOf, segmentPlan, statesTree, stepsOf } from '#core/work/segments.ts'
import { type ContributedWork, outcomeDigest, signWork, workDigest } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import { GENESIS, partyOf } from './sample.ts'

/** One work from its offer to the last word of a dispute over it, by keys that words name. */

export const requester = partyOf('requester')
export const worker = partyOf('worker')
export const challenger = partyOf('challenger')
export const members = ['one', 'two', 'three', 'four'].map((word) => partyOf(`pool ${word}`))
export const pool = members.map(({ node }) => node).sort()

const sha = (text: string): string => toHex(sha256(utf8(text)))
const TICK = GENESIS + 5_000

const code = {
  ...{ release: sha('release'), registry: `sha256:${sha('registry')}`, constants: sha('constants'), math: sha('math') },
  ...{ kernels: { reflow: sha('reflow') }, solver: 'heat@1' },
}
const job = { requester: requester.node, random: '5a'.repeat(16) }
/** Of what every message about the job says. */
export const of = { job, attempt: 0 } as const
export const inputs = { cells: 8, steps: 4 }
const inputsDigest = sha('inputs')
export const q = sha('q')
export const rate = RATE_DEFAULT

export const offer: WorkOffer = {
  ...{ ...of, worker: worker.node, kind: 'heat', inputs: inputsDigest, code, deadline: TICK + 600, policy: 'open' },
  ...{ pool, at_risk: true, disclosed: true, audit: auditCommitment(q, rate), mesh_tick: TICK },
}
export const signedOffer = signOffer(requester.seed, offer)
const offerName = offerDigest(offer)
const commitW = (n: number): string => commitmentTo({ of: 'w', about: offerName, value: sha(`w ${n}`) })
export const accept: Accept = {
  ...{ offer: offerName, worker: worker.node, bond: sha('bond'), w: commitW(0), mesh_tick: TICK + 1 },
}
export const signedAccept = signAccept(worker.seed, accept)

/** Bytes of the five states of the run, and their digests. */
export const states = [0, 1, 2, 3, 4].map((i) => utf8(`state ${i}`))
export const stateDigests = states.map((bytes) => toHex(sha256(bytes)))
const plan = segmentPlan(states.length - 1)
const tree = statesTree(inputsDigest, plan, stateDigests)
const proven = (i: number) => provenStateOf(tree, plan, { i, sha256: stateDigests[i] as string })

export const work: ContributedWork = {
  ...{ ...of, code, result_digest: sha('result'), steps: stepsOf(inputsDigest, plan, stateDigests) },
  check: { against: 'the energy that flows in', measured: 0.0125, bound: 0.1 },
}
export const signedWork = signWork(worker.seed, work)
export const workName = workDigest(work)
export const outcome = outcomeDigest(work)

/** The works of a tick, of which it is the second. */
export const works = [sha('first'), workName, sha('third')].map((name) => ({ worker: worker.node, work: name }))
const published = publishedWorks(works)
export const workEvent = signEvent(requester.seed, {
  ...{ v: 1, type: 'work', sourceNodeId: requester.node, seq: 7, tick: TICK + 300, payload: { ...published.payload } },
})
export const place: WorkPlace = { event: eventId(workEvent), index: 1, ...(works[1] as (typeof works)[0]), path: [] }
export const shownPlace: WorkPlace = { ...place, path: [...published.path(1)] }

const cValue = sha('c')
const wrong = (parts: Partial<ChallengeOfWork>): ChallengeOfWork => ({
  ...{ kind: 'wrong', place: shownPlace, inputs: inputsDigest, segment: 2, own: sha('another state 3') },
  ...{ before: proven(2), after: proven(3), follows: null },
  commitment: commitmentTo({ of: 'c', about: workName, value: cValue }),
  ...parts,
})
export const challenge = wrong({})
/** Challenges of every shape that there is, but for one of a run that does not step. */
export const challenges: readonly ChallengeOfWork[] = [
  challenge,
  wrong({ segment: 'init', own: sha('another state 0'), before: null, after: proven(0) }),
  wrong({ segment: 'finish', own: sha('another outcome'), before: proven(4), after: null }),
  wrong({ kind: 'unavailable', inputs: null, segment: null, own: null, before: null, after: null }),
]
const signedBy = (payload: object, type: string, by: typeof worker, seq: number) =>
  signEvent(by.seed, { v: 1, type, sourceNodeId: by.node, seq, tick: TICK + 400 + seq, payload } as never)
export const signedChallenge = signChallenge(challenger.seed, challenge)
export const challengeName = eventId(signedBy(signedChallenge, 'challenge', challenger, 0))

export const revealW: DrawReveal = {
  ...{ of: 'w', challenge: challengeName, value: sha('w 0'), next: commitW(1), after: null },
}
export const revealC: DrawReveal = {
  ...{ of: 'c', challenge: challengeName, value: cValue, next: null },
  after: eventId(signedBy(revealW, 'reveal', worker, 1)),
}
const said = { challenge: challengeName, work: workName }
export const rulings: readonly RulingOfChallenge[] = [
  { ...said, outcome: 'upheld', recomputed: challenge.own, code },
  { ...said, outcome: 'unavailable', recomputed: null, code: null },
]
export const [ruler] = members as [(typeof members)[0]]
export const signedRulings = rulings.map((it) => signRuling(ruler.seed, it))

export const close: JobClosed = {
  ...{ job, q, rate },
  found: { audit: isAudited(q, rate, workName) ? 'right' : 'not_audited', samples: 4, of: 4 },
}
