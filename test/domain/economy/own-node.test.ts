// Goal: the owner of a node that serves its own machine alone never lacks credits, and the ledger says where those come
// from; nobody else gains by it, nor does the owner of a node that others reach. Method: runs of a real operator in a
// real house, with balances burned to nothing first; a real node for what its settings decide.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromUtf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { OWN_GRANT } from '#domain/economy/grant.ts'
import { openNodeKeys } from '#domain/identity/node-keys.ts'
import { openStore } from '#store/open.ts'
import type { Store } from '#store/store.ts'
import { fixedClock } from '../../kit/clock.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { asking, type ComputeHouse, openComputeHouse } from '../compute/house.ts'
import { newAccount, ownerCaller, refusal } from '../house.ts'

const test = suite('economy: own node')
const GR37 = { operators: ['GR37'], inputs: { mass: 1 } }
const PRICE = 3

/** Burns every free credit of an account. */
const spend = (store: Store, zid: string): Promise<unknown> =>
  store.commit((tx) => {
    const amount = tx.balance('free', zid)
    tx.post({ asset: 'free', debit: zid, credit: 'burned:compute', amount, reason: 'test', ref: 'test' })
  })

const zidOf = (caller: Caller): string => {
  assert(caller.kind !== 'anonymous')
  return caller.zid
}

const spent = async (house: ComputeHouse): Promise<{ readonly owner: Caller; readonly zid: string }> => {
  const owner = ownerCaller(house)
  await spend(house.store, zidOf(owner))
  return { owner, zid: zidOf(owner) }
}

/** What the log says of grants, in order. */
const grants = async ({ store }: Pick<ComputeHouse, 'store'>): Promise<readonly string[]> => {
  const found: string[] = []
  for (let i = 0; i < store.log.size; i++) {
    const [purpose, body = ''] = fromUtf8((await store.log.leaf(i)) ?? new Uint8Array()).split('\n')
    if (purpose !== 'tickmesh/ledger/1' || !body.includes('"kind":"grant"')) continue
    const { to, amount, asset, ref } = JSON.parse(body).entry
    found.push(`${asset} ${amount} ${to} ${ref}`)
  }
  return found
}

test('the owner whose credits are spent is granted a block, and its run is paid from it', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path, { trustsOwner: true })
  const { owner, zid } = await spent(house)
  const first = await house.compute.operate(GR37, asking(owner))
  assert(first.kind === 'sealed')
  assert.deepEqual(await grants(house), [`paid ${OWN_GRANT} ${zid} owner, own node`])
  assert.equal(house.store.balance('paid', zid), OWN_GRANT - PRICE)
  await house.compute.operate(GR37, asking(owner))
  assert.equal(house.store.balance('paid', zid), OWN_GRANT - 2 * PRICE)
  assert.equal((await grants(house)).length, 1)
  const { held, available } = await house.economy.credits(owner)
  assert.deepEqual([held, available], [0, OWN_GRANT - 2 * PRICE])
})

test('parallel runs of the owner are all covered, and nothing is paid that was not granted', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path, { trustsOwner: true })
  const { owner, zid } = await spent(house)
  const runs = await Promise.all(Array.from({ length: 4 }, () => house.compute.operate(GR37, asking(owner))))
  assert(runs.every(({ kind }) => kind === 'sealed'))
  const blocks = (await grants(house)).length
  assert.equal(house.store.balance('paid', zid), blocks * OWN_GRANT - runs.length * PRICE)
})

test('a price above a block is covered by several', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path, { trustsOwner: true })
  const { owner, zid } = await spent(house)
  const hold = house.economy.hold(owner, OWN_GRANT + 1)
  assert.deepEqual([hold.funding, (await house.economy.credits(owner)).available], ['paid', 0])
  await house.economy.cover(hold)
  await house.economy.cover(hold)
  assert.equal(house.store.balance('paid', zid), 2 * OWN_GRANT)
  hold.release()
})

test('a run of the owner that fails is granted nothing', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path, { trustsOwner: true })
  const { owner, zid } = await spent(house)
  await refusal(() => house.compute.operate({ operators: ['GR37'], inputs: {} }, asking(owner)))
  const given = house.economy.hold(owner, PRICE)
  given.release()
  assert.deepEqual([house.store.balance('paid', zid), await grants(house)], [0, []])
})

test('no other account is covered, nor a demo key, nor the owner where others reach the node', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path, { trustsOwner: true })
  const { caller, zid } = await newAccount(house)
  await spend(house.store, zid)
  const poor = await refusal(() => house.compute.operate(GR37, asking(caller)))
  assert.deepEqual([poor.code, poor.details['paid']], ['INSUFFICIENT_BALANCE', 0])
  const demo = { ...caller, kind: 'demo', account: 'demo:none', zid: 'house' } as Caller
  assert.equal((await refusal(() => house.economy.hold(demo, PRICE))).code, 'INSUFFICIENT_BALANCE')
  assert.deepEqual(await grants(house), [])

  using other = tempDir()
  await using open = await openComputeHouse(other.path)
  const { owner } = await spent(open)
  assert.equal((await refusal(() => open.compute.operate(GR37, asking(owner)))).code, 'INSUFFICIENT_BALANCE')
  assert.deepEqual(await grants(open), [])
})

test('the settings decide: on loopback with nothing before it the owner is covered, behind a proxy not', async () => {
  using dir = tempDir()
  const settings = { directory: dir.path, settings: {} }
  const { key, zid } = await (async () => {
    await using it = await testNode(settings)
    const found = readFileSync(join(dir.path, 'owner.key'), 'utf8').trim()
    return { key: found, zid: (await it.as(found).call('economy.credits', {})).zid }
  })()
  {
    const { signer } = openNodeKeys(dir.path)
    await using store = await openStore({
      directory: dir.path,
      clock: fixedClock(),
      signer,
      onWritten: () => undefined,
    })
    await spend(store, zid)
  }
  {
    await using behind = await testNode({ ...settings, settings: { 'http.proxies': '127.0.0.1' } })
    const refused = await refusal(() => behind.as(key).call('compute.compute', GR37))
    assert.equal(refused.code, 'INSUFFICIENT_BALANCE')
  }
  await using here = await testNode(settings)
  await here.as(key).call('compute.compute', GR37)
  const { free, paid } = await here.as(key).call('economy.credits', {})
  assert.deepEqual([free, paid], [0, OWN_GRANT - PRICE])
})

test.run()
