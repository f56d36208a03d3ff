import type { ResultAt } from '#api/result-of.ts'
import { RowTable } from '#ui/part/row-table.tsx'
import { figure, unitText, valueText, withUnit } from '#ui/text/numbers.ts'

/** What the uncertainties of inputs make of a result (protocols/operators/README.md). */
export type PropagatedView = NonNullable<ResultAt<'POST /api/svc/compute'>['propagated']>
type BudgetRow = PropagatedView['budget'][number]

/** Why the linear propagation was not trusted alone. */
const DOUBTS: Readonly<Record<string, string>> = {
  range: 'an input reaches the end of its range within three uncertainties',
  'no-derivative': 'the relation has no derivative there',
  'zero-sensitivity': 'the result does not change with an input to first order',
  curvature: 'the relation is curved within the uncertainties',
}

const shareText = (share: number | null): string => (share === null ? '' : `${figure(100 * share)} %`)

const Row = ({ row }: { readonly row: BudgetRow }) => (
  <tr data-source={row.source}>
    <th scope="row">
      {row.source}
      <span class="about"> {row.name}</span>
    </th>
    <td data-label="Value">{row.value === null ? '' : withUnit(valueText(row.value), row.unit)}</td>
    <td data-label="Uncertainty">{withUnit(figure(row.standard_uncertainty), row.unit)}</td>
    <td data-label="Sensitivity">{row.sensitivity === null ? '' : figure(row.sensitivity)}</td>
    <td data-label="Share">{shareText(row.share)}</td>
  </tr>
)

/** What the uncertainties of the inputs make of the result, and where they come from. */
export const PropagatedCard = ({
  value,
  propagated,
}: {
  readonly value: number
  readonly propagated: PropagatedView
}) => {
  const { standard_uncertainty: u, unit, method, mean, interval, doubts, budget, draws } = propagated
  return (
    <section class="card" aria-label="Uncertainty" data-uncertainty={String(u)}>
      <h3>Uncertainty of the inputs, carried through</h3>
      <p>
        <b>
          {valueText(value)} ± {figure(u)} {unitText(unit)}
        </b>{' '}
        <span class="about">one standard uncertainty</span>
      </p>
      <p>
        {figure(100 * interval.coverage)} % between {withUnit(valueText(interval.low), unit)} and{' '}
        {withUnit(valueText(interval.high), unit)}
        {method === 'monte-carlo' && `, mean ${withUnit(valueText(mean), unit)}`}.
      </p>
      <p class="about">
        {method === 'linear' ? 'To first order (JCGM 100).' : `By ${draws?.count ?? ''} draws (JCGM 101)`}
        {doubts.length > 0 && `: ${doubts.map((it) => DOUBTS[it] ?? it).join('; ')}.`} The measured error of the receipt
        is another thing: how exactly the relation was computed.
      </p>
      <RowTable heads={['Source', 'Value', 'Uncertainty', 'Sensitivity', 'Share']}>
        {budget.map((row) => (
          <Row key={row.source} row={row} />
        ))}
      </RowTable>
    </section>
  )
}
