import type { RefObject } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { QUERY_CHARS_MAX } from '#core/question.ts'
import { verifyFile } from './handed.ts'
import type { PageMatch } from './match.ts'
import { EXAMPLE } from './questions.ts'
import { saidIn } from './said.ts'

interface Props {
  readonly text: string
  readonly field: RefObject<HTMLInputElement | null>
  /** The list of what fits, and the chosen one of it. */
  readonly list: string
  readonly open: boolean
  readonly chosen: string | undefined
  readonly onText: (text: string) => void
  /** Somebody is about to ask. */
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onSubmit: () => void
}

/** Leads to a place of the page. */
export const goTo = ({ at }: Pick<PageMatch, 'at'>): void => {
  location.hash = at
}

/** A file that is brought is verified; so is text that is one. @returns whether it was taken. */
const take = (data: DataTransfer | null): boolean => {
  const [file] = data?.files ?? []
  if (file !== undefined) {
    verifyFile(file)
    return true
  }
  const said = saidIn(data?.getData('text') ?? '')
  if (said.kind !== 'evidence') return false
  verifyFile(new File([said.text], 'pasted.json', { type: 'application/json' }))
  return true
}

const FileButton = () => {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class="small" onClick={() => field.current?.click()}>
        Verify a file …
      </button>
      <input
        ref={field}
        type="file"
        hidden
        accept="application/json,.json,.chain"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) verifyFile(file)
          currentTarget.value = ''
        }}
      />
    </>
  )
}

/** One box for everything: a question, any word, a token, a hash, a machine, a file. */
export const AskBox = ({ text, field, list, open, chosen, onText, onFocus, onKeyDown, onSubmit }: Props) => {
  const [over, drag] = useState(false)
  const id = useId()
  return (
    <search
      class={over ? 'ask over' : 'ask'}
      onDragOver={(event) => {
        event.preventDefault()
        drag(true)
      }}
      onDragLeave={() => drag(false)}
      onDrop={(event) => {
        event.preventDefault()
        drag(false)
        take(event.dataTransfer)
      }}
    >
      <div class="ask-row">
        <label class="unseen" for={id}>
          Ask a question, or find anything
        </label>
        <input
          ref={field}
          id={id}
          class="ask-field"
          type="text"
          role="combobox"
          data-find
          aria-expanded={open}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={chosen}
          aria-describedby={`${id}-about`}
          autocomplete="off"
          spellcheck={false}
          maxLength={QUERY_CHARS_MAX}
          placeholder={EXAMPLE}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
          onFocus={onFocus}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            if (take(event.clipboardData)) event.preventDefault()
          }}
        />
        <button type="button" class="primary" onClick={onSubmit}>
          Ask
        </button>
      </div>
      <div class="ask-about about">
        <p id={`${id}-about`}>
          A question with its numbers, any word, a token, a leaf hash, a machine; or drop a file here.
        </p>
        <p>
          <span class="keys">
            <kbd>/</kbd> this box <kbd>Ctrl K</kbd> everything
          </span>{' '}
          <FileButton />
        </p>
      </div>
    </search>
  )
}
