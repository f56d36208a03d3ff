import { RowTable } from '#ui/part/row-table.tsx'
import { Short } from '#ui/part/short.tsx'
import { Ago } from './ago.tsx'
import type { MeshStatus } from './mesh.ts'

/** Heads that are drawn. */
const ROWS_MAX = 64

const becauseWords: Readonly<Record<string, string>> = {
  open: 'no policy asks otherwise',
  policy: 'the policy names it',
  outside_policy: 'the policy does not name it',
  other_policy: 'it keeps to another policy',
  evidence: 'it signed two histories',
}

const standingText = ({ counts, up_to: bound, because }: MeshStatus['heads'][number]['standing']): string => {
  const how = !counts ? 'no' : bound === null ? 'yes' : `up to leaf ${bound}`
  return `${how}: ${becauseWords[because] ?? because.replaceAll('_', ' ')}`
}

/** The newest head of each log, as it was announced: it decides nothing. */
export const Heads = ({ heads, now }: { readonly heads: MeshStatus['heads']; readonly now: number }) => (
  <section class="card" aria-label="Heads">
    <h3>Heads of logs</h3>
    {heads.length === 0 ? (
      <p class="about">No other log has announced a head yet.</p>
    ) : (
      <>
        <p class="about">As they were announced; a head that is gossiped decides nothing.</p>
        <RowTable heads={['Log', 'Leaves', 'Root', 'Counts here', 'Seen']}>
          {heads.slice(0, ROWS_MAX).map(({ origin, size, root, seen, standing }) => (
            <tr key={origin} data-head={origin}>
              <th scope="row" class="wrap">
                <code>{origin}</code>
              </th>
              <td data-label="leaves">{size}</td>
              <td data-label="root">
                <Short text={root} />
              </td>
              <td data-label="counts here" class={standing.counts ? undefined : 'wrong'}>
                {standingText(standing)}
              </td>
              <td data-label="seen">
                <Ago tick={seen} now={now} />
              </td>
            </tr>
          ))}
        </RowTable>
      </>
    )}
  </section>
)
