import type { ComponentChildren, InputHTMLAttributes } from 'preact'

type Given = 'maxLength' | 'placeholder' | 'autocomplete' | 'spellcheck' | 'inputMode' | 'aria-invalid'

interface Props extends Pick<InputHTMLAttributes, Given> {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
  readonly size?: 'narrow' | 'wide'
  /** What stands below it. */
  readonly children?: ComponentChildren
}

/** A row of a form with one line of text. */
export const TextRow = ({ id, label, value, onText, size, children, ...given }: Props) => (
  <div class={size === undefined ? 'form-row' : `form-row ${size}`}>
    <label for={id}>{label}</label>
    <input id={id} type="text" {...given} value={value} onInput={(event) => onText(event.currentTarget.value)} />
    {children}
  </div>
)
