import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'
import { keyOf } from './key-parts.ts'
import type { Transfer } from './rows/transfer.ts'

/** ordinary: never below zero, and its sum is the supply. source: never above. sink: never below, no supply. */
export type AccountClass = 'ordinary' | 'source' | 'sink'

/** What an account's name says of it. */
export const classOf = (account: string): AccountClass => {
  if (account.startsWith('issued:')) return 'source'
  if (account.startsWith('burned:') || account === 'withheld') return 'sink'
  return 'ordinary'
}

/** The balances a view starts from. */
export type Balances = (asset: string, account: string) => number

/** What a set of transfers did: new balances by `asset/account`. */
export type BalanceChanges = ReadonlyMap<string, number>

/** Transfers on top of balances, not yet durable. */
export interface LedgerView {
  readonly balance: Balances
  readonly changes: BalanceChanges
  readonly transfers: readonly Transfer[]
  /** @throws Fault INSUFFICIENT_BALANCE when an ordinary account would fall below zero; the view is unchanged. */
  post(transfer: Transfer): void
}

const checkTransfer = ({ asset, debit, credit, amount, reason, ref }: Transfer): void => {
  assert(Number.isSafeInteger(amount) && amount > 0, 'a transfer moves a positive whole amount')
  assert(debit !== credit, 'a transfer has two accounts')
  assert(/^[a-z0-9:]+$/.test(asset), 'an asset name')
  assert(
    [debit, credit].every((account) => /^[\w:.-]+$/.test(account)),
    'an account name',
  )
  assert(reason.length > 0 && ref.length > 0, 'a transfer says why')
}

/** A view over balances. Views stack: the changes of an accepted one become the balances of the next. */
export const ledgerView = (below: Balances): LedgerView => {
  const changes = new Map<string, number>()
  const transfers: Transfer[] = []
  const balance: Balances = (asset, account) => changes.get(keyOf(asset, account)) ?? below(asset, account)

  const post = (transfer: Transfer): void => {
    checkTransfer(transfer)
    const { asset, debit, credit, amount } = transfer
    const debited = balance(asset, debit) - amount
    const credited = balance(asset, credit) + amount
    assert(Number.isSafeInteger(debited) && Number.isSafeInteger(credited), 'balances are safe integers')
    assert(classOf(credit) !== 'source' || credited <= 0, 'a source is never above zero')
    if (classOf(debit) === 'ordinary' && debited < 0) {
      throw new Fault('INSUFFICIENT_BALANCE', `The balance of ${asset} is ${debited + amount}; ${amount} is needed.`, {
        price: amount,
        [asset]: debited + amount,
      })
    }
    assert(classOf(debit) === 'source' || debited >= 0, 'a sink is never below zero')
    changes.set(keyOf(asset, debit), debited)
    changes.set(keyOf(asset, credit), credited)
    transfers.push(transfer)
  }
  return { balance, changes, transfers, post }
}

/** All balances, in memory; the database holds the same. */
export interface Ledger {
  readonly balance: Balances
  /** Sum of the ordinary accounts. */
  supply(asset: string): number
  /** Takes durable changes over. The sum of each asset is 0 before and after. */
  apply(changes: BalanceChanges): void
}

/** @param opening `asset/account` and its balance. @throws Error when an asset's sum is not 0. */
export const createLedger = (opening: Iterable<readonly [string, number]>): Ledger => {
  const balances = new Map<string, number>()
  const sums = new Map<string, number>()
  const supplies = new Map<string, number>()

  const set = (key: string, value: number): void => {
    const [asset = '', account = ''] = key.split('/')
    const step = value - (balances.get(key) ?? 0)
    balances.set(key, value)
    sums.set(asset, (sums.get(asset) ?? 0) + step)
    if (classOf(account) === 'ordinary') supplies.set(asset, (supplies.get(asset) ?? 0) + step)
  }
  const assertBalanced = (): void => {
    for (const sum of sums.values()) assert(sum === 0, 'the sum of every asset is 0')
  }
  for (const [key, value] of opening) set(key, value)
  assertBalanced()
  return {
    balance: (asset, account) => balances.get(keyOf(asset, account)) ?? 0,
    supply: (asset) => supplies.get(asset) ?? 0,
    apply: (changes) => {
      for (const [key, value] of changes) set(key, value)
      assertBalanced()
    },
  }
}
