import { useId, useState } from 'preact/hooks'
import { unitText, withUnit } from '#ui/text/numbers.ts'
import { Control } from './control.tsx'
import { ListTable } from './list-table.tsx'
import {
  type Form,
  type FormField,
  type FormGroup,
  type FormSchema,
  isAdvanced,
  isTouched,
  keyOf,
  type Typed,
  textOf,
} from './schema.ts'

interface Filling {
  readonly typed: Typed
  readonly problems: Readonly<Record<string, string>>
  readonly onType: (key: string, text: string) => void
}

/** Bounds beyond which a range says no more than "a number". */
const BOUND_MAX = 1e100

const boundText = (value: number): string => {
  if (Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3)) return value.toExponential().replace('e+', 'e')
  return String(value)
}

const rangeText = ({ minimum, maximum, enum: choices }: FormSchema): string => {
  const bounds = [minimum, maximum].filter((it) => it !== undefined && Math.abs(it) < BOUND_MAX)
  if (bounds.length === 0 || choices !== undefined) return ''
  if (minimum !== undefined && maximum === -minimum) return `±${boundText(maximum)}`
  return `${minimum === undefined ? '' : boundText(minimum)} … ${maximum === undefined ? '' : boundText(maximum)}`
}

const Row = ({ field, typed, problems, onType }: Filling & { readonly field: FormField }) => {
  const id = useId()
  const key = keyOf(field)
  const problem = problems[key]
  const { schema, kind, path } = field
  const text = textOf(field, typed)
  return (
    <div class={kind === 'json' ? 'form-row wide' : 'form-row'} data-field={key}>
      <div class="form-head">
        <label for={id}>
          {path.slice(path.length > 1 ? 1 : 0).join('.')} <span class="unit">{unitText(schema['x-unit'])}</span>
        </label>
        <span id={`${id}-range`} class="range">
          {rangeText(schema)}
        </span>
      </div>
      <Control
        field={field}
        id={id}
        text={text}
        described={`${id}-about ${id}-range`}
        wrong={problem !== undefined}
        onText={(it) => onType(key, it)}
      />
      <p id={`${id}-about`} class={problem === undefined ? 'about' : 'about wrong'}>
        {problem ?? schema.description}
      </p>
      {kind === 'json' && <ListTable field={field} text={text} />}
    </div>
  )
}

const Rows = ({ fields, ...filling }: Filling & { readonly fields: readonly FormField[] }) => (
  <div class="form-grid">
    {fields.map((field) => (
      <Row key={keyOf(field)} field={field} {...filling} />
    ))}
  </div>
)

/** What a closed group holds: its choices, and whatever is not as it was. */
const summaryOf = ({ fields }: FormGroup, typed: Typed): string =>
  fields
    .filter((field) => !isAdvanced(field) && (field.kind === 'choice' || isTouched(field, typed)))
    .map((field) => {
      const text = textOf(field, typed)
      if (field.kind === 'choice') return text
      return `${field.path.slice(1).join('.')} ${withUnit(text, field.schema['x-unit'])}`
    })
    .join(', ')

const Group = ({ group, ...filling }: Filling & { readonly group: FormGroup }) => {
  const [wanted, want] = useState(false)
  const { fields, name, about } = group
  const wrong = fields.some((field) => filling.problems[keyOf(field)] !== undefined)
  const open = wanted || wrong
  const plain = fields.filter((field) => !isAdvanced(field))
  const advanced = fields.filter(isAdvanced)
  return (
    <fieldset class="group" data-group={name}>
      <legend>{name}</legend>
      <details open={open} onToggle={(event) => want(event.currentTarget.open)}>
        <summary>
          {summaryOf(group, filling.typed) || 'defaults'} <span class="about">{about}</span>
        </summary>
        <Rows fields={plain} {...filling} />
        {advanced.length > 0 && (
          <details class="advanced">
            <summary>Advanced</summary>
            <Rows fields={advanced} {...filling} />
          </details>
        )}
      </details>
    </fieldset>
  )
}

/** A form made from a schema: a labelled control for each input, with unit, range and default; nested objects fold. */
export const SchemaForm = ({ form, ...filling }: Filling & { readonly form: Form }) => (
  <>
    <Rows fields={form.fields} {...filling} />
    {form.groups.length > 0 && (
      <div class="groups">
        {form.groups.map((group) => (
          <Group key={group.name} group={group} {...filling} />
        ))}
      </div>
    )}
  </>
)
