import { TICK_NS } from '#core/tick.ts'
import { CASES_MIN, type Proposal, proposalId, WINDOW_TICKS_MIN } from '#core/vote/documents.ts'
import { createCustody } from '#domain/identity/custody.ts'
import { createRecorder } from '#domain/network/recorder.ts'
import { keepProposal } from '#domain/network/votes/keep.ts'
import { openVotes } from '#domain/network/votes/service.ts'
import type { Votes } from '#domain/network/votes/types.ts'
import { nodeClock } from '#node/clock.ts'
import { operatorRegistry } from '#numerics/operators/registry.ts'
import { openRooms, type Rooms } from '../../test/domain/house.ts'

/** Times by which the clock of a round is faster than a real one, so that votes close within it. */
const FASTER = 10n

/** A clock that begins at an instant, and runs faster. */
export const fastClock = (start: bigint) => {
  const from = process.hrtime.bigint()
  const now = (): bigint => start + (process.hrtime.bigint() - from) * FASTER
  return nodeClock({ wall: now, monotonic: now })
}

/** Milliseconds of a tick on that clock. */
export const FAST_TICK_MS = Number(TICK_NS / FASTER / 1_000_000n)

/** The part of a node that votes. */
export const openVoting = async (
  directory: string,
  start: bigint,
): Promise<Rooms & { readonly votes: Votes } & AsyncDisposable> => {
  const rooms = await openRooms(directory, fastClock(start))
  const { store, economy, keys } = rooms
  await (await economy.moves.resume()).rows
  const quiet = (): void => undefined
  const votes = await openVotes({
    ...{ store, economy, policy: undefined, policyName: 'open', nodeId: keys.nodeId },
    recorder: createRecorder(store, keys.signer),
    registry: operatorRegistry([]),
    custody: createCustody(keys),
    standingOf: () => ({ counts: true, up_to: null, because: 'open' }),
    timeOf: ({ tick }) => ({ at: tick, cosigned: null, mark: 'unwitnessed' }),
    known: () => [],
    alone: () => true,
    isPerson: () => false,
    log: {
      debug: quiet,
      info: quiet,
      warn: (fields, event) => console.error(event, fields),
      error: quiet,
      audit: quiet,
    },
  })
  return {
    ...rooms,
    votes,
    [Symbol.asyncDispose]: async () => {
      await votes[Symbol.asyncDispose]()
      await rooms[Symbol.asyncDispose]()
    },
  }
}

/** Opens a vote that is shorter than any that people may open. @returns its id, and its last tick */
export const shortVote = async (
  { store, keys }: Rooms,
  { nonce, ticks }: { readonly nonce: string; readonly ticks: number },
): Promise<{ readonly id: string; readonly closes: number }> => {
  const one = { inputs: { x: 1 }, output: 'y', value: 1, unit: '1' }
  const proposal: Proposal = {
    ...{ v: 1, node: keys.nodeId, author: `zid1${'a'.repeat(32)}`, nonce, window_ticks: WINDOW_TICKS_MIN },
    row: { id: 'X1', name: 'x', domain: 'x', equation: 'y = x', variables: {}, solves_for: ['y'], source: 'x' },
    cases: Array.from({ length: CASES_MIN }, () => one),
    ...{ policy: 'open', registry_version: `sha256:${'0'.repeat(64)}` },
  }
  const id = proposalId(proposal)
  const closes = await store.commit((tx) => {
    const opened = { source: keys.nodeId, seq: 0, tick: tx.meshTick, closes: tx.meshTick + ticks }
    keepProposal(tx, { id, proposal, opened })
    return opened.closes
  })
  return { id, closes }
}
