import { FactBox } from '#ui/part/fact.tsx'
import { ticksText } from '#ui/text/ago.ts'
import { Ago } from './ago.tsx'
import type { MeshStatus } from './mesh.ts'

/** What does not fit about a peer, in words. */
const reasonWords: Readonly<Record<string, string>> = {
  no_status: 'has not said what it is',
  bad_status: 'what it says of itself cannot be read',
  not_a_member: 'does not know the mesh secret',
  private_mesh: 'belongs to a private mesh',
  bad_head: 'shows a head that its key has not signed',
  other_registry: 'has other operators',
  other_policy: 'keeps to another policy',
  clock_skew: 'its clock is two ticks or more away',
}

const stateClass = (state: string): string =>
  state === 'compatible' ? 'final' : state === 'incompatible' ? 'bad' : 'promised'

const Skew = ({ ticks }: { readonly ticks: number | null }) => {
  if (ticks === null) return <>–</>
  if (ticks === 0) return <>as ours</>
  return (
    <span title={`${ticks} ticks`}>
      {ticksText(Math.abs(ticks))} {ticks > 0 ? 'ahead' : 'behind'}
    </span>
  )
}

const Facts = ({ peer, now }: { readonly peer: MeshStatus['peers'][number]; readonly now: number }) => {
  const { head, rtt_ms: rtt, skew_ticks: skew, version, last_seen: seen } = peer
  return (
    <dl class="facts">
      <FactBox name="round trip">{rtt === null ? '–' : `${rtt.toFixed(1)} ms`}</FactBox>
      <FactBox name="clock">
        <Skew ticks={skew} />
      </FactBox>
      <FactBox name="log">{head === null ? '–' : `${head.size} leaves`}</FactBox>
      <FactBox name="version">{version ?? '–'}</FactBox>
      <FactBox name="last seen">
        <Ago tick={seen} now={now} />
      </FactBox>
    </dl>
  )
}

const Peer = ({ peer, now }: { readonly peer: MeshStatus['peers'][number]; readonly now: number }) => (
  <li class="card peer" data-peer={peer.node} data-connected={peer.connected}>
    <p class="row-head">
      <span class={peer.connected ? 'badge final' : 'badge'}>{peer.connected ? 'connected' : 'away'}</span>
      <span class={`badge ${stateClass(peer.state)}`}>{peer.state}</span>
      <code>{peer.node}</code>
    </p>
    {peer.reasons.length > 0 && (
      <ul class="plain wrong">
        {peer.reasons.map((it) => (
          <li key={it} data-reason={it}>
            {reasonWords[it] ?? it.replaceAll('_', ' ')}
          </li>
        ))}
      </ul>
    )}
    <Facts peer={peer} now={now} />
    {peer.address !== null && (
      <p class="about">
        <code>{peer.address}</code>
      </p>
    )}
  </li>
)

/** The nodes that this one knows, the connected ones first. */
export const Peers = ({ mesh }: { readonly mesh: MeshStatus }) => (
  <section aria-label="Peers">
    <h3>{mesh.peers.length === 1 ? '1 peer' : `${mesh.peers.length} peers`}</h3>
    {mesh.peers.length === 0 && (
      <p class="card about">
        None yet. Another node finds this one by <code>tickmesh start --bootstrap ADDRESS</code> with an address from
        above.
      </p>
    )}
    <ul class="rows two">
      {mesh.peers.map((peer) => (
        <Peer key={peer.node} peer={peer} now={mesh.mesh_tick} />
      ))}
    </ul>
  </section>
)
