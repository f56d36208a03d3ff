import { useState } from 'preact/hooks'
import { copy } from '#ui/receipt/evidence.ts'
import { commandOf } from '#ui/text/shell.ts'

/** The present input of a form as a command to try. */
export const Command = ({ path, input }: { readonly path: string; readonly input: object }) => {
  const [said, say] = useState('')
  const text = commandOf(location.origin, path, input)
  const onCopy = (): void =>
    void copy(new Blob([text])).then(
      () => say('Copied.'),
      (error: Error) => say(error.message),
    )
  return (
    <details class="command">
      <summary>As a command</summary>
      <pre>
        <code>{text}</code>
      </pre>
      <div class="actions">
        <button type="button" class="small" onClick={onCopy}>
          Copy
        </button>
        <span class="about">
          <code>TICKMESH_KEY</code> is your API key; a demo key comes from <code>POST /api/demo-key/mint</code>.
        </span>
        <span class="about" role="status">
          {said}
        </span>
      </div>
    </details>
  )
}
