import type { ComponentChildren } from 'preact'

interface Props {
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onCheck: (checked: boolean) => void
  /** What is so when it is checked. */
  readonly children: ComponentChildren
}

/** A row of a form that is so or not. */
export const CheckRow = ({ checked, disabled = false, onCheck, children }: Props) => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onCheck(event.currentTarget.checked)}
    />
    {children}
  </label>
)
