import { useState } from 'preact/hooks'
import type { InputAt } from '#api/result-of.ts'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import { readCases, readVariables } from './read-lines.ts'

interface Typed {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly equation: string
  readonly source: string
  readonly variables: string
  readonly cases: string
}

const empty: Typed = { id: '', name: '', domain: '', equation: '', source: '', variables: '', cases: '' }
const TEXT_MAX = 2_000

type Order = InputAt<'POST /api/community-operators/propose'>

/** The order that the fields come to. @throws LineWrong */
const orderOf = ({ variables, cases, ...texts }: Typed): Order => {
  const read = readCases(cases)
  const symbols = readVariables(variables)
  const [first] = read
  const solves_for = [...new Set(read.map(({ output }) => output))]
  const row = { ...texts, id: texts.id.trim().toUpperCase(), variables: symbols, solves_for }
  return { row: { ...row, ...(first !== undefined && { example: first }) }, cases: [...read] }
}

interface AreaProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly about: string
  readonly onText: (text: string) => void
}

const Area = ({ id, label, value, placeholder, about, onText }: AreaProps) => (
  <div class="form-row wide">
    <label for={id}>{label}</label>
    <textarea
      id={id}
      rows={4}
      spellcheck={false}
      placeholder={placeholder}
      aria-describedby={`${id}-about`}
      value={value}
      onInput={(event) => onText(event.currentTarget.value)}
    />
    <p class="about" id={`${id}-about`}>
      {about}
    </p>
  </div>
)

const lines = [
  ['id', 'Id', 'XP1'],
  ['name', 'Name', 'Kinetic energy of a body'],
  ['domain', 'Domain', 'mechanics'],
  ['equation', 'Equation', 'E = m*v^2/2'],
  ['source', 'Source', 'The book and section that it is from'],
] as const

/** Drafts a proposal; its own page then opens the vote. */
export const ProposeForm = ({ session }: { readonly session: PageSession }) => {
  const [typed, type] = useState(empty)
  const task = useTask()
  if (session.self.kind === 'demo') {
    return (
      <p class="card about">
        Proposals and stakes belong to accounts. <a href="#settings">Sign in or make an account</a> to take part.
      </p>
    )
  }
  const change = (part: Partial<Typed>): void => type((old) => ({ ...old, ...part }))
  const submit = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      const { id } = await session.call('POST /api/community-operators/propose', orderOf(typed))
      type(empty)
      location.hash = `#proposal/${id}`
      return undefined
    })
  }
  return (
    <details class="card">
      <summary>New proposal</summary>
      <form onSubmit={submit}>
        <div class="form-grid two">
          {lines.map(([name, label, placeholder]) => (
            <TextRow
              key={name}
              id={`propose-${name}`}
              label={label}
              maxLength={TEXT_MAX}
              placeholder={placeholder}
              value={typed[name]}
              onText={(text) => change({ [name]: text })}
            />
          ))}
          <Area
            id="propose-variables"
            label="Variables"
            placeholder={'E: energy, J\nm: mass, kg, positive\nv: speed, m/s'}
            about="One a line: symbol, name, SI unit; then positive or integer where it is so."
            value={typed.variables}
            onText={(variables) => change({ variables })}
          />
          <Area
            id="propose-cases"
            label="Known values"
            placeholder={'m = 2, v = 3 -> E = 9 J\nm = 1 kg, v = 36 km/h -> E = 50 J\nE = 8, v = 4 -> m = 1 kg'}
            about="Three or more, one a line. This node computes each and refuses what is more than 0.1 % off."
            value={typed.cases}
            onText={(cases) => change({ cases })}
          />
        </div>
        <div class="actions">
          <Submit disabled={task.busy}>Draft</Submit>
        </div>
      </form>
      <TaskOutcome of={task} />
    </details>
  )
}
