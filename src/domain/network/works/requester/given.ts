import { type JobName, jobKey } from '#core/work/job.ts'
import { workDigest } from '#core/work/work.ts'
import { keyOf } from '#store/key-parts.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { GivenRow, WorkerRecord } from '#store/works.ts'

/** Key of one try at a job in the table of what was given. */
export const givenKey = ({ job, attempt }: { readonly job: JobName; readonly attempt: number }): string =>
  keyOf(jobKey(job), String(attempt))

/** Adds to what was found of a worker. */
export const countWorker = (tx: Transaction, node: string, by: Partial<WorkerRecord>): void => {
  const { right = 0, wrong = 0, lost = 0, v = 0 } = by
  const before = tx.get('worker', node) ?? noRecord
  tx.put('worker', node, {
    right: before.right + right,
    wrong: before.wrong + wrong,
    lost: before.lost + lost,
    v: wrong > 0 ? 0 : before.v + v,
  })
}

const noRecord: WorkerRecord = { right: 0, wrong: 0, lost: 0, v: 0 }

/** Jobs that this node gave: rows, and the same in memory. */
export interface GivenJobs {
  load(): Promise<void>
  readonly all: ReadonlyMap<string, GivenRow>
  ofWork(work: string): GivenRow | undefined
  recordOf(worker: string): WorkerRecord
  /** Changes a row, and what belongs in the same batch. @returns the row, or undefined where nothing is to change */
  change(
    key: string,
    change: (row: GivenRow | undefined, tx: Transaction) => GivenRow | undefined,
  ): Promise<GivenRow | undefined>
  /** Takes a row over that a batch of somebody else's has written. */
  note(key: string, row: GivenRow): void
  /** Takes away rows whose last moment lies before a mesh tick. */
  sweep(before: number): Promise<void>
}

const lastOf = ({ offer, published }: GivenRow): number => Math.max(offer.offer.deadline, published?.mesh_tick ?? 0)

/** Whether a work still has to be published. */
export const isDue = ({ work, found, published }: GivenRow): boolean =>
  work !== null && found !== null && published === null

/** @param store whose rows they are. */
export const createGiven = (store: Store): GivenJobs => {
  const all = new Map<string, GivenRow>()
  const works = new Map<string, string>()
  const note = (key: string, row: GivenRow): void => {
    all.set(key, row)
    if (row.work !== null) works.set(workDigest(row.work.work), key)
  }

  return {
    all,
    note,
    load: async () => {
      for await (const [key, row] of store.range('given')) note(key, row)
    },
    ofWork: (work) => all.get(works.get(work) ?? ''),
    recordOf: (worker) => store.peek('worker', worker) ?? noRecord,
    change: async (key, change) => {
      const changed = await store.commit((tx) => {
        const row = change(tx.get('given', key), tx)
        if (row !== undefined) tx.put('given', key, row)
        return row
      })
      if (changed !== undefined) note(key, changed)
      return changed
    },
    sweep: async (before) => {
      const over = [...all].filter(([, row]) => lastOf(row) < before && !isDue(row))
      if (over.length === 0) return
      await store.commit((tx) => {
        for (const [key] of over) tx.del('given', key)
      })
      for (const [key, { work }] of over) {
        all.delete(key)
        if (work !== null) works.delete(workDigest(work.work))
      }
    },
  }
}
