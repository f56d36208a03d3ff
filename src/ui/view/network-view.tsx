import { useEffect, useState } from 'preact/hooks'
import { send } from '#ui/server/api.ts'
import type { MeshShape } from '#ui/server/shapes.ts'

const READ_EVERY_MS = 3000

const useMesh = (): MeshShape | undefined => {
  const [mesh, show] = useState<MeshShape>()
  useEffect(() => {
    const read = (): void =>
      void send<MeshShape>('/api/mesh/status')
        .then(show)
        .catch(() => undefined)
    read()
    const reads = setInterval(read, READ_EVERY_MS)
    return () => clearInterval(reads)
  }, [])
  return mesh
}

const Peer = ({ peer }: { readonly peer: MeshShape['peers'][number] }) => (
  <li class="card" data-peer={peer.node}>
    <p>
      <b>{peer.connected ? 'connected' : 'away'}</b>, {peer.state}
      {peer.version !== null && `, ${peer.version}`}
    </p>
    <p>
      <code>{peer.node}</code>
    </p>
    <p class="about">
      {[
        peer.head === null ? undefined : `log of ${peer.head.size} leaves`,
        peer.rtt_ms === null ? undefined : `${peer.rtt_ms.toFixed(1)} ms away`,
        peer.skew_ticks === null ? undefined : `clock ${peer.skew_ticks} ticks off`,
        ...peer.reasons,
      ]
        .filter((it) => it !== undefined)
        .join(' · ')}
    </p>
  </li>
)

/** This node and the ones it knows. */
export const NetworkView = ({ vkey }: { readonly vkey: string }) => {
  const mesh = useMesh()
  if (mesh === undefined) return <p class="about">…</p>
  return (
    <article>
      <h2>Node and peers</h2>
      <section class="card">
        <dl>
          <dt>node</dt>
          <dd>
            <code>{mesh.node}</code>
          </dd>
          <dt>log key</dt>
          <dd>
            <code>{vkey}</code>
          </dd>
          {mesh.addresses.map((address) => [
            <dt key={`${address}-name`}>listens</dt>,
            <dd key={address}>
              <code>{address}</code>
            </dd>,
          ])}
          <dt>mesh</dt>
          <dd>
            {mesh.private ? 'private' : 'open'}, {mesh.meshSize} nodes, {mesh.recentGossipCount} events in 60 ticks
          </dd>
        </dl>
      </section>
      <h3>{mesh.peers.length} peers</h3>
      <ul class="peers">
        {mesh.peers.map((peer) => (
          <Peer key={peer.node} peer={peer} />
        ))}
      </ul>
    </article>
  )
}
