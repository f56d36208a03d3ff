/*
 * Goal: programs see the node's state in its page and over HTTP, ask for a mode by the bell with the rules of
 * `POST /api/contribute/mode`, and are woken by interrupts; nobody sees what is another's.
 * Method: a real node with real files, read by the byte form alone; a bell rung as a program rings it; bad input.
 */
import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync, readFileSync, rmSync, symlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { faults } from '#core/fault.ts'
import { bitsOf, putRegister, type RegisterValue, registerOf, stateOfCopy, wordOf } from '#core/mmio/page.ts'
import {
  CONTROL_FILE,
  controlRegisters,
  interrupts,
  modeValues,
  PAGE_BYTES,
  PAGE_FILE,
  pageRegisters,
  registerIn,
} from '#core/mmio/table.ts'
import { type Instant, TICK_NS } from '#core/tick.ts'
import { keyFiles } from '#domain/identity/node-keys.ts'
import { WAITS_PER_OWNER_MAX } from '#domain/network/mmio/waiting.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { ownerCaller } from '../../domain/house.ts'
import { sealMany } from '../../domain/network/contribution/kit.ts'
import { START } from '../../kit/clock.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'
import { roomsOf } from '../../kit/wealth.ts'

const test = suite('api: registers')

const ownerKey = ({ directory }: TestNode): string => readFileSync(join(directory, keyFiles.owner), 'utf8').trim()

/** A node with files, and what a program beside it does. */
const beside = async (base: string, start?: Instant) => {
  const registers = join(base, 'registers')
  const settings = { 'mmio.enabled': true, 'mmio.directory': registers }
  const it = await testNode({ directory: join(base, 'data'), settings, ...(start === undefined ? {} : { start }) })
  const read = (name: string): RegisterValue => {
    const page = readFileSync(join(registers, PAGE_FILE))
    assert.equal(stateOfCopy(page), 'whole')
    return registerOf(page, registerIn(pageRegisters, name))
  }
  const write = (words: Readonly<Record<string, number | bigint>>): void => {
    const bytes = new Uint8Array(PAGE_BYTES)
    const file = openSync(join(registers, CONTROL_FILE), 'r+')
    for (const [name, value] of Object.entries(words)) {
      const row = registerIn(controlRegisters, name)
      putRegister(bytes, row, value)
      writeSync(file, bytes, row.offset, row.width, row.offset)
    }
    closeSync(file)
  }
  let bell = 0n
  /** Rings, and lets the ticks go by in which it is heard. */
  const ring = async (argument: number, request = 1): Promise<void> => {
    bell += 1n
    write({ request, argument })
    write({ doorbell: bell })
    await it.advanceTicks(1)
    await it.advanceTicks(1)
  }
  const get = async (query = '', key: string | undefined = ownerKey(it)) => {
    const headers: HeadersInit = key === undefined ? {} : { Authorization: `Bearer ${key}` }
    const response = await fetch(new URL(`/api/svc/mmio/registers${query}`, it.url), { headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { it, registers, read, write, ring, get }
}

const bits = (word: RegisterValue, of = interrupts): readonly string[] => bitsOf(Number(word), of)

test('every register of the table has its value in the page, and says what the node says', async () => {
  using dir = tempDir()
  const { it, read, registers } = await beside(dir.path)
  await using _ = it
  const { node, client } = it
  await it.advanceTicks(1)
  const { store } = node
  const states = registerIn(pageRegisters, 'state').bits ?? []
  assert.deepEqual(bits(read('state'), states), ['ready'])
  assert.equal(read('tick'), BigInt(store.now().tick))
  assert.equal(read('mesh_tick'), BigInt(store.genesisMeshTick + store.now().tick))
  assert.equal(read('genesis_tick'), BigInt(store.genesisMeshTick))
  assert.equal(read('tick_ns'), 777_000_777n)
  assert.deepEqual([read('phase'), read('r_t')], [store.now().phase, 1])
  assert.equal(modeValues[Number(read('mode'))], 'idle')
  assert.equal(read('zid'), node.services.identity.ownerZid)
  assert.deepEqual(bits(read('irq_status')), ['tick'])

  const owner = it.as(ownerKey(it))
  const free = store.balance('free', node.services.identity.ownerZid)
  assert.equal(read('credits_free'), BigInt(free))
  const sealed = await owner.call('compute.compute', { operators: ['GR37'], inputs: { mass: 1.98892e30 } })
  await assert.rejects(owner.call('compute.compute', { operators: ['GR37'], inputs: { mass: 'no' as never } }))
  await it.advanceTicks(1)
  assert.deepEqual([read('seals'), read('log_size')], [1n, BigInt(store.log.size)])
  assert.deepEqual(bits(read('irq_status')), ['tick', 'sealed', 'refusal'])
  const made = await store.log.checkpoints({ limit: 10 })
  assert.deepEqual([read('refusals'), read('checkpoints')], [1n, BigInt(made.length)])
  assert.equal(read('log_root'), store.log.checkpoint?.root)
  const { token_id, hash } = sealed.envelope as { readonly token_id: string; readonly hash: string }
  assert.equal(read('last_seal'), hash)
  const bundle = await owner.call('compute.bundle', { token_id })
  assert.equal(read('last_result'), bundle.envelope.claim.result_digest)

  const manifest = await client.call('network.mmio', {})
  assert.deepEqual(
    manifest.registers.map(({ name }) => name),
    pageRegisters.map(({ name }) => name),
  )
  assert.deepEqual(manifest.errors, Object.keys(faults))
  assert.deepEqual(manifest.page, { state: 'written', reason: null })
  for (const { name, view, value } of manifest.registers) {
    if (view === 'owner') assert.equal(value, null, name)
    else if (name !== 'crc') assert.equal(String(value), String(read(name)), name)
  }
  assert.notEqual(String(manifest.registers[1]?.value), String(read('crc')), 'the sum of the whole page would tell')
  assert.equal(existsSync(join(registers, CONTROL_FILE)), true)
})

test('the owner sees all, another account its own credits, a stranger nothing', async () => {
  using dir = tempDir()
  const { it, read, get } = await beside(dir.path)
  await using _ = it
  await it.advanceTicks(1)
  const all = await get()
  const names = (body: Record<string, unknown>) => (body['registers'] as { name: string }[]).map(({ name }) => name)
  const shownIn = (body: Record<string, unknown>, name: string) =>
    (body['registers'] as { name: string; value: unknown }[]).find((row) => row.name === name)?.value
  assert.deepEqual([all.status, all.body['is_owner']], [200, true])
  assert.deepEqual(
    names(all.body),
    pageRegisters.map(({ name }) => name),
  )
  assert.equal(shownIn(all.body, 'crc'), read('crc'))
  const account = (await it.client.call('identity.sign-up', {})) as unknown as { api_key: string; zid: string }
  const theirs = await get('', account.api_key)
  assert.deepEqual([theirs.body['is_owner'], theirs.body['files'], theirs.body['zid']], [false, null, account.zid])
  const shown = pageRegisters.filter(({ view }) => view === 'all').map(({ name }) => name)
  assert.deepEqual(new Set(names(theirs.body)), new Set([...shown, 'credits_free', 'credits_paid', 'coins', 'zid']))
  assert.deepEqual([shownIn(theirs.body, 'zid'), shownIn(theirs.body, 'credits_free')], [account.zid, '1287'])
  assert.notEqual(shownIn(theirs.body, 'crc'), read('crc'))
  assert.deepEqual([(await get('', '')).status], [401])
  const demo = await fetch(new URL('/api/demo-key', it.url)).then((r) => r.json() as Promise<{ key: string }>)
  assert.equal((await get('', demo.key)).status, 403)
})

test('the bell: a mode without a bond is refused, idle is done, and a bond lets it contribute', async (signal) => {
  using dir = tempDir()
  const { it, read, ring, write, get } = await beside(dir.path)
  await using _ = it
  await it.advanceTicks(1)
  const code = (): string => Object.keys(faults)[Number(read('error')) - 1] ?? 'none'
  await ring(1)
  await until(() => read('doorbell_done') === 1n, signal)
  assert.deepEqual([code(), read('requests'), read('mode')], ['NOT_BONDED', 1n, 0])
  assert.deepEqual(bits(read('irq_status')), ['tick', 'error'])
  assert.equal(read('error_tick_low'), Number(read('tick')))
  for (const [argument, request] of [
    [3, 1],
    [0, 2],
    [0, 0],
    [0xffffffff, 1],
  ] as const) {
    const before = read('doorbell_done') as bigint
    await ring(argument, request)
    await until(() => (read('doorbell_done') as bigint) > before, signal)
    assert.deepEqual([code(), read('mode')], ['INVALID_INPUT', 0])
  }
  write({ doorbell: 1 })
  await it.advanceTicks(1)
  assert.deepEqual([code(), read('doorbell_done')], ['INVALID_INPUT', 5n], 'a bell that goes back')

  const rooms = roomsOf(it)
  const owner = ownerCaller(rooms)
  assert.ok(owner.kind === 'owner')
  await sealMany(rooms, owner, { count: 1_000, funding: 'paid' })
  await it.node.services.contribution.bond(owner, {})
  await ring(1)
  await until(() => read('doorbell_done') === 6n, signal)
  assert.deepEqual([code(), modeValues[Number(read('mode'))]], ['none', 'contributing'])
  assert.deepEqual([read('bond_count'), read('bond_state')], [1_000, 1])
  assert.ok(it.lines.some(({ level, event }) => level === 'audit' && event === 'contribution_mode'))
  await it.node.services.contribution.release(owner)
  await it.advanceTicks(1)
  assert.deepEqual([read('bond_state'), Number(read('unlocks_at')) > Number(read('mesh_tick'))], [2, true])
  const { body } = await get()
  const mode = (body['registers'] as { name: string; means: string }[]).find(({ name }) => name === 'bond_state')
  assert.equal(mode?.means, 'released')
})

test('an interrupt is acknowledged once for a word, and a masked one wakes nobody', async () => {
  using dir = tempDir()
  const { it, read, write, get } = await beside(dir.path)
  await using _ = it
  await it.advanceTicks(1)
  const all = wordOf(interrupts, interrupts)
  write({ irq_ack: all, irq_mask: wordOf(['tick'], interrupts) })
  await it.advanceTicks(1)
  assert.deepEqual([bits(read('irq_status')), read('irq_acked')], [['tick'], all], 'this tick is later')

  const tick = Number(read('tick'))
  const waiting = get(`?wait=60&after=${tick}`)
  await it.advanceTicks(1)
  let isOver = false
  void waiting.then(() => {
    isOver = true
  })
  await it.advanceTicks(1)
  await get()
  assert.equal(isOver, false, 'a masked interrupt')
  await assert.rejects(
    it.as(ownerKey(it)).call('compute.compute', { operators: ['GR37'], inputs: { mass: [] as never } }),
  )
  await it.advanceTicks(1)
  const woken = await waiting
  assert.deepEqual([woken.status, woken.body['woken']], [200, true])
  assert.deepEqual((await get(`?wait=60&after=${tick}`)).body['woken'], true, 'what came before the call is not lost')
  assert.equal((await get('?wait=0.01')).body['woken'], false)
})

test('bad input over HTTP: a code, and nothing waits', async () => {
  using dir = tempDir()
  const { it, get } = await beside(dir.path)
  await using _ = it
  await it.advanceTicks(1)
  for (const query of ['?wait=61', '?wait=-1', '?wait=x', '?after=-1', '?after=1.5', '?register=tick', '?wait=1e400']) {
    const { status, body } = await get(query)
    assert.deepEqual([status, body['code']], [400, 'INVALID_INPUT'], query)
  }
  const stop = new AbortController()
  const headers = { Authorization: `Bearer ${ownerKey(it)}` }
  const many = Array.from({ length: WAITS_PER_OWNER_MAX + 1 }, () =>
    fetch(new URL('/api/svc/mmio/registers?wait=60', it.url), { headers, signal: stop.signal }),
  )
  const first = await Promise.race(many)
  assert.deepEqual([first.status, ((await first.json()) as { code: string }).code], [429, 'RATE_LIMITED'])
  stop.abort()
  await Promise.allSettled(many)
  assert.equal((await get('?wait=0')).status, 200)
})

test('the page goes on over restarts; what was rung is done once; counts since the genesis stay', async (signal) => {
  using dir = tempDir()
  let tick = 0n
  {
    const { it, read, ring } = await beside(dir.path)
    await using _ = it
    await it.advanceTicks(1)
    const owner = it.as(ownerKey(it))
    await owner.call('compute.compute', { operators: ['GR37'], inputs: { mass: 2e30 } })
    await ring(0)
    await until(() => read('doorbell_done') === 1n, signal)
    await it.advanceTicks(1)
    tick = read('tick') as bigint
  }
  const states = registerIn(pageRegisters, 'state').bits ?? []
  const page = readFileSync(join(dir.path, 'registers', PAGE_FILE))
  assert.deepEqual(bitsOf(Number(registerOf(page, registerIn(pageRegisters, 'state'))), states), ['stopping'])
  {
    const { it, read } = await beside(dir.path, START + 100n * TICK_NS)
    await using _ = it
    await it.advanceTicks(2)
    await it.advanceTicks(1)
    assert.deepEqual([read('doorbell_done'), read('requests'), read('seals')], [1n, 1n, 1n])
    assert.ok((read('tick') as bigint) >= tick)
    assert.equal(bits(read('irq_status')).includes('sealed'), true, 'nobody acknowledged it')
  }
  assert.equal((await fsck({ directory: join(dir.path, 'data') })).bad, null)
})

test('files that fail are said, the node goes on, and they come back by themselves', async () => {
  using dir = tempDir()
  const { it, registers, read, get } = await beside(dir.path)
  await using _ = it
  const path = join(registers, PAGE_FILE)
  rmSync(path)
  symlinkSync(join(dir.path, 'elsewhere'), path)
  await it.advanceTicks(1)
  const failed = await get()
  assert.equal((failed.body['page'] as { state: string }).state, 'failed')
  assert.match((failed.body['page'] as { reason: string }).reason, /symbolic link/)
  const told = await it.client.call('network.mmio', {})
  assert.equal(told.page.reason?.includes(dir.path), false, 'no path for strangers')
  assert.equal(existsSync(join(dir.path, 'elsewhere')), false)
  await it.advanceTicks(1)
  assert.equal(it.lines.filter(({ event }) => event === 'registers_failed').length, 1, 'told once')
  rmSync(path)
  await it.advanceTicks(1)
  assert.equal(read('tick'), BigInt(it.node.store.now().tick))
  assert.equal(((await get()).body['page'] as { state: string }).state, 'written')
})

test.run()
