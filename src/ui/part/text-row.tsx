import type { ComponentChildren, InputHTMLAttributes } from 'preact'

type Given = 'maxLength' | 'placeholder' | 'autocomplete' | 'spellcheck' | 'inputMode' | 'aria-invalid'

interface Props extends Pick<InputHTMLAttributes, Given> {
  readonly id: string
  readonly label: string
  readonly type?: 'text' | 'search' | 'password' | 'date'
  readonly value: string
  readonly onText: (text: string) => void
  readonly size?: 'narrow' | 'wide'
  /** What stands below it. */
  readonly children?: ComponentChildren
}

/** A row of a form with one line of text. */
export const TextRow = ({ id, label, type = 'text', value, onText, size, children, ...given }: Props) => {
  // Preact has a type of its own for each kind of input, by the roles that it may have: none is given here.
  const kind = type as 'text'
  return (
    <div class={size === undefined ? 'form-row' : `form-row ${size}`}>
      <label for={id}>{label}</label>
      <input id={id} type={kind} {...given} value={value} onInput={(event) => onText(event.currentTarget.value)} />
      {children}
    </div>
  )
}
