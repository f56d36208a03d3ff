import type { Policy } from '#core/policy.ts'
import { type Counting, SETTLE_TICKS, type VoteTally } from '#core/vote/documents.ts'
import { stakerOf, stakeStanding } from '#core/vote/stake.ts'
import { type CountedStake, isSettled, sortStakes, tallyOf } from '#core/vote/tally.ts'
import { tokenProofOf } from '#domain/network/token-evidence.ts'
import type { ProposalItem, StakeView } from '#domain/network/views/votes.ts'
import { under } from '#store/layout.ts'
import { isVoteCounted, type ProposalRow, type StakeRow } from '#store/rows/vote.ts'
import type { VoteOptions } from './types.ts'

type CountOptions = Pick<VoteOptions, 'store' | 'policy' | 'policyName' | 'standingOf' | 'timeOf' | 'known' | 'alone'>
type Why = StakeView['why']

/** A stake with what was found out about it. */
export interface JudgedStake {
  readonly row: StakeRow
  readonly stake: CountedStake
  readonly counting: Counting
  readonly why: Why
}

/** A vote, counted as of now. */
export interface Count {
  readonly stakes: readonly JudgedStake[]
  readonly tally: VoteTally
}

/** Stakes whose signatures under the policy are looked at once. */
const REMEMBERED_MAX = 65_536

/** What a policy makes of a stake never changes, but for successions: it is looked at once for each number of them. */
const createRemembered = () => {
  const known = new Map<string, ReturnType<typeof stakeStanding>>()
  return (key: string, work: () => ReturnType<typeof stakeStanding>): ReturnType<typeof stakeStanding> => {
    if (known.has(key)) return known.get(key)
    if (known.size >= REMEMBERED_MAX) known.clear()
    const found = work()
    known.set(key, found)
    return found
  }
}

/** A stake as it is kept, with the id that its key has. */
interface Read {
  readonly id: string
  readonly row: StakeRow
}

const countedOf = ({ id, row: { signed } }: Read, tick: number): CountedStake => {
  const { side, weight, lock } = signed.stake
  const { home, op_digest } = lock.receipt
  return { id, zid: stakerOf(signed), side, weight, home, op_digest, tick }
}

/** Seal logs that a policy names. */
const logsOf = (policy: Policy | undefined): number | undefined => policy?.logs.length

/** Shows a proposal as a list does. */
const createItem =
  ({ store, policyName, alone }: CountOptions) =>
  (id: string, row: ProposalRow, tally: VoteTally): ProposalItem => {
    const { proposal, opened, promoted } = row
    const { meshTick } = store.now()
    const closes = opened?.closes ?? null
    const closed = closes !== null && meshTick > closes
    const settled = closes !== null && isSettled(meshTick, { closes, alone: alone() })
    const isResolved = closed && isVoteCounted({ get: store.peek }, id, closes)
    const decided = settled && !tally.passed ? 'rejected' : 'resolved'
    const { id: operator, name, domain, equation, source } = proposal.row
    return {
      id,
      state: opened === null ? 'draft' : promoted !== null ? 'promoted' : isResolved ? decided : 'voting',
      ...{ operator, name, domain, equation, source, author: proposal.author, node: proposal.node },
      window_ticks: proposal.window_ticks,
      opened: opened?.tick ?? null,
      closes,
      closed,
      settles: closes === null ? null : closes + SETTLE_TICKS,
      settled,
      counts_here: proposal.policy === policyName,
      tally,
    }
  }

/** Counts votes from what is kept, whenever asked: nothing of a count is stored but what was published. */
export const createCounter = (options: CountOptions) => {
  const { store, policy, policyName, standingOf, timeOf, known } = options
  const remembered = createRemembered()

  /** Why a home's word counts for nothing. */
  const whyNotHome = ({ id, row: { signed } }: Read, closes: number): Why => {
    const { home, log, index } = signed.stake.lock.receipt
    const standings = [...new Set([home, log])].map((origin) => ({ origin, ...standingOf(origin) }))
    const out = standings.find(({ origin, counts, up_to }) => {
      return !counts || (origin === log && up_to !== null && index >= up_to)
    })
    if (out !== undefined && out.because !== 'open' && out.because !== 'policy') return out.because
    const successions = known()
    const key = `${id} ${signed.signature} ${closes} ${successions.length}`
    return remembered(key, () => stakeStanding(signed, { closes, policy, successions })) ?? null
  }

  const judge = (read: Read, { proposal, opened }: ProposalRow): JudgedStake => {
    const { row } = read
    const { tick } = row
    const no = (why: Why, at = tick): JudgedStake => ({ row, stake: countedOf(read, at), counting: 'no', why })
    if (opened === null) return no('too_late')
    if (proposal.policy !== policyName) return no('other_policy')
    const home = whyNotHome(read, opened.closes)
    if (home !== null) return no(home)
    const time = timeOf(row, [opened])
    if (time === 'pending') {
      return { row, stake: countedOf(read, tick), counting: 'pending', why: 'not_cosigned' }
    }
    const { at, cosigned, mark } = time
    // A cosignature after the close may be within what an own tick is believed, and is too late all the same.
    if (at > opened.closes || (cosigned !== null && cosigned > opened.closes)) return no('too_late', at)
    return { row, stake: countedOf(read, at), counting: mark === 'unwitnessed' ? 'unwitnessed' : 'yes', why: null }
  }

  /** Ops of which evidence proves that they took a token twice: of each home the proof that stands. */
  const voided = (judged: readonly JudgedStake[]): ReadonlySet<string> => {
    const homes = new Set(judged.map(({ stake }) => stake.home))
    const proofs = [...homes].flatMap((home) => tokenProofOf({ get: store.peek }, home)?.receipts ?? [])
    return new Set(proofs.map(({ receipt }) => receipt.op_digest))
  }

  /** Counts a proposal's vote. */
  const count = async (id: string, row: ProposalRow): Promise<Count> => {
    const judged: JudgedStake[] = []
    for await (const [key, stake] of store.range('stake', under(id))) {
      judged.push(judge({ id: key.split('/')[1] ?? '', row: stake }, row))
    }
    const rules = { closes: row.opened?.closes ?? 0, logs: logsOf(policy), voided: voided(judged) }
    const good = judged.filter(({ counting }) => counting === 'yes' || counting === 'unwitnessed')
    const sorted = sortStakes(
      good.map(({ stake }) => stake),
      rules,
    )
    const stakes = judged.map((it): JudgedStake => {
      const out = it.why === null ? sorted.out.get(it.stake.id) : undefined
      return out === undefined ? it : { ...it, counting: 'no', why: out }
    })
    return { stakes, tally: tallyOf(sorted, rules) }
  }

  return { count, itemOf: createItem(options) }
}
export type Counter = ReturnType<typeof createCounter>
