import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { TICK_NS } from '#core/tick.ts'
import { createClient } from '#gateway/client.ts'
import { RADIUS } from '../../domain/channels/channel-kit.ts'
import type { ReaderNotes, ReaderOrder } from '../../kit/channel-readers.ts'
import { START } from '../../kit/clock.ts'
import { openRelay, type Relay } from '../../kit/relay.ts'

/** A reader that goes on by itself for as long as the test runs, by one of two ways. */
export interface ChannelReader {
  readonly name: string
  readonly by: 'socket' | 'events'
  /** All that it was told so far. */
  notes(): Promise<ReaderNotes>
}

/** How the readers are begun, and how the test waits. */
export interface FollowingTest {
  readonly directory: string
  readonly begin: (order: ReaderOrder) => Promise<readonly ChannelReader[]>
  readonly until: (probe: () => Promise<boolean>) => Promise<unknown>
}

/** An entry of a chain that is about a channel. */
interface ChainEntry {
  readonly type: string
  readonly meshTick: number
  readonly body: Readonly<Record<string, unknown>>
}

/** What the node says of itself. */
interface Said {
  readonly url: string
  readonly instant: string
  readonly chain: readonly ChainEntry[]
}

/** A node in a process of its own, whose clock is moved from here. */
interface Child {
  readonly said: Said
  /** Lets mesh ticks pass. */
  pass(ticks: number): Promise<Said>
  end(signal: NodeJS.Signals): Promise<void>
}

const CHILD = fileURLToPath(new URL('./followed-child.ts', import.meta.url))
const SLUG = 'open'
/** Mesh ticks for which the node itself is away. */
const DOWN = 30
/** More ticks than a reader who comes back is given. */
const LONG_AWAY = 1_050
const CREDITS = 100_000
/** What ends a connection without a word. */
const CUT = 1006

const startChild = async (directory: string, start: bigint, host: string): Promise<Child> => {
  const child: ChildProcess = spawn(process.execPath, ['--no-warnings', CHILD, directory, String(start), host], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const next = async (): Promise<Said> => {
    const line = await lines.next()
    if (line.done === true) throw new Error('the node ended')
    return JSON.parse(line.value) as Said
  }
  const it = {
    said: await next(),
    pass: async (ticks: number) => {
      child.stdin!.write(`${ticks}\n`)
      it.said = await next()
      return it.said
    },
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      const [code, by] = await closed
      assert.deepEqual([code, by], signal === 'SIGTERM' ? [0, null] : [null, signal])
    },
  }
  return it
}

/** Something that is to be heard, and the mesh tick of its entry. */
interface Due {
  readonly text: string
  readonly meshTick: number
}

const gapText = (from: unknown, to: unknown, reason: unknown): string => `gap ${from} ${to} ${reason}`

/** What a channel's entries say, in the words in which what is heard is compared. */
const dueOf = ({ type, body, meshTick }: ChainEntry): readonly Due[] => {
  const { epoch, count, token_id, from_mesh, to_mesh, reason, status } = body
  if (type === 'stream_tick') return [{ text: `${epoch}.${count} ${token_id}`, meshTick }]
  if (type === 'stream_gap') return [{ text: gapText(from_mesh, to_mesh, reason), meshTick: Number(to_mesh) }]
  return status === 'closed' ? [{ text: 'closed', meshTick }] : []
}

/** The same of what came by a socket. A gap behind the tick that a reader comes back to is told it again. */
const heardBySocket = ({ heard }: ReaderNotes): readonly string[] => {
  let [told, back] = [-1, false]
  return heard.flatMap(({ type, epoch, count, token_id, from, to, reason }) => {
    const again = back && type === 'gap' && Number(to) <= told
    if (type === 'hello') back = true
    if (type === 'tick') back = false
    if (type === 'hello' || type === 'status' || again) return []
    if (type === 'gap') told = Number(to)
    if (reason === 'old') return [`lacks to ${to}`]
    return [type === 'tick' ? `${epoch}.${count} ${token_id}` : type === 'gap' ? gapText(from, to, reason) : `${type}`]
  })
}

/** The same of what came as events of the machine. */
const heardByEvents = ({ heard }: ReaderNotes): readonly string[] =>
  heard.flatMap(({ event, data }) => {
    if (event === 'open') return []
    const row = data as { readonly missed: number; readonly transitionType: string; readonly body: ChainEntry['body'] }
    if (event === 'gap') return [`lacks ${row.missed}`]
    return dueOf({ type: row.transitionType, body: row.body, meshTick: 0 }).map(({ text }) => text)
  })

/** Holds what a reader heard against what was to be heard: all of it, or all but one piece that it was told of. */
const assertHeard = ({ name, by }: ChannelReader, heard: readonly string[], due: readonly Due[]): void => {
  const texts = due.map(({ text }) => text)
  const at = heard.findIndex((it) => it.startsWith('lacks'))
  if (at < 0) {
    assert.deepEqual(heard, texts, name)
    return
  }
  const rest = heard.length - at - 1
  const lacking = due.slice(at, due.length - rest)
  assert(lacking.length > 0, `${name} was told of a lack where nothing lacks`)
  const lack = by === 'events' ? `lacks ${lacking.length}` : `lacks to ${lacking.at(-1)?.meshTick}`
  assert.deepEqual(heard, [...texts.slice(0, at), lack, ...texts.slice(-rest)], name)
}

/** What a reader heard so far, in the words in which it is compared. */
const heardBy = async (reader: ChannelReader): Promise<readonly string[]> =>
  (reader.by === 'socket' ? heardBySocket : heardByEvents)(await reader.notes())

/** A channel, of which two due ticks are refused, with its owner and its readers. */
const stageOf = async (node: Child, relay: Relay, { directory, begin, until }: FollowingTest) => {
  const { url, instant } = node.said
  const ownerKey = readFileSync(join(directory, 'owner.key'), 'utf8').trim()
  const { api_key, zid } = await createClient({ url }).call('identity.sign-up', {})
  await createClient({ url, key: ownerKey }).call('economy.grant', { zid, credits: CREDITS })
  const owner = createClient({ url, key: api_key })
  await owner.call('machines.create', { slug: SLUG, is_public: true })
  const born = Number(BigInt(instant) / TICK_NS)
  const refused = [born + 5, born + 6] as const
  const mass = { $: `tick == ${refused[0]} || tick == ${refused[1]} ? 0.0 - 1.0 : 1e30 + 1e27 * count` }
  const order = { ...RADIUS, inputs: { mass }, slug: SLUG, autotick: true }
  const { stream, key } = await owner.call('compute.stream-create', order)
  relay.lead(url)
  const readers = await begin({ base: relay.url, channel: stream.id, slug: SLUG, key })
  const all = () => Promise.all(readers.map((of) => of.notes()))
  await until(async () => (await all()).every(({ heard }) => heard.length > 0))
  return { account: api_key, refused, id: stream.id, readers, all }
}

/**
 * Has readers follow a channel through all that can come between: refused ticks, a connection that is cut, ticks while
 * they are away, a node that ends in order and one that is killed, more ticks than they can be given again, and the
 * end. Each has to hear each tick once and each gap once, in the order of the chain.
 */
export const followChannel = async (test: FollowingTest): Promise<void> => {
  const { directory, until } = test
  await using relay = await openRelay()
  let it = await startChild(directory, START, relay.host)
  try {
    const { account, refused, id, readers, all } = await stageOf(it, relay, test)
    const owner = () => createClient({ url: it.said.url, key: account })
    const due = () => it.said.chain.filter(({ body }) => body['channel'] === id).flatMap(dueOf)
    const allHear = async (): Promise<void> => {
      const last = due().at(-1)?.text
      for (const reader of readers) {
        await until(async () => (await heardBy(reader)).at(-1) === last)
        assertHeard(reader, await heardBy(reader), due())
      }
    }
    const away = async (work: () => Promise<unknown>): Promise<void> => {
      relay.lead(undefined)
      relay.cut()
      await work()
      relay.lead(it.said.url)
    }
    const restarted = async (signal: NodeJS.Signals): Promise<void> => {
      await it.end(signal)
      relay.lead(undefined)
      it = await startChild(directory, BigInt(it.said.instant) + BigInt(DOWN) * TICK_NS, relay.host)
      await it.pass(1)
      relay.lead(it.said.url)
    }

    await it.pass(3)
    await allHear()
    await it.pass(3)
    // A gap that no tick ends: whoever was told it and comes back is behind a tick before it.
    const change = (autotick: boolean) => owner().call('compute.stream-patch', { id, autotick })
    await change(false)
    await it.pass(0)
    assert.equal(due().at(-1)?.text, gapText(...refused, 'late'))
    await allHear()
    relay.cut()
    await it.pass(1)
    await change(true)
    await it.pass(2)
    await allHear()
    await away(() => it.pass(4))
    await allHear()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await restarted(signal)
      await it.pass(2)
      await allHear()
    }
    assert.equal(due().filter(({ text }) => text.endsWith('down')).length, 2)
    await away(() => it.pass(LONG_AWAY))
    await allHear()
    for (const reader of readers) {
      const lacks = (await heardBy(reader)).filter((text) => text.startsWith('lacks'))
      assert.equal(lacks.length, 1, reader.name)
    }
    await owner().call('compute.stream-close', { id })
    await it.pass(1)
    await allHear()
    await until(async () => (await all()).every(({ over }) => over))
    for (const reader of readers.filter(({ by }) => by === 'socket')) {
      const codes = async () => (await reader.notes()).codes
      await until(async () => (await codes()).at(-1) === 1000)
      assert.deepEqual(
        (await codes()).filter((code) => code !== CUT),
        [1001, 1000],
        reader.name,
      )
    }
    await it.end('SIGTERM')
  } finally {
    await it.end('SIGKILL').catch(() => undefined)
  }
}
