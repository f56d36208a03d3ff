import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

interface Props {
  readonly word: string
  /** What it means, in a few words. */
  readonly children: ComponentChildren
}

/** A word of the format that must stand where it stands: a press says what it means. */
export const Term = ({ word, children }: Props) => {
  const [open, turn] = useState(false)
  const id = useId()
  return (
    <span class="term">
      <button type="button" class="term-word" aria-expanded={open} aria-controls={id} onClick={() => turn(!open)}>
        {word}
      </button>
      <span id={id} class="term-note about" role="note" hidden={!open}>
        {children}
      </span>
    </span>
  )
}
