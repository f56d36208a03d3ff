import { partText, phaseText, verdictText } from '#ui/dispute/words.ts'
import { MeshTime } from '#ui/part/ago.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Short } from '#ui/part/short.tsx'
import { call } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'

const READ_EVERY_MS = 5_000
const ROWS = 20

/** Disputes that the node knows of, its own and others'. */
export const DisputesCard = ({ changes }: { readonly changes: number }) => {
  const { value, problem } = useReading(
    (signal) => call('GET /api/contribute/disputes', { limit: ROWS, offset: 0 }, { signal }),
    { everyMs: READ_EVERY_MS, on: [changes] },
  )
  return (
    <section class="card" aria-label="Disputes">
      <h3>Disputes</h3>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value !== undefined && (
        <p class="about">
          {value.total === 0
            ? 'None is known here. A work that somebody finds wrong is challenged, and every node runs it again.'
            : `${value.open} open of ${value.total} known here`}
        </p>
      )}
      {value !== undefined && value.total > 0 && (
        <RowTable heads={['Opened', 'Worker', 'About', 'Stands', 'Found here']}>
          {value.items.map((it) => (
            <tr key={it.id} data-dispute={it.id} data-phase={it.phase}>
              <td data-label="Opened">
                <a href={`#dispute/${it.id}`}>{it.when.at === null ? 'just now' : <MeshTime tick={it.when.at} />}</a>
              </td>
              <td data-label="Worker">
                <Short text={it.worker} />
              </td>
              <td data-label="About">{partText(it)}</td>
              <td data-label="Stands">{phaseText(it)}</td>
              <td data-label="Found here">{verdictText(it)}</td>
            </tr>
          ))}
        </RowTable>
      )}
    </section>
  )
}
