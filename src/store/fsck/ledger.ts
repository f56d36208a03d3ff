import { seqKey, type TransferRow, type WriterRow } from '#store/layout.ts'
import { createLedger, ledgerView } from '#store/ledger.ts'
import { CorruptRow } from '#store/rows.ts'
import type { Fsck } from './report.ts'

/** What the transfers say of one token, and of the issues that need a ledger leaf. */
export interface Movements {
  /** Token id → what was minted and burned for it, as {@link moneyOf} writes it: few texts, shared by millions. */
  readonly mints: Map<string, string>
  /** Issues that a ledger leaf must state, by {@link issueName}, with how many there are. */
  readonly issues: Map<string, number>
}

/** What an issue and its ledger leaf have in common. */
export const issueName = (
  it: { readonly kind: string; readonly asset: string; readonly to: string } & {
    readonly amount: number
    readonly ref: string
    readonly tick: number
  },
): string => JSON.stringify([it.kind, it.asset, it.to, it.amount, it.ref, it.tick])

/** Kinds of issue that have a leaf of their own; the others are part of an envelope's. */
export const withLeaf: ReadonlySet<string> = new Set(['sign-up', 'claim', 'grant', 'demo', 'donation'])

/** One movement for a token. */
export interface Money {
  readonly asset: string
  readonly amount: number
  readonly credit: string
}

const NOTHING = '-'
const moved = (it: Money | undefined): string => (it === undefined ? NOTHING : `${it.asset} ${it.amount} ${it.credit}`)

/** A token's coin and burn as one text. */
export const moneyOf = (coin: Money | undefined, burn: Money | undefined): string => `${moved(coin)}|${moved(burn)}`

/** Notes a mint or a burn; one that comes twice fits no claim. */
const noteMoney = (mints: Movements['mints'], shared: Map<string, string>, row: TransferRow): void => {
  const [coin = NOTHING, burn = NOTHING] = mints.get(row.ref)?.split('|') ?? []
  const text = row.reason === 'mint' ? `${add(coin, row)}|${burn}` : `${coin}|${add(burn, row)}`
  const known = shared.get(text) ?? text
  shared.set(known, known)
  mints.set(row.ref, known)
}

const add = (before: string, row: Money): string => (before === NOTHING ? moved(row) : `${before} and ${moved(row)}`)

const note = ({ mints, issues }: Movements, shared: Map<string, string>, row: TransferRow): void => {
  const { reason, ref, asset, credit, debit, amount, tick } = row
  const kind = debit.slice('issued:'.length)
  if (reason === 'mint' || reason === 'compute') noteMoney(mints, shared, row)
  else if (debit.startsWith('issued:') && withLeaf.has(kind)) {
    const name = issueName({ kind, asset, to: credit, amount, ref, tick })
    issues.set(name, (issues.get(name) ?? 0) + 1)
  }
}

/** Adds every transfer again from nothing, by the ledger's own rules, and compares all balances both ways. */
export const checkLedger = async ({ database, counts, step }: Fsck, writer: WriterRow): Promise<Movements> => {
  const ledger = createLedger([])
  const movements: Movements = { mints: new Map(), issues: new Map() }
  const names = new Set<string>()
  const shared = new Map<string, string>()
  for await (const [key, row] of database.range('transfer')) {
    step('ledger')
    if (key !== seqKey(counts.transfers)) {
      throw new CorruptRow('transfer', seqKey(counts.transfers), 'the row is missing')
    }
    counts.transfers += 1
    const view = ledgerView(ledger.balance)
    try {
      view.post(row)
    } catch (cause) {
      throw new CorruptRow('transfer', key, cause instanceof Error ? cause.message : 'it cannot be posted')
    }
    ledger.apply(view.changes)
    for (const name of view.changes.keys()) names.add(name)
    note(movements, shared, row)
  }
  if (counts.transfers !== writer.transfers) {
    throw new CorruptRow('transfer', seqKey(counts.transfers), `the writer counted ${writer.transfers}`)
  }
  for await (const [key, balance] of database.range('balance')) {
    step('ledger')
    counts.balances += 1
    const [asset = '', account = ''] = key.split('/')
    const added = ledger.balance(asset, account)
    if (!names.delete(key)) throw new CorruptRow('balance', key, 'no transfer touches this account')
    if (added !== balance) throw new CorruptRow('balance', key, `it is ${balance}, and the transfers give ${added}`)
  }
  for (const key of names) throw new CorruptRow('balance', key, 'the row is missing')
  return movements
}
