import { useId, useMemo, useState } from 'preact/hooks'
import { fieldLabel } from '#ui/form/label.ts'
import { type FormField, keyOf, type Typed, textOf } from '#ui/form/schema.ts'
import { TextRow } from '#ui/part/text-row.tsx'
import { SweepChart } from '#ui/plot/sweep-chart.tsx'
import { ApiProblem } from '#ui/server/api.ts'
import type { ShownSolver } from '#ui/server/solver.ts'
import type { PageSession } from '#ui/session.ts'
import { figure, headText, waitText, withUnit } from '#ui/text/numbers.ts'
import { figureUnit, isNumber, numberAt } from './headline.ts'
import { SWEEP_POINTS_MAX, type SweepTerms, sweepRuns, variableFields } from './sweep-inputs.ts'
import { type SweepRun, useSweep } from './use-sweep.ts'
import { type Total, useTotal } from './use-total.ts'

interface Props {
  readonly solver: ShownSolver
  readonly session: PageSession
  readonly fields: readonly FormField[]
  /** What stands in the form above: all other inputs. */
  readonly typed: Typed
  readonly sound: boolean
}

interface Choice {
  readonly value: string
  readonly words: string
}

const Chosen = ({
  label,
  choices,
  value,
  onChoose,
}: {
  readonly label: string
  readonly choices: readonly Choice[]
  readonly value: string
  readonly onChoose: (value: string) => void
}) => {
  const id = useId()
  return (
    <div class="form-row">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {choices.map((it) => (
          <option key={it.value} value={it.value}>
            {it.words}
          </option>
        ))}
      </select>
    </div>
  )
}

const choiceOf = (field: FormField): Choice => {
  const { words, name } = fieldLabel(field)
  const key = keyOf(field)
  return { value: key, words: words === name ? key : `${words} (${key})` }
}

/** Figures that a sweep may be drawn of: those that are read first, and the sealed value. */
const outputsOf = (solver: ShownSolver): readonly Choice[] => [
  ...solver.guide.headline
    .filter(({ member }) => isNumber(solver, member))
    .map(({ member, label }) => ({ value: member, words: label })),
  { value: 'value', words: 'Sealed value' },
]

const totalText = (total: Total | undefined, runs: number): string => {
  if (runs === 0) return ''
  if (total === undefined) return `${runs} runs`
  const { credits, seconds, refused } = total
  const some = refused === 0 ? '' : ` · ${refused} would be refused`
  return `${runs} runs · ${credits} credits · about ${waitText(seconds)}${some}`
}

const outcomeOf = ({ answer, problem }: SweepRun, member: string, unit: string): string => {
  if (problem !== undefined) return problem instanceof ApiProblem ? problem.code : problem.message
  if (answer === undefined) return '…'
  const value = numberAt(answer, member)
  return value === null ? 'none' : withUnit(headText(value), unit)
}

interface TableProps {
  readonly runs: readonly SweepRun[]
  readonly input: { readonly name: string; readonly unit: string }
  readonly output: { readonly name: string; readonly unit: string; readonly member: string }
}

const SweepTable = ({ runs, input, output }: TableProps) => (
  <div class="scroll">
    <table class="sweep">
      <thead>
        <tr>
          <th scope="col">{input.name}</th>
          <th scope="col">{output.name}</th>
          <th scope="col">measured error</th>
          <th scope="col">receipt</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.x} data-x={String(run.x)}>
            <th scope="row">{withUnit(figure(run.x), input.unit)}</th>
            <td title={run.problem?.message}>{outcomeOf(run, output.member, output.unit)}</td>
            <td>{run.answer?.envelope == null ? '' : `${figure(run.answer.envelope.precisionActual)} %`}</td>
            <td>
              {run.answer?.envelope == null ? (
                ''
              ) : (
                <a href={`/r/${run.answer.envelope.token_id}`}>
                  <code>{run.answer.envelope.token_id.slice(0, 8)}</code>
                </a>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** The ends that a sweep begins with: half and twice of what stands in the form, within the input's bounds. */
const endsOf = (field: FormField | undefined, typed: Typed): Pick<SweepTerms, 'from' | 'to'> => {
  if (field === undefined) return { from: '', to: '' }
  const value = Number(textOf(field, typed))
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field.schema
  const end = (factor: number): string => {
    const near = Math.min(maximum, Math.max(minimum, value * factor))
    return String(field.kind === 'integer' ? Math.round(near) : near)
  }
  return Number.isFinite(value) && textOf(field, typed) !== '' ? { from: end(0.5), to: end(2) } : { from: '', to: '' }
}

const Opened = ({ solver, session, fields, typed, sound }: Props) => {
  const path = `/api/svc/${solver.name}`
  const choices = useMemo(() => variableFields(fields), [fields])
  const [terms, set] = useState<SweepTerms>(() => {
    const first = choices.find((it) => !it.advanced && it.kind === 'number') ?? choices[0]
    return { key: first === undefined ? '' : keyOf(first), points: '5', ...endsOf(first, typed) }
  })
  const outputs = outputsOf(solver)
  const [member, watch] = useState(outputs[0]?.value ?? 'value')
  const sweep = useSweep(session, path)
  const { runs, wrong } = useMemo(() => sweepRuns(fields, typed, terms), [fields, typed, terms])
  const inputs = useMemo(() => (sound && !sweep.busy ? runs.map((it) => it.input) : []), [runs, sound, sweep.busy])
  const total = useTotal(session, path, inputs)
  const [swept, note] = useState(terms.key)
  const id = useId()
  const field = choices.find((it) => keyOf(it) === swept)
  const input = { name: field === undefined ? swept : fieldLabel(field).words, unit: field?.schema['x-unit'] ?? '1' }
  const unit = figureUnit(solver, member)
  const output = { name: outputs.find((it) => it.value === member)?.words ?? member, unit, member }
  const points = useMemo(
    () => sweep.runs.map(({ x, answer }) => ({ x, y: answer === undefined ? null : numberAt(answer, member) })),
    [sweep.runs, member],
  )
  const change = (part: Partial<SweepTerms>): void => set((old) => ({ ...old, ...part }))
  const blocked = !sound || wrong !== undefined || sweep.busy
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (blocked) return
        note(terms.key)
        sweep.start(runs)
      }}
    >
      <div class="form-grid">
        <Chosen
          label="Vary"
          choices={choices.map(choiceOf)}
          value={terms.key}
          onChoose={(key) =>
            change({
              key,
              ...endsOf(
                choices.find((it) => keyOf(it) === key),
                typed,
              ),
            })
          }
        />
        <TextRow
          id={`${id}-from`}
          label="From"
          inputMode="decimal"
          value={terms.from}
          onText={(from) => change({ from })}
        />
        <TextRow id={`${id}-to`} label="To" inputMode="decimal" value={terms.to} onText={(to) => change({ to })} />
        <TextRow
          id={`${id}-points`}
          label={`Points, at most ${SWEEP_POINTS_MAX}`}
          inputMode="numeric"
          value={terms.points}
          onText={(text) => change({ points: text })}
        />
        <Chosen label="Draw" choices={outputs} value={member} onChoose={watch} />
      </div>
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={blocked}>
          {sweep.busy ? 'Running …' : 'Run them all'}
        </button>
        {sweep.busy && (
          <button type="button" onClick={sweep.cancel}>
            Cancel
          </button>
        )}
        <span class="quote">{sweep.busy ? '' : totalText(total, runs.length)}</span>
        <span class="about wrong">{wrong ?? (sound ? '' : 'An input of the form above is not sound.')}</span>
      </div>
      <p class="about" role="status">
        {sweep.busy
          ? `${sweep.runs.filter((it) => it.answer ?? it.problem).length} of ${sweep.runs.length}`
          : sweep.said}
      </p>
      {sweep.runs.length > 0 && (
        <>
          <SweepChart input={input} output={output} points={points} />
          <SweepTable runs={sweep.runs} input={input} output={output} />
        </>
      )}
    </form>
  )
}

/** Runs that differ in one input, as a table and a small chart; each is sealed by itself. */
export const Vary = (props: Props) => {
  const [open, toggle] = useState(false)
  return (
    <details class="card vary" open={open} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>Vary an input</summary>
      {open && <Opened {...props} />}
    </details>
  )
}
