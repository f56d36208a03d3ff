import { SymbolMath } from '#ui/math/math.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { figure, unitText } from '#ui/text/numbers.ts'
import type { RelationVariable, RelationView } from './relation.ts'

/** The range of a variable, in words. */
export const rangeText = ({ min, max, positive, integer }: RelationVariable): string => {
  const whole = integer === true ? 'whole' : ''
  const low = min !== undefined ? `from ${figure(min)}` : positive === true ? 'above 0' : ''
  const high = max === undefined ? '' : `to ${figure(max)}`
  return [whole, low, high].filter(Boolean).join(' ')
}

/** The variables of a relation: what they are, in which unit, between which values, and by what other names. */
export const VariableTable = ({ detail: { variables, solves_for } }: { readonly detail: RelationView }) => (
  <RowTable heads={['Symbol', 'Name', 'Unit', 'Range', 'Also called', 'Solved for']} look="variables">
    {Object.entries(variables).map(([symbol, it]) => (
      <tr key={symbol} data-variable={symbol}>
        <th scope="row">
          <SymbolMath symbol={symbol} name={it.name} /> <code class="about">{symbol}</code>
        </th>
        <td class="wrap" data-label="Name">
          {it.name}
        </td>
        <td data-label="Unit">{unitText(it.unit)}</td>
        <td data-label="Range">{rangeText(it)}</td>
        <td class="wrap" data-label="Also called">
          {it.aliases?.join(', ')}
        </td>
        <td data-label="Solved for">{solves_for.includes(symbol) ? 'yes' : ''}</td>
      </tr>
    ))}
  </RowTable>
)
