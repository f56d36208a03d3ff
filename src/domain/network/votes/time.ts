import { eventsLogName } from '#core/ids.ts'
import { meshTickOfSecond } from '#core/when.ts'
import type { Network } from '#domain/network/types.ts'
import type { ToldAt } from '#store/rows/vote.ts'
import type { Store } from '#store/store.ts'
import type { TimeOf } from './types.ts'

type WhenKnown = Pick<Network, 'nodeId' | 'sync' | 'cosigned' | 'whenOf'>

/** When the events of a vote happened, by the cosignatures of their sources' event logs. */
export const createTimeOf = (store: Pick<Store, 'events'>, network: WhenKnown): TimeOf => {
  const logOf = (node: string): string =>
    // A log that is not held here has been cosigned by nobody, as far as is known.
    node === network.nodeId ? store.events.origin : (network.sync?.logOf(node) ?? eventsLogName(node, 0))
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
