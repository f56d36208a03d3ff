import { accountCaller, type Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { Resolved, VoteTally } from '#core/vote/documents.ts'
import type { ProposalView, ResolvedView } from '#domain/network/views/votes.ts'
import { keyOf } from '#store/layout.ts'
import type { ProposalRow } from '#store/rows/vote.ts'
import type { Counter } from './count.ts'
import type { Locks } from './locks.ts'
import { assertPolicy, type Show } from './show.ts'
import type { VoteOptions } from './types.ts'

interface Parts {
  readonly show: Show
  readonly counter: Counter
  readonly locks: Locks
}

/** Counts votes that are over, and lets through what passed. */
export const createEnding = (options: VoteOptions, { show, counter, locks }: Parts) => {
  const { store, recorder, nodeId, policyName, isPerson } = options

  /**
   * @returns the mesh tick of its close.
   * @throws Fault VOTE_CLOSED for a vote that is not over, or that is counted by another policy
   */
  const assertOver = ({ opened, proposal }: ProposalRow, meshTick: number): number => {
    if (opened === null) throw new Fault('VOTE_CLOSED', 'The vote is not open yet.', { state: 'draft' })
    const { closes } = opened
    if (meshTick <= closes) throw new Fault('VOTE_CLOSED', 'The vote is still open.', { state: 'voting', closes })
    assertPolicy(policyName, proposal)
    return closes
  }

  /** Says what was counted, unless this node said the same before, after the close. */
  const publish = (id: string, closes: number, tally: VoteTally): Promise<void> =>
    store.commit((tx) => {
      const { root, counted, yes, no, zids, passed } = tally
      const said: Resolved = { proposal: id, root, counted, yes, no, zids, passed }
      const before = tx.get('resolution', keyOf(id, nodeId))
      const { resolved, tick = 0 } = before ?? {}
      if (tick > closes && resolved?.root === root && resolved.passed === passed) return
      recorder.in(tx, 'resolve', said as unknown as Json)
    })

  /** Gives the stakes of this node back; what cannot be given now is given with the ticks. @returns envelopes */
  const giveBack = async (id: string): Promise<number> => {
    let returned = 0
    for (const [digest, { proposal, signed }] of [...locks.open]) {
      if (proposal !== id) continue
      await locks.advance(digest)
      if ((await store.get('stakeOp', digest))?.state === 'returned') returned += signed.op.count
    }
    return returned
  }

  const resolve = async (id: string): Promise<ResolvedView> => {
    const row = await show.row(id)
    const closes = assertOver(row, store.now().meshTick)
    const { tally } = await counter.count(id, row)
    await publish(id, closes, tally)
    const returned = await giveBack(id)
    return { ...counter.itemOf(id, row, tally), returned }
  }

  const promote = async (caller: Caller, id: string): Promise<ProposalView> => {
    if (!isPerson(caller)) {
      const detail = 'A person at the page of this node does this, within a quarter of an hour of signing in.'
      throw new Fault('SCOPE_REQUIRED', detail, { scope: 'person' })
    }
    const { zid: by } = accountCaller(caller)
    const row = await show.row(id)
    assertOver(row, store.now().meshTick)
    const { tally } = await counter.count(id, row)
    const { settled, state } = counter.itemOf(id, row, tally)
    const { passed, missing, root } = tally
    if (state === 'voting' || !settled || !passed) {
      const why =
        state === 'voting' ? 'It was not counted yet.' : settled ? 'It did not pass.' : 'It is not settled yet.'
      throw new Fault('VOTE_CLOSED', why, { state, settled, passed, missing })
    }
    await store.commit((tx) => {
      const now = tx.get('proposal', id)
      if (now === undefined || now.promoted !== null) return
      tx.put('proposal', id, { ...now, promoted: { root, mesh_tick: tx.meshTick, by } })
    })
    return show.view(id)
  }

  return { resolve, promote }
}
