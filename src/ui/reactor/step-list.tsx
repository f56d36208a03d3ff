import { Ago } from '#ui/part/ago.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Short } from '#ui/part/short.tsx'
import { figure, valueText } from '#ui/text/numbers.ts'
import type { Reactor, ReactorStep } from './reactor.ts'

/** Steps that are drawn, newest first. */
const ROWS_MAX = 200

const heads = ['Step', 'When', 'Value', 'Error', 'So far', 'Entry', 'State', 'Token']

const Entry = ({ machine, seq }: { readonly machine: string | null; readonly seq: number | null }) =>
  machine === null || seq === null ? <span class="about">none</span> : <a href={`#machine/${machine}`}>#{seq}</a>

/** The steps of a trajectory: digest, entry in the chain, and errors. */
export const StepList = ({ reactor, rows }: { readonly reactor: Reactor; readonly rows: readonly ReactorStep[] }) => (
  <>
    <RowTable heads={heads} look="trajectory">
      {rows
        .slice(-ROWS_MAX)
        .toReversed()
        .map((row) => (
          <tr key={row.step} data-step={row.step} data-state={row.state}>
            <th scope="row">{row.step}</th>
            <td data-label="when">
              <Ago tick={row.tick} />
            </td>
            <td data-label="value" title={String(row.value)}>
              {row.value === null ? '' : valueText(row.value)}
            </td>
            <td data-label="error">{figure(row.errorPct)} %</td>
            <td data-label="so far">{figure(row.errorSum)} %</td>
            <td data-label="entry">
              <Entry machine={reactor.machine} seq={row.seq} />
            </td>
            <td data-label="state">
              <Short text={row.state} />
            </td>
            <td data-label="token">{row.token_id !== null && <Short text={row.token_id} />}</td>
          </tr>
        ))}
    </RowTable>
    {rows.length > ROWS_MAX && <p class="about">The newest {ROWS_MAX} are shown; the chain has them all.</p>}
  </>
)
