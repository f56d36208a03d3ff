import type { ComponentChildren } from 'preact'
import type { useGestures } from './use-gestures.ts'

interface Props extends Pick<ReturnType<typeof useGestures>, 'chosen' | 'handlers'> {
  /** What is shown, and which keys read it. */
  readonly label: string
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onBlur?: () => void
  readonly children: ComponentChildren
}

/** Keys reach it: a plot is read by them as by a pointer. */
const reachable: { readonly tabIndex: number } = { tabIndex: 0 }

/** Where a hand and keys touch a plot: one stop of the tabulator, with the rectangle that is being drawn. */
export const TouchFrame = ({ label, chosen, handlers, children, ...rest }: Props) => (
  <div
    class="touch"
    role="application"
    aria-roledescription="plot"
    aria-label={label}
    {...reachable}
    {...rest}
    {...handlers}
  >
    {children}
    {chosen !== undefined && <div class="chosen" style={chosen} />}
  </div>
)
