import { fileURLToPath } from 'node:url'
import type { Endpoint } from '#api/endpoint.ts'
import { ownerPath } from '#api/identity/owner-link.ts'
import { endpoints } from '#api/index.ts'
import { bundlePath, computeCalls, kernelPaths } from '#api/told-routes.ts'
import { utf8 } from '#core/bytes.ts'
import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Channels } from '#domain/channels/service.ts'
import type { Pool } from '#domain/compute/pool.ts'
import { type Compute, createCompute } from '#domain/compute/service.ts'
import { type NodeTally, openTally } from '#domain/compute/tally.ts'
import type { Zones } from '#domain/contracts/context.ts'
import { createTemplates } from '#domain/contracts/templates/service.ts'
import type { Economy } from '#domain/economy/economy.ts'
import { createEconomy } from '#domain/economy/service.ts'
import { createConformance } from '#domain/explorer/conformance.ts'
import type { Explorer } from '#domain/explorer/explorer.ts'
import { energyMeter } from '#domain/explorer/landauer.ts'
import { createExplorer } from '#domain/explorer/service.ts'
import { createSource } from '#domain/explorer/source.ts'
import type { ClockJumpView, Manifest, NodeStatus } from '#domain/explorer/views.ts'
import { createCustody } from '#domain/identity/custody.ts'
import type { Identity } from '#domain/identity/identity.ts'
import { type NodeKeys, openNodeKeys } from '#domain/identity/node-keys.ts'
import { openIdentity } from '#domain/identity/service.ts'
import { settleRotation } from '#domain/identity/succession.ts'
import { createMessaging } from '#domain/messaging/service.ts'
import { createRecorder, type EventRecorder } from '#domain/network/recorder.ts'
import { createNetwork } from '#domain/network/service.ts'
import { namedLogs } from '#domain/network/standing.ts'
import type { Network } from '#domain/network/types.ts'
import type { Works } from '#domain/network/works/service.ts'
import type { Services } from '#domain/services.ts'
import { manifest } from '#gateway/manifest.ts'
import { openapi } from '#gateway/openapi.ts'
import { createGateway } from '#gateway/server.ts'
import type { Mesh } from '#mesh/host.ts'
import { settleRestore } from '#store/backup/moves.ts'
import { confirmed, isUnconfirmed } from '#store/backup/unconfirmed.ts'
import { openStore } from '#store/open.ts'
import type { Store } from '#store/store.ts'
import { snapshotOf } from './backup.ts'
import { channelDoorsOf, channelsOf } from './channels.ts'
import type { NodeClock } from './clock.ts'
import type { LoadedConfig } from './config.ts'
import { contractsOf } from './contracts.ts'
import { contributionOf } from './contribution.ts'
import { exposuresOf, staysHere } from './exposure.ts'
import { gaugesOf } from './gauges.ts'
import { joinMesh } from './join.ts'
import { machinesOf } from './machines.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { registersOf } from './mmio.ts'
import { registerPlaceOf } from './mmio-place.ts'
import { bounded } from './open-files.ts'
import { type MeshPolicy, readPolicy } from './policy.ts'
import { processView, readRelease } from './process-view.ts'
import { type Pump, pumpOf } from './pump.ts'
import { type RedisEntrance, readRedis, redisOf } from './redis.ts'
import type { Config } from './settings.ts'
import { migrationOf } from './upgrade.ts'
import { votesOf } from './votes.ts'
import { witnessOf } from './witness.ts'
import { worksOf } from './works.ts'

/** What a node needs from outside: tests bring their own time and keep the lines. */
export interface NodePorts {
  readonly clock: NodeClock
  readonly sleep: Sleep
  readonly log: Log
  /** Whether the node follows the ticks by itself. Without, `beat` is called by whoever moves the clock. */
  readonly follows: boolean
  /** Threads that outlive the node, where one process has several nodes after one another; its own unless given. */
  readonly pool?: Pool
  /** What is known of time zones; what the engine of this process knows unless given. */
  readonly zones?: Zones
}

/** A running node. Disposing stops it in order, within the time that the settings give. */
export interface Node extends AsyncDisposable {
  /** Address of the interface. */
  readonly url: string
  readonly nodeId: string
  readonly services: Services
  readonly store: Store
  /** Undefined when libp2p is switched off. */
  readonly mesh: Mesh | undefined
  /** Directory of the register files; null where none are written. */
  readonly registers: string | null
  /** Address of the page with a token that makes its first visitor the owner: for stderr, once. */
  ownerLink(): string
  /** What is due when a tick is over. */
  beat(): Promise<void>
}

const ROOT_DIRECTORY = fileURLToPath(new URL('../..', import.meta.url))
const directories = {
  uiDirectory: fileURLToPath(new URL('../../.build/ui', import.meta.url)),
  docsDirectory: fileURLToPath(new URL('../../.build/docs', import.meta.url)),
} as const

const all = endpoints as unknown as readonly Endpoint[]

/** The manifest and the description of a fixed array never change: they are made once. */
const surfaces = () => {
  const byDomain = new Map<string | undefined, Manifest>()
  let document: unknown
  return {
    manifest: (domain?: string): Manifest => {
      const found = byDomain.get(domain) ?? manifest(all, domain)
      byDomain.set(domain, found)
      return found
    },
    openapi: (): unknown => {
      document ??= openapi(all)
      return document
    },
    kernel: kernelPaths,
  }
}

interface NodeContext {
  readonly config: Config
  readonly directory: string
  readonly policy: MeshPolicy
  readonly ports: NodePorts
  readonly keys: NodeKeys
  readonly store: Store
  readonly metrics: Metrics
  readonly release: ReturnType<typeof readRelease>
}

const networkOf = (
  { config, policy, ports, keys, store, metrics, release }: NodeContext,
  {
    compute,
    recorder,
    contribution,
    works,
    redis,
  }: Pick<Services, 'compute' | 'contribution'> & {
    recorder: EventRecorder
    works: () => Works
    redis: () => RedisEntrance
  },
): Network =>
  createNetwork({
    signer: keys.signer,
    clock: ports.clock,
    genesisMeshTick: store.genesisMeshTick,
    secrets: [config.mesh.secret, config.mesh.secretPrevious].filter((it) => it !== '').map(utf8),
    policy: policy.name,
    meshSize: config.mesh.size,
    version: release.version,
    registryVersion: compute.registry.version,
    // A node that never contributed says nothing of it, so that releases of before still read its presence.
    contributes: () => (contribution.mode === 'idle' ? undefined : contribution.said),
    partners: () => works().partners(),
    ownHead: () => store.log.checkpoint?.note,
    keeping: { store, recorder, named: namedLogs(policy.policy), policy: policy.policy },
    coherence: () => undefined,
    redis: () => redis().status(),
    log: ports.log,
    meter: metrics,
  })

const meshOf = async (
  { config, ports, keys }: NodeContext,
  {
    network,
    witness,
    compute,
    economy,
    works,
  }: Pick<Services, 'network' | 'witness' | 'compute' | 'economy' | 'works'>,
): Promise<Mesh | undefined> => {
  const { enabled, host, port, announce, mdns } = config.p2p
  if (!enabled) return undefined
  // A third of all that a node loads: one without libp2p does without.
  const { createMesh } = await import('#mesh/host.ts')
  const where = { host, port, announce, bootstrap: config.bootstrap, mdns: mdns ? {} : undefined }
  const answering = {
    witness,
    reactors: compute.reactors,
    tokens: economy.abroad,
    links: works.links,
    blobs: works.blobs,
  }
  return createMesh({ seed: keys.seed, config: where, network, clock: ports.clock, log: ports.log, answering })
}

/** Jumps that are shown; older ones stand in the log. */
const JUMPS_MAX = 16

/** Compares wall and monotonic time, keeps the jumps, and says what it found, once for each change. */
const watchClock = ({ clock, log }: NodePorts, store: Store) => {
  const jumps: ClockJumpView[] = []
  let behind = false
  const compare = (): void => {
    const { tick } = store.now()
    const verdict = clock.compare()
    if (verdict.kind === 'followed') {
      const step_ns = String(verdict.jump.stepNs)
      jumps.splice(0, Math.max(0, jumps.length + 1 - JUMPS_MAX))
      jumps.push({ tick, step_ns })
      log.warn({ tick, step_ns }, 'clock_jump')
    }
    if (verdict.kind === 'refused') log.error({ stepNs: String(verdict.jump.stepNs) }, 'clock_jump_refused')
    if (verdict.kind === 'backward' && !behind) log.warn({ stepNs: String(verdict.stepNs) }, 'clock_backward_ignored')
    behind = verdict.kind === 'backward'
  }
  return { compare, jumps: (): readonly ClockJumpView[] => jumps }
}

const computeOf = (
  { config, ports, keys, store, metrics }: NodeContext,
  { economy, machines, tally }: Pick<Services, 'economy' | 'machines'> & { readonly tally: NodeTally },
): Promise<Compute> =>
  createCompute({
    store,
    tally,
    economy,
    machines,
    clock: ports.clock,
    sleep: ports.sleep,
    log: ports.log,
    meter: metrics,
    signer: keys.signer,
    node: { id: keys.nodeId, genesisMeshTick: store.genesisMeshTick },
    pulseSecret: keys.secret('pulse'),
    options: config.compute,
    calls: computeCalls,
    ...(ports.pool === undefined ? {} : { pool: ports.pool }),
  })

/** Where the node stands in its life; `/readyz` is 200 while it runs. */
interface Life {
  state: NodeStatus['state']
}

/** The node runs from here until it is disposed: its page says so at once, and contracts go on where they stopped. */
const begun = (life: Life, { registers, contracts }: Pick<Services, 'registers' | 'contracts'>): Disposable => {
  life.state = 'running'
  registers.beat()
  void contracts.takeUp()
  return {
    [Symbol.dispose]: () => {
      life.state = 'stopping'
    },
  }
}

interface Shown {
  readonly economy: Economy
  readonly compute: Compute
  readonly network: Network
  readonly life: Life
  readonly jumps: () => readonly ClockJumpView[]
  readonly channels: Channels
}

const explorerOf = (
  { ports, directory, keys, store, metrics, release }: NodeContext,
  { compute, economy, network, life, jumps, channels }: Shown,
): Explorer =>
  createExplorer({
    nodeId: keys.nodeId,
    store,
    clock: ports.clock,
    clockBroken: ports.clock.broken,
    clockJumps: jumps,
    compute,
    economy,
    network,
    channels: channels.load,
    process: processView(release, () => life.state, directory),
    energy: energyMeter(),
    surfaces: surfaces(),
    source: createSource(ROOT_DIRECTORY, release.version),
    snapshot: (signal) => snapshotOf(store, { signal }),
    conformance: createConformance(ROOT_DIRECTORY, () => manifest(all)),
    metrics: async () => ({ text: await metrics.text(), type: metrics.type }),
    checks: [
      // A node alone seals as well as one of many: the check is there to be read, and passes.
      () => ({ name: 'peers', ok: true, detail: `${network.connected().length} connected` }),
      () => ({ name: 'state', ok: life.state === 'running', detail: life.state }),
    ],
  })

/** Has the mesh told where the owner's ZID is at home: now, or as soon as the log takes it. */
const tellOwner = async (identity: Identity, { join }: Pump, log: Log): Promise<void> => {
  await identity.tellOwner()
  join(() => void identity.tellOwner().catch((error: unknown) => log.error({ error }, 'owner_untold')))
}

/** Money, envelopes and claims, with the keys that they need. */
const economyOf = ({ config, keys, store, metrics: meter }: NodeContext): Economy => {
  const { anonymousWorkMax: workMax, anonymousWorkPerDay: workPerDay, bucketsMax } = config.limits
  return createEconomy({
    trustsOwner: staysHere(config),
    ...{ store, signer: keys.signer, bundlePath, meter },
    workSecret: keys.secret('proof-of-work'),
    custody: createCustody(keys),
    keyless: { workMax, workPerDay, bucketsMax },
  })
}

/** What stands on nothing but the store, or on nothing. */
const besides = (store: Store): Pick<Services, 'contractTemplates' | 'messaging'> => ({
  contractTemplates: createTemplates(),
  messaging: createMessaging(store),
})

/**
 * The composition root: the one place that constructs things. Start order is reading order and stop order is its
 * reverse; a failure half way closes what was already open.
 *
 * @throws ConfigError, DirectoryInUse, StoreRefused, KeyFileRefused, ListenError, each with what a person can do.
 */
export const createNode = async ({ config, dataDirectory }: LoadedConfig, ports: NodePorts): Promise<Node> => {
  const { clock, log, sleep } = ports
  await using opened = new AsyncDisposableStack()
  const release = readRelease()
  const metrics = createMetrics()
  const life: Life = { state: 'starting' }
  const policy = readPolicy(config.mesh.policy)
  const place = readRedis(config)

  await settleRestore(dataDirectory)
  await settleRotation(dataDirectory)
  const keys = openNodeKeys(dataDirectory)
  const onWritten = (seconds: number): void => metrics.observe('fsync_seconds', seconds)
  const migration = migrationOf({ directory: dataDirectory, backup: config.upgrade.backup, log })
  const storeOptions = { directory: dataDirectory, clock, signer: keys.signer, onWritten, migration }
  const store = opened.use(await openStore(storeOptions))
  const context: NodeContext = { config, directory: dataDirectory, policy, ports, keys, store, metrics, release }
  const watched = watchClock(ports, store)

  const economy = economyOf(context)
  await economy.moves.resume()
  const tally = opened.use(await openTally(store))
  const pump = opened.use(pumpOf(context, { economy, compare: watched.compare, keep: tally.keep }))
  const recorder = createRecorder(store, keys.signer)
  const identity = await openIdentity({ directory: dataDirectory, store, economy, keys, recorder })
  const machines = opened.use(machinesOf(context, { economy, each: pump.join }))
  const compute = opened.use(await computeOf(context, { economy, machines, tally }))
  const contracts = opened.use(await contractsOf(context, { compute, economy, machines, each: pump.join }))
  const channels = opened.use(await channelsOf(context, { compute, economy, machines, each: pump.join }))
  const peers = (): ReturnType<Network['peers']> => network.peers()
  const worksOpen = (bond: string): number => works.worker.worksOpen(bond)
  const contribution = opened.use(contributionOf(context, { economy, recorder, compute, peers, worksOpen }))
  const network = networkOf(context, { compute, recorder, contribution, works: () => works, redis: () => redis })
  const { works, disputes } = await worksOf(context, { compute, contribution, recorder, network: () => network })
  opened.use(works)
  opened.use(disputes)
  const confirming = { onConfirmed: (): void => confirmed(dataDirectory), restored: isUnconfirmed(dataDirectory) }
  const about = { ...confirming, policy, p2p: config.p2p.enabled, keys, store, network, log, meter: metrics }
  const witness = opened.use(await witnessOf(about))
  const mesh = opened.use(await meshOf(context, { network, witness, compute, economy, works }))
  const redis = opened.use(await redisOf({ ...context, place }, network))
  const around = { network, compute, witness, each: pump.join }
  const votes = opened.use(await votesOf(context, { ...around, economy, identity, recorder }))
  const explorer = explorerOf(context, { compute, economy, network, life, channels, jumps: watched.jumps })
  const shown = { compute, contribution, disputes, identity, network, works, tally }
  const registers = opened.use(registersOf(context, { ...shown, life: () => life.state }))
  const own = { channels, compute, contracts, contribution, disputes, economy, explorer, identity, machines }
  const doors = { channelDoors: channelDoorsOf(context, { channels, compute }) }
  const services: Services = { ...own, ...doors, ...besides(store), network, registers, votes, witness, works }
  opened.use(joinMesh(services, { mesh, redis, each: pump.join, policy: policy.policy, log }))
  await tellOwner(identity, pump, log)

  const parts = { endpoints: all, services, settings: bounded(config, log), log, meter: metrics, sleep, ...directories }
  const gateway = opened.use(await createGateway(parts))
  for (const row of gaugesOf({ store, clock, services, gateway, directory: dataDirectory, release })) metrics.gauge(row)
  opened.use(begun(life, services))

  const { url } = gateway
  for (const exposure of exposuresOf(config)) log.warn(exposure, 'public_without_tls')
  log.info({ url, node: keys.nodeId, data: dataDirectory, version: release.version }, 'ready')
  const resources = opened.move()
  return {
    url,
    nodeId: keys.nodeId,
    services,
    store,
    mesh,
    registers: registerPlaceOf({ config, dataDirectory })?.directory ?? null,
    ownerLink: () => `${url}${ownerPath(identity.ownerLink())}`,
    beat: pump.beat,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
