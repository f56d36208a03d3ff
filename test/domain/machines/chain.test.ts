/*
 * Goal: a machine's chain holds whatever happens: writers at once, ticks that pass, a node that stops between an entry
 * and the end of its tick, a machine that is paused; and what the node proves of it can be checked without the node.
 * Method: a real store with a clock moved by hand; the proofs are judged by core, the rest by fsck.
 */
import assert from 'node:assert/strict'
import { fromHex } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { chainWalk, type EntryProof, entryProofFault, genesisHash, machineIdHash } from '#core/machine.ts'
import { verifierOf } from '#core/note.ts'
import { reservedSlugs } from '#core/slug.ts'
import { WRITES_PER_MINUTE } from '#domain/machines/chain.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { callerOf, type House, newAccount, openHouse, refusal } from '../house.ts'

const test = suite('machines: chain')

type Caller = Awaited<ReturnType<typeof newAccount>>['caller']

const writing = (caller: Caller, slug = 'pump') => ({ caller, slug, scope: 'test', idempotencyKey: undefined })

const tick = async ({ clock, store }: House, ticks = 1): Promise<void> => {
  clock.advanceTicks(ticks)
  await store.closeTick()
}

const pump = async (house: House, slug = 'pump', is_public = true) => {
  const account = await newAccount(house)
  const made = await house.machines.create(account.caller, { slug, is_public })
  return { ...account, ...made }
}

const wholeDirectory = async (path: string): Promise<void> => {
  const { bad } = await fsck({ directory: path })
  assert.equal(bad, null)
}

const judged = (house: House, block: { entry: Parameters<typeof entryProofFault>[0]; proof: EntryProof | null }) => {
  assert.ok(block.proof !== null, 'it is proved')
  const { publicKey } = house.keys
  return entryProofFault(block.entry, block.proof, verifierOf(house.store.log.origin, publicKey))
}

test('a machine is what its genesis says, and its key opens it', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  await tick(house, 7)
  const { machine, zid, api_key } = await pump(house)
  const row = (await house.store.get('machine', 'pump'))!
  const { nonce } = row
  const genesis = genesisHash({ slug: 'pump', owner: zid, node: house.keys.nodeId, genesis_tick: 7, nonce })
  assert.deepEqual([machine.genesis_hash, machine.id_hash], [genesis, machineIdHash('pump', genesis)])
  assert.deepEqual([machine.genesis_tick, machine.head.seq, machine.head.size, machine.role], [7, 0, 1, 'owner'])
  const key = callerOf(house, api_key)
  assert.equal(key.kind === 'machine' && key.machine.scope, 'admin')
  assert.equal(house.machines.read({ caller: key, slug: 'pump' }).role, 'admin')
  const stored: unknown[] = []
  for await (const [, it] of house.store.range('machineKey')) stored.push(it)
  assert.ok(!JSON.stringify(stored).includes(api_key), 'a key is stored by its hash alone')
})

test('slugs: the form, the reserved words, one each, and derived ones that step aside', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { machines } = house
  const { caller, zid } = await newAccount(house)
  for (const slug of ['', '-a', 'a-', 'a--b', 'A', 'ä', 'a_b', 'a'.repeat(65), ...reservedSlugs]) {
    assert.equal((await refusal(() => machines.create(caller, { slug, is_public: false }))).code, 'INVALID_SLUG', slug)
  }
  const slugs: string[] = []
  for (let i = 0; i < 3; i++) slugs.push((await machines.create(caller, { is_public: false })).machine.slug)
  assert.deepEqual(slugs, [zid, `${zid}-2`, `${zid}-3`])
  const other = await newAccount(house)
  const taken = await refusal(() => machines.create(other.caller, { slug: zid, is_public: true }))
  assert.equal(taken.code, 'SLUG_TAKEN')
  const both = await Promise.allSettled(
    [caller, other.caller].map((it) => machines.create(it, { slug: 'one', is_public: true })),
  )
  assert.deepEqual(both.map((it) => it.status).sort(), ['fulfilled', 'rejected'])
})

test('writers at once make one chain without gap, and every entry can be proved offline', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { caller, machine } = await pump(house)
    const other = await newAccount(house)
    await house.machines.create(other.caller, { slug: 'other', is_public: true })
    const random = seeded()
    for (let round = 0; round < 5; round++) {
      const writes = Array.from({ length: random.integer(1, 40) }, (_, i) =>
        i % 3 === 0
          ? house.machines.recordState(writing(caller), i.toString(16).padStart(64, '0'))
          : house.machines.event(writing(caller), { type: 'reading', payload: { round, i } }),
      )
      const beside = house.machines.event(writing(other.caller, 'other'), { type: 'x' })
      const seqs = (await Promise.all(writes)).map((it) => it.answer.seq)
      await beside
      assert.equal(new Set(seqs).size, seqs.length)
      await tick(house, random.integer(1, 3))
    }
    const asking = { caller, slug: 'pump' }
    const { rows } = await house.machines.explore(asking, { limit: 1_000 })
    const walk = chainWalk({ seq: 0, previous: machine.genesis_hash, tick: machine.genesis_tick })
    for (const { seq, prevHash: previous, tickNumber, transitionType: type, body, stateHash } of rows) {
      assert.ok(walk.step({ seq, previous, tick: tickNumber, type, body }, stateHash))
    }
    const ticks = [...new Set(rows.map((it) => it.tickNumber))]
    for (const at of ticks) assert.equal(judged(house, await house.machines.block(asking, { tick: at })), undefined)
    const { valid, count } = await house.machines.validate(asking, {})
    assert.deepEqual([valid, count], [true, rows.length])
    assert.equal((await house.machines.validate(asking, { from: 10_000 })).message, 'empty range')
  }
  await wholeDirectory(dir.path)
})

const headsIn = async ({ store }: House): Promise<number> => {
  let heads = 0
  for (let i = 0; i < store.log.size; i++) {
    const leaf = new TextDecoder().decode((await store.log.leaf(i))!)
    if (leaf.startsWith(`${purposes.head}\n`)) heads += 1
  }
  return heads
}

test('the head of a machine is in the log once for every tick in which it moved, and for no other', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await pump(house)
  for (let i = 0; i < 4; i++) {
    if (i !== 2) for (let n = 0; n < 3; n++) await house.machines.event(writing(caller), { type: 'x' })
    await tick(house)
  }
  assert.equal(await headsIn(house), 3)
})

test('a node that stops within a tick writes its heads under that tick when it is back', async () => {
  using dir = tempDir()
  const first = await openHouse(dir.path)
  const { caller, api_key } = await pump(first)
  await tick(first)
  const { answer } = await first.machines.event(writing(caller), { type: 'last' })
  assert.equal((await first.machines.block({ caller, slug: 'pump' }, { tick: answer.tickNumber })).proof, null)
  await first[Symbol.asyncDispose]()
  await wholeDirectory(dir.path)

  await using house = await openHouse(dir.path, first.clock)
  await tick(house, 50)
  const again = callerOf(house, api_key)
  const block = await house.machines.block({ caller: again, slug: 'pump' }, { tick: answer.tickNumber })
  assert.equal(judged(house, block), undefined)
  assert.equal(house.store.log.checkpoint?.tick, answer.tickNumber)
  const next = await house.machines.event(writing(again), { type: 'next' })
  assert.equal(next.answer.prevHash, answer.hash)
})

test('a machine that is not active takes no entries, and its owner may wake it', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { machines } = house
  const { caller } = await pump(house)
  const asking = { caller, slug: 'pump' }
  for (const status of ['paused', 'archived'] as const) {
    await machines.setStatus(asking, status)
    const { size } = machines.read(asking).head
    const refused = await refusal(() => machines.event(writing(caller), { type: 'x' }))
    assert.deepEqual([refused.code, refused.details['machine_status']], ['MACHINE_NOT_ACTIVE', status])
    assert.equal(machines.read(asking).head.size, size, 'a refusal changes nothing')
  }
  assert.equal((await refusal(() => machines.settings(asking, { purpose: 'x' }))).code, 'MACHINE_NOT_ACTIVE')
  await machines.setStatus(asking, 'active')
  await machines.event(writing(caller), { type: 'x' })
  const fleet = await machines.fleet()
  assert.deepEqual([fleet.machines, fleet.active, fleet.paused, fleet.archived], [1, 1, 0, 0])
})

test('the same Idempotency-Key gives the same entry, another input is refused', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await pump(house)
  const once = { ...writing(caller), idempotencyKey: 'k' }
  const first = await house.machines.event(once, { type: 'x', payload: 1 })
  const second = await house.machines.event(once, { type: 'x', payload: 1 })
  assert.deepEqual([second.answer, second.replayed, first.replayed], [first.answer, true, false])
  assert.equal(
    (await refusal(() => house.machines.event(once, { type: 'x', payload: 2 }))).code,
    'IDEMPOTENCY_KEY_REUSED',
  )
  assert.equal(house.machines.read({ caller, slug: 'pump' }).head.size, 2)
})

test('a machine takes so many entries a minute, and more in the next', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await pump(house)
  const left = WRITES_PER_MINUTE - 1
  const event = () => house.machines.event(writing(caller), { type: 'x' })
  const results = await Promise.allSettled(Array.from({ length: left + 5 }, event))
  assert.equal(results.filter((it) => it.status === 'fulfilled').length, left)
  assert.equal((await refusal(event)).code, 'RATE_LIMITED')
  await tick(house, 78)
  await event()
}, 30_000)

test('sensitive members are sealed; the owner opens them, and the chain says so first', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, zid, api_key } = await pump(house, 'pump', false)
  const order = { direction: 'inbound', address: '192.0.2.77', agent: 'probe/1' } as const
  const { answer } = await house.machines.connection(writing(callerOf(house, api_key)), order)
  const rows: unknown[] = []
  for await (const it of house.store.range('machineEntry')) rows.push(it)
  for (const secret of ['192.0.2.77', 'probe/1', zid]) assert.ok(!JSON.stringify(rows).includes(secret), secret)

  const asking = { caller, slug: 'pump' }
  const opened = await house.machines.decrypt(asking, { from: 0, to: 10 })
  const { by, ...members } = opened.entries[answer.seq]!.members as Record<string, string>
  assert.deepEqual(members, { address: '192.0.2.77', agent: 'probe/1' })
  assert.match(by!, /^key:[0-9a-f]{16}$/)
  assert.deepEqual(opened.entries[0]?.members, { by: zid })
  const { rows: chain } = await house.machines.explore(asking, { limit: 10 })
  const entry = chain[opened.audit_seq]!
  const body = entry.body as Record<string, unknown>
  assert.deepEqual([entry.transitionType, body['by'], body['from'], body['to']], ['audit_decrypted', zid, 0, 10])
  const refused = await refusal(() =>
    house.machines.decrypt({ caller: callerOf(house, api_key), slug: 'pump' }, { from: 0, to: 1 }),
  )
  assert.equal(refused.code, 'SCOPE_REQUIRED')

  const row = house.store.peek('machine', 'pump')!
  await house.store.commit((tx) => tx.del('machineDataKey', `pump/${row.kid}`))
  const erased = await house.machines.decrypt(asking, { from: 0, to: 10 })
  assert.deepEqual(erased.entries[answer.seq]?.members, null)
  assert.equal((await house.machines.validate(asking, {})).valid, true, 'the chain needs no key')
})

test('an anchor puts a head into another chain under a name that only its owner can join', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { machines } = house
  const mother = await pump(house, 'mother')
  const child = await newAccount(house)
  await machines.create(child.caller, { slug: 'child', is_public: false })
  const into = (key?: string) => ({ ...writing(child.caller, 'mother'), idempotencyKey: key })
  assert.equal((await refusal(() => machines.anchor(into(), 'child'))).code, 'SCOPE_REQUIRED')
  await machines.setAnchorConfig({ caller: mother.caller, slug: 'mother' }, { accepts: 'anyone' })
  await machines.anchor(into(), 'child')
  await machines.anchor(into('k'), 'child')
  await machines.anchor(into('k'), 'child')
  const anonymous = { caller: { kind: 'anonymous', bucket: 'x' }, slug: 'mother' } as const
  const [one, ...rest] = await machines.anchored(anonymous)
  assert.deepEqual([one?.anchors, rest.length], [2, 0])
  assert.ok(!JSON.stringify(await machines.anchors(anonymous, 10)).includes('child'))
  await machines.rotateAnchorKey({ caller: child.caller, slug: 'child' })
  await machines.anchor(into(), 'child')
  assert.equal((await machines.anchored(anonymous)).length, 2)
  const opened = await machines.decrypt({ caller: mother.caller, slug: 'mother' }, { from: 0, to: 10 })
  assert.ok(!JSON.stringify(opened.entries).includes(child.zid), 'not even the mother learns who')
  assert.equal((await refusal(() => machines.anchor(into(), 'mother'))).code, 'INVALID_INPUT')
  assert.equal(fromHex(one!.pseudonym).length, 16)
})

test('private machines never appear in a public feed, not even out of its cache', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { machines } = house
  const { caller } = await pump(house, 'seen')
  await machines.create(caller, { slug: 'hidden', is_public: false })
  await machines.event(writing(caller, 'hidden'), { type: 'secret' })
  await machines.event(writing(caller, 'seen'), { type: 'shown' })
  const feeds = async () => ({
    active: (await machines.active(60, 10)).map((it) => it.machine.slug),
    newest: (await machines.newest(10)).map((it) => it.slug),
    recent: [...new Set((await machines.recent(10)).rows.map((it) => it.slug))],
    aggregate: (await machines.aggregate(10)).machines.map((it) => it.slug),
  })
  const only = { active: ['seen'], newest: ['seen'], recent: ['seen'], aggregate: ['seen'] }
  assert.deepEqual(await feeds(), only)
  assert.equal((await machines.fleet()).transitions, 2)
  await machines.settings({ caller, slug: 'seen' }, { is_public: false })
  assert.deepEqual(await feeds(), { active: [], newest: [], recent: [], aggregate: [] })
  assert.equal((await machines.fleet()).machines, 0)
})

test.run()
