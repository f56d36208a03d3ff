import { SymbolMath } from '#ui/math/math.tsx'
import { unitText, valueText, withUnit } from '#ui/text/numbers.ts'
import type { RelationExample, RelationView } from './relation.ts'

interface Props {
  readonly detail: RelationView
  readonly example: RelationExample
  readonly busy: boolean
  readonly onFill: () => void
  readonly onRun: () => void
}

const shown = (value: number | string, unit: string | undefined): string =>
  typeof value === 'number' ? withUnit(valueText(value), unit) : value

/** The worked example of a relation, to be run or taken over. */
export const ExampleCard = ({ detail: { variables }, example, busy, onFill, onRun }: Props) => (
  <section class="card" aria-label="Worked example">
    <h3>Worked example</h3>
    <dl class="numbers">
      {Object.entries(example.inputs).map(([symbol, value]) => (
        <div key={symbol} data-given={symbol}>
          <dt>
            <SymbolMath symbol={symbol} name={variables[symbol]?.name ?? ''} />
          </dt>
          <dd>{shown(value, variables[symbol]?.unit)}</dd>
        </div>
      ))}
      <div data-example={String(example.value)}>
        <dt>
          gives <SymbolMath symbol={example.output} name={variables[example.output]?.name ?? ''} />
        </dt>
        <dd>
          <b>
            {valueText(example.value)} {unitText(example.unit)}
          </b>
        </dd>
      </div>
    </dl>
    {example.note !== undefined && <p class="about">{example.note}</p>}
    <div class="actions">
      <button type="button" aria-disabled={busy} onClick={onRun}>
        Run the example
      </button>
      <button type="button" disabled={busy} onClick={onFill}>
        Fill the form with it
      </button>
    </div>
  </section>
)
