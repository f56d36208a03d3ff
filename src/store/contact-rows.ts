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

/** Prefixes and keys of the messages to the owner. */
export const contactTables = {
  contact: { prefix: 'o', form: 'json', key: 'number' },
  contactBox: { prefix: 'ob', form: 'json', key: 'the word `all`' },
} as const
