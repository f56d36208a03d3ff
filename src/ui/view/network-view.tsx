import { send } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import type { MeshShape, PeerShape } from '#ui/server/shapes.ts'
import { ProblemCard } from './problem-card.tsx'

const READ_EVERY_MS = 2000

const peerFacts = ({ head, rtt_ms: rtt, skew_ticks: skew, version, reasons, address }: PeerShape): readonly string[] =>
  [
    version === null ? undefined : `version ${version}`,
    head === null ? undefined : `log of ${head.size} leaves`,
    rtt === null ? undefined : `${rtt.toFixed(1)} ms away`,
    skew === null ? undefined : `clock ${skew} ticks off`,
    address ?? undefined,
    ...reasons,
  ].filter((it) => it !== undefined)

const Peer = ({ peer }: { readonly peer: PeerShape }) => (
  <li class="card" data-peer={peer.node} data-connected={peer.connected}>
    <p class="row-head">
      <span class={peer.connected ? 'badge final' : 'badge'}>{peer.connected ? 'connected' : 'away'}</span>
      <span>{peer.state}</span>
      <code>{peer.node}</code>
    </p>
    <p class="about">{peerFacts(peer).join(' · ')}</p>
  </li>
)

const Own = ({ mesh, vkey }: { readonly mesh: MeshShape; readonly vkey: string }) => (
  <section class="card" aria-label="This node">
    <dl>
      <dt>node</dt>
      <dd>
        <code>{mesh.node}</code>
      </dd>
      <dt>log key</dt>
      <dd>
        <code>{vkey}</code>
      </dd>
      <dt>listens</dt>
      <dd>
        {mesh.addresses.length === 0 && 'nowhere: the mesh is off'}
        {mesh.addresses.map((address) => (
          <div key={address}>
            <code>{address}</code>
          </div>
        ))}
      </dd>
      <dt>mesh</dt>
      <dd>
        {mesh.private ? 'private' : 'open'}, {mesh.meshSize} connected with this one, {mesh.activeNodes} active,{' '}
        {mesh.recentGossipCount} events in 60 ticks
      </dd>
    </dl>
  </section>
)

/** This node and the ones it knows, live. */
export const NetworkView = ({ vkey }: { readonly vkey: string }) => {
  const { value: mesh, problem } = useReading((signal) => send<MeshShape>('/api/mesh/status', { signal }), {
    everyMs: READ_EVERY_MS,
    on: [],
  })
  return (
    <article>
      <h2>Node and peers</h2>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {mesh !== undefined && (
        <>
          <Own mesh={mesh} vkey={vkey} />
          <h3>{mesh.peers.length === 1 ? '1 peer' : `${mesh.peers.length} peers`}</h3>
          {mesh.peers.length === 0 && (
            <p class="card about">
              None yet. Another node finds this one by <code>tickmesh start --bootstrap ADDRESS</code> with an address
              from above.
            </p>
          )}
          <ul class="rows">
            {mesh.peers.map((peer) => (
              <Peer key={peer.node} peer={peer} />
            ))}
          </ul>
        </>
      )}
    </article>
  )
}
