import { useEffect, useRef, useState } from 'preact/hooks'

interface Props {
  readonly label: string
  /** What is asked before it is done. */
  readonly ask: string
  readonly onConfirm: () => void
  readonly disabled?: boolean
}

/** A button for what cannot be undone: it asks once, in its own place. */
export const ConfirmButton = ({ label, ask, onConfirm, disabled = false }: Props) => {
  const [asked, askIt] = useState(false)
  const yes = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (asked) yes.current?.focus()
  }, [asked])
  if (!asked) {
    return (
      <button type="button" class="small" disabled={disabled} onClick={() => askIt(true)}>
        {label}
      </button>
    )
  }
  const confirm = (): void => {
    askIt(false)
    onConfirm()
  }
  return (
    <span class="confirm">
      <span class="about">{ask}</span>
      <button ref={yes} type="button" class="small danger" onClick={confirm}>
        {label}
      </button>
      <button type="button" class="small" onClick={() => askIt(false)}>
        Keep
      </button>
    </span>
  )
}
