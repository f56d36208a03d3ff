import { tokenEntries } from '#core/token-ranges.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf, seqOf, under } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { MachineRows } from './machine.ts'
import { entryRef, type MachineTokenRows, TOKEN_SOURCES, tokenAssetOf } from './machine-token.ts'
import type { TransferRows } from './transfer.ts'

/** A picture of a token: what its entry says. Its bytes rest sealed in {@link TokenRangeRows.tokenAvatar}. */
export interface AvatarRow {
  /** SHA-256 of the picture. */
  readonly digest: string
  readonly media_type: 'image/png' | 'image/jpeg' | 'image/webp'
  /** Of the picture. */
  readonly bytes: number
  readonly width: number
  readonly height: number
  /** The data key that it is sealed under. */
  readonly kid: string
  /** Its entry. */
  readonly seq: number
}

/** Where a token stands. Units are numbered from 1; those up to `moved` have left the machine's owner. */
export interface TokenStandingRow {
  readonly issued: number
  readonly moved: number
  /** Transfers that the chain says sealed. */
  readonly sealed: number
  readonly description: string | null
  readonly avatar: AvatarRow | null
}

/** Units that one entry issued. */
export interface TokenIssueRow {
  readonly last: number
  readonly seq: number
  readonly tick: number
}

/** Units that one entry moved from the machine's owner. */
export interface TokenRangeRow {
  readonly last: number
  /** ZID. */
  readonly owner: string
  readonly seq: number
  readonly tick: number
  /** Whether the chain says it openly: the machine was public then. */
  readonly open: boolean
}

export interface TokenRangeRows {
  readonly tokenStanding: TokenStandingRow
  readonly tokenIssue: TokenIssueRow
  readonly tokenRange: TokenRangeRow
  /** The last unit. */
  readonly tokenRangeOf: number
  /** Nonce, then AES-256-GCM with its tag behind. */
  readonly tokenAvatar: Uint8Array
}

type Needs = TokenRangeRows & MachineTokenRows & TransferRows & Pick<MachineRows, 'machine' | 'machineEntry'>

const refuse = (table: keyof Needs, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Rows in the order of their units: they follow on one another, and an entry says each. @returns the last unit */
const checkSpans = async (
  { database, step }: Fsck<Needs>,
  { slug, digits }: { readonly slug: string; readonly digits: string },
  { table, types }: { readonly table: 'tokenIssue' | 'tokenRange'; readonly types: readonly string[] },
): Promise<number> => {
  let end = 0
  for await (const [key, { last, seq, tick }] of database.range(table, under(digits))) {
    step('ledger')
    const first = seqOf(key.slice(digits.length + 1))
    if (first !== end + 1 || last < first) refuse(table, key, 'it does not follow on the one before')
    const entry = database.peek('machineEntry', entryRef(slug, seq))?.entry
    if (entry === undefined || entry.tick !== tick || !types.includes(entry.type)) {
      refuse(table, key, 'no entry of the machine says it')
    }
    end = last
  }
  return end
}

/** Holders' ranges are those of the token, and come to what the ledger says. */
const checkHolders = async ({ database, step }: Fsck<Needs>, digits: string): Promise<void> => {
  const held = new Map<string, number>()
  for await (const [key, { last, owner }] of database.range('tokenRange', under(digits))) {
    const first = key.slice(digits.length + 1)
    held.set(owner, (held.get(owner) ?? 0) + last - seqOf(first) + 1)
    const of = keyOf(digits, owner, first)
    if (database.peek('tokenRangeOf', of) !== last) refuse('tokenRangeOf', of, 'it is not that of its range')
  }
  for (const [owner, units] of held) {
    step('ledger')
    const key = keyOf(tokenAssetOf(digits), owner)
    if (database.peek('balance', key) !== units) refuse('balance', key, 'the ranges of the token say another')
  }
}

const checkStanding = async (fsck: Fsck<Needs>, digits: string, row: TokenStandingRow): Promise<void> => {
  const { database } = fsck
  const token = database.peek('machineToken', digits)
  if (token === undefined) return refuse('tokenStanding', digits, 'there is no such token')
  const { slug } = token
  const of = { slug, digits }
  const issues = { table: 'tokenIssue', types: [tokenEntries.genesis, tokenEntries.mint] } as const
  const issued = await checkSpans(fsck, of, issues)
  const moved = await checkSpans(fsck, of, { table: 'tokenRange', types: [tokenEntries.transfer] })
  const asset = tokenAssetOf(digits)
  const ledger = TOKEN_SOURCES.reduce((sum, it) => sum - (database.peek('balance', keyOf(asset, it)) ?? 0), 0)
  if (row.issued !== issued || ledger !== issued) refuse('tokenStanding', digits, 'another number of units was issued')
  if (row.moved !== moved || moved > issued) refuse('tokenStanding', digits, 'another number of units has moved')
  await checkHolders(fsck, digits)
  const sealed = database.peek('tokenAvatar', digits)
  if ((row.avatar === null) !== (sealed === undefined)) refuse('tokenAvatar', digits, 'its token says another')
  if (row.avatar === null) return
  const entry = database.peek('machineEntry', entryRef(slug, row.avatar.seq))?.entry
  if (entry?.type !== tokenEntries.avatar) refuse('tokenStanding', digits, 'no entry says its picture')
}

/** No row is of a token that there is not; how many ranges a holder has is how many there are. */
const checkStray = async ({ database, step }: Fsck<Needs>): Promise<void> => {
  let [ranges, of] = [0, 0]
  for (const table of ['tokenIssue', 'tokenRange', 'tokenRangeOf', 'tokenAvatar'] as const) {
    for await (const [key] of database.range(table)) {
      step('ledger')
      const [digits = ''] = key.split('/')
      if (database.peek('tokenStanding', digits) === undefined) refuse(table, key, 'there is no such token')
      if (table === 'tokenRange') ranges += 1
      if (table === 'tokenRangeOf') of += 1
    }
  }
  if (ranges !== of) refuse('tokenRangeOf', 'all', 'there are more or fewer than ranges')
}

/** Units of tokens by their numbers, and who has them. */
export const machineTokenRange = rowKind<TokenRangeRows, Needs>({
  tables: {
    tokenStanding: { prefix: 'mi', form: 'json', key: "first 16 digits of the machine's id hash" },
    tokenIssue: { prefix: 'mj', form: 'json', key: 'digits of the token / first unit' },
    tokenRange: { prefix: 'mr', form: 'json', key: 'digits of the token / first unit' },
    tokenRangeOf: { prefix: 'mv', form: 'json', key: 'digits of the token / ZID / first unit' },
    tokenAvatar: { prefix: 'my', form: 'bytes', key: 'digits of the token' },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a start makes those of earlier tokens' },
  check: async (fsck) => {
    for await (const [digits, row] of fsck.database.range('tokenStanding')) await checkStanding(fsck, digits, row)
    await checkStray(fsck)
  },
})
