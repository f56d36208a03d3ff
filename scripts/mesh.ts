import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createClient } from '#gateway/client.ts'
import { namesPeer } from '#mesh/libp2p.ts'

// Runs n nodes on this machine: `npm run mesh -- 3`. Each is a process with data of its own; all share a random secret
// and join by the first. Data goes to a temporary directory, removed at the end, or to --dir, which is kept.

const USAGE = `usage: npm run mesh -- [nodes 1..16, default 3] [--dir path] [--seconds n] [--json] [--open]
                        [--witnesses n]
  --dir      keep the nodes' data there
  --seconds  stop by itself after so many seconds
  --json     one JSON line per summary instead of a table
  --open     no mesh secret: libp2p works on signatures alone, the HTTP entrance stays closed
  --witnesses  a policy that names all logs and asks for cosignatures of the last n nodes, which all go by`

const NODES_MAX = 16
const SECRET_BYTES = 32
const START_TIMEOUT_MS = 60_000
const CALL_TIMEOUT_MS = 5_000
const SUMMARY_EVERY_MS = 2_000
/** A node gives itself ten seconds to stop in order; after this it is ended. */
const STOP_TIMEOUT_MS = 15_000

interface Running {
  readonly name: string
  readonly url: string
  readonly child: ChildProcess
}

interface Asked {
  readonly nodes: number
  readonly directory: string | undefined
  readonly seconds: number | undefined
  readonly json: boolean
  readonly open: boolean
  readonly witnesses: number
}

const usage = (why: string): never => {
  console.error(`${why}\n${USAGE}`)
  process.exit(2)
}

const whole = (text: string, what: string, least: number, most: number): number => {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= least && value <= most ? value : usage(`${what}: ${least} to ${most}`)
}

const argumentsOf = (): Asked => {
  const options = {
    dir: { type: 'string' },
    seconds: { type: 'string' },
    json: { type: 'boolean', default: false },
    open: { type: 'boolean', default: false },
    witnesses: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  } as const
  const read = () => {
    try {
      return parseArgs({ allowPositionals: true, options })
    } catch (error) {
      return usage(error instanceof Error ? error.message : String(error))
    }
  }
  const { values, positionals } = read()
  if (values.help) {
    console.log(USAGE)
    process.exit(0)
  }
  if (positionals.length > 1) usage('one number of nodes')
  const nodes = whole(positionals[0] ?? '3', 'nodes', 1, NODES_MAX)
  return {
    nodes,
    witnesses: whole(values.witnesses, '--witnesses', 0, nodes),
    directory: values.dir === undefined ? undefined : resolve(values.dir),
    seconds: values.seconds === undefined ? undefined : whole(values.seconds, '--seconds', 1, 86_400),
    json: values.json,
    open: values.open,
  }
}

/** Settings of the surroundings would go to every node at once; only what a person set on purpose for all stays. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('TICKMESH_') || name === 'TICKMESH_LOG'),
  )

/** Everything this script started and must end. */
const started: ChildProcess[] = []
const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

const startNode = async (name: string, settings: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Running> => {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'start'], {
    // A group of its own: Ctrl-C reaches this script alone, which then stops the nodes in order.
    detached: true,
    env: { ...environment(), TICKMESH_CONFIG: 'config/local.json', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  createInterface({ input: child.stderr }).on('line', (line) => console.error(`${name}: ${line}`))
  const lines = createInterface({ input: child.stdout })
  const time = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)])
  const ended = once(child, 'exit', { signal: time }).then(([code]) => {
    throw new Error(`${name} ended with ${code} before it was ready`)
  })
  const ready = once(lines, 'line', { signal: time }).then(([line]) => String(line))
  const line = await Promise.race([ready, ended])
  ended.catch(() => undefined)
  const url = /^ready (http\S+)$/.exec(line)?.[1]
  if (url === undefined) throw new Error(`${name} said ${JSON.stringify(line)} instead of ready`)
  return { name, url, child }
}

/** First SIGTERM, and what is left after the time that a node gives itself is ended. */
const stopAll = async (): Promise<void> => {
  const alive = started.filter(isAlive)
  for (const child of alive) child.kill('SIGTERM')
  const gone = Promise.all(alive.map((child) => (isAlive(child) ? once(child, 'exit') : undefined)))
  const late = new AbortController()
  await Promise.race([gone, pause(STOP_TIMEOUT_MS, undefined, { signal: late.signal }).catch(() => undefined)])
  late.abort()
  for (const child of alive.filter(isAlive)) child.kill('SIGKILL')
}

const statusOf = (url: string, signal: AbortSignal) =>
  createClient({ url, timeoutMs: CALL_TIMEOUT_MS }).call('network.mesh-status', {}, { signal })

/** One line per node: whom it sees and what came in. */
const summary = async (nodes: readonly Running[], signal: AbortSignal) =>
  Promise.all(
    nodes.map(async ({ name, url }) => {
      const it = await statusOf(url, signal)
      const states = it.peers.filter((peer) => peer.connected).map((peer) => peer.state)
      return {
        name,
        node: it.node,
        url,
        tick: it.tick,
        meshSize: it.meshSize,
        compatible: states.filter((state) => state === 'compatible').length,
        received: it.counters.received.http + it.counters.received.libp2p,
        recent: it.recentGossipCount,
        heads: it.heads.length,
        published: it.counters.published,
        dropped: Object.entries(it.counters.dropped).filter(([, count]) => count > 0),
        equivocations: it.equivocations.length,
      }
    }),
  )

type Row = Awaited<ReturnType<typeof summary>>[number]
const show = (rows: readonly Row[]): void => {
  console.log('name   mesh  compatible  received  recent  published  heads  dropped')
  for (const row of rows) {
    const dropped = row.dropped.map(([reason, count]) => `${reason} ${count}`).join(', ') || '0'
    const cells = [row.meshSize, row.compatible, row.received, row.recent, row.published, row.heads]
    const widths = [4, 10, 8, 6, 9, 5]
    const numbers = cells.map((cell, i) => String(cell).padStart(widths[i] ?? 0)).join('  ')
    console.log(`${row.name.padEnd(5)}  ${numbers}  ${dropped}`)
  }
}

const startAll = async (
  asked: Asked,
  { directory, policy, signal }: { readonly directory: string; readonly policy?: string; readonly signal: AbortSignal },
): Promise<readonly Running[]> => {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64url')
  const common = {
    ...(asked.open ? {} : { TICKMESH_MESH_SECRET: secret }),
    ...(policy === undefined ? {} : { TICKMESH_MESH_POLICY: policy }),
  }
  const startOne = async (number: number, bootstrap: NodeJS.ProcessEnv): Promise<Running> => {
    const name = `node${number}`
    const data = join(directory, name)
    mkdirSync(data, { recursive: true, mode: 0o700 })
    const node = await startNode(name, { ...common, ...bootstrap, TICKMESH_DATA: data }, signal)
    if (!asked.json) console.log(`${name}  ready ${node.url}`)
    return node
  }
  const first = await startOne(1, {})
  const address = (await statusOf(first.url, signal)).addresses.find(namesPeer)
  if (address === undefined) throw new Error('the first node listens nowhere')
  const others = Array.from({ length: asked.nodes - 1 }, (_, i) => startOne(i + 2, { TICKMESH_BOOTSTRAP: address }))
  return [first, ...(await Promise.all(others))]
}

/** Writes the policy of all logs and the last nodes' witness keys; a node's keys are known once it has run. */
const writePolicy = async (asked: Asked, directory: string, signal: AbortSignal): Promise<string> => {
  const nodes = await startAll({ ...asked, json: true }, { directory, signal })
  const keys = await Promise.all(
    nodes.map(({ url }) => createClient({ url, timeoutMs: CALL_TIMEOUT_MS }).call('identity.node', {}, { signal })),
  )
  await stopAll()
  const witnesses = keys.slice(-asked.witnesses).map(({ vkeys }, i) => [`w${i + 1}`, vkeys.witness] as const)
  const path = join(directory, 'policy')
  const lines = [
    ...keys.map(({ vkeys }) => `log ${vkeys.log}`),
    ...witnesses.map(([name, vkey]) => `witness ${name} ${vkey}`),
    `group all all ${witnesses.map(([name]) => name).join(' ')}`,
    'quorum all',
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const watch = async (asked: Asked, nodes: readonly Running[], signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const dead = nodes.find(({ child }) => !isAlive(child))
    if (dead !== undefined) throw new Error(`${dead.name} has ended`)
    const rows = await summary(nodes, signal)
    if (asked.json) console.log(JSON.stringify({ nodes: rows }))
    else show(rows)
    await pause(SUMMARY_EVERY_MS, undefined, { signal })
  }
}

const asked = argumentsOf()
const directory = asked.directory ?? mkdtempSync(join(tmpdir(), 'tickmesh-mesh-'))
const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort())

let over: AbortSignal = stop.signal
try {
  const { signal } = stop
  const policy = asked.witnesses === 0 ? undefined : await writePolicy(asked, directory, signal)
  const nodes = await startAll(asked, { directory, signal, ...(policy === undefined ? {} : { policy }) })
  if (asked.seconds !== undefined) over = AbortSignal.any([over, AbortSignal.timeout(asked.seconds * 1_000)])
  await watch(asked, nodes, over)
} catch (error) {
  // Once it is over, whatever was under way fails, and that is the end as planned.
  if (!over.aborted) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
} finally {
  await stopAll()
  if (asked.directory === undefined) rmSync(directory, { recursive: true, force: true })
}
