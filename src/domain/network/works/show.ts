import { DISPUTE_TICKS } from '#core/work/exposure.ts'
import { workDigest } from '#core/work/work.ts'
import type { WorkItem, WorkPage } from '#domain/network/views/works.ts'
import type { Store } from '#store/store.ts'
import type { GivenRow, TakenRow } from '#store/works.ts'
import { placeOf } from './requester/publish.ts'

const offerOf = ({ offer: { offer } }: Pick<TakenRow, 'offer'>) => ({
  job: offer.job,
  attempt: offer.attempt,
  kind: offer.kind,
  offered: offer.mesh_tick,
  deadline: offer.deadline,
  inputs: offer.inputs,
  at_risk: offer.at_risk,
})

const untilOf = (published: number | null): number | null => (published === null ? null : published + DISPUTE_TICKS)

const takenItem = (row: TakenRow): WorkItem => {
  const { offer, accept, result, closed, published } = row
  return {
    ...offerOf(row),
    role: 'worker',
    with: offer.offer.job.requester,
    state: row.state,
    reason: row.reason,
    work: result === null ? null : workDigest(result.work.work),
    result: result?.work.work.result_digest ?? null,
    bond: accept.accept.bond,
    place: published === null ? null : row.place,
    published,
    disputable_until: untilOf(published),
    found: closed?.found ?? null,
    token_id: null,
  }
}

const givenItem = async (store: Store, row: GivenRow): Promise<WorkItem> => {
  const { offer, accept, work, published } = row
  return {
    ...offerOf(row),
    role: 'requester',
    with: offer.offer.worker,
    state: row.state,
    reason: row.reason,
    work: work === null ? null : workDigest(work.work),
    result: work?.work.result_digest ?? null,
    bond: accept?.accept.bond ?? null,
    place: (await placeOf(store, row)) ?? null,
    published: published?.mesh_tick ?? null,
    disputable_until: untilOf(published?.mesh_tick ?? null),
    found: row.found,
    token_id: row.token_id,
  }
}

/** A page of what this node took and gave, the newest first. */
export const pageOfWorks = async (
  store: Store,
  rows: { readonly taken: readonly TakenRow[]; readonly given: readonly GivenRow[] },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<WorkPage> => {
  const all = [...rows.taken, ...rows.given].sort(
    (a, b) => b.offer.offer.mesh_tick - a.offer.offer.mesh_tick || (a.offer.signature < b.offer.signature ? -1 : 1),
  )
  const page = all.slice(offset, offset + limit)
  const items = await Promise.all(page.map((row) => ('closed' in row ? takenItem(row) : givenItem(store, row))))
  return { total: all.length, offset, items }
}
