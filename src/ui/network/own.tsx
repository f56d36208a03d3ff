import { Short } from '#ui/part/short.tsx'
import type { MeshStatus } from './mesh.ts'

/** This node as the mesh knows it. */
export const Own = ({ mesh, vkey }: { readonly mesh: MeshStatus; readonly vkey: string }) => (
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
      <dt>policy</dt>
      <dd>
        {mesh.policy === 'open' ? (
          'open: there is no policy file'
        ) : (
          <>
            by file, SHA-256 <Short text={mesh.policy} />
          </>
        )}
      </dd>
    </dl>
  </section>
)
