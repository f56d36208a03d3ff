import type { Static, TArray, TBoolean, TInteger, TNull, TObject, TSchema, TString, TUnion, TUnsafe } from 'typebox'
import { MS_PER_MINUTE } from '#core/time.ts'

// The schemas are written as the plain JSON that they are: every command reads the settings, and typebox itself takes
// longer to load than most commands take.

/** A setting's row: what it means, its unit (names carry units where they can), and whether its value may be shown. */
const text = (description: string, more: object = {}) =>
  ({ type: 'string', description, maxLength: 4096, ...more }) as unknown as TString
const whole = (description: string, unit: string, minimum: number, maximum: number) =>
  ({ type: 'integer', description, unit, minimum, maximum }) as unknown as TInteger
const list = (description: string, unit: string) => {
  const items = { type: 'string', minLength: 1, maxLength: 512 }
  return { type: 'array', items, description, unit, maxItems: 64 } as unknown as TArray<TString>
}
const onOff = (description: string) => ({ type: 'boolean', description }) as unknown as TBoolean
const oneOf = <const T extends readonly string[]>(values: T, more: object) =>
  ({ enum: values, ...more }) as unknown as TUnsafe<T[number]>
const orNull = <T extends TSchema>(schema: T, more: object) =>
  ({ anyOf: [schema, { type: 'null' }], ...more }) as unknown as TUnion<[T, TNull]>
/** Every setting of a group has a value. */
const group = <P extends Record<string, TSchema>>(properties: P) => {
  const required = Object.keys(properties)
  return { type: 'object', required, properties, additionalProperties: false } as unknown as TObject<P>
}

const PORT_MAX = 65_535

/**
 * Every setting with what it means. Values do not stand here: `config/default.json` is the only place of defaults, and
 * loading refuses to start when the two differ in a single name.
 */
export const settingsSchema = group({
  data: text('Data directory. Empty: tickmesh in the XDG data home.', { unit: 'path', flag: '--data-dir' }),
  log: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    description: 'Least severe line that is logged, to stderr. Audit lines are written unless it is silent.',
    unit: 'level',
  }),
  bootstrap: list('Peers to dial first.', 'multiaddr'),
  http: group({
    host: text('Address the interface listens on. Anything but loopback wants TLS in front.', { unit: 'address' }),
    port: whole('Port of the interface; 0 takes any free one.', 'port', 0, PORT_MAX),
    hosts: list('Host names it answers under, beside those of its own address.', 'host[:port]'),
    origins: list('Origins that may call it from a browser, beside its own.', 'origin'),
    proxies: list('Proxies whose X-Forwarded-For, -Host and -Proto are believed.', 'address'),
    bodyBytesMax: whole('Largest body of a call.', 'bytes', 1024, 67_108_864),
    bodyTimeoutMs: whole('Longest time a body may take to arrive.', 'ms', 10, 10 * MS_PER_MINUTE),
    headerBytesMax: whole('Largest header section of a call.', 'bytes', 4096, 131_072),
    headersTimeoutMs: whole('Longest time a header section may take to arrive.', 'ms', 10, 10 * MS_PER_MINUTE),
    keepAliveTimeoutMs: whole('How long an idle connection stays open.', 'ms', 0, 60 * MS_PER_MINUTE),
    connectionsMax: whole('Connections open at once.', 'connections', 1, 65_535),
  }),
  sse: group({
    clientsMax: whole('Event streams open at once.', 'streams', 1, 65_535),
    heartbeatMs: whole('Silence after which an event stream gets a comment line.', 'ms', 1000, 10 * MS_PER_MINUTE),
    retryMs: whole('How long a client is told to wait before it reconnects.', 'ms', 0, 10 * MS_PER_MINUTE),
    stallMs: whole('How long a reader may take nothing before it is dropped.', 'ms', 1000, 10 * MS_PER_MINUTE),
  }),
  sockets: group({
    clientsMax: whole('WebSockets open at once.', 'sockets', 1, 65_535),
    pingMs: whole('Time between two pings of a WebSocket.', 'ms', 1000, 10 * MS_PER_MINUTE),
    stallMs: whole('How long a WebSocket may take nothing before it is closed.', 'ms', 1000, 10 * MS_PER_MINUTE),
  }),
  metrics: group({
    host: text('Address of the metrics port, when it has one of its own.', { unit: 'address' }),
    port: orNull(whole('A port.', 'port', 0, PORT_MAX), {
      description: 'Port of /metrics alone; null serves it beside the interface.',
      unit: 'port',
    }),
  }),
  limits: group({
    anonymousCallsPerMinute: whole('Calls of one address bucket without a key.', 'calls/minute', 1, 1e9),
    keyCallsPerMinute: whole('Calls of one key.', 'calls/minute', 1, 1e9),
    bucketsMax: whole('Buckets and keys counted at once.', 'buckets', 16, 1e7),
    anonymousWorkMax: whole(
      'Largest computation without a key.',
      'work units of about 1e6 operations',
      1,
      Number.MAX_SAFE_INTEGER,
    ),
    anonymousWorkPerDay: whole(
      'Computation without a key of one address bucket in a day.',
      'work units',
      1,
      Number.MAX_SAFE_INTEGER,
    ),
  }),
  compute: group({
    threads: whole(
      'Worker threads for solvers; 0 takes one less than the processors, at least one.',
      'threads',
      0,
      1024,
    ),
    queueMax: whole('Computations that may wait for a worker.', 'computations', 0, 1e6),
    waitMs: whole('How long a call waits for its result before it becomes a job.', 'ms', 0, 60 * MS_PER_MINUTE),
    jobsMax: whole('Jobs kept, running or over.', 'jobs', 1, 1e6),
  }),
  mesh: group({
    secret: text('Secret of a private mesh. Without one the mesh entrances over HTTP and Redis are closed.', {
      secret: true,
    }),
    secretPrevious: text('The secret before, accepted while it is being changed.', { secret: true }),
    policy: text('Policy file in C2SP tlog-policy syntax. Empty: the open policy.', { unit: 'path' }),
    // More nodes than that would not be heard of within the 1,287 ticks in which they count.
    size: whole('Most nodes that heads and presence slow down for.', 'nodes', 128, 8_192),
    redis: group({
      url: text('A Redis that nodes gossip through: redis://, rediss:// (TLS) or unix:///path. Empty: none.', {
        unit: 'address',
      }),
      channel: text('What the names of its channels begin with.', { unit: 'name' }),
      userFile: text('File with the user name, readable by its owner alone.', { unit: 'path' }),
      passwordFile: text('File with the password, readable by its owner alone.', { unit: 'path' }),
      caFile: text('Certificates in PEM that are trusted for rediss://. Empty: those of the system.', { unit: 'path' }),
    }),
  }),
  p2p: group({
    enabled: onOff('Whether the node joins the mesh over libp2p.'),
    host: text('Address libp2p listens on.', { unit: 'address' }),
    port: whole('Port libp2p listens on; 0 takes any free one.', 'port', 0, PORT_MAX),
    announce: list('Addresses told to peers instead of those listened on.', 'multiaddr'),
    mdns: onOff('Whether nodes of the local network find each other by multicast DNS.'),
  }),
  contribute: group({
    poolTicks: whole('How long a bond stands before its node is of a pool.', 'ticks', 0, 111_197),
    samples: whole('Segments of a contributed run that are run again here.', 'segments', 1, 64),
    auditRate: whole('Least share of contributed works that are run again whole.', 'millionths', 5_000, 1_000_000),
    blobsBytesMax: whole('Most that is kept for those who check works.', 'bytes', 1_048_576, 1_099_511_627_776),
  }),
  contracts: group({
    targets: list(
      'Hosts and blocks of addresses that contracts may call beside the public internet, over plain HTTP too.',
      'host[:port] or address/bits[:port]',
    ),
  }),
  mmio: group({
    enabled: onOff('Whether the register page is written for programs on this machine.'),
    directory: text('Where its two files are. Empty: a directory of the node on a memory file system.', {
      unit: 'path',
    }),
    readers: oneOf(['owner', 'group', 'all'], {
      description:
        "Who may read the page: it holds the owner's identity, credits and bond. The doorbell stays the owner's.",
      unit: 'users',
    }),
  }),
  upgrade: group({
    backup: onOff('Whether data of an older schema are archived before they are brought up.'),
  }),
  stop: group({
    timeoutMs: whole('Longest time an orderly stop may take.', 'ms', 100, 10 * MS_PER_MINUTE),
  }),
})

/** Deeply read-only: nothing changes a setting after it was loaded. */
type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T

/** All settings of a running node. */
export type Config = Frozen<Static<typeof settingsSchema>>

/** One leaf of the settings tree, under all its names. */
export interface Setting {
  /** e.g. `http.bodyBytesMax` */
  readonly path: string
  /** e.g. `TICKMESH_HTTP_BODY_BYTES_MAX` */
  readonly variable: string
  /** e.g. `--http-body-bytes-max` */
  readonly flag: string
  readonly schema: TSchema
  readonly description: string
  readonly unit?: string
  readonly secret: boolean
}

const words = (path: string): string[] => path.replace(/[A-Z]/g, (letter) => `.${letter.toLowerCase()}`).split('.')

const leaf = (path: string, schema: TSchema): Setting => {
  const notes = schema as { description?: string; unit?: string; secret?: boolean; flag?: string }
  return {
    path,
    variable: `TICKMESH_${words(path).join('_').toUpperCase()}`,
    flag: notes.flag ?? `--${words(path).join('-')}`,
    schema,
    description: notes.description ?? '',
    ...(notes.unit === undefined ? {} : { unit: notes.unit }),
    secret: notes.secret === true,
  }
}

const leaves = (schema: TSchema, at: string): Setting[] => {
  const { properties } = schema as { properties?: Record<string, TSchema> }
  if (properties === undefined) return [leaf(at, schema)]
  return Object.entries(properties).flatMap(([name, part]) => leaves(part, at === '' ? name : `${at}.${name}`))
}

/** Every setting, in the order of the schema. */
export const settings: readonly Setting[] = leaves(settingsSchema, '')

/** Variables that begin with TICKMESH_ and are no settings. */
export const otherVariables = {
  TICKMESH_CONFIG: 'Path of the configuration file.',
  TICKMESH_URL: 'Address of the node that commands talk to.',
  TICKMESH_KEY: 'API key that commands present.',
  TICKMESH_KEY_FILE: 'File with that key.',
  TICKMESH_BACKUP_PASSPHRASE: 'Passphrase of an encrypted backup.',
  TICKMESH_TEST_SEED: 'Seed of a test run.',
} as const
