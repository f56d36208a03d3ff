import { existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { command, type Invocation } from '#cli/command.ts'
import { configOf, OWNER_KEY_FILE, runtimeOf } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { createClient } from '#gateway/client.ts'
import type { LoadedConfig } from '#node/config.ts'

/** One line of the doctor: `warn` may become wrong, `fail` is wrong; `hint` says what to do. */
interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly detail: string
  readonly hint?: string
}

const NODE_MAJOR_MIN = 24
const FREE_BYTES_MIN = 1e9
/** Permission bits that anyone but the owner would have. */
const FOREIGN_BITS = 0o077
const SECRET_BYTES_MIN = 32
const IDENTITY_KEY_FILE = 'identity.key'
const LOOPBACK = /^(127\.|::1$|localhost$)/
/** Ticks that may pass between a leaf and its checkpoint before something is wrong. */
const CHECKPOINT_LAG_TICKS_MAX = 4

const nodeVersion = (): Finding => {
  const major = Number(process.versions.node.split('.')[0])
  return major >= NODE_MAJOR_MIN
    ? { check: 'node', state: 'ok', detail: `Node ${process.versions.node}` }
    : { check: 'node', state: 'fail', detail: `Node ${process.versions.node}`, hint: 'run through `npm start`' }
}

const dataDirectory = (directory: string): Finding => {
  if (!existsSync(directory)) {
    return { check: 'data', state: 'warn', detail: `${directory} is not there yet`, hint: 'the first start makes it' }
  }
  const { bavail, bsize } = statfsSync(directory)
  const free = bavail * bsize
  const detail = `${directory}, ${(free / 1e9).toFixed(1)} GB free`
  return free >= FREE_BYTES_MIN
    ? { check: 'data', state: 'ok', detail }
    : { check: 'data', state: 'fail', detail, hint: 'make room: a full disk stops all sealing' }
}

const keyModes = (directory: string): readonly Finding[] =>
  [IDENTITY_KEY_FILE, OWNER_KEY_FILE].flatMap((name): Finding[] => {
    const file = join(directory, name)
    if (!existsSync(file)) return []
    const mode = statSync(file).mode & 0o777
    const detail = `${name} has mode ${mode.toString(8)}`
    return (mode & FOREIGN_BITS) === 0
      ? [{ check: 'keys', state: 'ok', detail }]
      : [{ check: 'keys', state: 'fail', detail, hint: `chmod 600 ${file}` }]
  })

const exposure = ({ config }: LoadedConfig): Finding =>
  LOOPBACK.test(config.http.host)
    ? { check: 'exposure', state: 'ok', detail: `the interface listens on ${config.http.host}` }
    : {
        check: 'exposure',
        state: 'warn',
        detail: `the interface listens on ${config.http.host}`,
        hint: 'put a proxy with TLS in front and name it in http.proxies',
      }

const meshSecret = ({ config }: LoadedConfig): Finding => {
  const bytes = new TextEncoder().encode(config.mesh.secret).length
  if (bytes === 0)
    return { check: 'mesh secret', state: 'ok', detail: 'none: an open mesh, the HTTP entrance is closed' }
  return bytes >= SECRET_BYTES_MIN
    ? { check: 'mesh secret', state: 'ok', detail: `${bytes} bytes` }
    : {
        check: 'mesh secret',
        state: 'warn',
        detail: `${bytes} bytes`,
        hint: `use at least ${SECRET_BYTES_MIN} random bytes`,
      }
}

/** What only a running node can tell: its readiness, its peers, how far its checkpoint lags. */
const running = async (directory: string, signal: AbortSignal): Promise<readonly Finding[]> => {
  const runtime = runtimeOf(directory)
  if (runtime === undefined)
    return [{ check: 'running', state: 'warn', detail: 'no node runs here', hint: 'npm start' }]
  const client = createClient({ url: runtime.url, retriesMax: 0, timeoutMs: 5000 })
  try {
    const ready = await client.call('explorer.ready', {}, { signal })
    const [node, mesh] = [
      await client.call('explorer.status', {}, { signal }),
      await client.call('network.mesh-status', {}, { signal }),
    ]
    const { checkpoint, leaves } = node.log
    const open = checkpoint === null ? leaves : leaves - checkpoint.size
    const lag = open === 0 || checkpoint === null ? 0 : node.tick - checkpoint.tick
    const skewed = mesh.peers.filter((peer) => Math.abs(peer.skew_ticks ?? 0) > 2)
    return [
      ...ready.checks.map((it): Finding => ({ check: it.name, state: it.ok ? 'ok' : 'fail', detail: it.detail })),
      {
        check: 'checkpoint',
        state: lag <= CHECKPOINT_LAG_TICKS_MAX ? 'ok' : 'fail',
        detail: `${leaves} leaves, ${open} not under a checkpoint`,
      },
      { check: 'peers', state: 'ok', detail: `${mesh.peers.filter((peer) => peer.connected).length} connected` },
      skewed.length === 0
        ? { check: 'clock skew', state: 'ok', detail: 'no peer disagrees by more than 2 ticks' }
        : {
            check: 'clock skew',
            state: 'warn',
            detail: `${skewed.length} peers disagree`,
            hint: 'set the clock by NTP',
          },
    ]
  } catch (error) {
    const detail = `the node at ${runtime.url} does not answer: ${error instanceof Error ? error.message : ''}`
    return [{ check: 'running', state: 'fail', detail, hint: `is process ${runtime.pid} alive? start it again` }]
  }
}

const examine = async (invocation: Invocation): Promise<readonly Finding[]> => {
  const loaded = configOf(invocation)
  const directory = loaded.dataDirectory
  return [
    nodeVersion(),
    dataDirectory(directory),
    ...keyModes(directory),
    exposure(loaded),
    meshSecret(loaded),
    ...(await running(directory, invocation.signal)),
  ]
}

export const doctor = command({
  path: 'doctor',
  summary: 'Examine the machine, the data directory and the running node, with a hint for what is wrong.',
  examples: ['tickmesh doctor', 'tickmesh doctor --json'],
  async run(invocation) {
    const findings = await examine(invocation)
    const ok = findings.every(({ state }) => state !== 'fail')
    present(invocation.io, { ok, findings }, () =>
      table(
        findings.map(({ check, state, detail, hint }) => [
          state,
          check,
          hint === undefined ? detail : `${detail} → ${hint}`,
        ]),
      ),
    )
    return ok ? exits.ok : exits.failure
  },
})
