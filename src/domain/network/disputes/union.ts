import { assertProves, type ChallengeOfWork } from '#core/dispute/challenge.ts'
import type { BondWithheld, DrawReveal, RulingOfChallenge } from '#core/dispute/statements.ts'
import {
  type BondedSpan,
  type DisputedWork,
  type DisputeEvent,
  type DisputeUnion,
  type EventTime,
  workKey,
} from '#core/dispute/types.ts'
import { Fault } from '#core/fault.ts'
import type { Happening } from '#core/when.ts'
import { holdsWork, type WorkPlace, type WorksPublished } from '#core/work/published.ts'
import type { DisputeCheckRow, DisputedRow } from '#store/disputes.ts'
import type { WorkData } from './data.ts'
import { termsOf } from './dossier.ts'
import { publishedKey } from './keep.ts'
import type { DisputePorts } from './types.ts'

/** Events of disputes that are looked at, at most. */
const EVENTS_MAX = 65_536

/** Every event that disputes follow from, by its id, and what this node found itself. */
export interface DisputeEvents {
  readonly events: ReadonlyMap<string, DisputedRow>
  readonly checks: ReadonlyMap<string, DisputeCheckRow>
  readonly bonded: readonly BondedSpan[]
}

const idOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1)

/** Reads all of it from the store. */
export const readEvents = async ({ store }: Pick<DisputePorts, 'store'>): Promise<DisputeEvents> => {
  const events = new Map<string, DisputedRow>()
  const published = new Set<string>()
  // Works that nobody disputes are of no interest: those that are, their challenges name.
  for await (const [key, row] of store.range('disputed')) {
    if (row.type === 'work') continue
    events.set(idOf(key), row)
    if (row.type === 'challenge') published.add(placeIn(row).event)
    if (events.size === EVENTS_MAX) break
  }
  for (const event of published) {
    const row = await store.get('disputed', publishedKey(event))
    if (row !== undefined) events.set(event, row)
  }
  const checks = new Map<string, DisputeCheckRow>()
  for await (const [key, row] of store.range('disputeCheck')) checks.set(key, row)
  const bonded: BondedSpan[] = []
  for await (const [, { author, at, released, fallen }] of store.range('bond')) {
    const until = fallen?.mesh_tick ?? released?.unlocks_at ?? null
    bonded.push({ node: author, from: at, until })
  }
  return { events, checks, bonded }
}

/** The challenge of a row. */
export const challengeIn = (row: DisputedRow): ChallengeOfWork =>
  (row.payload as { readonly challenge: ChallengeOfWork }).challenge

const placeIn = (row: DisputedRow): WorkPlace => challengeIn(row).place

const timeOf = (happening: Happening): EventTime | 'pending' => happening

/** When each event happened. */
const createWhen = ({ whenOf }: Pick<DisputePorts, 'whenOf'>, { events }: DisputeEvents) => {
  const known = new Map<string, Happening>()
  const of = (id: string): Happening => {
    const before = known.get(id)
    if (before !== undefined) return before
    const row = events.get(id)
    if (row === undefined) return 'pending'
    known.set(id, 'pending')
    const { origin, seq, tick } = row
    const found = whenOf({ origin, seq, tick }, namedIn(row).map(of))
    known.set(id, found)
    return found
  }
  return of
}

/** Ids of the events that an event names. */
const namedIn = (row: DisputedRow): readonly string[] => {
  if (row.type === 'challenge') {
    const { place, follows } = challengeIn(row)
    return [place.event, ...(follows === null ? [] : [follows])]
  }
  if (row.type === 'reveal') {
    const { challenge, after } = row.payload as DrawReveal
    return [challenge, ...(after === null ? [] : [after])]
  }
  if (row.type === 'ruling') return [(row.payload as { readonly ruling: RulingOfChallenge }).ruling.challenge]
  if (row.type === 'withheld') return [(row.payload as BondWithheld).challenge]
  return []
}

/** The works that challenges name, where their events are here and hold them. */
export const worksIn = ({
  events,
}: DisputeEvents): ReadonlyMap<string, { readonly place: WorkPlace; readonly requester: string }> => {
  const works = new Map<string, { readonly place: WorkPlace; readonly requester: string }>()
  for (const row of events.values()) {
    if (row.type !== 'challenge') continue
    const place = placeIn(row)
    const published = events.get(place.event)
    if (published?.type !== 'work' || !holdsWork(published.payload as WorksPublished, place)) continue
    works.set(workKey(place), { place, requester: published.author })
  }
  return works
}

/** Whether a challenge fits the work that it names; one whose work is not here may yet. */
const fits = (row: DisputedRow, dataOf: (work: string) => WorkData | undefined): boolean => {
  const challenge = challengeIn(row)
  const data = dataOf(challenge.place.work)
  if (data === undefined) return true
  try {
    assertProves(challenge, data.dossier.work.work, data.dossier.offer.offer.inputs)
    return true
  } catch (cause) {
    if (cause instanceof Fault) return false
    throw cause
  }
}

const eventOf = (id: string, row: DisputedRow, when: EventTime | 'pending'): DisputeEvent | undefined => {
  const { author, seq } = row
  const of = { id, author, seq, when }
  switch (row.type) {
    case 'challenge':
      return { ...of, type: 'challenge', payload: challengeIn(row) }
    case 'reveal':
      return { ...of, type: 'reveal', payload: row.payload as DrawReveal }
    case 'ruling':
      return { ...of, type: 'ruling', payload: (row.payload as { readonly ruling: RulingOfChallenge }).ruling }
    case 'withheld':
      return { ...of, type: 'withheld', payload: row.payload as BondWithheld }
    case 'work':
      return undefined
  }
}

/** All that a node knows of disputes, as of a mesh tick. @param dataOf what is known of a work beside its place */
export const unionOf = (
  ports: Pick<DisputePorts, 'whenOf' | 'store' | 'nodeId'>,
  read: DisputeEvents,
  dataOf: (work: string) => WorkData | undefined,
): DisputeUnion => {
  const { store, nodeId } = ports
  const when = createWhen(ports, read)
  const works = [...worksIn(read).values()].map(({ place, requester }): DisputedWork => {
    const data = dataOf(place.work)
    const isItsRequester = data?.dossier.offer.offer.job.requester === requester
    return {
      ...{ event: place.event, index: place.index, requester, worker: place.worker, work: place.work },
      when: timeOf(when(place.event)),
      terms: data !== undefined && isItsRequester ? termsOf(store, data.dossier, data.workUnits) : null,
    }
  })
  const sound = [...read.events].filter(([, row]) => row.type !== 'challenge' || fits(row, dataOf))
  const events = sound.flatMap(([id, row]) => eventOf(id, row, timeOf(when(id))) ?? [])
  const checks = [...read.checks].map(
    ([key, { challenge, outcome, mesh_tick: at }]): DisputeEvent => ({
      ...{ type: 'checked', id: key, author: nodeId, seq: 0, when: { at, mark: null } },
      payload: { challenge, outcome },
    }),
  )
  return { works, events: [...events, ...checks], bonded: read.bonded, owners: [], tick: store.now().meshTick }
}
