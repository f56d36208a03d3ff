import { useEffect, useRef, useState } from 'preact/hooks'

interface Props {
  /** What it is. */
  readonly name: string
  readonly secret: string
  /** What stands beside its name; that it is shown once, unless said. */
  readonly note?: string
  readonly onDone: () => void
}

/** A secret that is shown once: selected by a click, copied by a button, gone when it was put away. */
export const SecretOnce = ({ name, secret, note = 'Shown only here: keep it now.', onDone }: Props) => {
  const [said, say] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const copy = async (): Promise<void> => {
    field.current?.select()
    try {
      if (!isSecureContext) throw new Error('closed')
      await navigator.clipboard.writeText(secret)
      say('Copied.')
    } catch {
      say('The clipboard is closed to this page; the text is selected.')
    }
  }
  return (
    <section class="secret" aria-label={name}>
      <p>
        <b>{name}</b> <span class="about">{note}</span>
      </p>
      <div class="secret-row">
        <input
          ref={field}
          type="text"
          readOnly
          spellcheck={false}
          value={secret}
          aria-label={name}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" onClick={onDone}>
          Done
        </button>
      </div>
      <p class="about" role="status">
        {said}
      </p>
    </section>
  )
}
