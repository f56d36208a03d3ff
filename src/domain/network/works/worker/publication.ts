import { holdsWork, type WorkPlace, type WorksPublished } from '#core/work/published.ts'
import { workDigest } from '#core/work/work.ts'
import { publishedKey } from '#domain/network/disputes/keep.ts'
import { servedUntil } from '#domain/network/works/served.ts'
import type { TakenRow } from '#store/works.ts'
import { extendResult } from './result.ts'
import type { TakenJobs, TakenPlace } from './taken.ts'
import type { WorkerPorts } from './types.ts'

/** Where requesters say that works were published, believed once their events hold them. */
export const createPublication = (ports: WorkerPorts, taken: TakenJobs) => {
  const { store, blobs, contribution, nodeId, findWork } = ports

  /** Looks whether the event that a place names holds the work; until it is here, nothing is known. */
  const confirm = async (at: TakenPlace, { place, offer }: TakenRow): Promise<void> => {
    if (place === null) return
    const { event } = place
    const key = publishedKey(event)
    if (store.peek('disputed', key) === undefined) await findWork(event)
    const said = store.peek('disputed', key)
    if (said === undefined) return
    await taken.change(at, (row, tx) => {
      if (row?.place?.event !== event || row.published !== null) return undefined
      const isSo = said.author === offer.offer.job.requester && holdsWork(said.payload as WorksPublished, place)
      if (!isSo) return { ...row, place: null }
      extendResult(blobs, tx, row, servedUntil(tx.meshTick))
      const { bond } = row.accept.accept
      if (bond !== null) contribution().load(tx, bond, { result: tx.meshTick })
      return { ...row, published: tx.meshTick }
    })
  }

  return {
    /** A requester says where it published a work. */
    said: async (at: TakenPlace, place: WorkPlace): Promise<void> => {
      const row = await taken.change(at, (before) => {
        const isOwn = before?.result != null && workDigest(before.result.work.work) === place.work
        if (!isOwn || before.published !== null || place.worker !== nodeId) return undefined
        return { ...before, place }
      })
      if (row !== undefined) await confirm(at, row)
    },
    /** Looks again for events that were not here. */
    beat: async (): Promise<void> => {
      for (const row of taken.all.values()) {
        if (row.place !== null && row.published === null) await confirm(row.offer.offer, row)
      }
    },
  }
}
export type Publication = ReturnType<typeof createPublication>
