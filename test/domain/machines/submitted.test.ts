/*
 * Goal: what a member signed is taken once, through anyone, in the signer's role; its entry proves the signature to a
 * stranger; and what is altered, replayed, stale, foreign or beyond the signer's role leaves no trace. Method: a real
 * store with keys that the test holds; every member of a transaction altered; all of them again; the window's edges by
 * a clock moved by hand; the entry alone and a chain file against the pure verifier; `fsck` after changes by hand.
 */
import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { purposes } from '#core/digest.ts'
import { publicKeyOfSeed, signValue, zidOf } from '#core/keys.ts'
import type { Entry } from '#core/machine.ts'
import { signTx, TX_TICKS, type TxOrder, type TxSigned, txDigest, txEntryFault } from '#core/tx.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { txNonceKey } from '#store/rows/tx-nonce.ts'
import { seed as runSeed, seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, newAccount, openHouse, refusal } from '../house.ts'

const test = suite('machines: signed transactions')

const nonceOf = (n: number): string => n.toString(16).padStart(32, '0')

/** An account whose key the test has. */
const selfKept = async (house: House, which = 0) => {
  const seed = seeded(runSeed + which).bytes(32)
  const public_key = toHex(publicKeyOfSeed(seed))
  const meshTick = house.store.now().meshTick
  const signed = { node: house.keys.nodeId, public_key, mesh_tick: meshTick }
  const signature = signValue(seed, purposes.signUp, signed)
  await house.identity.signUp({ bucket: '192.0.2.7', publicKey: public_key, signature, meshTick })
  return { seed, public_key, zid: zidOf(publicKeyOfSeed(seed)) }
}

const stage = async (house: House, is_public = false) => {
  const owner = await newAccount(house)
  const bearer = await newAccount(house)
  const asking = { caller: owner.caller, slug: 'pump' }
  await house.machines.create(owner.caller, { slug: 'pump', is_public })
  const signer = await selfKept(house)
  await house.machines.addAdmin(asking, signer.zid, 'operator')
  const machine = house.store.peek('machine', 'pump')!
  const order = (n: number, more: Partial<TxOrder> = {}): TxOrder => ({
    ...{ machine: machine.id_hash, event: 'reading', data: { p: 1 } },
    ...{ nonce: nonceOf(n), mesh_tick: house.store.now().meshTick },
    ...more,
  })
  const submit = (tx: TxSigned, caller: Caller = bearer.caller, slug = 'pump') =>
    house.machines.submit({ caller, slug }, tx)
  return { owner, bearer, asking, signer, machine, order, submit }
}

const entryAt = (house: House, seq: number): Entry =>
  house.store.peek('machineEntry', keyOf('pump', seqKey(seq)))!.entry

/** Everything that a transaction could change. */
const standing = async (house: House) => {
  const rows: unknown[] = [house.store.peek('machineHead', 'pump')]
  for await (const it of house.store.range('txNonce')) rows.push(it)
  return JSON.stringify(rows)
}

test('an event that a member signed is taken from anyone, once, and its entry alone proves who signed it', async () => {
  for (const is_public of [true, false]) {
    using dir = tempDir()
    {
      await using house = await openHouse(dir.path)
      const { bearer, asking, signer, machine, order, submit } = await stage(house, is_public)
      const tx = signTx(signer.seed, order(1))
      const taken = await submit(tx)
      assert.deepEqual([taken.tx, taken.signer], [txDigest(tx), signer.zid])
      const entry = entryAt(house, taken.recorded.seq)
      const body = entry.body as Record<string, unknown>
      assert.deepEqual([entry.type, body['event'], body['source']], ['event', 'reading', 'operator'])
      assert.equal(Object.hasOwn(body, 'data'), is_public)
      assert.equal(txEntryFault(machine.id_hash, entry), undefined)
      const now = house.store.now().tick
      const { entries } = await house.machines.decrypt(asking, { from: now, to: now })
      const members = entries.find((it) => it.seq === entry.seq)!.members as Record<string, unknown>
      assert.deepEqual([members['by'], members['bearer']], [signer.zid, bearer.zid])
      const before = await standing(house)
      const again = await refusal(() => submit(tx))
      assert.deepEqual([again.code, again.details], ['TX_REPLAYED', { tx: taken.tx, seq: entry.seq }])
      const same = signTx(signer.seed, order(1, { event: 'other' }))
      assert.equal((await refusal(() => submit(same))).code, 'TX_REPLAYED')
      assert.equal(await standing(house), before)
      await submit(signTx(signer.seed, order(2)))
    }
    assert.equal((await fsck({ directory: dir.path })).bad, null)
  }
})

test('whatever of it is altered, it is refused and nothing stands of it', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { signer, order, submit } = await stage(house)
  const tx = signTx(signer.seed, order(1))
  const other = await selfKept(house, 1)
  const random = seeded()
  const flipped = (hex: string): string => {
    const at = random.integer(0, hex.length - 1)
    return `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}`
  }
  const before = await standing(house)
  const altered: readonly Partial<TxSigned>[] = [
    { machine: flipped(tx.machine) },
    { event: 'readings' },
    { data: { p: 2 } },
    { nonce: flipped(tx.nonce) },
    { mesh_tick: tx.mesh_tick - 1 },
    { contract: '0'.repeat(32) },
    { public_key: toHex(publicKeyOfSeed(random.bytes(32))) },
  ]
  for (const change of altered) {
    assert.equal((await refusal(() => submit({ ...tx, ...change }))).code, 'BAD_SIGNATURE', JSON.stringify(change))
  }
  const { data: _, ...bare } = tx
  assert.equal((await refusal(() => submit(bare))).code, 'BAD_SIGNATURE')
  const signature = flipped(tx.signature)
  assert.equal((await refusal(() => submit({ ...tx, signature }))).code, 'BAD_SIGNATURE')
  const small = { ...tx, public_key: '01'.padEnd(64, '0') }
  assert.equal((await refusal(() => submit(small))).code, 'BAD_PUBLIC_KEY')
  const asked: readonly (readonly [Partial<TxOrder>, string])[] = [
    [{ to: 'on' }, '/event'],
    [{ data: { p: 'x'.repeat(5_000) } }, '/data'],
    [{ machine: '0'.repeat(64) }, '/machine'],
  ]
  for (const [change, path] of asked) {
    const { code, details } = await refusal(() => submit(signTx(signer.seed, order(3, change))))
    assert.deepEqual([code, (details['errors'] as { path: string }[])[0]!.path], ['INVALID_INPUT', path])
  }
  const { event: __, data: ___, ...none } = order(4)
  for (const [change, path] of [
    [{}, '/event'],
    [{ to: 'on' }, '/contract'],
    [{ to: 'on', contract: '0'.repeat(32), data: {} }, '/data'],
  ] as const) {
    const { details } = await refusal(() => submit(signTx(signer.seed, { ...none, ...change })))
    assert.equal((details['errors'] as { path: string }[])[0]!.path, path)
  }
  // A stranger's good signature meets a private machine as an absent one, whoever brings it.
  const foreign = signTx(other.seed, order(5))
  assert.equal((await refusal(() => submit(foreign))).code, 'NOT_FOUND')
  assert.equal((await refusal(() => submit(foreign, undefined, 'absent'))).code, 'NOT_FOUND')
  assert.equal(await standing(house), before)
  await submit(tx)
})

test('the role of the signer decides, as it is when the transaction is taken', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { owner, asking, signer, order, submit } = await stage(house)
  await house.machines.changeAdmin(asking, signer.zid, 'viewer')
  const tx = signTx(signer.seed, order(1))
  // Even from the owner's hand.
  assert.equal((await refusal(() => submit(tx, owner.caller))).code, 'SCOPE_REQUIRED')
  await house.machines.removeAdmin(asking, signer.zid)
  assert.equal((await refusal(() => submit(tx, owner.caller))).code, 'NOT_FOUND')
  await house.machines.addAdmin(asking, signer.zid, 'operator')
  await house.machines.setStatus(asking, 'paused')
  assert.equal((await refusal(() => submit(tx))).code, 'MACHINE_NOT_ACTIVE')
  await house.machines.setStatus(asking, 'active')
  await submit(tx)
})

test('outside of its window it is refused with both ticks, and its nonce lapses with it', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { signer, order, submit } = await stage(house)
    const tx = signTx(signer.seed, order(1))
    const ahead = signTx(signer.seed, order(2, { mesh_tick: tx.mesh_tick + TX_TICKS + 1 }))
    const { code, details } = await refusal(() => submit(ahead))
    const { mesh_tick, now, limit } = details
    assert.deepEqual([code, mesh_tick, now, limit], ['INVALID_INPUT', ahead.mesh_tick, tx.mesh_tick, TX_TICKS])
    await submit(tx)
    house.clock.advanceTicks(TX_TICKS)
    assert.equal((await refusal(() => submit(tx))).code, 'TX_REPLAYED')
    await submit(ahead)
    house.clock.advanceTicks(1)
    assert.equal((await refusal(() => submit(tx))).code, 'INVALID_INPUT')
    // The same nonce over again, in another time.
    const later = signTx(signer.seed, order(1))
    await submit(later)
    assert.equal((await refusal(() => submit(later))).code, 'TX_REPLAYED')
    await house.economy.sweep()
    house.clock.advanceTicks(2 * TX_TICKS + 3)
    assert.ok((await house.economy.sweep()) >= 4)
    for await (const [key] of house.store.range('txNonce')) assert.fail(key)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('of bearers at once one has it taken', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { owner, signer, order, submit } = await stage(house)
  const tx = signTx(signer.seed, order(1))
  const all = await Promise.allSettled([submit(tx), submit(tx, owner.caller), submit(tx), submit(tx)])
  assert.equal(all.filter((it) => it.status === 'fulfilled').length, 1)
  const codes = all.flatMap((it) => (it.status === 'rejected' ? [it.reason.code] : []))
  assert.deepEqual(codes, ['TX_REPLAYED', 'TX_REPLAYED', 'TX_REPLAYED'])
})

test('an entry that carries a transaction which nobody signed is named', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { signer, machine, order, submit } = await stage(house, true)
  const { recorded } = await submit(signTx(signer.seed, order(1)))
  const { body } = entryAt(house, recorded.seq)
  const whole = body as { tx: Record<string, unknown> } & Record<string, never>
  const fault = (change: object, id = machine.id_hash) => txEntryFault(id, { body: { ...whole, ...change } })
  assert.equal(fault({}), undefined)
  assert.equal(fault({ tx: undefined }), undefined)
  assert.match(fault({ event: 'x' })!, /digest/)
  assert.match(fault({ data: { p: 2 } })!, /data/)
  assert.match(fault({}, '0'.repeat(64))!, /digest/)
  assert.match(fault({ tx: { ...whole.tx, more: 1 } })!, /form/)
  assert.match(fault({ tx: null })!, /form/)
  assert.match(fault({ tx: { ...whole.tx, signature: '0'.repeat(128) } })!, /signed/)
  assert.match(fault({ tx: { ...whole.tx, public_key: '0'.repeat(64) } })!, /public key/)
})

test('fsck names nonces that no entry carries, and those that stand once', async () => {
  const badAfter = async (
    change: (tx: Parameters<Parameters<House['store']['commit']>[0]>[0], key: string) => void,
  ) => {
    using dir = tempDir()
    {
      await using house = await openHouse(dir.path)
      const { signer, order, submit } = await stage(house)
      await submit(signTx(signer.seed, order(1)))
      await house.store.commit((tx) => change(tx, txNonceKey('pump', signer.zid, nonceOf(1))))
    }
    const { bad } = await fsck({ directory: dir.path })
    return bad === null ? null : [bad.table, bad.what]
  }
  assert.equal(await badAfter(() => undefined), null)
  const at = await badAfter((tx, key) => tx.put('txNonce', key, { ...tx.get('txNonce', key)!, seq: 0 }))
  assert.deepEqual(at, ['txNonce', 'no entry of the machine carries its transaction'])
  assert.deepEqual(await badAfter((tx, key) => tx.del('txNonce', key)), ['txNonceByExpiry', 'its nonce is missing'])
  const lapsing = await badAfter((tx, key) =>
    tx.del('txNonceByExpiry', keyOf(seqKey(tx.get('txNonce', key)!.expires_mesh_tick), key)),
  )
  assert.deepEqual(lapsing, ['txNonceByExpiry', 'the row is missing'])
})

test.run()
