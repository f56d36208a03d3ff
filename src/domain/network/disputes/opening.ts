import type { Dispute } from '#core/dispute/fold.ts'
import { OPEN_BY_ONE_MAX } from '#core/dispute/rules.ts'
import { Fault } from '#core/fault.ts'
import { DISPUTE_TICKS } from '#core/work/exposure.ts'
import { holdsWork, type WorkPlace, type WorksPublished } from '#core/work/published.ts'
import type { Challenging } from './challenging.ts'
import type { Current } from './current.ts'
import { publishedKey } from './keep.ts'
import type { AskedDispute, DisputePorts } from './types.ts'

const isOpen = ({ phase }: Dispute): boolean => phase !== 'ended' && phase !== 'refused'

/** Opens disputes over works that this node runs again. @returns the id of the event of the challenge */
export const createOpening = (ports: DisputePorts, challenging: Challenging, current: () => Promise<Current>) => {
  const { store, nodeId } = ports

  const requesterOf = async (place: WorkPlace): Promise<string> => {
    const key = publishedKey(place.event)
    if (store.peek('disputed', key) === undefined) await ports.findWork(place.event)
    const row = store.peek('disputed', key)
    if (row === undefined) throw new Fault('NOT_FOUND', 'The event that published the work is not here.')
    if (!holdsWork(row.payload as WorksPublished, place)) {
      throw new Fault('INVALID_INPUT', '/place/path: the event does not hold the work there.')
    }
    return row.author
  }

  /** Refuses what could not be counted. @throws Fault TOO_LATE, NOT_BONDED, RATE_LIMITED */
  const assertMay = async (place: WorkPlace, requester: string): Promise<void> => {
    const { meshTick } = store.now()
    const row = await store.get('disputed', publishedKey(place.event))
    const happened = row === undefined ? 'pending' : ports.whenOf(row)
    const closed = happened === 'pending' ? Number.MAX_SAFE_INTEGER : happened.at + DISPUTE_TICKS
    if (meshTick > closed) throw new Fault('TOO_LATE', undefined, { closed_tick: closed })
    const { standing, read } = await current()
    const isBonded = read.bonded.some((it) => it.node === nodeId && (it.until === null || it.until > meshTick))
    if (requester !== nodeId && !isBonded) throw new Fault('NOT_BONDED')
    const own = [...standing.disputes.values()].filter((it) => it.challenge.author === nodeId && isOpen(it))
    if (own.length >= OPEN_BY_ONE_MAX) {
      throw new Fault('RATE_LIMITED', `${OPEN_BY_ONE_MAX} disputes of this node are open.`, { open: own.length })
    }
  }

  return async ({ work: named, place: given }: AskedDispute, signal: AbortSignal): Promise<string> => {
    const place = given === undefined ? await ports.placeOf(named) : { ...given, path: [...given.path] }
    if (place === undefined) throw new Fault('NOT_FOUND', 'Where the work was published is not known here.')
    if (place.work !== named) throw new Fault('INVALID_INPUT', '/place/work: it is another work.')
    const requester = await requesterOf(place)
    await assertMay(place, requester)
    const of = { work: named, worker: place.worker, requester }
    const found = await challenging.differenceOf(of, signal)
    if (found === undefined) throw new Fault('INVALID_INPUT', '/work: run again here, it comes out the same.')
    return challenging.accuse(of, { place, ...found }, { before: found.before })
  }
}
