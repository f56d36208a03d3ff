import { useId } from 'preact/hooks'
import { defaultText, type FormField, keyOf, type Typed } from './schema.ts'

interface Props {
  readonly fields: readonly FormField[]
  readonly typed: Typed
  readonly problems: Readonly<Record<string, string>>
  readonly onType: (key: string, text: string) => void
}

const rangeOf = ({ schema }: FormField): string => {
  const { minimum, maximum } = schema
  const bounded = [minimum, maximum].some((it) => it !== undefined && Math.abs(it) < 1e300)
  return bounded ? `${minimum ?? '…'} to ${maximum ?? '…'}` : ''
}

interface ControlProps {
  readonly field: FormField
  readonly id: string
  readonly text: string
  readonly described: string
  readonly wrong: boolean
  readonly onText: (text: string) => void
}

const Control = ({ field, id, text, described, wrong, onText }: ControlProps) => {
  const common = { id, 'aria-describedby': described, 'aria-invalid': wrong }
  if (field.kind === 'choice') {
    return (
      <select {...common} value={text} onChange={(event) => onText(event.currentTarget.value)}>
        {field.schema.enum?.map((it) => (
          <option key={it} value={String(it)}>
            {it}
          </option>
        ))}
      </select>
    )
  }
  if (field.kind === 'switch') {
    const checked = text === 'true'
    return (
      <input
        {...common}
        type="checkbox"
        checked={checked}
        onChange={(event) => onText(String(event.currentTarget.checked))}
      />
    )
  }
  if (field.kind === 'json') {
    return (
      <textarea
        {...common}
        rows={3}
        spellcheck={false}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    )
  }
  const numeric = field.kind === 'number' || field.kind === 'integer'
  return (
    <input
      {...common}
      type="text"
      inputMode={numeric ? 'decimal' : 'text'}
      autocomplete="off"
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}

const Row = ({ field, typed, problems, onType }: Omit<Props, 'fields'> & { readonly field: FormField }) => {
  const id = useId()
  const key = keyOf(field)
  const problem = problems[key]
  const { 'x-unit': unit, description } = field.schema
  return (
    <div class="form-row">
      <label for={id}>
        {key}
        {unit !== undefined && <span class="unit"> {unit}</span>}
      </label>
      <Control
        field={field}
        id={id}
        text={typed[key] ?? defaultText(field)}
        described={`${id}-about`}
        wrong={problem !== undefined}
        onText={(text) => onType(key, text)}
      />
      <p id={`${id}-about`} class={problem === undefined ? 'about' : 'about wrong'}>
        {problem ?? [description, rangeOf(field)].filter((it) => it !== undefined && it !== '').join(' · ')}
      </p>
    </div>
  )
}

/** A form made from a schema: one labelled control for each input, with unit, range and default. */
export const SchemaForm = ({ fields, ...rest }: Props) => (
  <div class="form-grid">
    {fields.map((field) => (
      <Row key={keyOf(field)} field={field} {...rest} />
    ))}
  </div>
)
