import { useState } from 'preact/hooks'
import type { InputAt } from '#api/result-of.ts'
import { CheckRow } from '#ui/part/check-row.tsx'
import { Select } from '#ui/part/select.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { freshName } from '#ui/server/fresh-name.ts'
import { useReading } from '#ui/server/reading.ts'
import type { ShownSolver } from '#ui/server/solver.ts'
import type { PageSession } from '#ui/session.ts'
import { rememberReactor } from './known.ts'

interface Props {
  readonly session: PageSession
  readonly solver: ShownSolver
  /** What the form above stands for: the inputs of step 1. */
  readonly input: object
  readonly sound: boolean
}

const STEPS_MAX = 4096
const operations = ['>', '>=', '<', '<='] as const
type Operation = (typeof operations)[number]

/** Names in a text, between commas. */
const namesIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '')

/** What is typed of a contract, beside the inputs. */
const empty = {
  steps: '10',
  stretch: '',
  observers: '',
  of: '',
  op: '>' as Operation,
  than: '',
  machine: '',
  seal: true,
}
type Terms = typeof empty

const wrongIn = ({ steps, stretch, of, than }: Terms): string | undefined => {
  if (!/^\d+$/.test(steps) || Number(steps) < 1 || Number(steps) > STEPS_MAX) return `Steps: 1 to ${STEPS_MAX}.`
  if (stretch !== '' && !(Number(stretch) >= 0)) return 'The length of a step is no number.'
  if ((of === '') !== (than === '')) return 'A condition has a quantity and a number.'
  return than === '' || Number.isFinite(Number(than)) ? undefined : 'The condition compares with a number.'
}

const bodyOf = (solver: string, inputs: object, terms: Terms): InputAt<'POST /api/svc/reactor'> => ({
  solver,
  inputs: inputs as Readonly<Record<string, unknown>>,
  steps: Number(terms.steps),
  seal: terms.seal,
  ...(terms.stretch !== '' && { stretch: Number(terms.stretch) }),
  ...(namesIn(terms.observers).length > 0 && { observers: namesIn(terms.observers) }),
  ...(terms.of !== '' && { stops: [{ of: terms.of, op: terms.op, than: Number(terms.than) }] }),
  ...(terms.machine !== '' && { machine: terms.machine }),
})

const Until = ({ terms, set }: { readonly terms: Terms; readonly set: (change: Partial<Terms>) => void }) => (
  <div class="form-row">
    <label for="reactor-of">Ends when</label>
    <div class="condition">
      <input
        id="reactor-of"
        type="text"
        placeholder="value, errorSum …"
        value={terms.of}
        onInput={(event) => set({ of: event.currentTarget.value.trim() })}
      />
      <Select aria-label="is" options={operations} value={terms.op} onChoose={(op) => set({ op })} />
      <input
        type="text"
        inputMode="decimal"
        aria-label="than"
        value={terms.than}
        onInput={(event) => set({ than: event.currentTarget.value.trim() })}
      />
    </div>
  </div>
)

const Form = ({ session, solver, input, sound }: Props) => {
  const [terms, type] = useState<Terms>(empty)
  const task = useTask()
  const set = (change: Partial<Terms>): void => type((old) => ({ ...old, ...change }))
  const wrong = wrongIn(terms)
  const start = (): void =>
    task.run(async () => {
      const body = bodyOf(solver.name, input, terms)
      const headers = { 'Idempotency-Key': freshName() }
      const { reactor } = await session.call('POST /api/svc/reactor', body, { headers })
      rememberReactor(session.self, reactor.id)
      location.hash = `reactor/${reactor.id}`
      return 'Started.'
    })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (sound && wrong === undefined) start()
      }}
    >
      <p class="about">
        The answer of each step is where the next one begins; inputs are those of the form above. Nothing runs, and
        nothing is charged, before the first step.
      </p>
      <div class="form-grid">
        <TextRow
          id="reactor-steps"
          label="Steps"
          inputMode="numeric"
          value={terms.steps}
          onText={(steps) => set({ steps })}
        />
        <TextRow
          id="reactor-stretch"
          label="Length of a step"
          placeholder="as the form says"
          inputMode="decimal"
          value={terms.stretch}
          onText={(text) => set({ stretch: text.trim() })}
        />
        <TextRow
          id="reactor-observers"
          label="Observed, with commas"
          placeholder="none"
          spellcheck={false}
          value={terms.observers}
          onText={(observers) => set({ observers })}
        />
        <Until terms={terms} set={set} />
        <TextRow
          id="reactor-machine"
          label="Machine"
          placeholder="one that your reactors share"
          spellcheck={false}
          value={terms.machine}
          onText={(text) => set({ machine: text.trim() })}
        />
        <CheckRow checked={terms.seal} onCheck={(seal) => set({ seal })}>
          Seal each step
        </CheckRow>
      </div>
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={!sound || wrong !== undefined || task.busy}>
          Start a reactor
        </button>
        <span class="about wrong">{wrong}</span>
      </div>
      <TaskOutcome of={task} />
    </form>
  )
}

/** Whether an answer of the solver is a state: the solver itself knows, and is loaded once somebody asks. */
const useContinuable = (name: string): boolean | undefined =>
  useReading(async () => (await import('#numerics/reactor/schema.ts')).continuable.includes(name), { on: [name] }).value

const Opened = (props: Props) => {
  const continuable = useContinuable(props.solver.name)
  if (continuable === undefined) return <p class="about">reading …</p>
  if (continuable) return <Form {...props} />
  return <p>The answer of this solver is no state that a next step could take up.</p>
}

/** Starts a reactor over a solver, from what stands in its form. */
export const StartReactor = (props: Props) => {
  const [open, toggle] = useState(false)
  return (
    <details class="card start-reactor" open={open} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>Step by step</summary>
      {open && <Opened {...props} />}
    </details>
  )
}
