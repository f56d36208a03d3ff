import { CorruptRow } from '#store/corrupt-row.ts'
import type { DisputeRows } from '#store/disputes.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { rowKind } from '#store/row-kind.ts'

/** Each event stands under its type and its id. */
const checkDisputes = async ({ database, step }: Fsck<DisputeRows>): Promise<void> => {
  for await (const [key, { type, seq, author, origin }] of database.range('disputed')) {
    step('accounts')
    if (!key.startsWith(`${type}/`)) throw new CorruptRow('disputed', key, `it is a ${type}`)
    if (!origin.includes(author) || seq < 0) throw new CorruptRow('disputed', key, 'it is of another log')
  }
  for await (const [key, { recomputed, outcome }] of database.range('disputeCheck')) {
    if (recomputed === null && (outcome === 'upheld' || outcome === 'dismissed')) {
      throw new CorruptRow('disputeCheck', key, 'it says what was not run')
    }
  }
}

/** What disputes over works follow from, and what this node found of them itself. */
export const dispute = rowKind<DisputeRows>({
  tables: {
    disputed: { prefix: 'de', form: 'json', key: 'type / what it names / event id' },
    disputedNews: { prefix: 'dn', form: 'json', key: 'the word `all`' },
    disputeCheck: { prefix: 'dc', form: 'json', key: 'event that published the work / index / segment / digest' },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: checkDisputes,
})
