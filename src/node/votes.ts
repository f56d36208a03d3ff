import type { Log } from '#core/telemetry.ts'
import { createCustody } from '#domain/identity/custody.ts'
import type { NodeKeys } from '#domain/identity/node-keys.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import { openVotes } from '#domain/network/votes/service.ts'
import { createTimeOf } from '#domain/network/votes/time.ts'
import type { Votes } from '#domain/network/votes/types.ts'
import type { Services } from '#domain/services.ts'
import { supersessionsOf } from '#store/eras.ts'
import type { Store } from '#store/store.ts'
import type { MeshPolicy } from './policy.ts'

interface Base {
  readonly store: Store
  readonly keys: NodeKeys
  readonly policy: MeshPolicy
  readonly ports: { readonly log: Log }
}

interface Parts extends Pick<Services, 'economy' | 'identity' | 'compute' | 'network' | 'witness'> {
  readonly recorder: EventRecorder
  /** Does this at each tick. */
  readonly each: (work: () => void) => void
}

/** The node's votes on community operators. Disposing ends what is under way. */
export const votesOf = async (
  { store, keys, policy: { name, policy }, ports: { log } }: Base,
  { economy, identity, compute, network, witness, recorder, each }: Parts,
): Promise<Votes> => {
  const votes = await openVotes({
    ...{ store, economy, recorder, policy, policyName: name, log },
    registry: compute.registry,
    custody: createCustody(keys),
    nodeId: keys.nodeId,
    standingOf: witness.standingOf,
    timeOf: createTimeOf(store, network),
    known: () => supersessionsOf(store),
    alone: () => !network.peers().some((it) => it.connected),
    isPerson: identity.isPerson,
    find: async (name) => network.lookup?.find({ kind: 'proposal', name }),
  })
  each(votes.beat)
  return votes
}
