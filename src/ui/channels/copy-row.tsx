import { useId, useState } from 'preact/hooks'

interface Props {
  readonly label: string
  readonly text: string
}

/** A line of text to be taken elsewhere: selected by a click, copied by a button. */
export const CopyRow = ({ label, text }: Props) => {
  const id = useId()
  const [said, say] = useState('')
  const copy = async (): Promise<void> => {
    try {
      if (!isSecureContext) throw new Error('closed')
      await navigator.clipboard.writeText(text)
      say('Copied.')
    } catch {
      say('The clipboard is closed to this page: take it by hand.')
    }
  }
  return (
    <div class="form-row wide">
      <label for={id}>{label}</label>
      <div class="copy-row">
        <input
          id={id}
          type="text"
          readOnly
          spellcheck={false}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" aria-label={`Copy ${label.toLowerCase()}`} onClick={() => void copy()}>
          Copy
        </button>
      </div>
      <p class="about" role="status">
        {said}
      </p>
    </div>
  )
}
