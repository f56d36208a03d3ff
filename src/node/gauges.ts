import { statfsSync } from 'node:fs'
import type { Services } from '#domain/services.ts'
import type { Gateway } from '#gateway/server.ts'
import { cosignaturesAt, cosignedOf } from '#store/cosigned.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import type { NodeClock } from './clock.ts'
import type { GaugeRow } from './metrics.ts'

/** What levels are read from. */
export interface Gauged {
  readonly store: Store
  readonly clock: NodeClock
  readonly services: Pick<Services, 'compute' | 'explorer' | 'network'>
  readonly gateway: Pick<Gateway, 'streams' | 'sockets' | 'calls'>
  /** The data directory. */
  readonly directory: string
  readonly release: { readonly version: string; readonly build: string }
}

/** Ticks that the oldest leaf has waited for its checkpoint. */
const tickLag = ({ now, log }: Store): number => {
  const { openTick } = log.state
  if (openTick !== null) return now().tick - openTick
  return log.size === (log.checkpoint?.size ?? 0) ? 0 : now().tick - (log.checkpoint?.madeTick ?? 0)
}

const freeBytes = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

const logsOf = ({ log, events }: Store): readonly SealLog[] => [log, events]

/** A log by its kind, which stays what it is when a key succeeds another. */
const labelOf = ({ name }: SealLog): { readonly log: string } => ({ log: name.split('.')[0] ?? name })

const flag = (is: boolean): number => (is ? 1 : 0)

/** Levels of parts that count by themselves: one row is one metric, and each stands on the dashboard. */
export const gaugesOf = ({ store, clock, services, gateway, directory, release }: Gauged): readonly GaugeRow[] => {
  const { compute, network } = services
  return [
    { name: 'chain_head', help: 'Durable leaves of the seal log.', read: () => store.log.size },
    {
      name: 'tick_lag',
      help: 'Ticks that the oldest leaf without a checkpoint has waited; 0 when there is none.',
      read: () => tickLag(store),
    },
    { name: 'peers', help: 'Peers connected.', read: () => network.connected().length },
    {
      name: 'redis_connected',
      help: '1 while gossip goes over Redis; 0 when no address is set, too.',
      read: () => flag(network.redis().state === 'connected'),
    },
    {
      name: 'sync_sources',
      help: 'Nodes whose event logs are kept or were announced.',
      read: () => (network.sync?.sources() ?? []).length,
    },
    {
      name: 'sync_behind_leaves',
      help: "Leaves of other nodes' event logs that are announced and missing here.",
      read: () => (network.sync?.sources() ?? []).reduce((sum, it) => sum + it.behind, 0),
    },
    { name: 'sse_clients', help: 'Event streams open.', read: () => gateway.streams },
    { name: 'socket_clients', help: 'WebSockets open.', read: () => gateway.sockets },
    { name: 'http_calls', help: 'Calls being answered.', read: () => gateway.calls },
    {
      name: 'computations_waiting',
      help: 'Computations that wait for a thread.',
      read: () => compute.load().waiting,
    },
    {
      name: 'jobs',
      help: 'Jobs kept, by state.',
      labels: ['state'],
      read: () => [...compute.load().jobs].map(([state, n]) => [{ state }, n] as const),
    },
    { name: 'reactors', help: 'Reactors kept.', read: () => compute.reactors.load().reactors },
    {
      name: 'reactor_waits',
      help: 'Long-polls and observations that wait for reactors.',
      read: () => compute.reactors.load().waiting,
    },
    {
      name: 'clock_broken',
      help: '1 while the clock is not believed.',
      read: () => flag(clock.broken() !== undefined),
    },
    {
      name: 'store_broken',
      help: '1 when nothing can be written any more.',
      read: () => flag(store.failure !== undefined),
    },
    {
      name: 'log_held',
      help: '1 while nothing is sealed: the log was rolled back, or waits for a word of its witnesses.',
      read: () => flag(store.held !== undefined),
    },
    {
      name: 'cosignatures',
      help: 'Cosignatures of the newest checkpoint, by log.',
      labels: ['log'],
      read: () =>
        logsOf(store).map((it) => [labelOf(it), cosignaturesAt(store, it.name, it.checkpoint?.size ?? 0).length]),
    },
    {
      name: 'quorum_size',
      help: 'The newest size that met the quorum of the policy, by log.',
      labels: ['log'],
      read: () => logsOf(store).map((it) => [labelOf(it), cosignedOf(store, it.name).best?.size ?? 0]),
    },
    {
      name: 'witnessed_logs',
      help: 'Logs of others that this node has cosigned.',
      read: () => store.peek('witnessPlaces', 'all')?.taken ?? 0,
    },
    { name: 'data_free_bytes', help: 'Bytes free where the data lies.', read: () => freeBytes(directory) },
    {
      name: 'streams_bytes_per_day',
      help: 'Bytes that streams which tick by themselves write in a day, by what a sealed tick takes in this store.',
      read: () => services.explorer.status().storage.growth.bytes_per_day,
    },
    {
      name: 'build_info',
      help: '1; its labels say what runs.',
      labels: ['version', 'build'],
      read: () => [[{ ...release }, 1]],
    },
  ]
}
