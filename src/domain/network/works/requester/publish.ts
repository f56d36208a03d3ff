import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { type JobClosed, RATE_MIN } from '#core/work/audit.ts'
import { publishedWorks, type WorkPlace } from '#core/work/published.ts'
import { workDigest } from '#core/work/work.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import type { Store } from '#store/store.ts'
import type { GivenRow, PublishedAt } from '#store/works.ts'
import { type GivenJobs, isDue } from './given.ts'

/** Works of one tick; the rest go with the next. */
const PUBLISHED_AT_ONCE = 256

/** What a requester says when a job closes. */
export const closeOf = ({ offer, q, rate, found }: GivenRow): JobClosed => ({
  job: offer.offer.job,
  q,
  rate: Math.max(rate, RATE_MIN),
  found: found ?? { audit: 'no_work', samples: 0, of: 0 },
})

/** The place of a published work, once its event is durable. */
export const placeOf = async (store: Store, { offer, work, published }: GivenRow): Promise<WorkPlace | undefined> => {
  if (work === null || published === null) return undefined
  const id = await store.events.leafHash(published.seq)
  if (id === undefined) return undefined
  const { index, path } = published
  return { event: toHex(id), index, worker: offer.offer.worker, work: workDigest(work.work), path: [...path] }
}

/**
 * Publishes the works of this tick by one event and closes their jobs, all in one batch. A log that takes no leaf now
 * takes them with a later tick.
 *
 * @returns the rows that were published.
 */
export const publishDue = async (
  { store, recorder }: { readonly store: Store; readonly recorder: EventRecorder },
  given: GivenJobs,
): Promise<readonly GivenRow[]> => {
  const due = [...given.all].filter(([, row]) => isDue(row))
  const now = due.slice(0, PUBLISHED_AT_ONCE)
  if (now.length === 0) return []
  const leaves = now.flatMap(([, { offer, work }]) =>
    work === null ? [] : [{ worker: offer.offer.worker, work: workDigest(work.work) }],
  )
  const { payload, path } = publishedWorks(leaves)
  try {
    const rows = await store.commit((tx) => {
      const seq = recorder.in(tx, 'work', payload as unknown as Json)
      return now.map(([key, row], index): readonly [string, GivenRow] => {
        const published: PublishedAt = { seq, index, path: path(index), mesh_tick: tx.meshTick }
        const changed = { ...row, published }
        tx.put('given', key, changed)
        recorder.in(tx, 'close', closeOf(row) as unknown as Json)
        return [key, changed]
      })
    })
    for (const [key, row] of rows) given.note(key, row)
    return rows.map(([, row]) => row)
  } catch (cause) {
    if (cause instanceof Fault && cause.code !== 'INVALID_INPUT') return []
    throw cause
  }
}
