import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import type { Json } from '#core/canonical.ts'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import { keepDraft } from './draft.ts'
import { writtenOut } from './examples.ts'

export type GeneratedDraft = ResultAt<'POST /api/contracts/generate'>

const SENTENCE_CHARS_MAX = 500

/** What a sentence said, by the names of places. */
export const saidIn = ({ parameters }: GeneratedDraft): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    parameters.flatMap(({ name, value, from }) =>
      value === null || (from !== 'sentence' && from !== 'given') ? [] : [[name, value as Json] as const],
    ),
  )

interface FoundProps {
  readonly of: GeneratedDraft
  readonly slug: string
  readonly onTemplate: (id: string) => void
}

const Found = ({ of, slug, onTemplate }: FoundProps) => {
  const { template, needs, alternatives, definition, missing, unread } = of
  const edit = (): void => {
    keepDraft('', writtenOut(definition as object))
    location.hash = `contracts/editor?slug=${slug}`
  }
  return (
    <div data-template={template?.id ?? ''}>
      {template !== null && (
        <p>
          <b>{template.title}</b> <span class="about">{of.because.join(', ')}</span>
        </p>
      )}
      {needs !== null && (
        <>
          <p>{needs.question}</p>
          <div class="actions">
            {needs.choices.map((it) => (
              <button key={it.template} type="button" onClick={() => onTemplate(it.template)}>
                {it.title}
              </button>
            ))}
          </div>
        </>
      )}
      {missing.length > 0 && (
        <ul class="plain">
          {missing.map((it) => (
            <li key={it.name}>
              {it.name}: {it.description}
            </li>
          ))}
        </ul>
      )}
      {unread.length > 0 && <p class="about">Not used: {unread.join(', ')}.</p>}
      <div class="actions">
        {template !== null && (
          <button type="button" class="primary" onClick={() => onTemplate(template.id)}>
            Fill its places
          </button>
        )}
        {definition !== null && (
          <button type="button" onClick={edit}>
            Open it in the editor
          </button>
        )}
        {alternatives.map((it) => (
          <button key={it.id} type="button" class="small" onClick={() => onTemplate(it.id)}>
            {it.title}
          </button>
        ))}
      </div>
    </div>
  )
}

interface Props {
  readonly session: PageSession
  readonly slug: string
  readonly onTemplate: (id: string, said: Readonly<Record<string, Json>>) => void
}

/** Says in a sentence what shall happen; it becomes a filled template, or a question. Nothing is deployed. */
export const SentenceBox = ({ session, slug, onTemplate }: Props) => {
  const [sentence, say] = useState('')
  const [found, show] = useState<GeneratedDraft>()
  const task = useTask()
  const submit = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      show(await session.call('POST /api/contracts/generate', { sentence }))
      return undefined
    })
  }
  return (
    <section class="card" aria-label="In a sentence">
      <form onSubmit={submit}>
        <div class="form-row">
          <label for="contract-sentence">What shall happen by itself?</label>
          <input
            id="contract-sentence"
            type="text"
            maxLength={SENTENCE_CHARS_MAX}
            placeholder="Tell me when pump 7 drifts by more than 20 kPa from 300 kPa"
            value={sentence}
            onInput={(event) => say(event.currentTarget.value)}
          />
        </div>
        <div class="actions">
          <button type="submit" class="primary" disabled={task.busy || sentence.trim() === ''}>
            Find a template
          </button>
        </div>
      </form>
      <TaskOutcome of={task} />
      {found !== undefined && <Found of={found} slug={slug} onTemplate={(id) => onTemplate(id, saidIn(found))} />}
    </section>
  )
}
