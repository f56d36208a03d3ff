import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { fieldLabel } from '#ui/form/label.ts'
import { type FormField, keyOf, type Typed, textOf } from '#ui/form/schema.ts'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { SweepChart } from '#ui/plot/sweep-chart.tsx'
import { download } from '#ui/receipt/evidence.ts'
import { ApiProblem } from '#ui/server/api.ts'
import type { EndedBatch } from '#ui/server/batch.ts'
import type { ShownSolver } from '#ui/server/solver.ts'
import type { PageSession } from '#ui/session.ts'
import { figure, headText, waitText, withUnit } from '#ui/text/numbers.ts'
import { figureUnit, isNumber, numberAt } from './headline.ts'
import { SWEEP_POINTS, SWEEP_POINTS_MAX, type SweepTerms, sweepRuns, variableFields } from './sweep-inputs.ts'
import { type SweepRun, useSweep } from './use-sweep.ts'
import { type Total, useTotal } from './use-total.ts'

/** How long a proof is waited for: some ticks. */
const PROOF_MS_MAX = 30_000

interface Props {
  readonly solver: ShownSolver
  readonly session: PageSession
  readonly fields: readonly FormField[]
  /** What stands in the form above: all other inputs. */
  readonly typed: Typed
  readonly sound: boolean
  /** What is varied and how; nothing while nobody looks at that. */
  readonly terms: SweepTerms | undefined
  readonly onTerms: (terms: SweepTerms | undefined) => void
  /** Whether it shall run as it stands, as soon as it is there, and what to say when it began. */
  readonly ordered: boolean
  readonly onBegun: () => void
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

/** What runs cost together, in words. */
export const totalText = (total: Total | undefined, runs: number): string => {
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

/** What a sweep begins with: the first input that is meant to be changed. */
const firstTerms = (fields: readonly FormField[], typed: Typed): SweepTerms => {
  const choices = variableFields(fields)
  const first = choices.find((it) => !it.advanced && it.kind === 'number') ?? choices[0]
  return { key: first === undefined ? '' : keyOf(first), points: String(SWEEP_POINTS), ...endsOf(first, typed) }
}

interface TermsProps {
  readonly terms: SweepTerms
  readonly choices: readonly FormField[]
  readonly outputs: readonly Choice[]
  readonly typed: Typed
  readonly onChange: (part: Partial<SweepTerms>) => void
}

/** Which input is varied, from where to where, in how many runs, and what is drawn of them. */
const TermRows = ({ terms, choices, outputs, typed, onChange }: TermsProps) => {
  const id = useId()
  const vary = (key: string): void => {
    const field = choices.find((it) => keyOf(it) === key)
    onChange({ key, ...endsOf(field, typed) })
  }
  return (
    <div class="form-grid">
      <Chosen label="Vary" choices={choices.map(choiceOf)} value={terms.key} onChoose={vary} />
      <TextRow
        id={`${id}-from`}
        label="From"
        inputMode="decimal"
        value={terms.from}
        onText={(from) => onChange({ from })}
      />
      <TextRow id={`${id}-to`} label="To" inputMode="decimal" value={terms.to} onText={(to) => onChange({ to })} />
      <TextRow
        id={`${id}-points`}
        label={`Points, at most ${SWEEP_POINTS_MAX}`}
        inputMode="numeric"
        value={terms.points}
        onText={(points) => onChange({ points })}
      />
      <Chosen
        label="Draw"
        choices={outputs}
        value={terms.member ?? outputs[0]?.value ?? ''}
        onChoose={(member) => onChange({ member })}
      />
    </div>
  )
}

/** What came of a sweep: the chart and the table, by the names of what was varied. */
const Swept = ({ solver, fields, runs, of }: Pick<Props, 'solver' | 'fields'> & SweptOf) => {
  const field = fields.find((it) => keyOf(it) === of.key)
  const outputs = outputsOf(solver)
  const member = of.member ?? outputs[0]?.value ?? 'value'
  const points = useMemo(
    () => runs.map(({ x, answer }) => ({ x, y: answer === undefined ? null : numberAt(answer, member) })),
    [runs, member],
  )
  const input = { name: field === undefined ? of.key : fieldLabel(field).words, unit: field?.schema['x-unit'] ?? '1' }
  const name = outputs.find((it) => it.value === member)?.words ?? member
  const output = { name, unit: figureUnit(solver, member), member }
  return (
    <>
      <SweepChart input={input} output={output} points={points} />
      <SweepTable runs={runs} input={input} output={output} />
    </>
  )
}

/** What proves that no run of a sweep is missing, as a file. */
const Proof = ({ of }: { readonly of: EndedBatch }) => {
  const task = useTask()
  const save = async (): Promise<string> => {
    download('batch.ndjson', await of.proof(AbortSignal.timeout(PROOF_MS_MAX)))
    return 'Saved batch.ndjson, for tickmesh verify.'
  }
  return (
    <div class="actions">
      <button type="button" aria-disabled={task.busy} onClick={() => task.run(save)}>
        {task.busy ? 'Waiting for the log …' : 'Save the proof that no run is missing'}
      </button>
      <TaskOutcome of={task} />
    </div>
  )
}

interface SweptOf {
  readonly runs: readonly SweepRun[]
  readonly of: Pick<SweepTerms, 'key' | 'member'>
}

const Opened = (props: Props & { readonly terms: SweepTerms }) => {
  const { solver, session, fields, typed, sound, terms, onTerms, ordered, onBegun } = props
  const path = `/api/svc/${solver.name}`
  const choices = useMemo(() => variableFields(fields), [fields])
  const sweep = useSweep(session, path)
  const { runs, wrong } = useMemo(() => sweepRuns(fields, typed, terms), [fields, typed, terms])
  const inputs = useMemo(() => (sound && !sweep.busy ? runs.map((it) => it.input) : []), [runs, sound, sweep.busy])
  const total = useTotal(session, path, inputs)
  const [swept, note] = useState(terms.key)
  const blocked = !sound || wrong !== undefined || sweep.busy
  const start = (): void => {
    if (blocked) return
    note(terms.key)
    sweep.start(runs)
  }
  useEffect(() => {
    if (!ordered) return
    onBegun()
    start()
  }, [ordered])
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
    >
      <TermRows
        {...{ terms, choices, typed }}
        outputs={outputsOf(solver)}
        onChange={(part) => onTerms({ ...terms, ...part })}
      />
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={blocked}>
          {sweep.busy ? 'Running …' : 'Run them all'}
        </button>
        {sweep.busy && (
          <button type="button" onClick={sweep.leave}>
            Leave it running
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
      {sweep.ended !== undefined && <Proof of={sweep.ended} />}
      {sweep.runs.length > 0 && <Swept {...{ solver, fields }} runs={sweep.runs} of={{ ...terms, key: swept }} />}
    </form>
  )
}

/** Runs that differ in one input, as a table and a small chart; each is sealed by itself. */
export const Vary = (props: Props) => {
  const { fields, typed, terms, onTerms } = props
  const turn = (open: boolean): void => {
    if (open !== (terms !== undefined)) onTerms(open ? firstTerms(fields, typed) : undefined)
  }
  return (
    <details class="card vary" open={terms !== undefined} onToggle={(event) => turn(event.currentTarget.open)}>
      <summary>Vary an input</summary>
      {terms !== undefined && <Opened {...props} terms={terms} />}
      <p class="about">
        Or type a range, such as <code>91..109</code>, into the field of any number above.
      </p>
    </details>
  )
}
