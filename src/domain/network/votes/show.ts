import { Fault } from '#core/fault.ts'
import type { Proposal } from '#core/vote/documents.ts'
import type { ProposalPage, ProposalView, StakeView } from '#domain/network/views/votes.ts'
import { STAKES_SHOWN_MAX } from '#domain/network/views/votes.ts'
import { URGED_EVERY_TICKS } from '#domain/network/witness/asker.ts'
import { nodeOfWitness } from '#domain/network/witness/choose.ts'
import { under } from '#store/layout.ts'
import type { ProposalRow, StakeOpRow } from '#store/rows/vote.ts'
import type { Counter, JudgedStake } from './count.ts'
import { measureCases, proposedOperator } from './evaluate.ts'
import type { Locks } from './locks.ts'
import type { VoteOptions } from './types.ts'

/** Mesh ticks before the close in which a stake may not be seen in time: checkpoint, cosignatures, event, and again. */
const REACH_TICKS_WITNESSED = 8
/** The same where every witness is outside the mesh, and may have been shown something else 120 ticks ago. */
const REACH_TICKS_OUTSIDE = REACH_TICKS_WITNESSED + 2 * URGED_EVERY_TICKS
/** The same where no witness is asked: its checkpoint, then its event. */
const REACH_TICKS_ALONE = 2

/** The last mesh tick at which a stake is taken here: later no witness, or this node itself, would see it in time. */
export const lastTick = (closes: number, { policy }: Pick<VoteOptions, 'policy'>): number => {
  const witnesses = [...(policy?.witnesses.values() ?? [])]
  if (witnesses.length === 0) return closes - REACH_TICKS_ALONE
  const isNear = witnesses.some(({ name }) => nodeOfWitness(name) !== undefined)
  return closes - (isNear ? REACH_TICKS_WITNESSED : REACH_TICKS_OUTSIDE)
}

/** @throws Fault VOTE_CLOSED for a proposal that goes by another policy: nothing of it is counted here */
export const assertPolicy = (policyName: string, { policy }: Pick<Proposal, 'policy'>): void => {
  if (policy === policyName) return
  const detail = 'The proposal goes by another mesh policy than this node, which counts nothing of it.'
  throw new Fault('VOTE_CLOSED', detail, { state: 'other_policy', policy })
}

const seen = ({ row, stake, counting, why }: JudgedStake): StakeView => {
  const { signed, source } = row
  const { id, zid, side, weight, home, tick } = stake
  const until = signed.stake.lock.op.until
  return {
    ...{ id, zid, side, count: signed.stake.count, weight, home, node: source },
    ...{ mesh_tick: tick, counting, why, locked_until: until },
  }
}

/** Errors that this node finds in the cases of a row: those of its own draft, else measured now. */
const measuredIn = ({ registry }: VoteOptions, { proposal, measured }: ProposalRow): readonly number[] | null => {
  if (measured !== null) return measured
  try {
    return measureCases(registry, proposedOperator(registry, proposal.row), proposal.cases)
  } catch (cause) {
    if (cause instanceof Fault) return null
    throw cause
  }
}

/** What nodes said that they counted, after the close. */
const resolutionsOf = async (
  { store }: VoteOptions,
  id: string,
  { opened }: ProposalRow,
): Promise<ProposalView['resolutions']> => {
  const found: ProposalView['resolutions'][number][] = []
  if (opened === null) return found
  for await (const [, { source, tick, resolved }] of store.range('resolution', under(id))) {
    if (tick > opened.closes) found.push({ ...resolved, node: source, mesh_tick: tick })
  }
  return found
}

/** Whether a lock has come to no stake yet. */
const isWaiting = ({ state }: StakeOpRow): boolean => state === 'begun' || state === 'locked'

/** Finds and shows proposals. */
export const createShow = (options: VoteOptions, counter: Counter, locks: Locks) => {
  const { store, nodeId } = options

  /** A lock whose stake is not signed yet. */
  const waiting = (digest: string, { zid, side, signed }: StakeOpRow): StakeView => ({
    ...{ id: digest, zid, side, count: signed.op.count, weight: null, home: signed.op.home, node: nodeId },
    ...{ mesh_tick: null, counting: 'pending', why: 'lock_pending', locked_until: signed.op.until },
  })

  const row = async (id: string): Promise<ProposalRow> => {
    const found = await store.get('proposal', id)
    if (found === undefined) throw new Fault('NOT_FOUND')
    return found
  }

  /** A stake as it is shown: that of a lock, by the lock's digest, or one that is signed. */
  const stakeShown = async (digest: string, id: string): Promise<StakeView> => {
    const op = await store.get('stakeOp', digest)
    if (op === undefined) throw new Fault('NOT_FOUND')
    if (op.stake === null) return waiting(digest, op)
    const { stakes } = await counter.count(id, await row(id))
    const found = stakes.find(({ row: it }) => it.signed.stake.lock.receipt.op_digest === digest)
    return found === undefined ? waiting(digest, op) : seen(found)
  }

  const view = async (id: string): Promise<ProposalView> => {
    const found = await row(id)
    const { stakes, tally } = await counter.count(id, found)
    const mine = [...locks.open].filter(([, it]) => it.proposal === id && isWaiting(it))
    const newest = stakes.toSorted((a, b) => b.stake.tick - a.stake.tick || (a.stake.id < b.stake.id ? -1 : 1))
    const shown = [...mine.map(([digest, it]) => waiting(digest, it)), ...newest.map(seen)]
    const { proposal, opened, promoted } = found
    const errors = measuredIn(options, found)
    return {
      ...counter.itemOf(id, found, tally),
      row: proposal.row,
      cases: [...proposal.cases],
      measured: errors === null ? null : [...errors],
      policy: proposal.policy,
      registry_version: proposal.registry_version,
      stakes: shown.slice(0, STAKES_SHOWN_MAX),
      stakes_total: shown.length,
      resolutions: await resolutionsOf(options, id, found),
      promoted,
      last_tick: opened === null ? null : lastTick(opened.closes, options),
      mesh_tick: store.now().meshTick,
    }
  }

  const list = async ({
    limit,
    offset,
  }: {
    readonly limit: number
    readonly offset: number
  }): Promise<ProposalPage> => {
    const proposals: ProposalPage['proposals'][number][] = []
    let total = 0
    for await (const [key] of store.range('proposalByTick', { reverse: true })) {
      total += 1
      if (total <= offset || proposals.length >= limit) continue
      const id = key.slice(key.indexOf('/') + 1)
      const found = await row(id)
      proposals.push(counter.itemOf(id, found, (await counter.count(id, found)).tally))
    }
    return { proposals, limit, offset, total, mesh_tick: store.now().meshTick }
  }

  return { row, view, list, stakeShown }
}
export type Show = ReturnType<typeof createShow>
