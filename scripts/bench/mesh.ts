import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '#gateway/client.ts'
import { namesPeer } from '#mesh/libp2p.ts'
import { bench, wholeOr } from './bench.ts'
import { type ChildNode, startChildNode } from './child-node.ts'
import type { Asked, Found } from './mesh-found.ts'
import { drive, hangUp, type Work } from './mesh-load.ts'
import { report } from './mesh-report.ts'
import { bytesIn, clientOf, look, lookAll, type Sample, sample, synced, type Watched } from './mesh-watch.ts'

const NODES_MAX = 16
const SECONDS_MAX = 86_400
const GRANT = 1_000_000_000
const SAMPLE_EVERY_MS_MAX = 5_000
/** Samples that a short run has at least. */
const SAMPLES_MIN = 20
const JOIN_TRIES_MAX = 240
const STOP_TIMEOUT_MS = 20_000
/** After the load: what gossip missed comes by sync. */
const QUIET_TRIES_MAX = 60
const POLL_MS = 500
const SLUG = 'bench'

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })

interface Party extends Watched {
  readonly child: ChildNode
  readonly key: string
}

const askedOf = (args: readonly string[]): Asked => {
  const options = {
    nodes: { type: 'string' },
    seconds: { type: 'string' },
    calls: { type: 'string' },
    writes: { type: 'string' },
    'sign-ups': { type: 'string' },
    out: { type: 'string' },
  } as const
  const { values } = parseArgs({ args: [...args], options })
  return {
    nodes: Math.min(wholeOr(values.nodes, 7), NODES_MAX),
    seconds: Math.min(wholeOr(values.seconds, 600), SECONDS_MAX),
    calls: wholeOr(values.calls, 42),
    writes: wholeOr(values.writes, 7),
    signUps: wholeOr(values['sign-ups'], 3),
    out: resolve(values.out ?? '.build/bench/mesh.json'),
  }
}

const startParty = async (directory: string, name: string, more: Readonly<Record<string, string>>): Promise<Party> => {
  const data = join(directory, name)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const child = await startChildNode(data, {
    TICKMESH_LIMITS_KEY_CALLS_PER_MINUTE: String(GRANT),
    TICKMESH_LIMITS_ANONYMOUS_CALLS_PER_MINUTE: String(GRANT),
    // Each sign-up comes from an address of its own, as the first proxy says.
    TICKMESH_HTTP_PROXIES: '127.0.0.1',
    ...more,
  })
  return { name, url: child.url, directory: data, pid: child.process.pid ?? 0, child, key: child.ownerKey }
}

const startAll = async (directory: string, count: number, parties: Party[]): Promise<void> => {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const common = { TICKMESH_MESH_SECRET: secret }
  const first = await startParty(directory, 'node1', common)
  parties.push(first)
  const { addresses } = await clientOf(first).call('network.mesh-status', {})
  const address = addresses.find(namesPeer)
  if (address === undefined) throw new Error('the first node listens nowhere')
  for (let i = 2; i <= count; i++) {
    parties.push(await startParty(directory, `node${i}`, { ...common, TICKMESH_BOOTSTRAP: address }))
  }
}

/** Waits until every node knows every other as compatible. */
const joinAll = async (parties: readonly Party[], signal: AbortSignal): Promise<void> => {
  for (let i = 0; i < JOIN_TRIES_MAX && !signal.aborted; i++) {
    const all = await Promise.all(parties.map(look))
    if (all.every((it) => it.compatible === parties.length - 1)) return
    await pause(POLL_MS, signal)
  }
  signal.throwIfAborted()
  throw new Error('the nodes did not all find each other')
}

const prepare = async ({ url, key }: Party): Promise<void> => {
  const client = createClient({ url, key })
  const { zid } = await client.call('economy.credits', {})
  await client.call('economy.grant', { zid, credits: GRANT, reason: 'bench' })
  await client.call('machines.create', { slug: SLUG, is_public: true })
}

/** The load of one node: sealed calls, entries of a machine, and sign-ups, each of which leaves a lasting event. */
const worksOf = ({ key, name }: Party, { nodes, calls, writes, signUps }: Asked): readonly Work[] => {
  const headers = { Authorization: `Bearer ${key}` }
  const place = Number(name.slice('node'.length))
  const addressOf = (count: number): string => `10.${place}.${(count >> 8) & 255}.${count & 255}`
  return [
    {
      kind: 'sealed',
      perSecond: calls / nodes,
      next: (count) => {
        const body = JSON.stringify({ operators: ['KO42', 'GR37'], inputs: { mass: 1e30 + count } })
        return { path: '/api/svc/compute', headers, body }
      },
    },
    {
      kind: 'entry',
      perSecond: writes / nodes,
      next: (count) => {
        const body = JSON.stringify({ type: 'reading', payload: { count } })
        return { path: `/api/chain/${SLUG}/event`, headers, body }
      },
    },
    {
      kind: 'sign-up',
      perSecond: signUps / nodes,
      next: (count) => ({ path: '/api/auth/sign-up', headers: { 'X-Forwarded-For': addressOf(count) }, body: '{}' }),
    },
  ]
}

/** Samples every node at a steady pace; one that does not answer in time is left out of that round. */
const watch = async (parties: readonly Party[], everyMs: number, signal: AbortSignal): Promise<Sample[][]> => {
  const began = performance.now()
  const samples: Sample[][] = parties.map(() => [])
  while (!signal.aborted) {
    await Promise.all(
      parties.map(async (it, i) => {
        const one = await sample(it, (performance.now() - began) / 1000).catch(() => undefined)
        if (one !== undefined) samples[i]?.push(one)
      }),
    )
    await pause(everyMs, signal)
  }
  return samples
}

/** Until nobody lacks a lasting event that somebody has signed for, or the time for it is over. */
const settle = async (parties: readonly Party[], signal: AbortSignal): Promise<void> => {
  for (let i = 0; i < QUIET_TRIES_MAX && !signal.aborted; i++) {
    await pause(POLL_MS, signal)
    const all = await Promise.all(parties.map(look))
    if (all.every((it) => [...it.sources.values()].every(({ size, noted }) => size >= noted)) && i > 8) return
  }
}

const measure = async (parties: readonly Party[], asked: Asked, stop: AbortSignal): Promise<Found> => {
  const before = await lookAll(parties)
  const bytesBefore = parties.map(({ directory }) => bytesIn(directory))
  const began = performance.now()
  const signal = AbortSignal.any([stop, AbortSignal.timeout(asked.seconds * 1000)])
  const watching = watch(parties, Math.min(SAMPLE_EVERY_MS_MAX, (asked.seconds * 1000) / SAMPLES_MIN), signal)
  const driving = parties.flatMap((it) => worksOf(it, asked).map((work) => drive(it.url, work, signal)))
  const tallies = await Promise.all(driving)
  const seconds = (performance.now() - began) / 1000
  const samples = await watching
  await settle(parties, stop)
  const after = await lookAll(parties)
  const bytesAfter = parties.map(({ directory }) => bytesIn(directory))
  const counts = await Promise.all(parties.map(synced))
  return { asked, seconds, before, after, samples, bytesBefore, bytesAfter, tallies, synced: counts }
}

/** First in order, and what does not end within its time, at once. Only what was started here. */
const stopAll = async (parties: readonly Party[]): Promise<void> => {
  const late = setTimeout(() => {
    for (const { child } of parties) child.process.kill('SIGKILL')
  }, STOP_TIMEOUT_MS)
  await Promise.all(parties.map(({ child }) => child.end('SIGTERM')))
  clearTimeout(late)
}

/** A mesh on this machine under a steady load: what arrives, what it costs, and whether it stays flat. */
export const mesh = bench({
  name: 'mesh',
  summary: 'a mesh under load: [--nodes 7] [--seconds 600] [--calls 42] [--writes 7] [--sign-ups 3] [--out file]',
  async run(args) {
    const asked = askedOf(args)
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-mesh-'))
    const parties: Party[] = []
    const stop = new AbortController()
    const onSignal = (): void => stop.abort()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, onSignal)
    try {
      await startAll(directory, asked.nodes, parties)
      await joinAll(parties, stop.signal)
      await Promise.all(parties.map(prepare))
      console.log(`${asked.nodes} nodes have joined; load for ${asked.seconds} s`)
      const found = await measure(parties, asked, stop.signal)
      const { text, data } = report(found)
      mkdirSync(dirname(asked.out), { recursive: true })
      writeFileSync(asked.out, `${JSON.stringify(data, null, 2)}\n`)
      console.log(text)
      console.log(`written to ${asked.out}`)
    } finally {
      hangUp()
      await stopAll(parties)
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal)
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
