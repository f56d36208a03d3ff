import { seqKey } from '#store/layout.ts'
import { CorruptRow } from '#store/rows.ts'
import type { Fsck } from './report.ts'

/** The messages to the owner are numbered without a gap, from the oldest kept to the newest. */
export const checkContact = async ({ database, step }: Fsck): Promise<void> => {
  const box = database.peek('contactBox', 'all') ?? { first: 0, next: 0 }
  let at = box.first
  for await (const [key] of database.range('contact')) {
    step('accounts')
    if (key !== seqKey(at)) throw new CorruptRow('contact', seqKey(at), 'the row is missing')
    at += 1
  }
  if (at !== box.next) throw new CorruptRow('contactBox', 'all', `it counts to ${box.next}, and ${at} follows`)
}
