import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { isoOf } from '#core/iso.ts'
import { nodeClock } from '#node/clock.ts'
import type { LoadedConfig } from '#node/config.ts'
import { presenceOn } from '#node/runtime.ts'
import { examineRedis } from './examine-redis.ts'
import { type Finding, findings } from './finding.ts'
import { startWords } from './start-words.ts'
import { askSystemd, onPath, runProbe, type Scope, unitPath, unitState } from './unit.ts'

const NODE_MAJOR_MIN = 24
const FREE_BYTES_MIN = 1e9
const BYTES_PER_GB = 1e9
/** Begin of 2026, Unix nanoseconds: when this was written. A clock before it is off. */
const CLOCK_MIN = 1_767_225_600_000_000_000n

const nodeVersion = (): readonly Finding[] => {
  const { ok, fail } = findings('node')
  const major = Number(process.versions.node.split('.')[0])
  const detail = `Node ${process.versions.node}`
  const fine = major >= NODE_MAJOR_MIN
  return [
    fine ? ok(detail) : fail(detail, `run it through \`${startWords()}\``),
    findings('polyfill').ok('none is needed'),
  ]
}

/** The nearest folder above that is there: where a missing one would be made. */
const standing = (directory: string): string => (existsSync(directory) ? directory : standing(dirname(directory)))

const dataDirectory = (directory: string): readonly Finding[] => {
  const { ok, warn, fail } = findings('data')
  const there = standing(directory)
  try {
    if (!statSync(there).isDirectory()) return [fail(`${there} is no directory`, 'name another with --data-dir')]
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return [fail(`${there} cannot be written to`, error instanceof Error ? error.message : String(error))]
  }
  const { bavail, bsize } = statfsSync(there)
  const free = bavail * bsize
  const room = `${(free / BYTES_PER_GB).toFixed(1)} GB free on the disk of ${there}`
  const disk = findings('disk')
  return [
    there === directory ? ok(directory) : warn(`${directory} is not there yet`, 'the first start, or init, makes it'),
    free < FREE_BYTES_MIN ? disk.fail(room, 'make room: a full disk stops all sealing') : disk.ok(room),
  ]
}

const clock = async (): Promise<Finding> => {
  const { ok, warn, fail } = findings('clock')
  const now = nodeClock().now()
  const reads = `it reads ${isoOf(now)}`
  if (now < CLOCK_MIN) return fail(reads, 'set it: ticks are counted from it')
  const program = onPath('timedatectl')
  if (program === undefined || !existsSync('/run/systemd/system')) return ok(`${reads}; peers are the measure of it`)
  const { stdout } = await runProbe(program, ['show', '--property=NTPSynchronized', '--value'])
  return stdout.trim() === 'no'
    ? warn(`${reads}, and nothing synchronises it`, 'timedatectl set-ntp true')
    : ok(`${reads}, synchronised`)
}

/** Why an address cannot be listened on, or undefined when it can. */
const portTrouble = (host: string, port: number): Promise<string | undefined> => {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer()
  server.once('error', (error) => resolve(error.message))
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  return promise
}

/** Whether a node that is not running could have its ports. */
const ports = async ({ config, dataDirectory: directory }: LoadedConfig): Promise<readonly Finding[]> => {
  if (presenceOn(directory).kind === 'running') return [findings('port').ok('the running node has its own')]
  const { http, p2p } = config
  const wanted = [
    { name: 'http', setting: 'TICKMESH_HTTP_PORT', ...http },
    ...(p2p.enabled ? [{ name: 'p2p', setting: 'TICKMESH_P2P_PORT', ...p2p }] : []),
  ]
  return Promise.all(
    wanted.map(async ({ name, setting, host, port }) => {
      const { ok, fail } = findings('port')
      const trouble = await portTrouble(host, port)
      if (trouble !== undefined) return fail(`${name}: ${trouble}`, `${setting}=0 takes any free one`)
      return ok(port === 0 ? `${name}: any free one` : `${name}: ${port} is free`)
    }),
  )
}

/** What the sandbox for programs of agents would need. Nothing else does. */
const sandbox = async (): Promise<readonly Finding[]> => {
  const [box, python] = [findings('bwrap'), findings('python3')]
  const [bwrap, python3] = [onPath('bwrap'), onPath('python3')]
  const boxed =
    bwrap === undefined
      ? undefined
      : await runProbe(bwrap, ['--unshare-all', '--die-with-parent', '--ro-bind', '/', '/', '--proc', '/proc', 'true'])
  const version = python3 === undefined ? undefined : await runProbe(python3, ['--version'])
  const blocked = boxed?.stderr.trim().split('\n')[0] ?? ''
  return [
    boxed === undefined
      ? box.warn('bubblewrap is not here: no sandbox', 'apt install bubblewrap; only sandboxed programs need it')
      : boxed.code === 0
        ? box.ok(`${bwrap} makes a sandbox`)
        : box.warn(`no sandbox: ${blocked}`, 'allow user namespaces; only sandboxed programs need them'),
    version?.code === 0
      ? python.ok(version.stdout.trim())
      : python.warn('python3 is not here', 'apt install python3; only sandboxed programs need it'),
  ]
}

const service = async (): Promise<readonly Finding[]> => {
  const { ok, warn, fail } = findings('service')
  const found = await Promise.all(
    (['system', 'user'] as const satisfies readonly Scope[]).map(async (scope): Promise<readonly Finding[]> => {
      const [path, state] = [unitPath(scope), unitState(scope)]
      const again = `tickmesh service install --${scope}`
      if (state === 'absent') return []
      if (state === 'changed') return [warn(`${path} was changed by hand`, '`systemctl edit` keeps changes apart')]
      if (state === 'older') return [warn(`${path} is not the unit of this release`, again)]
      const active = await askSystemd(scope, 'is-active')
      if (active === 'failed') return [fail(`${path} is installed and failed`, 'journalctl -u tickmesh says why')]
      return [ok(`${path} is installed${active === undefined ? '' : `, ${active}`}`)]
    }),
  )
  return found.flat().length > 0 ? found.flat() : [ok('none is installed')]
}

/** What can be seen without a node and without its data: the machine it runs on. */
export const examineMachine = async (loaded: LoadedConfig): Promise<readonly Finding[]> => [
  ...nodeVersion(),
  ...dataDirectory(loaded.dataDirectory),
  await clock(),
  ...(await ports(loaded)),
  ...(await sandbox()),
  await examineRedis(loaded),
  ...(await service()),
]
