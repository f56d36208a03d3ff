import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Asked, askedChild, nowMs, untilPhase } from './sockets-ask.ts'
import { SUBJECT, type Target } from './sockets-wires.ts'

/** A message that was sent to all. */
export interface Sent {
  readonly mark: number
  /** The instant before the first of them got it. */
  readonly at: number
  /** How long whoever sent was busy with it. */
  readonly took: number
}

/** Somebody who sends one message to many. */
export interface Hub extends AsyncDisposable {
  readonly title: string
  readonly target: Target
  /** Sends so many messages, one each tick. */
  run(messages: number): Promise<readonly Sent[]>
  /** Sends so much to all that are open that nothing more goes to whoever does not read. */
  fill(): Promise<void>
  state(): Promise<{ readonly rss: number; readonly cpuMs: number }>
}

/** What the hubs that are no node send. */
export interface Pace {
  /** A tick of the node's channel. */
  readonly text: string
  /** The part of each tick that is over when they send. */
  readonly phase: number
}

const NODE = fileURLToPath(new URL('./sockets-node.ts', import.meta.url))
const BARE = fileURLToPath(new URL('./sockets-bare.ts', import.meta.url))
/** Pieces of 250,000 bytes: more than a kernel takes for a connection that keeps little and is not read. */
const FILL_TIMES = 4
const NATS_FILL_PAUSE_MS = 20
const FILL_BYTES = 250_000
const CLOCK_TICK_MS = 10

/** The node, and the text of a tick of its channel. */
export const nodeHub = async (settings: object = {}, nodeArgs: readonly string[] = []) => {
  const child = askedChild(NODE, [JSON.stringify(settings)], nodeArgs)
  const text = await child.ask<string>('text')
  const hub: Hub = {
    title: 'node',
    target: await child.ask<Target>('target'),
    run: (ticks) => child.ask('run', { ticks }),
    fill: () => child.ask('fill', { times: FILL_TIMES }),
    state: () => child.ask('state'),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
  return { hub, text, child }
}

/** The text with another mark, as long as it was: what it says is read by nobody here. */
const marked = (text: string, count: number): string => text.replace(/"count":\d+/, () => `"count":${count}`)

const textsOf = ({ text }: Pace, first: number, messages: number): (readonly [number, string])[] =>
  Array.from({ length: messages }, (_, i) => [first + i, marked(text, first + i)] as const)

export const bareHub = async (pace: Pace): Promise<Hub> => {
  const child: Asked = askedChild(BARE)
  let first = 1
  return {
    title: 'bare ws',
    target: await child.ask<Target>('target'),
    run: (messages) => {
      const texts = textsOf(pace, first, messages)
      first += messages
      return child.ask('run', { texts, phase: pace.phase })
    },
    fill: () => child.ask('fill', { times: FILL_TIMES }),
    state: () => child.ask('state'),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

const PROGRAM = 'nats-server'
/** Why NATS cannot run here; undefined when it can. */
export const withoutNats: string | undefined =
  spawnSync(PROGRAM, ['--version']).status === 0 ? undefined : `there is no ${PROGRAM}`

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const connected = async (port: number): Promise<Socket> => {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    try {
      await once(socket, 'connect')
      return socket
    } catch {
      await pause(NATS_FILL_PAUSE_MS)
    }
  }
}

/** Debian's nats-server, with a publisher in this process. */
export const natsHub = async (pace: Pace): Promise<Hub> => {
  const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-nats-'))
  const port = await freePort()
  const config = join(directory, 'nats.conf')
  // Whoever does not read stays, as with the others.
  writeFileSync(config, `listen: "127.0.0.1:${port}"\nwrite_deadline: "600s"\nmax_connections: 65536\n`)
  const server = spawn(PROGRAM, ['-c', config], { stdio: 'ignore' })
  const exited = once(server, 'exit')
  const publisher = await connected(port)
  publisher.on('error', () => undefined)
  publisher.on('data', (bytes) => {
    if (bytes.includes('PING')) publisher.write('PONG\r\n')
  })
  publisher.write('CONNECT {"verbose":false,"pedantic":false}\r\n')
  const publish = (text: string, subject = SUBJECT): void => {
    publisher.write(`PUB ${subject} ${Buffer.byteLength(text)}\r\n${text}\r\n`)
  }
  let first = 1
  return {
    title: 'nats-server',
    target: { protocol: 'nats', port },
    run: async (messages) => {
      const texts = textsOf(pace, first, messages)
      first += messages
      const sent: Sent[] = []
      for (const [mark, text] of texts) {
        await untilPhase(pace.phase)
        const at = nowMs()
        publish(text)
        sent.push({ mark, at, took: nowMs() - at })
      }
      return sent
    },
    fill: async () => {
      for (let i = 0; i < FILL_TIMES; i++) {
        publish('x'.repeat(FILL_BYTES))
        await pause(NATS_FILL_PAUSE_MS)
      }
    },
    state: async () => {
      const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
      const [user, system] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11) ?? []
      return {
        rss: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024,
        cpuMs: (Number(user) + Number(system)) * CLOCK_TICK_MS,
      }
    },
    [Symbol.asyncDispose]: async () => {
      publisher.destroy()
      server.kill('SIGTERM')
      await exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
