import { jobKey } from '#core/work/job.ts'
import { workDigest } from '#core/work/work.ts'
import { keyOf } from '#store/key-parts.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { GivenRow } from '#store/works.ts'

/** A job's key in the table of what was given. */
export const givenKey = ({ offer: { offer } }: Pick<GivenRow, 'offer'>): string =>
  keyOf(jobKey(offer.job), String(offer.attempt))

/** What this node found of one worker. */
export interface WorkerRecord {
  readonly right: number
  readonly wrong: number
  readonly lost: number
  /** Whole-run works found right since the last wrong one: what the audit rate goes by. */
  readonly v: number
}

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
    recordOf: (worker) => {
      let [right, wrong, lost, v] = [0, 0, 0, 0]
      for (const { state, offer, found, work, accept } of all.values()) {
        if (offer.offer.worker !== worker) continue
        if (state === 'accepted') right += 1
        if (state === 'wrong') wrong += 1
        if (state === 'over' && accept !== null) lost += 1
        if (work?.work.steps === null && found?.audit === 'right') v += 1
      }
      return { right, wrong, lost, v: wrong > 0 ? 0 : v }
    },
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
      const over = [...all].filter(([, row]) => lastOf(row) < before)
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
