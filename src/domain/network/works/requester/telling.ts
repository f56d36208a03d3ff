import { DISPUTE_TICKS } from '#core/work/exposure.ts'
import { createPauses } from '#domain/network/pauses.ts'
import { SAID_MS_MAX } from '#domain/network/works/limits.ts'
import type { AskedOfWorker } from '#domain/network/works/messages.ts'
import { servedUntil } from '#domain/network/works/served.ts'
import type { GivenRow } from '#store/works.ts'
import type { GivenJobs } from './given.ts'
import { closeOf, placeOf } from './publish.ts'
import type { RequesterPorts } from './types.ts'

/** Workers that are told at once, and ticks before one that could not be told is told again. */
const TOLD_AT_ONCE = 8
const AGAIN_TICKS = 64

/**
 * Tells workers where their works stand, and disputes which of them are wrong: until it is done, also after a restart,
 * and as long as anybody can dispute.
 *
 * @param stop ends all of it.
 */
export const createTelling = (ports: RequesterPorts, given: GivenJobs, stop: AbortSignal) => {
  const { store, links, accuse, blobs, log } = ports
  const telling = new Set<string>()
  const pauses = createPauses(AGAIN_TICKS)

  const keep = (row: GivenRow, work: string): Promise<void> =>
    store.commit((tx) => {
      const until = servedUntil(row.published?.mesh_tick ?? tx.meshTick)
      const steps = row.work?.work.steps ?? null
      blobs.extend(tx, { kind: 'dossier', work }, until)
      blobs.extend(tx, { kind: 'inputs', digest: row.offer.offer.inputs }, until)
      blobs.extend(tx, { kind: 'records', work }, until)
      if (steps !== null) blobs.extend(tx, { kind: 'states', root: steps.root }, until)
    })

  const tell = async (key: string, row: GivenRow): Promise<void> => {
    const place = await placeOf(store, row)
    if (place === undefined) return
    const { job, attempt, worker } = row.offer.offer
    await keep(row, place.work)
    // First what others go by: its worker may be away for long.
    if (row.wrong !== null) await accuse({ place, ...row.wrong })
    const say = (message: AskedOfWorker): Promise<void> =>
      links.ask(worker, message, AbortSignal.any([stop, AbortSignal.timeout(SAID_MS_MAX)]))
    await say({ type: 'published', job, attempt, place: { ...place, path: [...place.path] } })
    await say({ type: 'closed', job, attempt, close: closeOf(row) })
    await given.change(key, (it) => it && { ...it, told: true })
  }

  const isOpen = ({ published, told }: GivenRow, meshTick: number): boolean =>
    !told && published !== null && meshTick <= published.mesh_tick + DISPUTE_TICKS

  const begin = async (key: string, row: GivenRow): Promise<void> => {
    telling.add(key)
    try {
      await tell(key, row)
    } catch (error) {
      if (!stop.aborted) log.warn({ error, worker: row.offer.offer.worker }, 'work_not_told')
    } finally {
      telling.delete(key)
    }
  }

  /** Begins with those that are next. @returns what was begun */
  return (): readonly Promise<void>[] => {
    const { meshTick } = store.now()
    const begun: Promise<void>[] = []
    for (const [key, row] of given.all) {
      if (telling.size >= TOLD_AT_ONCE) break
      if (isOpen(row, meshTick) && !telling.has(key) && !pauses.isSoon(key, meshTick)) begun.push(begin(key, row))
    }
    return begun
  }
}
