import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
/** Where the launcher keeps what was compiled, so that many short processes are quick. */
const COMPILED = fileURLToPath(new URL('../../.build/compiled', import.meta.url))
/** Processes at once: each one is a whole program. */
const AT_ONCE = 3

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command under way. */
export interface Begun {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
  /** Arguments of the runtime itself. */
  readonly runtime?: readonly string[]
}

/** A person's terminal: a home of its own, and a data directory in it. */
export const terminalIn = (home: string) => {
  const data = `${home}/data`
  const base = { PATH: process.env['PATH'] ?? '', HOME: home, TICKMESH_DATA: data, NODE_COMPILE_CACHE: COMPILED }
  const ports = { TICKMESH_HTTP_PORT: '0', TICKMESH_P2P_PORT: '0', TICKMESH_LOG: 'warn' }

  const begin = (args: readonly string[], options: RunOptions = {}): Begun => {
    const env = { ...base, ...ports, ...options.env }
    const child = spawn(process.execPath, [...(options.runtime ?? []), MAIN, ...args], {
      cwd: options.cwd ?? home,
      env,
      stdio: 'pipe',
    })
    child.stdin.on('error', () => undefined) // A command that reads no stdin closes it before all is written.
    child.stdin.end(options.stdin ?? '')
    const closed = once(child, 'close')
    // A test that destroys a stream leaves early, like `head`: what it did not read is not there.
    const read = (stream: Readable): Promise<string> => text(stream).catch(() => '')
    const ended = Promise.all([closed, read(child.stdout), read(child.stderr)]).then(([[code], stdout, stderr]) => ({
      code: code as number | null,
      stdout,
      stderr,
    }))
    return { child, ended }
  }
  const run = (args: readonly string[], options?: RunOptions): Promise<Ended> => begin(args, options).ended

  return {
    home,
    data,
    begin,
    run,
    /** Runs a command with `--json` and reads the one object that it prints. */
    json: async (args: readonly string[], options?: RunOptions): Promise<Ended & { readonly answer: Answer }> => {
      const ended = await run([...args, '--json'], options)
      assert.match(ended.stdout, /^\{.*\}\n$/, `${args.join(' ')}: one object on one line; ${ended.stderr}`)
      const answer = JSON.parse(ended.stdout) as Answer
      assert.equal(answer['schema'], 1, args.join(' '))
      assert.equal(typeof answer['ok'], 'boolean', args.join(' '))
      return { ...ended, answer }
    },
    /** Starts a node and waits for its first line on stdout. */
    start: async (options?: RunOptions): Promise<RunningNode> => {
      const { child, ended } = begin(['start'], options)
      const line = await Promise.race([
        once(child.stdout!, 'data').then(([chunk]) => String(chunk)),
        ended.then(({ stderr }) => Promise.reject(new Error(`the node ended: ${stderr}`))),
      ])
      return {
        pid: child.pid!,
        line,
        url: /^ready (http:\/\/\S+)\n$/.exec(line)?.[1] ?? '',
        end: (signal) => {
          child.kill(signal)
          return ended
        },
        [Symbol.asyncDispose]: async () => {
          child.kill('SIGKILL')
          await ended
        },
      }
    },
  }
}
export type Terminal = ReturnType<typeof terminalIn>
export type Answer = Readonly<Record<string, unknown>>

/** A node that said it is ready; disposing ends it at once, if it has not ended. */
export interface RunningNode extends AsyncDisposable {
  readonly pid: number
  readonly line: string
  readonly url: string
  end(signal: NodeJS.Signals): Promise<Ended>
}

/** Does a piece of work for each item, a few at a time. */
export const forEach = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items]
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
