import { choicesOf, type FormField } from './schema.ts'

interface Props {
  readonly field: FormField
  readonly id: string
  readonly text: string
  /** Id of the words that explain it. */
  readonly described: string
  readonly wrong: boolean
  readonly onText: (text: string) => void
}

/** Characters up to which a text stands on one line. */
const LINE_CHARS_MAX = 1_000
const LINES_MAX = 12
const LINES_MIN = 3

const Choice = ({ field, text, onText, ...common }: Omit<Props, 'described' | 'wrong'>) => (
  <select {...common} value={text} onChange={(event) => onText(event.currentTarget.value)}>
    {field.schema.default === undefined && <option value="">not set</option>}
    {choicesOf(field.schema)?.map((it) => (
      <option key={it} value={String(it)}>
        {it}
      </option>
    ))}
  </select>
)

const Lines = ({ text, onText, ...common }: Omit<Props, 'described' | 'wrong' | 'field'>) => (
  <textarea
    {...common}
    rows={Math.min(LINES_MAX, Math.max(LINES_MIN, text.split('\n').length))}
    wrap="off"
    spellcheck={false}
    value={text}
    onInput={(event) => onText(event.currentTarget.value)}
  />
)

/** The control of one input: what its schema calls for. */
export const Control = ({ field, id, text, described, wrong, onText }: Props) => {
  const common = { id, 'aria-describedby': described, 'aria-invalid': wrong }
  if (field.kind === 'choice') return <Choice field={field} text={text} onText={onText} {...common} />
  const long = field.kind === 'text' && (field.schema.maxLength ?? 0) > LINE_CHARS_MAX
  if (field.kind === 'json' || long) return <Lines text={text} onText={onText} {...common} />
  if (field.kind === 'switch') {
    return (
      <input
        {...common}
        type="checkbox"
        checked={text === 'true'}
        onChange={(event) => onText(String(event.currentTarget.checked))}
      />
    )
  }
  return (
    <input
      {...common}
      type="text"
      inputMode={field.kind === 'text' ? 'text' : 'decimal'}
      autocomplete="off"
      placeholder={field.schema.default === undefined ? 'not set' : undefined}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  )
}
