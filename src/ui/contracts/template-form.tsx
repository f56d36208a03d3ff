import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import type { Json } from '#core/canonical.ts'
import { CheckRow } from '#ui/part/check-row.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import { placeOf } from './contract.ts'
import { NotInPerson } from './deploy.tsx'
import { Diagram } from './diagram.tsx'
import { modelOf } from './model.ts'
import { keepWarnings } from './told-warnings.tsx'

export type FormTemplate = ResultAt<'GET /api/contracts/templates/{id}'>

interface Described {
  readonly type?: string
  readonly description?: string
  readonly unit?: string
  readonly default?: Json
  readonly example?: Json
  readonly of?: readonly string[]
}

/** A value as it is typed: texts as they are, all else as JSON. */
const typedOf = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** Types whose values are no texts; a length of time is a number of ticks or a text. */
const PARSED: ReadonlySet<string> = new Set(['number', 'integer', 'boolean', 'duration'])

/** What was typed for a place: nothing where its default stands. */
const filledOf = (text: string, { type }: Described): Json | undefined => {
  if (text.trim() === '') return undefined
  if (!PARSED.has(type ?? '')) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

interface Props {
  readonly session: PageSession
  readonly template: FormTemplate
  readonly slug: string
  /** Values that a sentence said already. */
  readonly said?: Readonly<Record<string, Json>> | undefined
}

/** Fills the places of a template, and deploys it. */
export const TemplateForm = ({ session, template, slug: given, said = {} }: Props) => {
  const described = Object.entries(template.parameters as unknown as Readonly<Record<string, Described>>)
  const [typed, type] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(described.map(([name, it]) => [name, typedOf(said[name] ?? it.default)])),
  )
  const [slug, name] = useState(given)
  const [start, begin] = useState(true)
  const task = useTask()
  const model = modelOf(template.example.definition)
  const submit = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      const parameters = Object.fromEntries(
        described.flatMap(([it, of]) => {
          const value = filledOf(typed[it] ?? '', of)
          return value === undefined ? [] : [[it, value] as const]
        }),
      )
      const order = { id: template.id, slug: slug.trim(), parameters, start }
      const { contract, warnings } = await session.call('POST /api/contracts/templates/{id}/deploy', order)
      keepWarnings(contract, warnings)
      location.hash = placeOf(contract)
      return 'Deployed.'
    })
  }
  return (
    <div class="split">
      <form class="card" onSubmit={submit}>
        <h3>Its places</h3>
        {described.map(([it, { description, unit, example, of }]) => (
          <TextRow
            key={it}
            id={`template-${it}`}
            label={it.replaceAll('_', ' ')}
            placeholder={typedOf(example)}
            spellcheck={false}
            value={typed[it] ?? ''}
            onText={(text) => type((old) => ({ ...old, [it]: text }))}
          >
            <p class="about">
              {description} {unit !== undefined && `In ${unit}.`} {of !== undefined && `One of ${of.join(', ')}.`}
            </p>
          </TextRow>
        ))}
        {session.self.kind === 'demo' ? (
          <NotInPerson />
        ) : (
          <>
            <TextRow id="template-slug" label="Machine" placeholder="its slug" value={slug} onText={name} />
            <CheckRow checked={start} onCheck={begin}>
              Start it at once
            </CheckRow>
            <div class="actions">
              <Submit disabled={task.busy || slug.trim() === ''}>Deploy</Submit>
            </div>
          </>
        )}
        <TaskOutcome of={task} />
      </form>
      <section class="card" aria-label="States">
        <h3>States</h3>
        {model !== undefined && <Diagram model={model} />}
      </section>
    </div>
  )
}
