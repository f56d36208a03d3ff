import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { purposes, signedBytes } from '#core/digest.ts'
import { leafHash, rootOf } from '#core/merkle.ts'
import { type HomeWeight, SETTLE_TICKS, type Side, type VoteTally } from './documents.ts'

/** Distinct stakers, and weight, without which nothing passes. */
export const QUORUM_ZIDS = 3
export const QUORUM_WEIGHT = 100
/** Homes from which yes must come where the policy names as many logs. */
const HOMES_MIN = 2

/** A stake that is good by itself, as the tally takes it. */
export interface CountedStake {
  /** Digest of what the staker signed. */
  readonly id: string
  readonly zid: string
  readonly side: Side
  readonly weight: number
  /** The log that minted its tokens. */
  readonly home: string
  /** Digest of the lock: one lock weighs once. */
  readonly op_digest: string
  /** Mesh tick at which it happened (protocol.md, When). */
  readonly tick: number
}

/** By which rules a vote is counted. */
export interface VoteRules {
  readonly closes: number
  /** Seal logs that the policy names; undefined in an open mesh. */
  readonly logs: number | undefined
  /** Digests of ops that evidence proves to have taken a token twice: they void whoever says so, and whenever. */
  readonly voided: ReadonlySet<string>
}

/** Why a stake that is good by itself is left out. */
export type LeftOut = 'voided' | 'other_side' | 'lock_counted'

/** What a union of stakes comes to: those that are counted, in their order, and why each other one is not. */
export interface SortedStakes {
  readonly counted: readonly CountedStake[]
  readonly out: ReadonlyMap<string, LeftOut>
}

const before = (a: CountedStake, b: CountedStake): number => a.tick - b.tick || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Each stake once, in its order: of one that several nodes told of, when it happened first. */
const unionOf = (stakes: Iterable<CountedStake>): readonly CountedStake[] => {
  const first = new Map<string, CountedStake>()
  for (const it of stakes) if (it.tick < (first.get(it.id)?.tick ?? Number.POSITIVE_INFINITY)) first.set(it.id, it)
  return [...first.values()].sort(before)
}

/**
 * Sorts a union of stakes: a ZID's first one by tick, then id, fixes its side; a lock weighs once; what evidence voids
 * is not there at all. The order in which they came, and how often, does not matter.
 */
export const sortStakes = (stakes: Iterable<CountedStake>, { voided }: Pick<VoteRules, 'voided'>): SortedStakes => {
  const union = unionOf(stakes)
  const sideOf = new Map<string, Side>()
  const locks = new Set<string>()
  const counted: CountedStake[] = []
  const out = new Map<string, LeftOut>()
  for (const stake of union) {
    const { id, zid, side, op_digest } = stake
    if (voided.has(op_digest)) {
      out.set(id, 'voided')
      continue
    }
    const fixed = sideOf.get(zid) ?? side
    sideOf.set(zid, fixed)
    if (fixed !== side) out.set(id, 'other_side')
    else if (locks.has(op_digest)) out.set(id, 'lock_counted')
    else {
      locks.add(op_digest)
      counted.push(stake)
    }
  }
  return { counted, out }
}

/** Leaf data of one counted stake: `tickmesh/vote-leaf/1`, LF, JCS of it. */
export const voteLeaf = (stake: CountedStake): Uint8Array => {
  const { id, zid, side, weight, home, op_digest, tick } = stake
  return signedBytes(purposes.voteLeaf, { id, zid, side, weight, home, op_digest, tick } as Json)
}

const byHome = (counted: readonly CountedStake[]): readonly HomeWeight[] => {
  const homes = new Map<string, { yes: number; no: number; zids: Set<string> }>()
  for (const { home, side, weight, zid } of counted) {
    const at = homes.get(home) ?? { yes: 0, no: 0, zids: new Set() }
    at[side] += weight
    at.zids.add(zid)
    homes.set(home, at)
  }
  return [...homes]
    .map(([home, { yes, no, zids }]) => ({ home, yes, no, zids: zids.size }))
    .sort((a, b) => b.yes + b.no - (a.yes + a.no) || (a.home < b.home ? -1 : 1))
}

const sum = (all: readonly number[]): number => all.reduce((total, it) => total + it, 0)

/** Yes weight of which no home has more than half: more yes from anywhere never makes it less. */
const halved = (homes: readonly HomeWeight[]): number => {
  const yes = sum(homes.map((it) => it.yes))
  const most = homes.reduce((largest, it) => Math.max(largest, it.yes), 0)
  return yes - most + Math.min(most, yes - most)
}

const shareOfLast = (counted: readonly CountedStake[], closes: number): number | null => {
  const whole = sum(counted.map((it) => it.weight))
  const late = sum(counted.filter(({ tick }) => tick > closes - SETTLE_TICKS).map((it) => it.weight))
  return whole === 0 ? null : late / whole
}

/**
 * Counts a vote: a pure function of the union of counting stakes (trust.md, Tally and Passed).
 *
 * @param sorted what {@link sortStakes} made of them.
 */
export const tallyOf = ({ counted }: Pick<SortedStakes, 'counted'>, { closes, logs }: VoteRules): VoteTally => {
  const homes = byHome(counted)
  const zids = new Set(counted.map((it) => it.zid)).size
  const yes = sum(homes.map((it) => it.yes))
  const no = sum(homes.map((it) => it.no))
  const byHomes = logs !== undefined && logs >= HOMES_MIN
  const effective = byHomes ? halved(homes) : yes
  const missing: VoteTally['missing'][number][] = []
  if (zids < QUORUM_ZIDS) missing.push('zids')
  if (effective + no < QUORUM_WEIGHT) missing.push('weight')
  if (effective <= no) missing.push('majority')
  if (byHomes && homes.filter((it) => it.yes > 0).length < HOMES_MIN) missing.push('homes')
  return {
    root: toHex(rootOf(counted.map((it) => leafHash(voteLeaf(it))))),
    counted: counted.length,
    zids,
    yes,
    yes_effective: effective,
    no,
    homes: [...homes],
    last_ticks_share: shareOfLast(counted, closes),
    passed: missing.length === 0,
    missing,
    indicative: logs === undefined,
  }
}

/** Whether a result is settled: for good but for a counting stake that is found later. */
export const isSettled = (meshTick: number, { closes, alone }: { readonly closes: number; readonly alone: boolean }) =>
  meshTick > closes && (alone || meshTick >= closes + SETTLE_TICKS)
