import { Fact } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'
import { ticksText } from '#ui/text/ago.ts'
import type { MeshStatus } from './mesh.ts'

/** What the node counts events over. */
const COUNTED_TICKS = 60

/** This node as the mesh knows it. */
export const Own = ({ mesh, vkey }: { readonly mesh: MeshStatus; readonly vkey: string }) => (
  <section class="card" aria-label="This node">
    <dl>
      <Fact name="node">
        <code>{mesh.node}</code>
      </Fact>
      <Fact name="log key">
        <code>{vkey}</code>
      </Fact>
      <Fact name="listens">
        {mesh.addresses.length === 0 && 'nowhere: the mesh is off'}
        {mesh.addresses.map((address) => (
          <div key={address}>
            <code>{address}</code>
          </div>
        ))}
      </Fact>
      <Fact name="mesh">
        {mesh.private ? 'private' : 'open'}, {mesh.meshSize} connected with this one, {mesh.activeNodes} active,{' '}
        {mesh.recentGossipCount} events in {ticksText(COUNTED_TICKS)}
      </Fact>
      <Fact name="policy">
        {mesh.policy === 'open' ? (
          'open: there is no policy file'
        ) : (
          <>
            by file, SHA-256 <Short text={mesh.policy} />
          </>
        )}
      </Fact>
    </dl>
  </section>
)
