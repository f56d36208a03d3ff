import { acceptDigest } from '#core/work/accept.ts'
import { auditCommitment } from '#core/work/audit.ts'
import { jobKey } from '#core/work/job.ts'
import { offerDigest } from '#core/work/offer.ts'
import { workDigest } from '#core/work/work.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { WorkRows } from '#store/works.ts'

const fail = (key: string, what: string, table: keyof WorkRows = 'taken'): never => {
  throw new CorruptRow(table, key, what)
}

/** Each job has the name of its offer, and what stands in it is of that job. */
const checkTaken = async ({ database, step }: Fsck<WorkRows>): Promise<void> => {
  for await (const [key, { state, offer, accept, result, place }] of database.range('taken')) {
    step('accounts')
    const { job, attempt } = offer.offer
    if (keyOf(jobKey(job), String(attempt)) !== key) fail(key, 'its offer is of another job')
    if (accept.accept.offer !== offerDigest(offer.offer))
      fail(key, `accept ${acceptDigest(accept.accept)} is of another`)
    if ((state === 'done') !== (result !== null)) fail(key, `it is ${state}, and its result says otherwise`)
    if (place !== null && result !== null && place.work !== workDigest(result.work.work)) {
      fail(key, 'another work of it was published')
    }
  }
}

/** Each job given has the name of its offer, and was published only with a work that was looked at. */
const checkGiven = async ({ database, step }: Fsck<WorkRows>): Promise<void> => {
  for await (const [key, row] of database.range('given')) {
    step('accounts')
    const { job, attempt, audit } = row.offer.offer
    if (keyOf(jobKey(job), String(attempt)) !== key) fail(key, 'its offer is of another job', 'given')
    if (auditCommitment(row.q, row.rate) !== audit) fail(key, 'it committed to another draw', 'given')
    const isJudged = row.state === 'accepted' || row.state === 'wrong'
    if (isJudged !== (row.found !== null && row.work !== null)) fail(key, `it is ${row.state}`, 'given')
    if (row.published !== null && !isJudged) fail(key, 'it was published, and nothing was found', 'given')
    if (row.told && row.published === null) fail(key, 'it was told where nothing was published', 'given')
  }
}

/** Jobs done for other nodes, and by them. */
export const work = rowKind<WorkRows>({
  tables: {
    taken: { prefix: 'jt', form: 'json', key: 'requester / random / attempt' },
    assured: { prefix: 'ja', form: 'json', key: 'token id of the envelope that the work became' },
    given: { prefix: 'jg', form: 'json', key: 'requester / random / attempt' },
    worker: { prefix: 'jw', form: 'json', key: 'node id: what was found of its works' },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: async (fsck) => {
    await checkTaken(fsck)
    await checkGiven(fsck)
  },
})
