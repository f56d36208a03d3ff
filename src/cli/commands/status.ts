import type { ResultOf } from '#api/result-of.ts'
import { command } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present, table } from '#cli/io.ts'
import { remedyOf } from '#cli/remedies.ts'

type Peer = ResultOf<'network.mesh-status'>['peers'][number]

const whereabouts = ({ connected, superseded_by: successor }: Partial<Peer>): string => {
  if (connected === true) return 'connected'
  return successor === null || successor === undefined ? 'away' : `superseded by ${successor}`
}

const BYTES_PER_MB = 1e6
const megabytes = (bytes: number): string => `${(bytes / BYTES_PER_MB).toFixed(1)} MB`

/** What the data take, of which parts, and what is free beside them. */
const dataText = ({ used_bytes: used, free_bytes: free, parts }: ResultOf<'explorer.status'>['storage']): string =>
  [
    `${megabytes(used)}: database ${megabytes(parts.database)}`,
    `archives from before upgrades ${megabytes(parts.backups)}`,
    `other files ${megabytes(parts.other)}`,
    `${megabytes(free)} free`,
  ].join(', ')

/** The entrance over Redis, where one is set; a node of an older release says nothing of it. */
const redisRows = (redis: ResultOf<'network.mesh-status'>['redis'] | undefined): readonly (readonly string[])[] =>
  redis === undefined || redis.state === 'off'
    ? []
    : [['redis', [redis.state, ...(redis.reason === null ? [] : [redis.reason])].join(', ')]]

/** The state of the node, and what keeps it from work: it may run and yet write nothing, as on a full disk. */
const stateRows = (state: string, { ok, checks }: ResultOf<'explorer.health'>): readonly (readonly string[])[] => [
  ['state', ok ? state : `${state}, but it takes no work`],
  ...checks.filter((it) => !it.ok).map(({ name, detail }) => ['not ready', `${name}: ${detail} → ${remedyOf(name)}`]),
]

export const status = command({
  path: 'status',
  settings: 'node',
  summary: 'Show the running node: clock, log, peers.',
  examples: ['tickmesh status', 'tickmesh status --json'],

  async run(invocation) {
    const { client, url } = connect(invocation)
    const { signal, io } = invocation
    const [node, mesh, { key_supersessions: before }, ready, { page }] = await Promise.all([
      client.call('explorer.status', {}, { signal }),
      client.call('network.mesh-status', {}, { signal }),
      client.call('identity.node', {}, { signal }),
      client.call('explorer.health', {}, { signal }),
      client.call('network.mmio', {}, { signal }),
    ])
    present(io, { ok: true, url, node, mesh, key_supersessions: before, ready, registers: page }, () =>
      table([
        ['address', url],
        ['node', node.node],
        ...before.map(({ succession: it }) => ['before', `${it.old_node}, ${it.size} leaves count`]),
        ['version', `${node.version} (registry ${node.registry_version})`],
        ...stateRows(node.state, ready),
        ['tick', `${node.tick} (mesh ${node.mesh_tick}), phase ${node.phase.toFixed(3)}`],
        ['uptime', `${Math.floor(node.uptime_seconds)} s, ${Math.round(node.rss_bytes / 1e6)} MB resident`],
        ['data', dataText(node.storage)],
        ['log', `${node.log.origin}, ${node.log.leaves} leaves`],
        ['checkpoint', node.log.checkpoint === null ? 'none yet' : `size ${node.log.checkpoint.size}`],
        ...(page.state === 'failed' || page.reason !== null
          ? [['registers', 'not written or not read: `doctor` says more']]
          : []),
        ['mesh', `${mesh.meshSize - 1} peers, ${mesh.recentGossipCount} events in the last 60 ticks`],
        ...redisRows(mesh.redis),
        ...mesh.addresses.map((address) => ['listens', address]),
        ...mesh.peers.map((peer) => ['peer', `${peer.node} ${whereabouts(peer)}`]),
      ]),
    )
    return exits.ok
  },
})
