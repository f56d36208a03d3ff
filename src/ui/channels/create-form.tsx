import { useState } from 'preact/hooks'
import type { InputAt } from '#api/result-of.ts'
import { SecretOnce } from '#ui/part/secret-once.tsx'
import { Select } from '#ui/part/select.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { freshName } from '#ui/server/fresh-name.ts'
import type { PageSession } from '#ui/session.ts'

const OPERATORS_MAX = 3
const kinds = ['operators', 'solver'] as const
const modes = ['fresh', 'continue'] as const
const bounds = ['stop', 'restart'] as const

/** What is typed of a stream. */
interface Terms {
  readonly kind: (typeof kinds)[number]
  readonly names: string
  readonly inputs: string
  readonly mode: (typeof modes)[number]
  readonly onBound: (typeof bounds)[number]
  readonly slug: string
}

const EMPTY: Terms = {
  ...{ kind: 'operators', names: 'GR37', inputs: '{ "mass": { "$": "1e30 + 1e27 * count" } }' },
  ...{ mode: 'fresh', onBound: 'stop', slug: '' },
}

type Body = InputAt<'POST /api/svc/stream/channels'>

const namesIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter((it) => it !== '')

const inputsIn = (text: string): Body['inputs'] | undefined => {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Body['inputs']) : undefined
  } catch {
    return undefined
  }
}

/** The order that the terms come to, or what is wrong with them. */
const orderOf = ({ kind, names, inputs: text, mode, onBound, slug }: Terms): Body | string => {
  const ids = namesIn(names)
  const inputs = inputsIn(text)
  if (kind === 'operators' && (ids.length === 0 || ids.length > OPERATORS_MAX))
    return `1 to ${OPERATORS_MAX} operators.`
  if (kind === 'solver' && ids.length !== 1) return 'One solver.'
  if (inputs === undefined) return 'The inputs are no JSON object.'
  const [solver = ''] = ids
  return {
    ...(kind === 'solver' ? { solver } : { operators: [...ids] }),
    ...{ inputs, mode, onBound },
    ...(slug !== '' && { slug }),
  }
}

interface ChoiceProps<T extends string> {
  readonly id: string
  readonly label: string
  readonly options: readonly T[]
  readonly value: T
  readonly onChoose: (option: T) => void
}

const Choice = <T extends string>({ label, ...given }: ChoiceProps<T>) => (
  <div class="form-row">
    <label for={given.id}>{label}</label>
    <Select {...given} />
  </div>
)

const Fields = ({ terms, set }: { readonly terms: Terms; readonly set: (change: Partial<Terms>) => void }) => (
  <div class="form-grid">
    <Choice id="stream-kind" label="Computes" options={kinds} value={terms.kind} onChoose={(kind) => set({ kind })} />
    <TextRow
      id="stream-names"
      label={terms.kind === 'solver' ? 'Name of the solver' : 'Ids of operators, with commas'}
      spellcheck={false}
      value={terms.names}
      onText={(names) => set({ names })}
    />
    <div class="form-row wide">
      <label for="stream-inputs">Inputs, as JSON</label>
      <textarea
        id="stream-inputs"
        class="stream-inputs"
        rows={4}
        spellcheck={false}
        aria-describedby="stream-inputs-about"
        value={terms.inputs}
        onInput={(event) => set({ inputs: event.currentTarget.value })}
      />
      <p id="stream-inputs-about" class="about">
        <code>{'{"$": "…"}'}</code> is worked out anew for each tick from <code>tick</code>, <code>count</code>,{' '}
        <code>head</code> and <code>oracle</code>. A solver has defaults for what is left out.
      </p>
    </div>
    <Choice id="stream-mode" label="Each tick" options={modes} value={terms.mode} onChoose={(mode) => set({ mode })} />
    {terms.mode === 'continue' && (
      <Choice
        id="stream-bound"
        label="When errors pass 0.1 %"
        options={bounds}
        value={terms.onBound}
        onChoose={(onBound) => set({ onBound })}
      />
    )}
    <TextRow
      id="stream-slug"
      label="Machine"
      placeholder="one that your streams share"
      spellcheck={false}
      value={terms.slug}
      onText={(text) => set({ slug: text.trim() })}
    />
  </div>
)

/** Makes a stream. Nothing runs and nothing is charged before its first tick. */
export const CreateStream = ({ session }: { readonly session: PageSession }) => {
  const [terms, type] = useState<Terms>(EMPTY)
  const [made, show] = useState<{ readonly id: string; readonly key: string }>()
  const task = useTask()
  const order = orderOf(terms)
  const wrong = typeof order === 'string' ? order : undefined
  const make = (body: Body): void =>
    task.run(async () => {
      const headers = { 'Idempotency-Key': freshName() }
      const { stream, key } = await session.call('POST /api/svc/stream/channels', body, { headers })
      show({ id: stream.id, key })
      return undefined
    })
  if (made !== undefined) {
    return (
      <section class="card" aria-label="The stream is made">
        <p>
          <a href={`#stream/${made.id}`}>The stream is made.</a>{' '}
          <span class="about">Its key ticks and reads it, and reaches nothing else; you need none here.</span>
        </p>
        <SecretOnce
          name="Key of the stream"
          secret={made.key}
          onDone={() => {
            location.hash = `stream/${made.id}`
          }}
        />
      </section>
    )
  }
  return (
    <form
      class="card"
      aria-label="Make a stream"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (typeof order !== 'string') make(order)
      }}
    >
      <h3>Make one</h3>
      {session.self.kind === 'demo' && (
        <p class="about">
          Streams belong to an account: <a href="#settings">sign in, or make one</a>.
        </p>
      )}
      <Fields terms={terms} set={(change) => type((old) => ({ ...old, ...change }))} />
      <div class="actions">
        <Submit disabled={wrong !== undefined || task.busy || session.self.kind === 'demo'}>Make the stream</Submit>
        <span class="about wrong">{wrong}</span>
      </div>
      <TaskOutcome of={task} />
    </form>
  )
}
