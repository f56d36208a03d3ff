/**
 * Goal: every metric of the node moves when its cause happens, none is without a cause, and no caller can make series
 * at will. Method: real nodes; the list of metrics is read from the node itself, so that a new one without a cause here
 * fails.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import perfHooks from 'node:perf_hooks'
import { endpoints } from '#api/index.ts'
import { counters, durations } from '#core/telemetry.ts'
import { REPLAY_MAX } from '#domain/machines/feeds.ts'
import type { Client } from '#gateway/client.ts'
import { gaugesOf } from '#node/gauges.ts'
import { createMetrics } from '#node/metrics.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('node/metrics')
const SECRET = 'a mesh secret of the test, of more than 32 bytes'
const ORDER = { operators: ['GR37'], inputs: { mass: 1 } }
/** Writes at a time: they share their fsyncs. */
const BATCH = 50

const scrape = async ({ url }: TestNode): Promise<string> => (await fetch(new URL('/metrics', url))).text()

/** Names in the exposition, without those that every Node process has. */
const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^# TYPE tickmesh_(\w+) \w+$/gm)]
    .map(([, name]) => name ?? '')
    .filter((name) => !/^(?:process|nodejs)_/.test(name))

/** Sum over the series of a metric; of a histogram, how many were observed. */
const sumOf = (text: string, name: string): number =>
  [...text.matchAll(new RegExp(`^tickmesh_${name}(?:_count)?(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
    .map(([, value]) => Number(value))
    .reduce((sum, value) => sum + value, 0)

/** The text of every other test. */
const testsBut = (file: string): string => {
  const folder = new URL('..', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const tests = files.filter((it) => it.endsWith('.ts') && !it.endsWith(file))
  return tests.map((it) => readFileSync(new URL(it, folder), 'utf8')).join('\n')
}

interface Rig {
  readonly node: TestNode
  readonly mine: Client
  readonly signal: AbortSignal
  /** Ends with the test, after what was done last. */
  readonly opened: AsyncDisposableStack
}

const computed = ({ mine }: Rig): Promise<unknown> => mine.call('compute.compute', ORDER)

/** A reader that stays. */
const reading = async ({ mine, node, signal, opened }: Rig): Promise<void> => {
  const stop = new AbortController()
  await mine.call('machines.create', { slug: 'feed', is_public: true })
  const path = new URL('/api/chain/feed/explore/sse', node.url)
  const { status } = await fetch(path, { signal: AbortSignal.any([signal, stop.signal]) })
  assert.equal(status, 200)
  opened.defer(() => stop.abort())
}

const missing = async ({ node, mine, signal }: Rig): Promise<void> => {
  await mine.call('machines.create', { slug: 'long', is_public: true })
  for (let written = 0; written < REPLAY_MAX + BATCH; written += BATCH) {
    // A machine takes so many entries a minute, by the node's clock.
    if (written % (10 * BATCH) === 0) await node.advanceTicks(100)
    const write = () => mine.call('machines.event', { slug: 'long', type: 'reading', payload: written })
    await Promise.all(Array.from({ length: BATCH }, write))
  }
  const left = new AbortController()
  const options = { signal: AbortSignal.any([signal, left.signal]), lastEventId: '0' }
  for await (const frame of mine.stream('explorer.machine-stream', { slug: 'long' }, options)) {
    assert.equal(frame.event, 'gap')
    break
  }
  left.abort()
}

const nothing = (): void => undefined

/** More long computations than there are threads. */
const waiting = async ({ mine, opened }: Rig): Promise<void> => {
  const long = { nx: 256, ny: 256, dt: 0.1, steps: 2_000 }
  for (let i = 0; i < 3; i++) {
    const { body } = await mine.send(
      'POST',
      '/api/svc/heat',
      { ...long, steps: 2_000 + i },
      { prefer: 'respond-async' },
    )
    const { id } = body as { id: string }
    opened.defer(() => mine.call('compute.job-cancel', { id }).then(nothing, nothing))
  }
}

/** A long-poll for a step that nobody takes. */
const followed = async ({ mine, signal, opened }: Rig): Promise<void> => {
  await mine.call('compute.reactor', {})
  const stop = new AbortController()
  const options = { signal: AbortSignal.any([signal, stop.signal]) }
  const waits = mine.call('compute.reactor-next', { wait: 60 }, options).then(nothing, nothing)
  opened.defer(() => {
    stop.abort()
    return waits
  })
}

const joined = async ({ node, signal, opened }: Rig): Promise<void> => {
  const [address = ''] = (await node.client.call('network.mesh-status', {})).addresses
  const settings = { 'p2p.enabled': true, 'mesh.secret': SECRET, bootstrap: address }
  opened.use(await testNode({ settings }))
  await until(async () => (await node.client.call('network.mesh-status', {})).meshSize === 2, signal)
}

/** Another node signs an account up, which leaves a lasting event, and says so by gossip. */
const heardOf = async ({ node, signal, opened }: Rig): Promise<void> => {
  const [address = ''] = (await node.client.call('network.mesh-status', {})).addresses
  const settings = { 'p2p.enabled': true, 'mesh.secret': SECRET, bootstrap: address }
  const other = opened.use(await testNode({ settings }))
  await other.client.call('identity.sign-up', {})
  await until(async () => {
    for (const it of [node, other]) await it.advanceTicks(4)
    return sumOf(await scrape(node), 'sync_leaves_total') > 0
  }, signal)
}

const refusedGossip = ({ node }: Rig): Promise<Response> =>
  fetch(new URL('/api/mesh/gossip', node.url), { method: 'POST', body: '{}' })

/** What makes each metric move. */
const causes: Readonly<Record<string, (rig: Rig) => unknown>> = {
  seals_total: computed,
  seal_seconds: computed,
  fsync_seconds: computed,
  http_requests_total: computed,
  http_seconds: computed,
  credits_burned: computed,
  chain_head: computed,
  gate_rejections_total: ({ mine }) => mine.call('compute.heat', { dt: 25, steps: 4 }).catch(() => undefined),
  credits_minted: ({ node }) => node.client.call('identity.sign-up', {}),
  credentials_refused_total: ({ node }) =>
    node
      .as('svc_ak_none')
      .call('economy.credits', {})
      .catch(() => undefined),
  gossip_dropped_total: refusedGossip,
  jobs: ({ mine }) => mine.send('POST', '/api/svc/heat', { nx: 16, ny: 16 }, { prefer: 'respond-async' }),
  computations_waiting: waiting,
  reactors: ({ mine }) => mine.call('compute.reactor', {}),
  reactor_waits: followed,
  http_calls: reading,
  sse_clients: reading,
  sse_gaps_total: missing,
  peers: joined,
  sync_sources: heardOf,
  sync_leaves_total: heardOf,
  tick_lag: async (rig) => {
    await computed(rig)
    rig.node.passTicks(3)
  },
  clock_broken: ({ node }) => node.jumpWall(90_000_000_000_000n),
}

/** Metrics whose cause comes from another node. */
const withMesh = ['peers', 'sync_sources', 'sync_leaves_total']

/** What cannot be made to happen to a whole node here, and is looked at by itself below. */
const still = ['sandbox_runs', 'store_broken', 'sync_behind_leaves', 'data_free_bytes', 'build_info']

for (const [name, cause] of Object.entries(causes)) {
  test(`${name} moves when its cause happens`, async (signal) => {
    await using opened = new AsyncDisposableStack()
    const settings = { 'mesh.secret': SECRET, 'p2p.enabled': withMesh.includes(name), 'compute.threads': 1 }
    const node = opened.use(await testNode({ settings }))
    const { api_key: key } = await node.client.call('identity.sign-up', {})
    const rig = { node, mine: node.as(key), signal, opened }
    const before = sumOf(await scrape(node), name)
    await cause(rig)
    // What the gateway counts of a call is counted when its answer is out.
    await until(async () => sumOf(await scrape(node), name) > before, signal)
  }, 60_000)
}

test('every metric has its cause, and every row of the table is there', async () => {
  await using node = await testNode()
  const names = namesIn(await scrape(node))
  const here = [...Object.keys(causes), ...still]
  assert.deepEqual(
    here.filter((name) => !names.includes(name)),
    [],
  )
  // A part that is tested with its own kind of peers makes its metrics move there, by their names.
  const elsewhere = testsBut('metrics.test.ts')
  for (const name of names) assert(here.includes(name) || elsewhere.includes(name), `no test makes ${name} move`)
  for (const name of [...Object.keys(counters), ...Object.keys(durations)]) assert(names.includes(name), name)
  const dayOne = 'seals_total seal_seconds gate_rejections_total fsync_seconds chain_head tick_lag sse_clients'
  const more = 'sse_gaps_total peers gossip_dropped_total credits_minted credits_burned sandbox_runs jobs'
  for (const name of `${dayOne} ${more}`.split(' ')) assert(names.includes(name), name)
})

test('what stands still stands right: no sandbox yet, the disk, the release, and a store that fails', async () => {
  await using it = await testNode()
  const text = await scrape(it)
  assert.match(text, /^tickmesh_sandbox_runs\{code="ok"\} 0$/m)
  assert.match(text, /^# HELP tickmesh_sandbox_runs .*0 in a release without one\.$/m)
  assert.match(text, /^tickmesh_build_info\{version="\d+\.\d+\.\d+",build="[0-9a-f]{16}"\} 1$/m)
  assert.match(text, /^tickmesh_store_broken 0$/m)
  const { blocks, bsize } = statfsSync(it.directory)
  const free = sumOf(text, 'data_free_bytes')
  assert(free > 0 && free <= blocks * bsize)
  const { services, store } = it.node
  const broken = Object.create(store, { failure: { value: new Error('no space left') } }) as typeof store
  const clock = { now: () => 0n, compare: () => ({ kind: 'steady' }) as const, broken: () => undefined }
  const release = { version: '0.0.0', build: '0' }
  const rest = { clock, services, gateway: { streams: 0, sockets: 0, calls: 0 }, directory: it.directory, release }
  const behind = { sources: () => [{ behind: 3 }, { behind: 4 }] }
  const lagging = { ...services, network: { ...services.network, sync: behind } } as unknown as typeof services
  const rows = gaugesOf({ ...rest, store: broken, services: lagging })
  const level = (of: string): unknown => rows.find(({ name }) => name === of)?.read()
  assert.deepEqual([level('store_broken'), level('sync_behind_leaves')], [1, 7])
})

test('the lag of the loop is looked at once somebody reads it, and then wakes an idle process seldom', async () => {
  const { monitorEventLoopDelay } = perfHooks
  const looks: (number | undefined)[] = []
  perfHooks.monitorEventLoopDelay = (options) => {
    looks.push(options?.resolution)
    return monitorEventLoopDelay(options)
  }
  try {
    const metrics = createMetrics()
    assert.deepEqual(looks, [])
    await metrics.text()
    assert.match(await metrics.text(), /^tickmesh_nodejs_eventloop_lag_p99_seconds /m)
  } finally {
    perfHooks.monitorEventLoopDelay = monitorEventLoopDelay
  }
  assert.deepEqual(looks, [50])
})

test('tick_lag is how long a leaf has waited: 0 after a checkpoint, however long nothing was sealed', async () => {
  await using it = await testNode()
  const lag = async (): Promise<number> => sumOf(await scrape(it), 'tick_lag')
  await it.advanceTicks(500)
  assert.equal(await lag(), 0)
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  await it.as(key).call('compute.compute', ORDER)
  assert.equal(await lag(), 0)
  it.passTicks(7)
  assert.equal(await lag(), 7)
  await it.advanceTicks(1)
  assert.equal(await lag(), 0)
})

test('no caller makes series at will: paths, solvers, operators, methods and statuses that are made up', async () => {
  await using it = await testNode()
  const known = new Set<string>(endpoints.map(({ id }) => id))
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const ask = async (i: number): Promise<void> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ operators: [`GR9${i}`], inputs: {} })
    for (const path of [`/x${i}`, `/api/svc/solver${i}`, `/api/chain/slug${i}`, `/api/constants/c${i}`]) {
      await fetch(new URL(path, it.url), { method: i % 2 === 0 ? 'GET' : 'POST', headers, ...(i % 2 && { body }) })
    }
    await fetch(new URL('/api/svc/compute', it.url), { method: 'POST', headers, body })
  }
  const series = async (): Promise<readonly string[]> =>
    (await scrape(it)).split('\n').filter((line) => /^tickmesh_(?!nodejs_|process_)/.test(line))
  await ask(0)
  await ask(1)
  await series()
  const before = await series()
  for (let i = 2; i < 40; i++) await ask(i)
  const after = await series()
  const nameOf = (line: string): string => line.slice(0, line.lastIndexOf(' '))
  const had = new Set(before.map(nameOf))
  assert.deepEqual(
    after.map(nameOf).filter((name) => !had.has(name)),
    [],
  )
  for (const [, endpoint = ''] of after.join('\n').matchAll(/endpoint="([^"]*)"/g)) {
    assert(known.has(endpoint) || endpoint === 'none', endpoint)
  }
}, 30_000)

test.run()
