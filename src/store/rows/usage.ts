import { rowKind } from '#store/row-kind.ts'

export interface UsageRow {
  readonly credits: number
  readonly envelopes: number
}

/** Counts of use, by account and by caller. */
export interface UsageRows {
  readonly usage: UsageRow
  readonly quota: number
}

/** What was used, and how often: nothing else stands for it. */
export const usage = rowKind<UsageRows>({
  tables: {
    usage: { prefix: 'u', form: 'json', key: 'account / month, yyyy-mm' },
    quota: { prefix: 'q', form: 'json', key: 'mesh tick in which it lapses / kind / who, percent-encoded' },
  },
  since: { schema: 1, note: 'from the first release on' },
})
