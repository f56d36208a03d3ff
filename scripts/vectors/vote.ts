import { toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { digest } from '#core/digest.ts'
import { leafHash } from '#core/merkle.ts'
import type { TokenPlace } from '#core/token/list.ts'
import {
  type Proposal,
  proposalId,
  SETTLE_TICKS,
  type Side,
  type Stake,
  stakeId,
  voteRef,
  WINDOW_TICKS_MIN,
} from '#core/vote/documents.ts'
import { signStake, stakeOf } from '#core/vote/stake.ts'
import { type CountedStake, sortStakes, tallyOf, type VoteRules, voteLeaf } from '#core/vote/tally.ts'
import { ofVotes } from './core.ts'
import { GENESIS, node, sealLog, user } from './sample.ts'
import { ordered, type Party, placesAt, taker, told } from './token-sample.ts'

const row = {
  ...{ id: 'XP1', name: 'Kinetic energy of a body', domain: 'mechanics', equation: 'E = m*v^2/2' },
  variables: {
    E: { name: 'energy', unit: 'J' },
    m: { name: 'mass', unit: 'kg', positive: true },
    v: { name: 'speed', unit: 'm/s' },
  },
  ...{ solves_for: ['E', 'm'], source: 'A textbook, section 7.2' },
  example: { inputs: { m: 2, v: 3 }, output: 'E', value: 9, unit: 'J' },
}

const proposal: Proposal = {
  ...{ v: 1, node: node.node, author: user.zid, nonce: '0f'.repeat(16), row },
  cases: [
    { inputs: { m: 2, v: 3 }, output: 'E', value: 9, unit: 'J' },
    { inputs: { m: '1 kg', v: '36 km/h' }, output: 'E', value: 50, unit: 'J', source: 'by hand' },
    { inputs: { E: 8, v: 4 }, output: 'm', value: 1, unit: 'kg' },
  ],
  ...{ window_ticks: WINDOW_TICKS_MIN, policy: 'open', registry_version: `sha256:${'00'.repeat(32)}` },
}
const id = proposalId(proposal)
const closes = GENESIS + WINDOW_TICKS_MIN

const lockOf = (party: Party, places: readonly TokenPlace[], ref: string, until: number | null) =>
  ordered(party, places, { op: 'lock', ref, until })
const good = lockOf(user, placesAt(0, 0, 1, 2), voteRef(id), closes + SETTLE_TICKS)
const others = [
  lockOf(taker, placesAt(0, 3), voteRef(id), closes + SETTLE_TICKS),
  lockOf(user, placesAt(0, 4), voteRef('ab'.repeat(32)), closes + SETTLE_TICKS),
  lockOf(user, placesAt(1, 4), voteRef(id), null),
] as const
const [goodFile, takerFile, strangeFile, endlessFile] = told([good, ...others]).map(({ file }) => file)

/** What a party signs of a receipt. */
const signedBy = (party: Party, file: typeof goodFile, side: Side, changed: Partial<Stake> = {}) => {
  if (file === undefined) throw new Error('the sample has a receipt for each op')
  return signStake(party.seed, { ...stakeOf(id, side, file), ...changed }, party.publicKey)
}
const stake = signedBy(user, goodFile, 'yes')
const takers = signedBy(taker, takerFile, 'no')

const refused = () => [
  { why: 'signed by another key than the lock', signed: signedBy(taker, goodFile, 'yes') },
  { why: 'the other side than was signed', signed: { ...stake, stake: { ...stake.stake, side: 'no' } } },
  { why: 'a lock for another vote', signed: signedBy(user, strangeFile, 'yes') },
  { why: 'a lock without an end', signed: signedBy(user, endlessFile, 'yes') },
  { why: 'more weight than the receipt says', signed: signedBy(user, goodFile, 'yes', { weight: 10 }) },
  { why: 'another list than was locked', signed: signedBy(user, goodFile, 'yes', { tokens_root: 'cd'.repeat(32) }) },
  { why: 'more tokens than were locked', signed: signedBy(user, goodFile, 'yes', { count: 4 }) },
  {
    why: 'the proof of another leaf',
    signed: signedBy(user, goodFile, 'yes', { lock: { ...stake.stake.lock, proof: takers.stake.lock.proof } }),
  },
]

const counted = (n: number, over: Partial<CountedStake>): CountedStake => ({
  ...{ id: n.toString(16).padStart(64, '0'), zid: [user.zid, taker.zid, node.zid][n % 3] as string, side: 'yes' },
  ...{ weight: 40, home: sealLog, op_digest: (100 + n).toString(16).padStart(64, '0'), tick: closes - 2_000 + n },
  ...over,
})
const OTHER_HOME = sealLog.replace(`/${GENESIS}`, '/1')

interface Given {
  readonly logs?: number
  readonly voided?: readonly string[]
}
/** One count, with all that it follows from. */
const countOf = (why: string, stakes: readonly CountedStake[], { logs, voided = [] }: Given = {}) => {
  const given = { closes, logs: logs ?? null, voided }
  const rules: VoteRules = { closes, logs, voided: new Set(voided) }
  const sorted = sortStakes(stakes, rules)
  return { why, rules: given, stakes, left_out: Object.fromEntries(sorted.out), tally: tallyOf(sorted, rules) }
}

const three = [counted(0, {}), counted(1, {}), counted(2, {})]
const counts = () => [
  countOf('nothing was staked', []),
  countOf('three ZIDs pass, in an open mesh', three),
  countOf('two are no quorum', three.slice(1)),
  countOf('weight 99', [counted(0, { weight: 19 }), ...three.slice(1)]),
  countOf('as much no as yes', [...three.slice(1), counted(3, { side: 'no', weight: 80 })]),
  countOf('a later stake of the other side is left out', [...three, counted(6, { side: 'no', weight: 500 })]),
  countOf('a lock weighs once', [...three, counted(6, { op_digest: three[0]?.op_digest as string })]),
  countOf('evidence voids, and the next stake fixes the side', [...three, counted(6, { side: 'no' })], {
    voided: [three[0]?.op_digest as string],
  }),
  countOf('one home is not enough where the policy names two logs', three, { logs: 2 }),
  countOf('of one home as much counts as of all others', [...three, counted(3, { weight: 30, home: OTHER_HOME })], {
    logs: 2,
  }),
  countOf('two homes pass', [...three, counted(3, { weight: 60, home: OTHER_HOME })], { logs: 2 }),
  countOf('stakes of the last 1,287 ticks', [...three, counted(4, { tick: closes - 1_286, weight: 30 })]),
]

/** Votes: proposal, stake, what is refused, and counts. */
export const voteVectors = () => ({
  about:
    'A proposal with its id, stakes that hold and that do not, and counts: what of a union of stakes is left out and ' +
    'why, and what the rest comes to. wire/votes.md says how.',
  digests: ofVotes.map((purpose) => {
    const value = { purpose, n: 1 }
    return { purpose, value, digest: digest(purpose, value) }
  }),
  seeds: { user: toHex(user.seed), taker: toHex(taker.seed) },
  proposal: { proposal, text: canonical(proposal as unknown as Json), id, closes },
  stakes: [stake, takers].map((signed) => ({ signed, id: stakeId(signed) })),
  refused: refused(),
  leaves: three.map((it) => ({ stake: it, leaf: toHex(voteLeaf(it)), leaf_hash: toHex(leafHash(voteLeaf(it))) })),
  counts: counts(),
})
