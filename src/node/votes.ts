import { eventsLogName, nodeOfLog } from '#core/ids.ts'
import type { Log } from '#core/telemetry.ts'
import { meshTickOfSecond } from '#core/when.ts'
import { createCustody } from '#domain/identity/custody.ts'
import type { NodeKeys } from '#domain/identity/node-keys.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import type { Network } from '#domain/network/types.ts'
import { openVotes } from '#domain/network/votes/service.ts'
import type { TimeOf, Votes } from '#domain/network/votes/types.ts'
import type { Services } from '#domain/services.ts'
import { supersessionsOf } from '#store/eras.ts'
import type { ToldAt } from '#store/rows/vote.ts'
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

/** When the events of a vote happened, by the cosignatures of their sources' event logs. */
const timeOf = (store: Store, network: Network): TimeOf => {
  const logOf = (node: string): string => {
    if (node === network.nodeId) return store.events.origin
    const known = network.sync?.sources().findLast(({ origin }) => nodeOfLog(origin) === node)
    // A log that is not held here has been cosigned by nobody, as far as is known.
    return known?.origin ?? eventsLogName(node, 0)
  }
  const placeOf = ({ source, seq, tick }: ToldAt) => ({ origin: logOf(source), seq, tick })
  return (event, named) => {
    const place = placeOf(event)
    const happened = network.whenOf(
      place,
      named.map((it) => network.whenOf(placeOf(it))),
    )
    if (happened === 'pending') return 'pending'
    const second = network.cosigned?.firstOf(place.origin, place.seq)
    return { ...happened, cosigned: second === undefined ? null : meshTickOfSecond(second) }
  }
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
    timeOf: timeOf(store, network),
    known: () => supersessionsOf(store),
    alone: () => !network.peers().some((it) => it.connected),
    isPerson: identity.isPerson,
  })
  each(votes.beat)
  return votes
}
