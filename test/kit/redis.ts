import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { tempDir } from './temp.ts'

const PROGRAM = 'redis-server'
/** Why tests with a Redis cannot run here; undefined when they can. */
export const withoutRedis: string | undefined =
  spawnSync(PROGRAM, ['--version']).status === 0 ? undefined : `there is no ${PROGRAM}`

const READY_POLL_MS = 10
const READY_MS_MAX = 10_000

/** A Redis of Debian's, that keeps nothing, at a socket of its own. */
export interface RedisServer extends AsyncDisposable {
  /** The setting `mesh.redis.url`. */
  readonly url: string
  readonly socket: string
  /** Ends the process without a word, as an accident does. */
  kill(): Promise<void>
  /** Starts it again at the same place. */
  start(): Promise<void>
  /** Has it stand still, alive and taking connections. */
  freeze(): void
  thaw(): void
  /** Sends commands, as a stranger would, and gives the answers as they are. */
  say(...commands: readonly (readonly (string | Uint8Array)[])[]): Promise<string>
}

/** A command as RESP writes it. */
export const resp = (parts: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat([
    Buffer.from(`*${parts.length}\r\n`),
    ...parts.flatMap((part) => {
      const bytes = Buffer.from(part as string)
      return [Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')]
    }),
  ])

/** One command after the other on a connection of its own; QUIT ends it, so that all answers have come. */
const sayTo = async (socket: string, commands: readonly (readonly (string | Uint8Array)[])[]): Promise<string> => {
  const stream = connect(socket)
  const chunks: Buffer[] = []
  stream.on('data', (chunk) => chunks.push(chunk))
  for (const command of [...commands, ['QUIT']]) {
    if (!stream.write(resp(command))) await once(stream, 'drain')
  }
  await once(stream, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

const answers = async (socket: string): Promise<boolean> => {
  if (!existsSync(socket)) return false
  try {
    return (await sayTo(socket, [['PING']])).length > 0
  } catch {
    return false
  }
}

/** @param more arguments for the program beside those that keep it apart. */
export const redisServer = async (more: readonly string[] = []): Promise<RedisServer> => {
  await using opened = new AsyncDisposableStack()
  const { path } = opened.use(tempDir())
  const socket = join(path, 'redis.sock')
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null) return
    const exited = once(ending, 'exit')
    ending.kill('SIGKILL')
    await exited
    rmSync(socket, { force: true })
  }
  const start = async (): Promise<void> => {
    const apart = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', '--dir', path]
    child = spawn(PROGRAM, [...apart, ...more], { stdio: 'ignore' })
    const started = child
    for (let waitedMs = 0; !(await answers(socket)); waitedMs += READY_POLL_MS) {
      assert.ok(started.exitCode === null && waitedMs < READY_MS_MAX, `${PROGRAM} ${more.join(' ')} does not start`)
      await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS))
    }
  }
  opened.defer(kill)
  await start()
  const resources = opened.move()
  return {
    url: `unix://${socket}`,
    socket,
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    say: (...commands) => sayTo(socket, commands),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
