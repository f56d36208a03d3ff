import { tokenEntries } from '#core/token-ranges.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf, seqKey, under } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { MachineRows } from './machine.ts'
import type { TransferRows } from './transfer.ts'

/** A machine's token, made once and for good. How much of it there is stands in the ledger. */
export interface MachineTokenRow {
  readonly slug: string
  readonly name: string
  readonly symbol: string
  /** Units that may ever come into being. */
  readonly max_supply: number
  /** Its entry in the machine's chain. */
  readonly seq: number
  /** Node tick. */
  readonly tick: number
}

export interface MachineTokenRows {
  readonly machineToken: MachineTokenRow
}

const ASSET = 'tally:'
const ASSET_DIGITS = 16

/** Digits that a token is known by: the first 16 of the machine's id hash. */
export const tokenDigits = (id_hash: string): string => id_hash.slice(0, ASSET_DIGITS)

/** The asset of a machine's token in the ledger. */
export const tokenAsset = (id_hash: string): string => tokenAssetOf(tokenDigits(id_hash))

/** The same, of the digits that the token is known by. */
export const tokenAssetOf = (digits: string): string => `${ASSET}${digits}`

/** Where the first units of a token come from, and where its mint takes them. */
export const TOKEN_SOURCE = 'issued:genesis'
export const MINT_SOURCE = 'issued:mint'
export const TOKEN_SOURCES = [TOKEN_SOURCE, MINT_SOURCE] as const

/** What a transfer of a token names as its cause: the entry that says it. */
export const entryRef = (slug: string, seq: number): string => keyOf(slug, seqKey(seq))

type Needs = MachineTokenRows & Pick<MachineRows, 'machine' | 'machineEntry'> & TransferRows

const refuse = (table: keyof Needs, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** What kind of entry says a movement from an account. */
const sayingOf = (debit: string): string =>
  debit === TOKEN_SOURCE ? tokenEntries.genesis : debit === MINT_SOURCE ? tokenEntries.mint : tokenEntries.transfer

/** Entries of a chain that say a transfer of its token, or a mint. */
const movingEntries = async ({ database, step }: Fsck<Needs>, { slug }: MachineTokenRow): Promise<number> => {
  let found = 0
  for await (const [, { entry }] of database.range('machineEntry', under(slug))) {
    step('ledger')
    if (entry.type === tokenEntries.transfer || entry.type === tokenEntries.mint) found += 1
  }
  return found
}

/**
 * A token stands at the digits of its machine, its genesis in the chain, and no more of it came into being than may;
 * each of its transfers names an entry that says it, and each such entry has its transfer.
 */
const checkTokens = async (fsck: Fsck<Needs>): Promise<void> => {
  const { database, step } = fsck
  const moved = new Map<string, number>()
  for await (const [digits, row] of database.range('machineToken')) {
    step('ledger')
    const machine = database.peek('machine', row.slug)
    if (machine === undefined || tokenDigits(machine.id_hash) !== digits) {
      return refuse('machineToken', digits, 'it is not at the digits of its machine')
    }
    const genesis = database.peek('machineEntry', entryRef(row.slug, row.seq))?.entry
    if (genesis?.type !== tokenEntries.genesis) refuse('machineToken', digits, 'its genesis is not in the chain')
    const asset = tokenAssetOf(digits)
    const issued = TOKEN_SOURCES.reduce((sum, it) => sum - (database.peek('balance', keyOf(asset, it)) ?? 0), 0)
    if (issued > row.max_supply) refuse('machineToken', digits, `${issued} came into being, more than may`)
    moved.set(asset, await movingEntries(fsck, row))
  }
  if (moved.size === 0) return assertNoToken(fsck)
  for await (const [key, { asset, ref, debit, tick }] of database.range('transfer')) {
    step('ledger')
    if (!asset.startsWith(ASSET)) continue
    const left = moved.get(asset)
    if (left === undefined) return refuse('transfer', key, 'it moves a token that no machine has')
    const entry = database.peek('machineEntry', ref)?.entry
    const type = sayingOf(debit)
    if (entry?.type !== type || entry.tick !== tick) refuse('transfer', key, 'no entry of the machine says it')
    if (type !== tokenEntries.genesis) moved.set(asset, left - 1)
  }
  for (const [asset, left] of moved) {
    if (left !== 0) refuse('transfer', asset, 'there are more or fewer than entries that say one')
  }
}

const assertNoToken = async ({ database }: Fsck<Needs>): Promise<void> => {
  // The character after the colon ends the prefix.
  const first = { gte: ASSET, lt: `${ASSET.slice(0, -1)};`, limit: 1 }
  for await (const [key] of database.range('balance', first)) refuse('balance', key, 'no machine has this token')
}

/** Tokens of machines. */
export const machineToken = rowKind<MachineTokenRows, Needs>({
  tables: { machineToken: { prefix: 'mw', form: 'json', key: "first 16 digits of the machine's id hash" } },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: checkTokens,
})
