import type { MeshStatus } from './mesh.ts'

/** Says that the node has lost what it signed: then it seals nothing, and its owner must act. */
export const RolledBack = ({ witness: { state, lost } }: { readonly witness: MeshStatus['witness'] }) => {
  if (state !== 'rolled_back') return null
  return (
    <section class="card problem" aria-label="Rolled back" role="alert">
      <h3>This node has lost what it signed</h3>
      {lost !== null && (
        <p>
          Its own key signed {lost.signed} leaves of <code>{lost.origin}</code>, and it holds {lost.size};{' '}
          <code>{lost.from}</code> showed it.
        </p>
      )}
      <p class="about">
        Nothing is sealed, so that no second history begins. Restore a newer backup, or give the node a new identity
        key.
      </p>
    </section>
  )
}
