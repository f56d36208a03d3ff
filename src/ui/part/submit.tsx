import type { ComponentChildren } from 'preact'

/** The button that sends a form. */
export const Submit = ({
  disabled,
  children,
}: {
  readonly disabled: boolean
  readonly children: ComponentChildren
}) => (
  <button type="submit" class="primary" disabled={disabled}>
    {children}
  </button>
)
