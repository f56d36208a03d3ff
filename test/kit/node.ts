import type { Log } from '#core/telemetry.ts'
import { type Instant, TICK_NS } from '#core/tick.ts'
import { sleep } from '#core/wait.ts'
import { type Client, createClient } from '#gateway/client.ts'
import { type ClockSources, nodeClock } from '#node/clock.ts'
import { loadConfig } from '#node/config.ts'
import { createNode, type Node, type NodePorts } from '#node/node.ts'
import { START } from './clock.ts'
import { keptRuns, sharedPool } from './pool.ts'
import { tempDir } from './temp.ts'

/** A line of the node's log. */
export interface Line {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'audit'
  readonly event: string
  readonly fields: object
}

export interface TestNode extends AsyncDisposable {
  readonly node: Node
  readonly url: string
  /** A client without a key. */
  readonly client: Client
  /** A client with a key. */
  as(key: string): Client
  /** Lets the wall clock jump, as a suspend or an adjustment does, and lets the node look at it. */
  jumpWall(ns: bigint): Promise<void>
  /** Moves the node's clock on and closes the ticks that are over: what was promised is sealed, then final. */
  advanceTicks(ticks: number): Promise<void>
  /** Moves the node's clock on and leaves the ticks open, as a node that cannot keep up does. */
  passTicks(ticks: number): void
  /** Lets each reading of the node's clock take so long from now on, as if whatever is measured by it did. */
  readingTakes(ns: bigint): void
  readonly lines: readonly Line[]
  readonly directory: string
}

export interface TestNodeOptions {
  /** Settings by path; ports are 0, libp2p and the files of registers off unless said. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** A data directory that outlives the node; one of its own otherwise. */
  readonly directory?: string
  /** Unix nanoseconds. */
  readonly start?: Instant
  /** True: the machine's clock, and the node follows its ticks by itself. */
  readonly realTime?: boolean
  /** True: a run that some test has asked for before is not computed again. How it comes about is not tested. */
  readonly keptRuns?: boolean
  /** What the node knows of time zones; what this process knows unless given. */
  readonly zones?: NodePorts['zones']
  /** Gets every line beside `lines`. */
  readonly log?: Log
}

/** Lines that are kept. */
const LINES_MAX = 10_000

interface HandClocks extends ClockSources {
  advance(ns: bigint): void
  jump(ns: bigint): void
  readingTakes(ns: bigint): void
}

/** The two clocks of a machine that a test owns: they stand still until they are moved. */
export const handClocks = (start: Instant): HandClocks => {
  let now = start
  let [ahead, takes] = [0n, 0n]
  return {
    wall: () => now + ahead,
    monotonic: () => {
      now += takes
      return now
    },
    advance: (ns) => {
      now += ns
    },
    jump: (ns) => {
      ahead += ns
    },
    readingTakes: (ns) => {
      takes = ns
    },
  }
}

/**
 * A real node: every part of it as it is started for people, on free loopback ports, in a directory of its own, with a
 * clock that stands until it is moved. `await using it = await testNode()`.
 */
export const testNode = async (options: TestNodeOptions = {}): Promise<TestNode> => {
  await using opened = new AsyncDisposableStack()
  const directory = options.directory ?? opened.use(tempDir()).path
  const lines: Line[] = []
  const keep =
    (level: Line['level']) =>
    (fields: object, event: string): void => {
      if (lines.length < LINES_MAX) lines.push({ level, event, fields })
      options.log?.[level](fields, event)
    }
  const log: Log = {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    audit: keep('audit'),
  }
  const quiet = { 'http.port': 0, 'p2p.port': 0, 'p2p.enabled': false, 'mmio.enabled': false }
  const flags = { data: directory, ...quiet, ...options.settings }
  // Secrets are refused as flags, for people; a test has them in its hand.
  const { 'mesh.secret': secret, ...plain } = flags as Record<string, unknown>
  const environment = typeof secret === 'string' ? { TICKMESH_MESH_SECRET: secret } : {}
  const clocks = handClocks(options.start ?? START)
  const clock = options.realTime === true ? nodeClock() : nodeClock(clocks)
  const follows = options.realTime === true
  // What is asked of threads and of their queue is judged on a pool of its own.
  const own = options.keptRuns !== true && Object.keys(plain).some((path) => path.startsWith('compute.'))
  const pool = options.keptRuns === true ? keptRuns() : sharedPool()
  const ports = { clock, sleep, log, follows, ...(own ? {} : { pool }), ...(options.zones && { zones: options.zones }) }
  const node = opened.use(await createNode(loadConfig({ flags: plain, environment }), ports))
  const resources = opened.move()
  const client = (key?: string): Client =>
    createClient({ url: node.url, retriesMax: 0, ...(key === undefined ? {} : { key }) })
  return {
    node,
    url: node.url,
    client: client(),
    as: client,
    lines,
    directory,
    advanceTicks: async (ticks) => {
      clocks.advance(BigInt(ticks) * TICK_NS)
      await node.beat()
    },
    passTicks: (ticks) => clocks.advance(BigInt(ticks) * TICK_NS),
    readingTakes: clocks.readingTakes,
    jumpWall: async (ns) => {
      clocks.jump(ns)
      await node.beat()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
