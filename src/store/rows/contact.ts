import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { seqKey } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'

/** One message to the node's owner, as it was sent. */
export interface ContactRow {
  /** 32 hex digits. */
  readonly id: string
  readonly tick: number
  readonly name: string | null
  readonly reply_to: string | null
  readonly subject: string | null
  readonly message: string
}

/** Numbers of the oldest message kept, and of the next one. */
export interface ContactBoxRow {
  readonly first: number
  readonly next: number
}

export interface ContactRows {
  readonly contact: ContactRow
  readonly contactBox: ContactBoxRow
}

/** The messages to the owner are numbered without a gap, from the oldest kept to the newest. */
const checkContact = async ({ database, step }: Fsck<ContactRows>): Promise<void> => {
  const box = database.peek('contactBox', 'all') ?? { first: 0, next: 0 }
  let at = box.first
  for await (const [key] of database.range('contact')) {
    step('accounts')
    if (key !== seqKey(at)) throw new CorruptRow('contact', seqKey(at), 'the row is missing')
    at += 1
  }
  if (at !== box.next) throw new CorruptRow('contactBox', 'all', `it counts to ${box.next}, and ${at} follows`)
}

/** Messages to the owner. */
export const contact = rowKind<ContactRows>({
  tables: {
    contact: { prefix: 'o', form: 'json', key: 'number' },
    contactBox: { prefix: 'ob', form: 'json', key: 'the word `all`' },
  },
  since: { schema: 1, note: 'a store of before has none' },
  check: checkContact,
})
