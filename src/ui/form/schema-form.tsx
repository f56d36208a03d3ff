import { useId, useState } from 'preact/hooks'
import { unitText, withUnit } from '#ui/text/numbers.ts'
import { Control } from './control.tsx'
import { fieldLabel, groupLabel } from './label.ts'
import { ListTable } from './list-table.tsx'
import { choicesOf, type Form, type FormField, type FormGroup, isTouched, keyOf, type Typed, textOf } from './schema.ts'

interface Filling {
  readonly typed: Typed
  readonly problems: Readonly<Record<string, string>>
  /** Inputs that a refusal is about, and the id of its words. */
  readonly refused?: { readonly keys: readonly string[]; readonly by: string } | undefined
  readonly onType: (key: string, text: string) => void
}

/** Bounds beyond which a range says no more than "a number". */
const BOUND_MAX = 1e100

const boundText = (value: number): string => {
  if (Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3)) return value.toExponential().replace('e+', 'e')
  return String(value)
}

const rangeText = (schema: FormField['schema']): string => {
  const { minimum, maximum } = schema
  const bounds = [minimum, maximum].filter((it) => it !== undefined && Math.abs(it) < BOUND_MAX)
  if (bounds.length === 0 || choicesOf(schema) !== undefined) return ''
  if (minimum !== undefined && maximum === -minimum) return `±${boundText(maximum)}`
  return `${minimum === undefined ? '' : boundText(minimum)} … ${maximum === undefined ? '' : boundText(maximum)}`
}

const Row = ({ field, typed, problems, refused, onType }: Filling & { readonly field: FormField }) => {
  const id = useId()
  const key = keyOf(field)
  const problem = problems[key]
  const { schema, kind } = field
  const { words, name, about } = fieldLabel(field)
  const text = textOf(field, typed)
  const by = refused?.keys.includes(key) === true ? refused.by : undefined
  return (
    <div class={kind === 'json' ? 'form-row wide' : 'form-row'} data-field={key} data-refused={by !== undefined}>
      <div class="form-head">
        <label for={id}>
          {words} {words !== name && <code class="about">{name}</code>}{' '}
          <span class="unit">{unitText(schema['x-unit'])}</span>
        </label>
      </div>
      <Control
        field={field}
        id={id}
        text={text}
        described={[`${id}-about`, by].filter(Boolean).join(' ')}
        wrong={problem !== undefined || by !== undefined}
        onText={(it) => onType(key, it)}
      />
      <p id={`${id}-about`} class={problem === undefined ? 'about' : 'about wrong'}>
        {problem ?? about} <span class="range">{rangeText(schema)}</span>
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

const isWrong = (fields: readonly FormField[], { problems, refused }: Filling): boolean =>
  fields.some((it) => problems[keyOf(it)] !== undefined || refused?.keys.includes(keyOf(it)) === true)

/** What folded fields hold that is not as it was. */
const changedIn = (fields: readonly FormField[], typed: Typed, under: number): readonly string[] =>
  fields
    .filter((it) => isTouched(it, typed))
    .map((it) => {
      const text = it.kind === 'json' ? '…' : withUnit(textOf(it, typed), it.schema['x-unit'])
      return `${it.path.slice(under).join('.')} ${text}`
    })

/** Fields that are folded until somebody asks, or one of them is wrong. */
const Folded = ({
  of,
  fields,
  children,
  ...filling
}: Filling & {
  readonly of: preact.ComponentChildren
  readonly fields: readonly FormField[]
  readonly children: preact.ComponentChildren
}) => {
  const [wanted, want] = useState(false)
  return (
    <details open={wanted || isWrong(fields, filling)} onToggle={(event) => want(event.currentTarget.open)}>
      <summary>{of}</summary>
      {children}
    </details>
  )
}

/** What a closed group holds: its choices, and whatever is not as it was. */
const summaryOf = ({ fields }: FormGroup, typed: Typed): string =>
  fields
    .filter((field) => !field.advanced)
    .flatMap((field) => (field.kind === 'choice' ? [textOf(field, typed)] : changedIn([field], typed, 1)))
    .join(', ')

/** Inputs for few, under the word that says so. */
const Advanced = ({
  fields,
  groups = [],
  ...filling
}: Filling & { readonly fields: readonly FormField[]; readonly groups?: readonly FormGroup[] }) => {
  const all = [...fields, ...groups.flatMap((it) => it.fields)]
  if (all.length === 0) return null
  const changed = changedIn(all, filling.typed, 0).join(', ')
  const words = (
    <>
      Advanced <span class="about">{changed || `${all.length} that have good defaults`}</span>
    </>
  )
  return (
    <div class="advanced">
      <Folded of={words} {...filling} fields={all}>
        <Rows fields={fields} {...filling} />
        {groups.length > 0 && <Groups groups={groups} {...filling} />}
      </Folded>
    </div>
  )
}

const Group = ({ group, ...filling }: Filling & { readonly group: FormGroup }) => {
  const { fields, name } = group
  const label = groupLabel(group)
  const plain = fields.filter((field) => !field.advanced || group.advanced)
  const words = (
    <>
      {summaryOf(group, filling.typed) || 'defaults'} <span class="about">{label.about}</span>
    </>
  )
  return (
    <fieldset class="group" data-group={name}>
      <legend>
        {label.words} {label.words !== name && <code class="about">{name}</code>}
      </legend>
      <Folded of={words} fields={fields} {...filling}>
        <Rows fields={plain} {...filling} />
        <Advanced fields={fields.filter((field) => !plain.includes(field))} {...filling} />
      </Folded>
    </fieldset>
  )
}

const Groups = ({ groups, ...filling }: Filling & { readonly groups: readonly FormGroup[] }) => (
  <div class="groups">
    {groups.map((group) => (
      <Group key={group.name} group={group} {...filling} />
    ))}
  </div>
)

/**
 * A form made from a schema: a labelled control for each input, with unit, range and default; nested objects fold, and
 * so does what matters to few.
 */
export const SchemaForm = ({ form, ...filling }: Filling & { readonly form: Form }) => {
  const plain = form.groups.filter((it) => !it.advanced)
  return (
    <>
      <Rows fields={form.fields.filter((it) => !it.advanced)} {...filling} />
      {plain.length > 0 && <Groups groups={plain} {...filling} />}
      <Advanced
        fields={form.fields.filter((it) => it.advanced)}
        groups={form.groups.filter((it) => it.advanced)}
        {...filling}
      />
    </>
  )
}
