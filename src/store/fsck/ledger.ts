import { CorruptRow } from '#store/corrupt-row.ts'
import { seqKey } from '#store/key-parts.ts'
import type { Rows } from '#store/layout.ts'
import { createLedger, ledgerView } from '#store/ledger.ts'
import type { WriterRow } from '#store/rows/basis.ts'
import { withLeaf } from '#store/rows/issue.ts'
import type { TransferRow } from '#store/rows/transfer.ts'
import type { Fsck } from './report.ts'

/**
 * What the transfers say of tokens and of issues, read beside the leaves that must fit them. Both were written in one
 * order, so what was read and not yet taken is the little that one batch wrote, however many envelopes there are; data
 * in another order are held against each other all the same.
 */
export interface Movements {
  /** What was minted and burned for a token, as {@link moneyOf} writes it; undefined when it is not both. Takes it. */
  takeMoney(token: string): Promise<string | undefined>
  /** Whether there is an issue of this {@link issueName}. Takes one. */
  takeIssue(name: string): Promise<boolean>
  /** What an op moved, as {@link coinOf} writes it; undefined when it moved nothing. Takes it. */
  takeMove(digest: string): Promise<string | undefined>
  /** What nobody took: the token of a coin or a burn, or the name of an issue; undefined when all was taken. */
  leftOver(): Promise<{ readonly token: string } | { readonly issue: string } | { readonly op: string } | undefined>
}

/** What an issue and its ledger leaf have in common. */
export const issueName = (
  it: { readonly kind: string; readonly asset: string; readonly to: string } & {
    readonly amount: number
    readonly ref: string
    readonly tick: number
  },
): string => JSON.stringify([it.kind, it.asset, it.to, it.amount, it.ref, it.tick])

/** One movement for a token. */
export interface Money {
  readonly asset: string
  readonly amount: number
  readonly credit: string
}

/** The coins of an op, as one text. */
export const coinOf = ({ debit, credit, amount }: Pick<TransferRow, 'debit' | 'credit' | 'amount'>): string =>
  `${amount} ${debit} ${credit}`

const NOTHING = '-'
const moved = (it: Money): string => `${it.asset} ${it.amount} ${it.credit}`

/** A token's coin and burn as one text. */
export const moneyOf = (coin: Money, burn: Money): string => `${moved(coin)}|${moved(burn)}`

const add = (before: string, row: Money): string => (before === NOTHING ? moved(row) : `${before} and ${moved(row)}`)

/** Notes a mint or a burn; one that comes twice fits no claim. */
const withMoney = ([coin, burn]: readonly [string, string], row: TransferRow): readonly [string, string] =>
  row.reason === 'mint' ? [add(coin, row), burn] : [coin, add(burn, row)]

/** Ops that change an owner: a coin goes with each of their tokens. */
const moveReasons: ReadonlySet<string> = new Set(['transfer', 'redeem'])

/** Reads the transfers once more, only as far as a leaf asks. */
export const readMovements = ({ database, step }: Fsck<Rows>): Movements => {
  const transfers = database.range('transfer')[Symbol.asyncIterator]()
  const money = new Map<string, readonly [coin: string, burn: string]>()
  const issues = new Map<string, number>()
  const moves = new Map<string, string>()

  /** Notes the next transfer. @returns whether there was one */
  const readOn = async (): Promise<boolean> => {
    const { done, value } = await transfers.next()
    if (done === true) return false
    step('logs')
    const [, row] = value
    const { reason, ref, asset, credit, debit, amount, tick } = row
    const kind = debit.slice('issued:'.length)
    if (reason === 'mint' || reason === 'compute') money.set(ref, withMoney(money.get(ref) ?? [NOTHING, NOTHING], row))
    else if (debit.startsWith('issued:') && withLeaf.has(kind)) {
      const name = issueName({ kind, asset, to: credit, amount, ref, tick })
      issues.set(name, (issues.get(name) ?? 0) + 1)
    } else if (asset === 'coin' && moveReasons.has(reason)) {
      const before = moves.get(ref)
      moves.set(ref, before === undefined ? coinOf(row) : `${before} and ${coinOf(row)}`)
    }
    return true
  }

  return {
    takeMoney: async (token) => {
      for (;;) {
        const [coin, burn] = money.get(token) ?? [NOTHING, NOTHING]
        if (coin !== NOTHING && burn !== NOTHING) {
          money.delete(token)
          return `${coin}|${burn}`
        }
        if (!(await readOn())) return undefined
      }
    },
    takeIssue: async (name) => {
      while (!issues.has(name)) if (!(await readOn())) return false
      const left = (issues.get(name) ?? 0) - 1
      if (left === 0) issues.delete(name)
      else issues.set(name, left)
      return true
    },
    takeMove: async (digest) => {
      while (!moves.has(digest)) if (!(await readOn())) return undefined
      const found = moves.get(digest)
      moves.delete(digest)
      return found
    },
    leftOver: async () => {
      // What nobody took of one transfer is enough to know.
      while (money.size === 0 && issues.size === 0 && moves.size === 0) if (!(await readOn())) return undefined
      const [token, op, issue = ''] = [money, moves, issues].map((it): string | undefined => it.keys().next().value)
      if (token !== undefined) return { token }
      return op === undefined ? { issue } : { op }
    },
  }
}

/** Adds every transfer again from nothing, by the ledger's own rules, and compares all balances both ways. */
export const checkLedger = async ({ database, counts, step }: Fsck<Rows>, writer: WriterRow): Promise<void> => {
  const ledger = createLedger([])
  const names = new Set<string>()
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
}
