import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { canonical, type Json } from '#core/canonical.ts'
import type { ChallengeOfWork } from '#core/dispute/challenge.ts'
import { commitmentTo, ranksOf } from '#core/dispute/draw.ts'
import { type Dispute, type DisputesStanding, foldDisputes } from '#core/dispute/fold.ts'
import type { Rules } from '#core/dispute/rules.ts'
import type { RulingOutcome } from '#core/dispute/statements.ts'
import type { CheckedChallenge, DisputedWork, DisputeEvent, DisputeUnion, EventOf } from '#core/dispute/types.ts'

/** Small worlds of disputes: nodes are letters, digests follow from words, and time is what a test says. */

export const hash = (word: string): string => createHash('sha256').update(word).digest('hex')

/** The mesh tick at which the work of most tests was published. */
export const T0 = 10_000
export const POOL = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9']

/** The worker's value for the n-th draw over a work, and the commitment to it. */
export const wValue = (n: number): string => hash(`w ${n}`)
const OFFER = hash('offer')
export const wCommitment = (n: number, offer = OFFER): string =>
  commitmentTo({ of: 'w', about: offer, value: wValue(n) })

export const theWork = (parts: Partial<DisputedWork> = {}, terms: Partial<NonNullable<DisputedWork['terms']>> = {}) => {
  const work: DisputedWork = {
    ...{ event: hash('work event'), index: 0, requester: 'requester', worker: 'worker', work: hash('work') },
    when: { at: T0, mark: null },
    terms: {
      ...{ offer: OFFER, pool: POOL, atRisk: true, bond: hash('bond'), homes: ['home', 'home2'], w: wCommitment(0) },
      ...{ k: 100, workUnits: 50_000, ...terms },
    },
    ...parts,
  }
  return work
}

type Part<T extends DisputeEvent['type']> = Partial<Pick<EventOf<T>, 'id' | 'seq' | 'when'>>

const at = (tick: number | null) => (tick === null ? 'pending' : ({ at: tick, mark: null } as const))

export const challengeOf = (
  author: string,
  tick: number | null,
  { work = theWork(), id, ...parts }: { work?: DisputedWork; id?: string } & Partial<ChallengeOfWork> = {},
): EventOf<'challenge'> => {
  const name =
    id ?? hash(`challenge ${author} ${tick} ${canonical(parts as unknown as Json)} ${work.event} ${work.index}`)
  const payload: ChallengeOfWork = {
    kind: 'wrong',
    place: { event: work.event, index: work.index, worker: work.worker, work: work.work, path: [] },
    ...{ inputs: hash('inputs'), segment: 7, own: hash('right'), before: null, after: null, follows: null },
    commitment: commitmentTo({ of: 'c', about: work.work, value: cValue(author) }),
    ...parts,
  }
  return { type: 'challenge', id: name, author, seq: 1, when: at(tick), payload }
}

/** The one value of a challenger in these worlds. */
export const cValue = (author: string): string => hash(`c ${author}`)

export const wReveal = (
  challenge: EventOf<'challenge'>,
  tick: number | null,
  n = 0,
  parts: Part<'reveal'> & { author?: string } = {},
): EventOf<'reveal'> => ({
  ...{ type: 'reveal', id: hash(`w reveal ${n} ${challenge.id}`), author: 'worker', seq: 100 + n, when: at(tick) },
  payload: { of: 'w', challenge: challenge.id, value: wValue(n), next: wCommitment(n + 1), after: null },
  ...parts,
})

export const cReveal = (
  challenge: EventOf<'challenge'>,
  tick: number | null,
  after: EventOf<'reveal'> | null,
  parts: Partial<EventOf<'reveal'>['payload']> = {},
): EventOf<'reveal'> => ({
  ...{ type: 'reveal', id: hash(`c reveal ${challenge.id} ${tick}`), author: challenge.author, seq: 2, when: at(tick) },
  payload: {
    ...{ of: 'c', challenge: challenge.id, value: cValue(challenge.author), next: null, after: after?.id ?? null },
    ...parts,
  },
})

export const rulingOf = (
  author: string,
  challenge: EventOf<'challenge'>,
  tick: number | null,
  outcome: RulingOutcome,
): EventOf<'ruling'> => ({
  ...{
    type: 'ruling',
    id: hash(`ruling ${author} ${challenge.id} ${tick} ${outcome}`),
    author,
    seq: 3,
    when: at(tick),
  },
  payload: { challenge: challenge.id, work: challenge.payload.place.work, outcome, recomputed: null, code: null },
})

export const checkedAt = (
  challenge: EventOf<'challenge'>,
  tick: number,
  outcome: CheckedChallenge['outcome'],
): EventOf<'checked'> => ({
  ...{ type: 'checked', id: hash(`checked ${challenge.id} ${tick} ${outcome}`), author: 'me', seq: 0, when: at(tick) },
  payload: { challenge: challenge.id, outcome },
})

export const withheldBy = (node: string, challenge: EventOf<'challenge'>, tick: number): EventOf<'withheld'> => ({
  ...{ type: 'withheld', id: hash(`withheld ${node} ${challenge.id}`), author: node, seq: 4, when: at(tick) },
  payload: { home: `log of ${node}`, bond: hash('bond'), challenge: challenge.id, ruling: null },
})

/** Everybody of these worlds but `stranger` has a bond for ever. */
const BONDED = ['worker', 'ann', 'bob', 'cid', 'home', ...POOL].map((node) => ({ node, from: 0, until: null }))

export const unionOf = (
  events: readonly DisputeEvent[],
  tick: number,
  parts: Partial<DisputeUnion> = {},
): DisputeUnion => ({
  ...{ works: [theWork()], events, bonded: BONDED, owners: [], tick, ...parts },
})

export const fold = (
  events: readonly DisputeEvent[],
  tick: number,
  parts: Partial<DisputeUnion> & { rules?: Rules } = {},
): DisputesStanding => {
  const { rules, ...rest } = parts
  return foldDisputes(unionOf(events, tick, rest), rules)
}

/** All of a standing as one text, whatever the order of its maps. */
export const textOf = ({ disputes, works }: DisputesStanding): string =>
  canonical(
    JSON.parse(
      JSON.stringify({
        disputes: Object.fromEntries(disputes),
        works: Object.fromEntries([...works].map(([key, it]) => [key, { ...it, disputes: [...it.disputes].sort() }])),
      }),
    ) as Json,
  )

/** One dispute of a fold. */
export const one = (events: readonly DisputeEvent[], tick: number, id: string, parts = {}): Dispute => {
  const found = fold(events, tick, parts).disputes.get(id)
  assert.ok(found !== undefined, 'the challenge is known')
  return found
}
/** Why a challenge opened nothing, seen long after. */
export const refusedOf = (events: readonly DisputeEvent[], challenge: { readonly id: string }, parts = {}) =>
  one(events, T0 + 3_000, challenge.id, parts).refused

/** A challenge by ann at T0 + 10, w at + 20, c at + 30. */
export const drawn = () => {
  const challenge = challengeOf('ann', T0 + 10)
  const w = wReveal(challenge, T0 + 20)
  const c = cReveal(challenge, T0 + 30, w)
  const ranks = ranksOf({ work: theWork().work, challenge: challenge.id, c: cValue('ann'), w: wValue(0) }, POOL)
  return { challenge, w, c, ranks, events: [challenge, w, c] as DisputeEvent[] }
}
