import { useState } from 'preact/hooks'
import { copy } from '#ui/receipt/evidence.ts'
import { curlOf, pythonOf, tickmeshOf } from '#ui/text/shell.ts'

const languages = [
  { name: 'curl', of: curlOf },
  { name: 'tickmesh', of: tickmeshOf },
  { name: 'Python', of: pythonOf },
] as const

/** The present input of a form as a command to try, in the language that one has. */
export const Command = ({ path, input }: { readonly path: string; readonly input: object }) => {
  const [said, say] = useState('')
  const [language, speak] = useState<(typeof languages)[number]>(languages[0])
  const text = language.of(location.origin, path, input)
  const onCopy = (): void =>
    void copy(new Blob([text])).then(
      () => say('Copied.'),
      (error: Error) => say(error.message),
    )
  return (
    <details class="command">
      <summary>As a command</summary>
      <fieldset class="actions languages">
        <legend class="unseen">Language</legend>
        {languages.map((it) => (
          <button
            key={it.name}
            type="button"
            class="small"
            aria-pressed={it.name === language.name}
            onClick={() => speak(it)}
          >
            {it.name}
          </button>
        ))}
      </fieldset>
      {/* It may be wider than the page, and is moved by the keyboard, too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached */}
      <pre tabIndex={0} data-language={language.name}>
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
