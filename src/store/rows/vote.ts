import { Fault } from '#core/fault.ts'
import type { TokenPlace } from '#core/token/list.ts'
import { opDigest, type SignedOp } from '#core/token/op.ts'
import {
  type Proposal,
  proposalId,
  type Resolved,
  type Side,
  type SignedStake,
  stakeId,
  voteRef,
} from '#core/vote/documents.ts'
import { assertStake } from '#core/vote/stake.ts'
import type { AwayRows } from '#store/away.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf, seqKey, under } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { BasisRows } from './basis.ts'
import type { MoveRows } from './move.ts'

/** Where an event stands that a row is of. */
export interface ToldAt {
  readonly source: string
  readonly seq: number
  /** Its own mesh tick. */
  readonly tick: number
}

/** A proposal, as a draft of this node or as its event told of it. */
export interface ProposalRow {
  readonly proposal: Proposal
  /** Errors that this node measured in its reference cases, in percent; null where another node wrote it. */
  readonly measured: readonly number[] | null
  /** The event that opened the vote; null for a draft. */
  readonly opened: (ToldAt & { readonly closes: number }) | null
  readonly promoted: { readonly root: string; readonly mesh_tick: number; readonly by: string } | null
}

/** A stake, as its event said it. */
export interface StakeRow extends ToldAt {
  readonly signed: SignedStake
}

/** What a node counted. */
export interface ResolutionRow extends ToldAt {
  readonly resolved: Resolved
}

/**
 * A lock that this node makes for a stake of somebody who lives here. It is written before the lock, so that no lock is
 * without it: `begun` may be locked or not, `locked` waits for the proof of its leaf, `staked` has its event, `late`
 * came to nothing, and `returned` is free again.
 */
export interface StakeOpRow {
  readonly proposal: string
  readonly zid: string
  readonly side: Side
  readonly signed: SignedOp
  /** What ends the lock once the vote was counted: signed with it, and valid from the close on. */
  readonly unlock: SignedOp
  /** The call that asked for it, so that a repeat of it makes no second one; null without an Idempotency-Key. */
  readonly repeat: string | null
  /** Its tokens; empty once they were returned. */
  readonly list: readonly TokenPlace[]
  readonly state: 'begun' | 'locked' | 'staked' | 'late' | 'returned'
  /** Key of the stake below its proposal: its digest, and the node whose event it is. */
  readonly stake: string | null
}

/** Proposals that are known, stakes of one, and nodes that counted one: what strangers could fill has an end. */
export const PROPOSALS_MAX = 16_384
export const STAKES_MAX = 65_536
export const RESOLUTIONS_MAX = 256
/** The same over all proposals. */
export const STAKES_ALL_MAX = 1_048_576
export const RESOLUTIONS_ALL_MAX = 262_144

export interface VoteRows {
  readonly proposal: ProposalRow
  readonly proposalByTick: true
  readonly voteCount: number
  readonly stake: StakeRow
  readonly resolution: ResolutionRow
  readonly stakeOp: StakeOpRow
  readonly stakeOpen: true
}

type Needs = VoteRows & Pick<MoveRows, 'moveByDigest'> & Pick<AwayRows, 'awayMove'> & Pick<BasisRows, 'genesis'>

/** Keys of `voteCount`. */
export const countKeys = {
  proposals: 'proposals',
  ops: 'ops',
  stakesAll: 'stakes',
  resolutionsAll: 'resolutions',
  stakes: (proposal: string): string => keyOf('stakes', proposal),
  resolutions: (proposal: string): string => keyOf('resolutions', proposal),
  /** The newest mesh tick at which somebody said to have counted it. */
  counted: (proposal: string): string => keyOf('counted', proposal),
} as const

/** Key under which an open vote is listed: by its tick, then its id. */
export const proposalTickKey = (tick: number, id: string): string => keyOf(seqKey(tick), id)

/** Reads rows of votes, as they are durable or as a commit has them. */
interface VoteReader {
  get<N extends 'proposal' | 'voteCount'>(table: N, key: string): VoteRows[N] | undefined
}

/** Whether somebody counted a vote after its close: what is dated before it is no count of it. */
export const isVoteCounted = ({ get }: VoteReader, proposal: string, closes: number): boolean =>
  (get('voteCount', countKeys.counted(proposal)) ?? 0) > closes

/** Whether a vote is over by a mesh tick and somebody counted it: then its locks may end before their tick. */
export const isVoteOver = (reader: VoteReader, proposal: string, meshTick: number): boolean => {
  const closes = reader.get('proposal', proposal)?.opened?.closes
  return closes !== undefined && meshTick > closes && isVoteCounted(reader, proposal, closes)
}

const refuse = (table: keyof VoteRows, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

const assertCount = ({ database }: Fsck<Needs>, key: string, found: number): void => {
  const counted = database.peek('voteCount', key) ?? 0
  if (counted !== found) refuse('voteCount', key, `it counts ${counted}, and there are ${found}`)
}

/** A lock of this node stands behind its stake, and the stake before its lock. */
const checkOp = ({ database }: Fsck<Needs>, key: string, row: StakeOpRow): void => {
  const { proposal, signed, state, stake } = row
  const { op } = signed
  if (opDigest(op) !== key || op.op !== 'lock' || op.ref !== voteRef(proposal)) {
    refuse('stakeOp', key, 'its op locks nothing for its vote')
  }
  const open = database.peek('stakeOpen', key) !== undefined
  if (open === (state === 'returned')) refuse('stakeOpen', key, 'it does not say whether the lock is to be returned')
  if (state === 'begun') return
  const isLocked = database.peek('moveByDigest', key) ?? database.peek('awayMove', key)
  if (isLocked === undefined) refuse('stakeOp', key, 'a stake without its lock: no such op was applied')
  if (state === 'staked' && stake === null) refuse('stakeOp', key, 'it names no stake')
  if (stake !== null && database.peek('stake', keyOf(proposal, stake)) === undefined) {
    refuse('stakeOp', key, 'a lock without its stake: the one that it names is not kept')
  }
}

const checkOps = async (fsck: Fsck<Needs>): Promise<void> => {
  const { database, step } = fsck
  let [ops, open] = [0, 0]
  for await (const [key, row] of database.range('stakeOp')) {
    step('accounts')
    ops += 1
    if (row.state !== 'returned') open += 1
    checkOp(fsck, key, row)
  }
  for await (const [key] of database.range('stakeOpen')) {
    open -= 1
    if (database.peek('stakeOp', key) === undefined) refuse('stakeOpen', key, 'its lock is missing')
  }
  if (open !== 0) refuse('stakeOpen', '', 'there are others than locks that are to be returned')
  assertCount(fsck, countKeys.ops, ops)
}

/** A stake says what its staker signed, and one of this node has its lock. */
const checkStake = ({ database }: Fsck<Needs>, key: string, { signed, source }: StakeRow): void => {
  const [proposal = '', id = '', teller = ''] = key.split('/')
  try {
    assertStake(signed)
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    refuse('stake', key, cause.message)
  }
  if (signed.stake.proposal !== proposal) refuse('stake', key, 'it is of another proposal')
  if (stakeId(signed) !== id || source !== teller) refuse('stake', key, 'it is another one, or of another node')
  if (source !== database.peek('genesis', 'genesis')?.node) return
  const op = database.peek('stakeOp', opDigest(signed.stake.lock.op))
  if (op?.stake !== keyOf(id, source))
    refuse('stake', key, 'a stake without its lock: this node knows of none that it made')
}

const countUnder = async (
  { database }: Fsck<Needs>,
  table: 'stake' | 'resolution',
  proposal: string,
): Promise<number> => {
  let found = 0
  for await (const _ of database.range(table, under(proposal))) found += 1
  return found
}

const checkProposals = async (fsck: Fsck<Needs>): Promise<void> => {
  const { database, step } = fsck
  let [proposals, listed] = [0, 0]
  for await (const [id, { proposal, opened }] of database.range('proposal')) {
    step('accounts')
    proposals += 1
    if (proposalId(proposal) !== id) refuse('proposal', id, 'it has another id')
    if (opened === null) continue
    listed += 1
    const key = proposalTickKey(opened.tick, id)
    if (database.peek('proposalByTick', key) === undefined) refuse('proposalByTick', key, 'the row is missing')
  }
  for await (const _ of database.range('proposalByTick')) listed -= 1
  if (listed !== 0) refuse('proposalByTick', '', 'there are others than open proposals')
  assertCount(fsck, countKeys.proposals, proposals)
}

const checkVotes = async (fsck: Fsck<Needs>): Promise<void> => {
  const { database, step } = fsck
  await checkProposals(fsck)
  const voted = new Set<string>()
  let [stakes, resolutions] = [0, 0]
  for await (const [key, row] of database.range('stake')) {
    step('accounts')
    stakes += 1
    voted.add(key.slice(0, key.indexOf('/')))
    checkStake(fsck, key, row)
  }
  for await (const [key, { resolved, tick }] of database.range('resolution')) {
    resolutions += 1
    const newest = database.peek('voteCount', countKeys.counted(resolved.proposal)) ?? 0
    if (newest < tick) refuse('resolution', key, 'a count that is newer than the newest')
    if (!key.startsWith(`${resolved.proposal}/`)) refuse('resolution', key, 'it is of another proposal')
    voted.add(resolved.proposal)
  }
  for await (const [key] of database.range('voteCount')) {
    const proposal = key.split('/')[1]
    if (proposal !== undefined) voted.add(proposal)
  }
  for (const proposal of voted) {
    assertCount(fsck, countKeys.stakes(proposal), await countUnder(fsck, 'stake', proposal))
    assertCount(fsck, countKeys.resolutions(proposal), await countUnder(fsck, 'resolution', proposal))
  }
  assertCount(fsck, countKeys.stakesAll, stakes)
  assertCount(fsck, countKeys.resolutionsAll, resolutions)
  await checkOps(fsck)
}

/** Votes on community operators: proposals and stakes of the mesh, and the locks that this node made for stakes. */
export const vote = rowKind<VoteRows, Needs>({
  tables: {
    proposal: { prefix: 'yp', form: 'json', key: 'proposal' },
    proposalByTick: { prefix: 'yt', form: 'json', key: 'mesh tick at which its vote was opened / proposal' },
    voteCount: {
      prefix: 'yn',
      form: 'json',
      key: '`proposals`, `ops`; `stakes` or `resolutions`, of all or / of a proposal; `counted` / proposal',
    },
    stake: { prefix: 'ys', form: 'json', key: "proposal / stake's digest / node that tells of it" },
    resolution: { prefix: 'yr', form: 'json', key: 'proposal / node that counted' },
    stakeOp: { prefix: 'yl', form: 'json', key: 'digest of the lock' },
    stakeOpen: { prefix: 'yo', form: 'json', key: 'digest of a lock that is to be returned' },
  },
  since: { schema: 3, note: 'a store of before has none' },
  check: checkVotes,
})
