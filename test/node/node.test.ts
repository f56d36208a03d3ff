// Goal: a node starts whole or not at all, keeps its word across a restart, and stops in order.
// Method: real nodes in directories of the test, on a clock that stands until it is moved.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { isStartRefusal } from '#node/run.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('node/node')

const get = async ({ url }: TestNode, path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(new URL(path, url))
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('it is ready when it says so, with each check named', async () => {
  await using it = await testNode()
  const { status, body } = await get(it, '/readyz')
  const checks = body['checks'] as { name: string; ok: boolean }[]
  assert.deepEqual([status, body['ok']], [200, true])
  assert.deepEqual(
    checks.map(({ name }) => name),
    ['log', 'head', 'clock_behind', 'log_whole', 'clock', 'pool', 'peers', 'state'],
  )
  assert.equal(it.lines.find(({ event }) => event === 'ready')?.level, 'info')
})

test('a mesh policy is stated by its digest; a file that is none refuses the start and leaves nothing', async () => {
  using dir = tempDir()
  const file = join(dir.path, 'policy')
  writeFileSync(file, '# nobody\nquorum none\n')
  const policyOf = async (settings: object): Promise<string> => {
    await using it = await testNode({ settings: { ...settings } })
    return (await it.client.call('network.mesh-status', {})).policy
  }
  assert.equal(await policyOf({ 'mesh.policy': file }), createHash('sha256').update(readFileSync(file)).digest('hex'))
  assert.equal(await policyOf({}), 'open')
  const data = join(dir.path, 'data')
  const refused = async (path: string, message: RegExp): Promise<void> => {
    const started = testNode({ directory: data, settings: { 'mesh.policy': path } })
    await assert.rejects(started, { name: 'ConfigError', message })
    assert.equal(existsSync(data), false)
  }
  await refused(join(dir.path, 'none'), /mesh\.policy cannot be read/)
  writeFileSync(file, 'quorum everybody\n')
  await refused(file, /mesh\.policy .* is no policy: Line 1: no line before this one defines everybody/)
})

test('the pulse is that of the grid: genesis on a boundary, tick 0, phase 0, then a tick at a time', async () => {
  await using it = await testNode()
  const pulse = await it.client.call('compute.pulse', {})
  assert.deepEqual([pulse.tick, pulse.phase, pulse.R_t, pulse.fieldStrength], [0, 0, 1, 0])
  assert.equal(pulse.timeToNextTick, 0.777000777)
  assert.equal(pulse._kernel.protocol.length, 7)
  await it.advanceTicks(5)
  const later = await it.client.call('compute.pulse', {})
  assert.deepEqual([later.tick, later.sinceGenesis, later.mesh_tick - later.genesisTick], [5, 5, 5])
  assert.equal(later.genesisAt, new Date(later.genesisUnixMs).toISOString())
})

test('what was acknowledged is there after a restart, under the same identity and the same genesis', async () => {
  using dir = tempDir()
  const account = await (async () => {
    await using it = await testNode({ directory: dir.path })
    const made = await it.client.call('identity.sign-up', {})
    await it.as(made.api_key).call('compute.compute', { operators: ['GR37'], inputs: { mass: 1.98892e30 } })
    return { ...made, node: it.node.nodeId, genesis: it.node.store.genesisMeshTick, size: it.node.store.log.size }
  })()
  await using again = await testNode({ directory: dir.path })
  assert.equal(again.node.nodeId, account.node)
  assert.equal(again.node.store.genesisMeshTick, account.genesis)
  assert.equal(again.node.store.log.size, account.size)
  const credits = await again.as(account.api_key).call('economy.credits', {})
  assert.equal(credits.free, 1287 - 3)
})

test('a tick that is over is closed: promised, sealed, final', async () => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const mine = it.as(key)
  const answer = await mine.call('compute.compute', { operators: ['GR37'], inputs: { mass: 1.98892e30 } })
  const id = (answer.envelope as { token_id: string }).token_id
  const state = async (): Promise<string> => (await mine.call('economy.envelope', { token_id: id })).state
  assert.equal(await state(), 'promised')
  await it.advanceTicks(1)
  assert.equal(await state(), 'sealed')
  await it.advanceTicks(2)
  assert.equal(await state(), 'final')
})

test('a suspended machine: the tick jumps, says so, and the node goes on; an absurd jump ends readiness', async () => {
  await using it = await testNode()
  await it.jumpWall(3_600_000_000_000n)
  const { tick, clock_jumps } = await it.client.call('explorer.status', {})
  assert.deepEqual([tick, clock_jumps], [4633, [{ tick: 0, step_ns: '3600000000000' }]])
  assert.deepEqual(it.lines.find(({ event }) => event === 'clock_jump')?.fields, { tick: 0, step_ns: '3600000000000' })
  assert.equal((await get(it, '/readyz')).status, 200)
  await it.jumpWall(90_000_000_000_000n)
  const { status, body } = await get(it, '/readyz')
  const failed = (body['checks'] as { name: string; ok: boolean; detail: string }[]).filter(({ ok }) => !ok)
  assert.deepEqual([status, failed.map(({ name }) => name)], [503, ['clock']])
  assert.match(failed[0]!.detail, /90000 s/)
  assert.equal((await it.client.call('explorer.status', {})).tick, 4633)
})

test('a clock behind the log seals nothing until it has passed, and more than an hour behind is no start', async () => {
  using dir = tempDir()
  const order = { operators: ['GR37'], inputs: { mass: 1 } }
  const key = await (async () => {
    await using it = await testNode({ directory: dir.path })
    await it.advanceTicks(4000)
    const { api_key: made } = await it.client.call('identity.sign-up', {})
    await it.as(made).call('compute.compute', order)
    return made
  })()
  await using it = await testNode({ directory: dir.path })
  assert.equal((await get(it, '/readyz')).status, 503)
  await assert.rejects(
    it.as(key).call('compute.compute', order),
    (error: { code?: string }) => error.code === 'CLOCK_BEHIND',
  )
  assert.equal((await it.as(key).call('economy.credits', {})).free, 1287 - 3)
  await it.advanceTicks(4001)
  await it.as(key).call('compute.compute', order)
  assert.equal((await it.as(key).call('economy.credits', {})).free, 1287 - 6)
  await it.advanceTicks(1000)
  await it.as(key).call('compute.compute', order)
  await it[Symbol.asyncDispose]()
  await assert.rejects(
    testNode({ directory: dir.path }),
    (error: Error) => isStartRefusal(error) && /behind/.test(error.message),
  )
})

test('a second node on the directory is refused with the holder’s pid, a taken port with its address', async () => {
  await using it = await testNode()
  await assert.rejects(testNode({ directory: it.directory }), (error: Error) => {
    assert(isStartRefusal(error))
    return error.message.includes(String(process.pid))
  })
  const port = Number(new URL(it.url).port)
  await assert.rejects(testNode({ settings: { 'http.port': port } }), (error: Error) => {
    assert(isStartRefusal(error))
    return error.message.includes(`127.0.0.1:${port}`)
  })
  assert.equal((await get(it, '/readyz')).status, 200)
})

test('a start that fails half way lets go of what it held', async () => {
  using dir = tempDir()
  await using it = await testNode()
  const port = Number(new URL(it.url).port)
  await assert.rejects(testNode({ directory: dir.path, settings: { 'http.port': port } }))
  await using other = await testNode({ directory: dir.path })
  assert.equal((await get(other, '/readyz')).status, 200)
})

test('stopping: nothing is accepted any more, what runs is answered, and it does not take long', async () => {
  const it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const running = it.as(key).ask('compute.compute', { operators: ['GR37'], inputs: { mass: 1 } })
  await running
  const stopped = it[Symbol.asyncDispose]()
  await stopped
  const socket = createConnection(Number(new URL(it.url).port), '127.0.0.1')
  const [error] = await once(socket, 'error')
  assert.equal((error as NodeJS.ErrnoException).code, 'ECONNREFUSED')
})

test('the owner link works once, and opens the owner’s session', async () => {
  await using it = await testNode()
  const link = it.node.ownerLink()
  const first = await fetch(link, { redirect: 'manual' })
  assert.equal(first.status, 303)
  const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';')
  const second = await fetch(link, { redirect: 'manual' })
  assert.equal(second.status, 401)
  const credits = await fetch(new URL('/api/credits/status', it.url), { headers: { Cookie: cookie } })
  assert.equal(credits.status, 200)
  assert.equal(((await credits.json()) as { zid: string }).zid, it.node.services.identity.ownerZid)
})

test('no log line of a whole life names a key, a token or a session', async () => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  await it.as(key).call('economy.credits', {})
  const link = it.node.ownerLink()
  await fetch(link, { redirect: 'manual' })
  const text = JSON.stringify(it.lines)
  const token = new URL(link).searchParams.get('token') ?? ''
  assert(token.length > 20)
  for (const secret of [key, token, it.node.services.identity.sharedDemoKey().key]) assert(!text.includes(secret))
})

test('metrics tell what was done: seals, credits, writes, the head of the log', async () => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  await it.as(key).call('compute.compute', { operators: ['GR37'], inputs: { mass: 1 } })
  await it.advanceTicks(1)
  const text = await (await fetch(new URL('/metrics', it.url))).text()
  const value = (line: string): number => Number(new RegExp(`^tickmesh_${line} (\\S+)$`, 'm').exec(text)?.[1])
  assert.equal(value('seals_total\\{solver="compute",result="sealed"\\}'), 1)
  assert.equal(value('credits_burned\\{asset="free"\\}'), 3)
  // The owner's own account is made at the first start.
  assert.equal(value('credits_minted\\{source="sign-up"\\}'), 2 * 1287)
  assert.equal(value('chain_head'), it.node.store.log.size)
  assert.equal(value('tick_lag'), 0)
  assert(value('fsync_seconds_count') >= 2)
})

test('constants: any case, legacy names, and an unknown one by its code', async () => {
  await using it = await testNode()
  for (const [path, value] of [
    ['c', 299792458],
    ['C', 299792458],
    ['g_N', 9.80665],
    ['HZ', 1.287],
    ['PHI_C', 1],
  ] as const) {
    assert.equal((await get(it, `/api/constants/${path}`)).body['value'], value, path)
  }
  const unknown = await get(it, '/api/constants/nothing')
  assert.deepEqual([unknown.status, unknown.body['code'], unknown.body['key']], [404, 'CONSTANT_NOT_FOUND', 'nothing'])
})

test('the prompt is Markdown by Accept or by name, and JSON otherwise', async () => {
  await using it = await testNode()
  const type = async (path: string, accept?: string): Promise<string> => {
    const response = await fetch(new URL(path, it.url), accept === undefined ? {} : { headers: { Accept: accept } })
    await response.body?.cancel()
    return response.headers.get('content-type') ?? ''
  }
  assert.match(await type('/api/kernel/prompt'), /^application\/json/)
  assert.match(await type('/api/kernel/prompt', 'text/markdown'), /^text\/markdown/)
  assert.match(await type('/api/kernel/prompt?format=markdown'), /^text\/markdown/)
  assert.match(await type('/api/kernel/prompt?format=json', 'text/markdown, application/json'), /^application\/json/)
})

test('Landauer’s bound is k_B·T·ln 2 for each bit, and grows with the work', async () => {
  await using it = await testNode()
  const before = await it.client.call('explorer.landauer', {})
  assert.equal(before.bound_joules, before.bits_erased * before.joules_per_bit)
  assert(Math.abs(before.joules_per_bit / 2.870978885e-21 - 1) < 1e-9)
  await it.client.call('identity.sign-up', {})
  const after = await it.client.call('explorer.landauer', {})
  assert(after.bits_erased > before.bits_erased)
})

test.run()
