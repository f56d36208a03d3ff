import { SymbolMath } from '#ui/math/math.tsx'
import { unitText } from '#ui/text/numbers.ts'
import type { Filled } from './order.ts'
import type { RelationVariable, RelationView } from './relation.ts'
import { rangeText } from './variable-table.tsx'

interface Props {
  readonly detail: RelationView
  readonly filled: Filled
  /** Variables that a refusal is about, and the id of its words. */
  readonly refused: { readonly keys: readonly string[]; readonly by: string }
  readonly onTarget: (symbol: string) => void
  readonly onText: (symbol: string, text: string) => void
}

const TargetRow = ({ detail: { id, variables, solves_for }, filled, onTarget }: Omit<Props, 'onText' | 'refused'>) => (
  <div class="form-row wide target">
    <label for={`${id}-target`}>Compute</label>
    <select id={`${id}-target`} value={filled.target} onChange={(event) => onTarget(event.currentTarget.value)}>
      {solves_for.map((symbol) => (
        <option key={symbol} value={symbol}>
          {symbol}: {variables[symbol]?.name}
        </option>
      ))}
    </select>
  </div>
)

interface InputProps {
  readonly id: string
  readonly symbol: string
  readonly variable: RelationVariable
  readonly text: string
  /** The id of the words of a refusal that is about it. */
  readonly by: string | undefined
  readonly onText: (text: string) => void
}

const InputRow = ({ id, symbol, variable, text, by, onText }: InputProps) => (
  <div class="form-row" data-field={symbol} data-refused={by !== undefined}>
    <div class="form-head">
      <label for={id}>
        <SymbolMath symbol={symbol} name={variable.name} /> <span class="unit">{unitText(variable.unit)}</span>
      </label>
      <span class="range">{rangeText(variable)}</span>
    </div>
    <input
      id={id}
      type="text"
      autocomplete="off"
      spellcheck={false}
      aria-describedby={[`${id}-about`, by].filter(Boolean).join(' ')}
      aria-invalid={by !== undefined}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
    <p class="about" id={`${id}-about`}>
      {variable.name}
    </p>
  </div>
)

/** Which variable is wanted, and the values of all others. */
export const OperatorForm = ({ detail, filled, refused, onTarget, onText }: Props) => (
  <>
    <div class="form-grid">
      <TargetRow {...{ detail, filled, onTarget }} />
      {Object.entries(detail.variables)
        .filter(([symbol]) => symbol !== filled.target)
        .map(([symbol, variable]) => (
          <InputRow
            key={symbol}
            id={`${detail.id}-${symbol}`}
            symbol={symbol}
            variable={variable}
            text={filled.texts[symbol] ?? ''}
            by={refused.keys.includes(symbol) ? refused.by : undefined}
            onText={(text) => onText(symbol, text)}
          />
        ))}
    </div>
    <p class="about">
      A value may carry a unit and a standard uncertainty, e.g. <code>5 km</code> or <code>5.0 ± 0.1 km</code>.
    </p>
  </>
)
