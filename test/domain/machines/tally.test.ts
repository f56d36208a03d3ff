/*
 * Goal: a machine has one token, whose units go from its owner to accounts of the node and are never more than may be;
 * each movement is an entry of the chain in the same batch, and what does not fit is refused and leaves no trace.
 * Method: seeded transfers on a public and a private machine, against balances kept by hand; refusals of every kind;
 * makers at once; then `fsck`, also of stores in which a row was taken out, added or altered.
 */
import assert from 'node:assert/strict'
import type { Json } from '#core/canonical.ts'
import type { Fault } from '#core/fault.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { entryRef, TOKEN_SOURCE, tokenAsset, tokenDigits } from '#store/rows/machine-token.ts'
import type { Transaction } from '#store/transaction.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { callerOf, type House, newAccount, openHouse, refusal } from '../house.ts'

const test = suite('machines: tokens')

const litre = { name: 'Litres pumped', symbol: 'LITRE', max_supply: 1_000_000, initial: 1_000 }

type Caller = Awaited<ReturnType<typeof newAccount>>['caller']

const writing = (caller: Caller, slug: string, idempotencyKey?: string) => ({
  caller,
  slug,
  scope: 'test',
  idempotencyKey,
})

const machineOf = (house: House, slug = 'pump') => house.store.peek('machine', slug)!

const pump = async (house: House) => {
  const account = await newAccount(house)
  const { api_key } = await house.machines.create(account.caller, { slug: 'pump', is_public: true })
  return { ...account, machineKey: api_key }
}

const send = (house: House, slug: string, to: string, amount: number, ref = 'f'.repeat(64)) =>
  house.store.commit((tx) => house.machines.transferIn(tx, { machine: tx.get('machine', slug)!, to, amount, ref }))

const bodyOf = (house: House, slug: string, seq: number) =>
  house.store.peek('machineEntry', keyOf(slug, seqKey(seq)))!.entry.body as Record<string, Json>

test('a token is made once, by the owner in person, and its first units are theirs', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, zid, machineKey } = await pump(house)
  const stranger = await newAccount(house)
  const make = (by: Caller, order = litre, key?: string) => house.machines.tokenGenesis(writing(by, 'pump', key), order)
  assert.equal((await refusal(async () => house.machines.tokenSupply({ caller, slug: 'pump' }))).code, 'NOT_FOUND')
  for (const by of [callerOf(house, machineKey), stranger.caller]) {
    assert.equal((await refusal(() => make(by))).code, 'SCOPE_REQUIRED')
  }
  const tooMany = await refusal(() => make(caller, { ...litre, initial: litre.max_supply + 1 }))
  assert.equal(tooMany.code, 'INVALID_INPUT')
  const { answer } = await make(caller, litre, 'once')
  assert.deepEqual(await make(caller, litre, 'once'), { answer, replayed: true })
  assert.equal((await refusal(() => make(caller))).code, 'TOKEN_EXISTS')
  const asset = tokenAsset(machineOf(house).id_hash)
  const body = bodyOf(house, 'pump', answer.recorded.seq)
  assert.deepEqual({ ...body, sealed: 0 }, { asset, ...litre, source: 'owner', sealed: 0 })
  assert.equal(house.store.balance(asset, zid), litre.initial)
  const { issued, supply, burned, remaining } = house.machines.tokenSupply({ caller, slug: 'pump' })
  assert.deepEqual([issued, supply, burned, remaining], [1_000, 1_000, 0, 999_000])
})

test('of makers at once one makes it', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { caller } = await pump(house)
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, (_, i) =>
        house.machines.tokenGenesis(writing(caller, 'pump'), { ...litre, initial: i }),
      ),
    )
    assert.equal(made.filter((it) => it.status === 'fulfilled').length, 1)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('units go where transfers say, on a public and on a private machine, and entries and ledger agree', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const random = seeded()
    const { caller, zid } = await newAccount(house)
    const others = [await newAccount(house), await newAccount(house)]
    for (const [slug, is_public] of [
      ['open', true],
      ['shut', false],
    ] as const) {
      await house.machines.create(caller, { slug, is_public })
      await house.machines.tokenGenesis(writing(caller, slug), litre)
      const asset = tokenAsset(machineOf(house, slug).id_hash)
      const held = new Map([[zid, litre.initial]])
      for (let round = 0; round < 40; round++) {
        const { zid: to } = random.pick(others)
        const amount = random.integer(1, 60)
        const left = held.get(zid)! - amount
        if (left < 0) {
          assert.equal((await refusal(() => send(house, slug, to, amount))).code, 'INSUFFICIENT_BALANCE')
          continue
        }
        const { entry } = await send(house, slug, to, amount, `${round}`)
        held.set(zid, left).set(to, (held.get(to) ?? 0) + amount)
        const open = is_public ? { to, amount } : {}
        const body = bodyOf(house, slug, entry.seq)
        assert.deepEqual({ ...body, sealed: 0 }, { asset, ref: `${round}`, ...open, source: 'node', sealed: 0 })
      }
      for (const [account, balance] of held) assert.equal(house.store.balance(asset, account), balance)
      assert.equal(house.machines.tokenSupply({ caller, slug }).supply, litre.initial)
      const { entries } = await house.machines.decrypt({ caller, slug }, { from: 0, to: house.store.now().tick })
      const sealed = entries.filter((it) => it.type === 'tally_transfer').map((it) => it.members as object)
      assert.ok(sealed.length > 0)
      for (const it of sealed) assert.deepEqual(Object.keys(it), is_public ? [] : ['amount', 'to'])
    }
    const shown = await house.economy.transparency({ limit: 1 })
    assert.deepEqual(shown.assets.map((it) => it.asset).sort(), ['coin', 'free', 'paid'])
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('what cannot be moved is refused, together and alone, and nothing of its batch stands', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, zid } = await pump(house)
  const { zid: to } = await newAccount(house)
  assert.equal((await refusal(() => send(house, 'pump', to, 1))).code, 'INSUFFICIENT_BALANCE')
  await house.machines.tokenGenesis(writing(caller, 'pump'), litre)
  const before = house.store.peek('machineHead', 'pump')!.size
  for (const [target, amount, code] of [
    [`zid1${'a'.repeat(32)}`, 1, 'UNKNOWN_ZID'],
    ['house', 1, 'UNKNOWN_ZID'],
    [zid, 1, 'INVALID_INPUT'],
    [to, 0, 'INVALID_INPUT'],
    [to, -1, 'INVALID_INPUT'],
    [to, 0.5, 'INVALID_INPUT'],
    [to, Number.NaN, 'INVALID_INPUT'],
    [to, 2 ** 53, 'INVALID_INPUT'],
    [to, litre.initial + 1, 'INSUFFICIENT_BALANCE'],
  ] as const) {
    assert.equal((await refusal(() => send(house, 'pump', target, amount))).code, code, `${target} ${amount}`)
  }
  const problem = await house.store.commit((tx: Transaction): Fault | undefined => {
    const half = { to, amount: litre.initial / 2 }
    const machine = tx.get('machine', 'pump')!
    assert.equal(house.machines.transferProblem(tx, machine, [half, half]), undefined)
    return house.machines.transferProblem(tx, machine, [half, half, { to, amount: 1 }])
  })
  assert.equal(problem?.code, 'INSUFFICIENT_BALANCE', 'the sum of a batch counts')
  assert.equal(house.store.peek('machineHead', 'pump')!.size, before)
  assert.equal(house.store.balance(tokenAsset(machineOf(house).id_hash), to), 0)
})

/** What `fsck` says of a store of one machine with a token, after a change by other hands. */
const badAfter = async (change: (tx: Transaction, about: { digits: string; seq: number; to: string }) => void) => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { caller } = await pump(house)
    const { zid: to } = await newAccount(house)
    await house.machines.tokenGenesis(writing(caller, 'pump'), litre)
    const { entry } = await send(house, 'pump', to, 5)
    const digits = tokenDigits(machineOf(house).id_hash)
    await house.store.commit((tx) => change(tx, { digits, seq: entry.seq, to }))
  }
  const { bad } = await fsck({ directory: dir.path })
  return bad === null ? null : [bad.table, bad.what]
}

test('fsck names a token without its machine, units out of nowhere, and a transfer that no entry says', async () => {
  assert.equal(await badAfter(() => undefined), null)
  assert.deepEqual(await badAfter((tx, { digits }) => tx.del('machineToken', digits)), [
    'balance',
    'no machine has this token',
  ])
  const row = (tx: Transaction, digits: string) => tx.get('machineToken', digits)!
  const less = await badAfter((tx, { digits }) =>
    tx.put('machineToken', digits, { ...row(tx, digits), max_supply: litre.initial - 1 }),
  )
  assert.deepEqual(less, ['machineToken', '1000 came into being, more than may'])
  const elsewhere = await badAfter((tx, { digits, seq }) => tx.put('machineToken', digits, { ...row(tx, digits), seq }))
  assert.deepEqual(elsewhere, ['machineToken', 'its genesis is not in the chain'])
  const post = (ref: string) =>
    badAfter((tx, { digits, seq, to }) =>
      tx.post({
        asset: `tally:${digits}`,
        debit: TOKEN_SOURCE,
        credit: to,
        amount: 1,
        reason: 'x',
        ref: ref === '' ? entryRef('pump', seq) : ref,
      }),
    )
  assert.deepEqual(await post('nothing'), ['transfer', 'no entry of the machine says it'])
  assert.deepEqual(await post(''), ['transfer', 'no entry of the machine says it'])
  const twice = await badAfter((tx, { digits, seq, to }) => {
    const debit = tx.get('machine', 'pump')!.owner_zid
    const of = { asset: `tally:${digits}`, reason: 'tally_transfer', ref: entryRef('pump', seq) }
    tx.post({ ...of, debit, credit: to, amount: 1 })
  })
  assert.deepEqual(twice, ['transfer', 'there are more or fewer than entries that say one'])
})

test.run()
