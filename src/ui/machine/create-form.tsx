import { useState } from 'preact/hooks'
import type { InputAt, ResultAt } from '#api/result-of.ts'
import { CheckRow } from '#ui/part/check-row.tsx'
import { SecretOnce } from '#ui/part/secret-once.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'

type Made = ResultAt<'POST /api/chain/state-machines'>

interface Typed {
  readonly slug: string
  readonly name: string
  readonly purpose: string
  readonly open: boolean
}

const empty: Typed = { slug: '', name: '', purpose: '', open: false }

const orderOf = ({ slug, name, purpose, open }: Typed): InputAt<'POST /api/chain/state-machines'> => ({
  is_public: open,
  ...(slug.trim() !== '' && { slug: slug.trim() }),
  ...(name.trim() !== '' && { display_name: name.trim() }),
  ...(purpose.trim() !== '' && { purpose: purpose.trim() }),
})

interface FieldsProps {
  readonly typed: Typed
  readonly onType: (part: Partial<Typed>) => void
}

const Fields = ({ typed, onType }: FieldsProps) => (
  <div class="form-grid two">
    <TextRow
      id="new-slug"
      label="Slug"
      maxLength={64}
      autocomplete="off"
      spellcheck={false}
      placeholder="pump-7"
      value={typed.slug}
      onText={(slug) => onType({ slug })}
    >
      <p class="about">Small letters, digits and single hyphens; it cannot be changed.</p>
    </TextRow>
    <TextRow
      id="new-name"
      label="Name for people"
      maxLength={255}
      placeholder="Pump 7"
      value={typed.name}
      onText={(name) => onType({ name })}
    />
    <TextRow
      id="new-purpose"
      label="What it is for"
      size="wide"
      maxLength={4000}
      value={typed.purpose}
      onText={(purpose) => onType({ purpose })}
    />
  </div>
)

/** Spins a machine up; its admin key is shown once. */
export const CreateForm = ({ session, onMade }: { readonly session: PageSession; readonly onMade: () => void }) => {
  const [typed, type] = useState(empty)
  const [made, keep] = useState<Made>()
  const task = useTask()
  if (session.self.kind === 'demo') {
    return (
      <p class="card about">
        Machines belong to accounts. <a href="#settings">Sign in or make an account</a> to spin one up; public ones can
        be read without.
      </p>
    )
  }
  const change = (part: Partial<Typed>): void => type((old) => ({ ...old, ...part }))
  const submit = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      keep(await session.call('POST /api/chain/state-machines', orderOf(typed)))
      type(empty)
      onMade()
      return undefined
    })
  }
  return (
    <details class="card" open={made !== undefined || undefined}>
      <summary>New machine</summary>
      {made !== undefined && (
        <>
          <p>
            <a href={`#machine/${made.machine.slug}`}>{made.machine.slug}</a> is up, and its chain has begun.
          </p>
          <SecretOnce name="Admin key of the machine" secret={made.api_key} onDone={() => keep(undefined)} />
        </>
      )}
      <form onSubmit={submit}>
        <Fields typed={typed} onType={change} />
        <CheckRow checked={typed.open} onCheck={(open) => change({ open })}>
          Public: everyone may read the chain
        </CheckRow>
        <div class="actions">
          <Submit disabled={task.busy}>Create</Submit>
        </div>
      </form>
      <TaskOutcome of={task} />
    </details>
  )
}
