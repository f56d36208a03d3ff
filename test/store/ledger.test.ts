/*
 * Goal: no sequence of transfers makes or loses credits, or takes an account where its class may not be. Method:
 * fast-check draws sequences of transfers between accounts of every class, refused ones included, and compares the
 * ledger with a plain sum over those that were accepted.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import { classOf, createLedger, ledgerView } from '#store/ledger.ts'
import type { Transfer } from '#store/rows/transfer.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ledger')

const ordinary = ['zid1a', 'zid1b', 'house', 'demo:1']
const sources = ['issued:grant', 'issued:compute']
const sinks = ['burned:compute', 'withheld']

const transfers = fc.array(
  fc.record({
    asset: fc.constantFrom('free', 'paid', 'coin'),
    debit: fc.constantFrom(...ordinary, ...sources, ...sinks),
    credit: fc.constantFrom(...ordinary, ...sinks),
    amount: fc.integer({ min: 1, max: 50 }),
    reason: fc.constant('test'),
    ref: fc.constant('r'),
  }),
  { maxLength: 60 },
)

/** Posts one transfer as one transaction; whether it was accepted. */
const tryPost = (ledger: ReturnType<typeof createLedger>, transfer: Transfer): boolean => {
  const view = ledgerView(ledger.balance)
  try {
    view.post(transfer)
  } catch (cause) {
    assert.ok(!(cause instanceof Fault) || cause.code === 'INSUFFICIENT_BALANCE')
    assert.equal(view.changes.size, 0)
    return false
  }
  ledger.apply(view.changes)
  return true
}

test('any sequence keeps supply and sums, and takes no account where it may not be', () => {
  fc.assert(
    fc.property(transfers, (sequence) => {
      const ledger = createLedger([])
      const sums = new Map<string, number>()
      const add = (asset: string, account: string, amount: number): void => {
        sums.set(`${asset}/${account}`, (sums.get(`${asset}/${account}`) ?? 0) + amount)
      }
      for (const transfer of sequence) {
        if (!tryPost(ledger, transfer)) continue
        add(transfer.asset, transfer.debit, -transfer.amount)
        add(transfer.asset, transfer.credit, transfer.amount)
      }
      for (const asset of ['free', 'paid', 'coin']) {
        const balances = [...ordinary, ...sources, ...sinks].map((account) => {
          const balance = ledger.balance(asset, account)
          assert.equal(balance, sums.get(`${asset}/${account}`) ?? 0)
          assert.ok(classOf(account) === 'source' ? balance <= 0 : balance >= 0, `${account} at ${balance}`)
          return balance
        })
        assert.equal(
          balances.reduce((sum, balance) => sum + balance, 0),
          0,
        )
        const supply = ordinary.reduce((sum, account) => sum + ledger.balance(asset, account), 0)
        assert.equal(ledger.supply(asset), supply)
      }
    }),
    { seed, numRuns: 300 },
  )
})

test('a refused transfer names what is there and what is needed', () => {
  const ledger = createLedger([
    ['free/zid1a', 2],
    ['free/issued:grant', -2],
  ])
  const view = ledgerView(ledger.balance)
  const transfer = { asset: 'free', debit: 'zid1a', credit: 'burned:compute', amount: 3, reason: 'test', ref: 'r' }
  assert.throws(
    () => view.post(transfer),
    (cause) => {
      assert.ok(cause instanceof Fault)
      assert.deepEqual([cause.code, cause.details], ['INSUFFICIENT_BALANCE', { price: 3, free: 2 }])
      return true
    },
  )
})

test('amounts that are not positive whole numbers are a bug, whoever asks', () => {
  const view = ledgerView(() => 10)
  for (const amount of [0, -1, 1.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1]) {
    const transfer = { asset: 'free', debit: 'zid1a', credit: 'zid1b', amount, reason: 'test', ref: 'r' }
    assert.throws(() => view.post(transfer), /broken invariant/)
  }
})

test('an opening that does not sum to nothing is refused', () => {
  assert.throws(() => createLedger([['free/zid1a', 2]]), /broken invariant/)
})

test.run()
