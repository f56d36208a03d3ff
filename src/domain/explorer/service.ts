import { assertOwner } from '#core/caller.ts'
import type { Clock, Moment } from '#core/clock.ts'
import { isoOf } from '#core/iso.ts'
import { meshTickStart, TICK_NS } from '#core/tick.ts'
import { NS_PER_MS, secondsOf } from '#core/time.ts'
import type { ChannelLoad } from '#domain/channels/load.ts'
import type { Compute } from '#domain/compute/service.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { Network } from '#domain/network/types.ts'
import { sin, TAU } from '#numerics/math.ts'
import { cosignaturesAt, cosignedNote } from '#store/cosigned.ts'
import type { CheckpointRow } from '#store/rows/log.ts'
import type { Store } from '#store/store.ts'
import { allConstants, constantByKey } from './constants.ts'
import type { Explorer, Surfaces } from './explorer.ts'
import { growthOf } from './growth.ts'
import { ALPHA, type KernelPaths, kernelNote, MODULATION, PRECISION_PCT, PULSE_HZ, TICK_SEC } from './kernel-note.ts'
import { type EnergyMeter, landauer } from './landauer.ts'
import { createLogs } from './logs.ts'
import type { Check, CheckpointView, ClockJumpView, LogStateView, NodeStatus, PulseView } from './views.ts'

/** What the running process says of itself; read by the composition root, which alone may. */
export interface ProcessView {
  readonly version: string
  readonly build: string
  readonly nodeVersion: string
  readonly platform: string
  state(): NodeStatus['state']
  uptimeSeconds(): number
  rssBytes(): number
  /** Disk that the data take, and what is left. */
  storage(): Omit<NodeStatus['storage'], 'growth'>
  /** Bytes hashed and written so far. */
  bytesErased(): number
}

/** What the explorer looks at. */
export interface ExplorerParts {
  readonly nodeId: string
  readonly store: Store
  readonly clock: Clock
  /** Why the clock cannot be believed, if it cannot. */
  readonly clockBroken: () => string | undefined
  /** Forward jumps that the clock followed since the start. */
  readonly clockJumps: () => readonly ClockJumpView[]
  readonly compute: Pick<Compute, 'kernelVersion' | 'registry' | 'load'>
  readonly economy: Pick<Economy, 'envelopeSeen'>
  readonly network: Pick<Network, 'peers'>
  /** What hosted computations that tick ask of this node. */
  readonly channels: () => ChannelLoad
  readonly process: ProcessView
  readonly energy: EnergyMeter
  readonly surfaces: Surfaces
  readonly metrics: Explorer['metrics']
  readonly source: Explorer['source']
  readonly snapshot: (signal: AbortSignal) => AsyncIterable<Uint8Array>
  readonly conformance: Explorer['conformance']
  /** Checks of parts that the explorer does not know. */
  readonly checks: readonly (() => Promise<Check> | Check)[]
}

interface Kernel {
  readonly version: string
  readonly paths: KernelPaths
}

/** The pulse at a moment. R is that of S = 1. */
const pulseAt = (moment: Moment, genesisMeshTick: number, kernel: Kernel): PulseView => {
  const genesis = meshTickStart(genesisMeshTick)
  const deviation = ALPHA * sin(TAU * moment.phase)
  const remaining = meshTickStart(moment.meshTick + 1) - moment.instant
  return {
    protocol: 'tickmesh-pulse/1',
    doctrine: 'The modulation stamps a result; it never alters one.',
    genesisAt: isoOf(genesis),
    sinceGenesis: moment.tick,
    tick: moment.tick,
    phase: moment.phase,
    genesisTick: genesisMeshTick,
    genesisUnixMs: Number(genesis / NS_PER_MS),
    clockSource: 'system',
    R_t: 1 + deviation,
    fieldStrength: deviation,
    timeToNextTick: secondsOf(remaining),
    pulseHz: PULSE_HZ,
    tickSec: TICK_SEC,
    alpha: ALPHA,
    precision: PRECISION_PCT,
    timestamp: isoOf(moment.instant),
    modulation: MODULATION,
    tick_ns: Number(TICK_NS),
    mesh_tick: moment.meshTick,
    _kernel: kernelNote(kernel.version, kernel.paths),
  }
}

const check = (name: string, fault: string | undefined, detail: string): Check => ({
  name,
  ok: fault === undefined,
  detail: fault ?? detail,
})

/** The checks that the store can answer for: it is writable, and its head is the one it signed. */
const storeChecks = async ({ store }: ExplorerParts): Promise<readonly Check[]> => {
  const { log, failure, clockBehind, held } = store
  const { checkpoint } = log
  const root = checkpoint === undefined ? undefined : Buffer.from(await log.rootAt(checkpoint.size)).toString('hex')
  const head =
    checkpoint === undefined || root === checkpoint.root ? undefined : 'the head is not the one that was signed'
  return [
    check('log', failure?.message, `${log.size} leaves`),
    check('head', head, checkpoint === undefined ? 'no checkpoint yet' : `size ${checkpoint.size}`),
    check(
      'clock_behind',
      clockBehind ? 'the clock is behind the last durable tick' : undefined,
      'at or after the last tick',
    ),
    check('log_whole', held?.message, 'nothing larger was signed'),
  ]
}

/** A checkpoint as it is shown, with the lines of its witnesses, who cosign it later. */
const shown = ({ store }: ExplorerParts, checkpoint: CheckpointRow): CheckpointView => {
  const { size, root, tick } = checkpoint
  const { name } = store.log
  const cosignatures = cosignaturesAt(store, name, size).length
  return { size, root, tick, cosignatures, note: cosignedNote(store, name, checkpoint) }
}

/** The pool takes work as long as its queue has room. */
const poolCheck = (compute: ExplorerParts['compute']): Check => {
  const { threads, waiting, waitingMax } = compute.load()
  const full = waiting >= waitingMax && waitingMax > 0 ? `${waiting} computations wait, and no more may` : undefined
  return check('pool', full, `${threads} threads, ${waiting} computations wait`)
}

/** What the data take on disk, and how that grows by channels that tick. */
const storageOf = ({ store, process, channels }: ExplorerParts): NodeStatus['storage'] => {
  const storage = process.storage()
  const { parts, free_bytes: free } = storage
  const leaves = store.log.base + store.log.size
  return { ...storage, growth: growthOf(channels(), { bytes: parts.database, leaves, free }) }
}

/** The explorer over the node's parts. */
export const createExplorer = (parts: ExplorerParts): Explorer => {
  const { store, compute, process, energy } = parts
  const moment = (): Moment => store.now()
  const since = isoOf(parts.clock.now())
  const kernel = { version: compute.kernelVersion, paths: parts.surfaces.kernel }

  const logState = (): LogStateView => {
    const { origin, size, checkpoint } = store.log
    return {
      origin,
      leaves: size,
      checkpoint: checkpoint === undefined ? null : shown(parts, checkpoint),
    }
  }

  return {
    surfaces: parts.surfaces,
    metrics: parts.metrics,
    source: parts.source,
    snapshot: (caller, signal) => {
      assertOwner(caller, 'Only the owner of the node copies its data.')
      return parts.snapshot(signal)
    },
    conformance: parts.conformance,
    pulse: () => pulseAt(moment(), store.genesisMeshTick, kernel),
    logState,
    logs: createLogs(parts),
    landauer: () => landauer(process.bytesErased(), energy(), since),
    constants: () => allConstants,
    constant: constantByKey,
    async readiness() {
      const clock = check('clock', parts.clockBroken(), 'steady')
      const checks = [
        ...(await storeChecks(parts)),
        clock,
        poolCheck(compute),
        ...(await Promise.all(parts.checks.map((it) => it()))),
      ]
      return { ok: checks.every((it) => it.ok), checks }
    },
    status() {
      const { tick, meshTick, phase } = moment()
      return {
        node: parts.nodeId,
        version: process.version,
        build: process.build,
        kernel_version: compute.kernelVersion,
        registry_version: compute.registry.version,
        state: process.state(),
        tick,
        mesh_tick: meshTick,
        phase,
        uptime_seconds: process.uptimeSeconds(),
        node_version: process.nodeVersion,
        platform: process.platform,
        rss_bytes: process.rssBytes(),
        storage: storageOf(parts),
        clock_jumps: parts.clockJumps(),
        peers: parts.network.peers().filter((it) => it.connected).length,
        endpoints: parts.surfaces.manifest().count,
        log: logState(),
      }
    },
  }
}
