import { DISPUTE_TICKS, openWorks } from '#core/work/exposure.ts'
import { type JobName, jobKey } from '#core/work/job.ts'
import { workDigest } from '#core/work/work.ts'
import { keyOf } from '#store/key-parts.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { TakenRow } from '#store/works.ts'

/** Which try at which job. */
export interface TakenPlace {
  readonly job: JobName
  readonly attempt: number
}

/** A job's key in the table of what was taken. */
export const takenKey = ({ job, attempt }: TakenPlace): string => keyOf(jobKey(job), String(attempt))

/** Jobs that this node took: rows, and the same in memory. */
export interface TakenJobs {
  load(): Promise<void>
  readonly all: ReadonlyMap<string, TakenRow>
  get(at: TakenPlace): TakenRow | undefined
  /** The job that a work is of. */
  ofWork(work: string): TakenRow | undefined
  worksOpen(bond: string): number
  /** Changes a row, and what belongs in the same batch. @returns the row, or undefined where nothing is to change */
  change(
    at: TakenPlace,
    change: (row: TakenRow | undefined, tx: Transaction) => TakenRow | undefined,
  ): Promise<TakenRow | undefined>
  /** Takes away what nobody can ask about any more. @param ticks beyond which a row is over */
  sweep(ticks: number): Promise<void>
}

/** When the last thing about a job happened, as far as its row says. */
const lastOf = ({ offer, result, published }: TakenRow): number =>
  Math.max(offer.offer.deadline, result?.at ?? 0, published ?? 0)

/** @param store whose rows they are. */
export const createTaken = (store: Store): TakenJobs => {
  const all = new Map<string, TakenRow>()
  const works = new Map<string, string>()
  const note = (key: string, row: TakenRow): void => {
    all.set(key, row)
    if (row.result !== null) works.set(workDigest(row.result.work.work), key)
  }

  return {
    all,
    load: async () => {
      for await (const [key, row] of store.range('taken')) note(key, row)
    },
    get: (at) => all.get(takenKey(at)),
    ofWork: (work) => all.get(works.get(work) ?? ''),
    worksOpen: (bond) => {
      const { meshTick } = store.now()
      const bonded = [...all.values()].filter((it) => it.accept.accept.bond === bond && it.state !== 'over')
      // What is never published cannot be disputed once its requester's time to publish it is over.
      const open = bonded.filter(
        ({ offer, published }) => published !== null || meshTick <= offer.offer.deadline + DISPUTE_TICKS,
      )
      return openWorks(
        open.map(({ accept, published }) => ({ accepted: accept.accept.mesh_tick, at: published ?? undefined })),
        meshTick,
      )
    },
    change: async (at, change) => {
      const key = takenKey(at)
      const changed = await store.commit((tx) => {
        const row = change(tx.get('taken', key), tx)
        if (row === undefined) return undefined
        tx.put('taken', key, row)
        return row
      })
      if (changed !== undefined) note(key, changed)
      return changed
    },
    sweep: async (ticks) => {
      const { meshTick } = store.now()
      const over = [...all].filter(([, row]) => lastOf(row) + ticks < meshTick)
      if (over.length === 0) return
      await store.commit((tx) => {
        for (const [key] of over) tx.del('taken', key)
      })
      for (const [key, { result }] of over) {
        all.delete(key)
        if (result !== null) works.delete(workDigest(result.work.work))
      }
    },
  }
}
