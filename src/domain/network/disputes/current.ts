import { type DisputesStanding, foldDisputes } from '#core/dispute/fold.ts'
import type { Data, WorkSides } from './data.ts'
import type { DisputePorts } from './types.ts'
import { challengeIn, type DisputeEvents, readEvents, unionOf, worksIn } from './union.ts'

/** What is known of disputes at a moment. */
export interface Current {
  readonly standing: DisputesStanding
  readonly read: DisputeEvents
}

/** Somebody who disputes a work: it has the data that its challenge needs. */
const challengerOf = ({ events }: DisputeEvents, work: string): string =>
  [...events.values()].find((it) => it.type === 'challenge' && challengeIn(it).place.work === work)?.author ?? ''

/** What this node knows of disputes, read again whenever something came. */
export const createCurrent = (ports: DisputePorts, data: Data) => {
  const { store } = ports
  let news: string | undefined
  let read: DisputeEvents | undefined
  const asked = (): readonly WorkSides[] =>
    read === undefined
      ? []
      : [...worksIn(read).values()].map(({ place, requester }) => ({
          ...{ work: place.work, worker: place.worker, requester },
          challenger: challengerOf(read as DisputeEvents, place.work),
        }))
  return {
    /** Works whose data are not here. */
    lacking: (): readonly WorkSides[] => asked().filter(({ work }) => data.known(work) === undefined),
    /** Events that challenges name as those that published their works, and that are not here. */
    unknown: (): readonly string[] => [
      ...new Set(
        [...(read?.events.values() ?? [])].flatMap((it) => {
          const event = it.type === 'challenge' ? challengeIn(it).place.event : undefined
          return event === undefined || read?.events.has(event) === true ? [] : [event]
        }),
      ),
    ],
    /** Whether there is anything to follow. */
    get isEmpty() {
      return store.peek('disputedNews', 'all') === undefined
    },
    get: async (): Promise<Current> => {
      const newest = store.peek('disputedNews', 'all')
      if (read === undefined || newest !== news) {
        read = await readEvents(ports)
        news = newest
      }
      return { read, standing: foldDisputes(unionOf(ports, read, data.known)) }
    },
  }
}
