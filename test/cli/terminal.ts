import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { call } from '#cli/call.ts'
import type { suite } from '../kit/suite.ts'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
/** Where the launcher keeps what was compiled, so that many short processes are quick. */
const COMPILED = fileURLToPath(new URL('../../.build/compiled', import.meta.url))
/** Processes at once: each one is a whole program. */
const AT_ONCE = 3
const CLOSING_MS_MAX = 90_000

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
  /** True: stderr is a terminal. Of calls in this process alone. */
  readonly watched?: boolean
}

type Variables = Readonly<Record<string, string | undefined>>

/** What a call in this process finds. */
interface Surroundings {
  readonly cwd: string
  readonly env: Variables
  readonly stdin: string | Uint8Array
  readonly watched: boolean
}

/** Gives this process other variables of ours, and says what they were. */
const withVariables = (next: Variables): Variables => {
  const ours = Object.keys(process.env).filter((name) => name.startsWith('TICKMESH_'))
  const before = Object.fromEntries([...ours, ...Object.keys(next)].map((name) => [name, process.env[name]]))
  for (const name of ours) delete process.env[name]
  for (const [name, value] of Object.entries(next)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  return before
}

/** Keeps what is written to a stream of this process, which counts as no terminal meanwhile unless it is to. */
const kept = (stream: NodeJS.WriteStream, isTTY = false) => {
  const pieces: string[] = []
  const write = (chunk: string | Uint8Array): boolean => {
    pieces.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))
    return true
  }
  Object.defineProperties(stream, {
    write: { value: write, configurable: true, writable: true },
    isTTY: { value: isTTY, configurable: true, writable: true },
  })
  stream.setMaxListeners(0)
  return {
    text: (): string => pieces.join(''),
    [Symbol.dispose]: () => {
      Reflect.deleteProperty(stream, 'write')
      Reflect.deleteProperty(stream, 'isTTY')
    },
  }
}

/** Gives this process another stdin. */
const fed = (stdin: string | Uint8Array): Disposable => {
  const before = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor
  const bytes = Buffer.from(stdin)
  const value = Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false })
  Object.defineProperty(process, 'stdin', { value, configurable: true })
  return { [Symbol.dispose]: () => Object.defineProperty(process, 'stdin', before) }
}

/** A call of the program in this process: a hundredth of a process of its own. It is no node. */
const callHere = async (args: readonly string[], { cwd, env, stdin, watched }: Surroundings): Promise<Ended> => {
  const before = { variables: withVariables(env), cwd: process.cwd() }
  process.chdir(cwd)
  process.setMaxListeners(0) // Each call watches for signals, as its own process would.
  using _ = fed(stdin)
  using out = kept(process.stdout)
  using err = kept(process.stderr, watched)
  try {
    const code = await call(args)
    return { code, stdout: out.text(), stderr: err.text() }
  } finally {
    process.chdir(before.cwd)
    withVariables(before.variables)
  }
}

/** One at a time: they share the streams of this process. */
let last: Promise<unknown> = Promise.resolve()

/** Commands that ran as processes of their own. */
const seen = new Set<string>()

/** The command of a call: its words before the first option or assignment, two at most; help is one for all. */
const commandOf = (args: readonly string[]): string => {
  if (args.includes('--help')) return '--help'
  const end = args.findIndex((word) => !/^[a-z][a-z-]*$/.test(word))
  return args.slice(0, end === -1 ? 2 : Math.min(2, end)).join(' ')
}

/** Whether no call of this command, with what it is given, has been a process of its own yet. */
const isFirst = (args: readonly string[], given = ''): boolean => {
  const command = `${commandOf(args)} ${given}`
  const first = !seen.has(command)
  seen.add(command)
  return first
}

/** A person's terminal: a home of its own, and a data directory in it. */
export const terminalIn = (home: string) => {
  const data = `${home}/data`
  const base = { PATH: process.env['PATH'] ?? '', HOME: home, TICKMESH_DATA: data, NODE_COMPILE_CACHE: COMPILED }
  const registers = { TICKMESH_MMIO_DIRECTORY: `${home}/registers` }
  const ports = { TICKMESH_HTTP_PORT: '0', TICKMESH_P2P_PORT: '0', TICKMESH_LOG: 'warn', ...registers }

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
  const runHere = (args: readonly string[], options: RunOptions = {}): Promise<Ended> => {
    const { env, cwd = home, stdin, runtime, watched = false } = options
    const own = runtime !== undefined || args[0] === 'start' || (stdin !== undefined && isFirst(args, 'stdin'))
    if (own) return run(args, options)
    const found = { HOME: home, TICKMESH_DATA: data, ...ports, ...env }
    const done = last.then(() => callHere(args, { cwd, env: found, stdin: stdin ?? '', watched }))
    last = done.catch(() => undefined)
    return done
  }
  const runOnce = (args: readonly string[], options?: RunOptions): Promise<Ended> =>
    isFirst(args) ? run(args, options) : runHere(args, options)

  return {
    home,
    data,
    begin,
    run,
    /** Runs a command with `--json` and reads the one object that it prints. */
    json: async (args: readonly string[], options?: RunOptions): Promise<Answered> =>
      answered(args, await run([...args, '--json'], options)),
    /** The same in this process; of calls of one command with a stdin the first gets a process all the same. */
    here: {
      run: runHere,
      json: async (args: readonly string[], options?: RunOptions): Promise<Answered> =>
        answered(args, await runHere([...args, '--json'], options)),
    },
    /** The first call of each command as a process of its own, the others in this one. */
    once: {
      run: runOnce,
      json: async (args: readonly string[], options?: RunOptions): Promise<Answered> =>
        answered(args, await runOnce([...args, '--json'], options)),
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
export type Answered = Ended & { readonly answer: Answer }

/** Reads the one object that a command with `--json` printed. */
const answered = (args: readonly string[], ended: Ended): Answered => {
  assert.match(ended.stdout, /^\{.*\}\n$/, `${args.join(' ')}: one object on one line; ${ended.stderr}`)
  const answer = JSON.parse(ended.stdout) as Answer
  assert.equal(answer['schema'], 1, args.join(' '))
  assert.equal(typeof answer['ok'], 'boolean', args.join(' '))
  return { ...ended, answer }
}

/** The last case of a file whose cases share one node: it ends in order, and what it wrote goes. */
export const closing = (test: ReturnType<typeof suite>, node: RunningNode, dir: Disposable): void =>
  test(
    'the node ends in order',
    async () => {
      const { code } = await node.end('SIGTERM')
      dir[Symbol.dispose]()
      assert.equal(code, 0)
    },
    CLOSING_MS_MAX,
  )

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
