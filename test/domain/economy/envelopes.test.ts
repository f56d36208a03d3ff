/*
 * Goal: lists, folders, search and the public record show what is there, with real totals, to those who may see it.
 * Method: some envelopes of several owners in a real store; every answer is compared with a plain filter over them.
 */
import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import { readLeaf } from '#domain/economy/record.ts'
import { leafKey } from '#store/rows/log.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { callerOf, newAccount, openHouse, ownerCaller, refusal, sealOne } from '../house.ts'

const test = suite('economy: envelopes')

const filled = async (directory: string, count: number) => {
  const house = await openHouse(directory)
  const account = await newAccount(house)
  const rows = []
  for (let i = 0; i < count; i++) {
    rows.push(await sealOne(house, { caller: account.caller }))
    house.clock.advanceTicks(1)
  }
  return { house, ...account, rows: rows.reverse() }
}

test('pages are newest first and know the total', async () => {
  using dir = tempDir()
  const { house, zid, caller, rows } = await filled(dir.path, 7)
  await using _ = house
  const page = await house.economy.envelopes(zid, caller, { limit: 3, offset: 2 })
  assert.deepEqual([page.total, page.limit, page.offset], [7, 3, 2])
  assert.deepEqual(
    page.envelopes.map((it) => it.token_id),
    rows.slice(2, 5).map((it) => it.token_id),
  )
  const [item] = page.envelopes
  assert.equal(item?.hash, toHex((await house.store.log.leafHash(item?.index ?? -1))!))
  assert.deepEqual([item?.state, item?.face_value, item?.funding], ['final', 3, 'free'])
  const beyond = await house.economy.envelopes(zid, caller, { limit: 3, offset: 9 })
  assert.deepEqual([beyond.total, beyond.envelopes.length], [7, 0])
})

test('a page of rows that say value and unit reads no leaf; rows of before are shown the same by theirs', async () => {
  using dir = tempDir()
  const { house, zid, caller, rows } = await filled(dir.path, 5)
  await using _ = house
  const { economy, store } = house
  const list = () => economy.envelopes(zid, caller, { limit: 9, offset: 0 })
  const leaves = new Map<string, Uint8Array>()
  for (const { index } of rows) leaves.set(leafKey('seal', index), (await store.get('leaf', leafKey('seal', index)))!)
  await store.commit((tx) => {
    for (const key of leaves.keys()) tx.del('leaf', key)
  })
  const page = await list()
  assert.deepEqual(
    page.envelopes.map(({ value, unit }) => [value, unit]),
    rows.map(() => [1, 'K']),
  )
  // As a release wrote them that left both to the leaf: here the second and the last one.
  const before = [rows[1]!, rows[4]!]
  await store.commit((tx) => {
    for (const { value: __, unit: ___, ...row } of before) tx.put('envelope', row.token_id, row)
  })
  await assert.rejects(list(), { code: 'NOT_FOUND' })
  await store.commit((tx) => {
    for (const [key, leaf] of leaves) tx.put('leaf', key, leaf)
  })
  assert.deepEqual(await list(), page)
  assert.deepEqual(await economy.envelope(before[0]!.token_id, caller), page.envelopes[1])
})

test('q finds a token id, a tick, a hash and the beginnings of both, with the real total', async () => {
  using dir = tempDir()
  const { house, zid, caller, rows } = await filled(dir.path, 20)
  await using _ = house
  const { log } = house.store
  const hashes = await Promise.all(rows.map(async (it) => toHex((await log.leafHash(it.index))!)))
  const expected = (q: string): string[] =>
    rows
      .filter((it, i) => it.token_id.startsWith(q) || String(it.tick) === q || hashes[i]!.startsWith(q))
      .map((it) => it.token_id)
  const row = rows[4]!
  const hash = hashes[4]!
  const queries = [
    row.token_id,
    hash,
    row.token_id.slice(0, 12),
    hash.slice(0, 12),
    String(row.tick),
    'a',
    'f'.repeat(64),
  ]
  for (const q of [...queries, 'not there']) {
    const page = await house.economy.envelopes(zid, caller, { limit: 2, offset: 0, q: ` ${q.toUpperCase()}` })
    assert.deepEqual(
      [page.total, page.envelopes.map((it) => it.token_id)],
      [expected(q).length, expected(q).slice(0, 2)],
      q,
    )
  }
  assert.ok(expected(String(row.tick)).includes(row.token_id))
})

test('a machine’s key is shown what keys of its machine had sealed; older rows are their owner’s alone', async () => {
  using dir = tempDir()
  const { house, caller, rows } = await filled(dir.path, 1)
  await using _ = house
  const { economy, machines, store } = house
  const keyOf = async (slug: string, scope: 'read' | 'write' | 'admin') => {
    const wish = { name: scope, scope, rate_limit_tier: 'standard' } as const
    return callerOf(house, (await machines.makeMachineKey({ caller, slug }, wish)).api_key)
  }
  for (const slug of ['one', 'two']) await machines.create(caller, { slug, is_public: false })
  const [sealer, fellow, reader, other] = [
    await keyOf('one', 'write'),
    await keyOf('one', 'admin'),
    await keyOf('one', 'read'),
    await keyOf('two', 'admin'),
  ]
  const own = rows[0]!
  const made = await sealOne(house, { caller: sealer })
  assert.deepEqual(made.sealed_by, { key: sealer.kind === 'machine' ? sealer.keyId : '', slug: 'one' })
  const reads = async (token: string) => {
    const all = [caller, sealer, fellow, reader, other]
    const shown = await Promise.allSettled(all.map((it) => economy.envelope(token, it)))
    return shown.map(({ status }) => status === 'fulfilled')
  }
  assert.deepEqual(await reads(made.token_id), [true, true, true, false, false])
  assert.deepEqual(await reads(own.token_id), [true, false, false, false, false])
  const { sealed_by: __, ...old } = made
  await store.commit((tx) => tx.put('envelope', old.token_id, old))
  assert.deepEqual(await reads(made.token_id), [true, false, false, false, false])
})

test('folders: named ones move all or none, counted ones newest first, counts follow', async () => {
  using dir = tempDir()
  const { house, zid, caller, rows } = await filled(dir.path, 6)
  await using _ = house
  const { economy } = house
  const ids = rows.map((it) => it.token_id)
  assert.deepEqual((await economy.folders(zid, caller)).folders, [{ folder: '', count: 6 }])
  const folder = 'heat / 2026 ü'
  assert.deepEqual(await economy.file(caller, { folder, token_ids: ids.slice(0, 2) }), { moved: 2, folder })
  const foreign = await refusal(() => economy.file(caller, { folder: 'x', token_ids: [ids[3]!, 'f'.repeat(32)] }))
  assert.equal(foreign.code, 'NOT_FOUND')
  assert.deepEqual(await economy.file(caller, { folder: 'rest', count: 3, from_folder: '' }), {
    moved: 3,
    folder: 'rest',
  })
  assert.deepEqual((await economy.folders(zid, caller)).folders, [
    { folder: '', count: 1 },
    { folder, count: 2 },
    { folder: 'rest', count: 3 },
  ])
  const page = await economy.envelopes(zid, caller, { limit: 10, offset: 0, folder })
  assert.deepEqual([page.total, page.envelopes.map((it) => it.token_id)], [2, ids.slice(0, 2)])
  assert.deepEqual(await economy.file(caller, { folder: '', count: 99 }), { moved: 5, folder: '' })
  assert.deepEqual((await economy.folders(zid, caller)).folders, [{ folder: '', count: 6 }])
  for (const bad of [{ folder: 'a\nb', count: 1 }, { folder: 'x'.repeat(129), count: 1 }, { folder: 'x' }]) {
    assert.equal((await refusal(() => economy.file(caller, bad))).code, 'INVALID_INPUT')
  }
  const both = { folder: 'x', count: 1, token_ids: ids }
  assert.equal((await refusal(() => economy.file(caller, both))).code, 'INVALID_INPUT')
})

test('a stranger learns nothing: another list and another envelope are not found', async () => {
  using dir = tempDir()
  const { house, zid, caller, rows } = await filled(dir.path, 1)
  await using _ = house
  const stranger = await newAccount(house)
  const token = rows[0]!.token_id
  const list = { limit: 1, offset: 0 }
  assert.equal((await house.economy.envelope(token, caller)).token_id, token)
  for (const who of [stranger.caller, { kind: 'anonymous', bucket: 'x' } as const]) {
    assert.equal((await refusal(() => house.economy.envelope(token, who))).code, 'NOT_FOUND')
    assert.equal((await refusal(() => house.economy.envelopes(zid, who, list))).code, 'NOT_FOUND')
    assert.equal((await refusal(() => house.economy.folders(zid, who))).code, 'NOT_FOUND')
  }
  assert.equal((await house.economy.envelope(token, ownerCaller(house))).token_id, token)
})

test('a minted demo key sees its own; what has no key is opened by its nonce; strangers see neither', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const [mine, other] = await Promise.all([house.identity.mintDemoKey('a'), house.identity.mintDemoKey('b')])
  const row = await sealOne(house, { caller: callerOf(house, mine.key) })
  const common = await sealOne(house, { caller: { kind: 'anonymous', bucket: 'x' } })
  const list = { limit: 9, offset: 0 }
  assert.equal((await house.economy.envelopes('house', callerOf(house, mine.key), list)).total, 1)
  assert.equal((await house.economy.envelopes('house', callerOf(house, other.key), list)).total, 0)
  const strange = () => house.economy.envelope(row.token_id, callerOf(house, other.key))
  assert.equal((await refusal(strange)).code, 'NOT_FOUND')
  const anyone = { kind: 'anonymous', bucket: 'y' } as const
  const nonceOf = async (index: number) => readLeaf((await house.store.log.leaf(index))!).claim.nonce
  const nonce = await nonceOf(common.index)
  assert.equal((await house.economy.envelope(common.token_id, anyone, nonce)).issued_to, 'house')
  const shared = callerOf(house, house.identity.sharedDemoKey().key)
  for (const who of [anyone, shared, callerOf(house, mine.key)]) {
    assert.equal((await refusal(() => house.economy.envelope(common.token_id, who))).code, 'NOT_FOUND')
    assert.equal((await refusal(() => house.economy.envelope(common.token_id, who, '0'.repeat(32)))).code, 'NOT_FOUND')
  }
  const others = await nonceOf(row.index)
  assert.equal((await refusal(() => house.economy.envelope(row.token_id, anyone, others))).code, 'NOT_FOUND')
  for (const who of [anyone, shared]) {
    assert.equal((await refusal(() => house.economy.envelopes('house', who, list))).code, 'NOT_FOUND')
  }
  assert.equal((await house.economy.envelopes('house', ownerCaller(house), list)).total, 1)
  const filing = () => house.economy.file(anyone, { folder: 'mine', count: 1 })
  assert.equal((await refusal(filing)).code, 'SCOPE_REQUIRED')
  assert.equal((await house.economy.file(callerOf(house, mine.key), { folder: 'mine', count: 1 })).moved, 1)
})

test('the public record holds published ones only, without inputs, results or owner', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  await sealOne(house, { caller })
  const shown = await sealOne(house, { caller, published: true })
  const last = await sealOne(house, { caller, published: true })
  const { total, records } = await house.economy.record({ limit: 1, offset: 1 })
  assert.deepEqual([total, records.map((it) => it.token_id)], [2, [shown.token_id]])
  assert.equal((await house.economy.record({ limit: 5, offset: 0 })).records[0]?.token_id, last.token_id)
  const text = JSON.stringify(records)
  assert.ok(!text.includes(zid))
  assert.match(records[0]!.inputs_digest, /^[0-9a-f]{64}$/)
  const leaf = new TextDecoder().decode((await house.store.log.leaf(shown.index))!)
  const { claim } = JSON.parse(leaf.slice(leaf.indexOf('\n') + 1))
  assert.notEqual(records[0]!.inputs_digest, claim.inputs_digest)
})

test.run()
