import { WINDOW_TICKS_MIN } from '#core/vote/documents.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { createCustody } from '#domain/identity/custody.ts'
import { createRecorder } from '#domain/network/recorder.ts'
import { openVotes } from '#domain/network/votes/service.ts'
import type { VoteOptions, Votes } from '#domain/network/votes/types.ts'
import { proposed } from '../../kit/proposal.ts'
import { until } from '../../kit/until.ts'
import type { House, wealthy } from '../house.ts'

const registry = loadRegistry()

/** The votes of a house. */
export const votesIn = (house: House, over: Partial<VoteOptions> = {}): Promise<Votes> => {
  const { store, economy, keys } = house
  const quiet = (): void => undefined
  return openVotes({
    ...{ store, economy, registry, policy: undefined, policyName: 'open', nodeId: keys.nodeId },
    recorder: createRecorder(store, keys.signer),
    custody: createCustody(keys),
    standingOf: () => ({ counts: true, up_to: null, because: 'open' }),
    timeOf: ({ tick }) => ({ at: tick, cosigned: null, mark: 'unwitnessed' }),
    known: () => [],
    alone: () => true,
    isPerson: () => true,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet, audit: quiet },
    ...over,
  })
}

/** An account with envelopes. */
export type Rich = Awaited<ReturnType<typeof wealthy>>

/** Proposes an operator and opens the vote on it, for the shortest window. */
export const openVote = async (
  votes: Votes,
  { caller }: Pick<Rich, 'caller'>,
): Promise<{ id: string; closes: number }> => {
  const { id } = await votes.propose(caller, { ...proposed, window_ticks: WINDOW_TICKS_MIN })
  return { id, closes: (await votes.openVote(caller, id)).closes as number }
}

/** Ends the tick, and leads locks on until something holds of the proposal. */
export const leadOn = async (
  { house, votes, id }: { house: House; votes: Votes; id: string },
  holds: (it: Awaited<ReturnType<Votes['get']>>) => boolean,
  signal: AbortSignal,
): Promise<void> => {
  house.clock.advanceTicks(1)
  await house.store.closeTick()
  await until(async () => {
    votes.beat()
    return holds(await votes.get(id))
  }, signal)
}
