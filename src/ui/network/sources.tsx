import { RowTable } from '#ui/part/row-table.tsx'
import type { MeshStatus } from './mesh.ts'

/** Sources that are drawn, those that lack most first. */
const ROWS_MAX = 64

/** How far the event logs of other nodes are here. */
export const Sources = ({ sources }: { readonly sources: MeshStatus['sources'] }) => (
  <section class="card" aria-label="Event logs">
    <h3>Event logs of others</h3>
    {sources.length === 0 ? (
      <p class="about">None yet: no other node has shown its event log.</p>
    ) : (
      <RowTable heads={['Node', 'Here', 'Kept from', 'Signed', 'State']}>
        {sources.slice(0, ROWS_MAX).map(({ node, origin, size, first, noted, behind }) => (
          <tr key={origin} data-source={node}>
            <th scope="row" class="wrap">
              <code>{node}</code>
            </th>
            <td data-label="here">{size}</td>
            <td data-label="kept from">{first}</td>
            <td data-label="signed">{noted}</td>
            <td data-label="state">
              <span class={`badge ${behind === 0 ? 'final' : 'promised'}`} data-behind={behind}>
                {behind === 0 ? 'complete' : `${behind} behind`}
              </span>
            </td>
          </tr>
        ))}
      </RowTable>
    )}
  </section>
)
