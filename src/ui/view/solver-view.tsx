import { useMemo, useState } from 'preact/hooks'
import { everyField, formOf, inputOf, keyOf, type Typed } from '#ui/form/schema.ts'
import { SchemaForm } from '#ui/form/schema-form.tsx'
import { OperatorLinks } from '#ui/operators/operator-links.tsx'
import { StartReactor } from '#ui/reactor/start-form.tsx'
import { useLink } from '#ui/server/link.ts'
import { useReading } from '#ui/server/reading.ts'
import { readSolver, type ShownSolver } from '#ui/server/solver.ts'
import type { PageSession } from '#ui/session.ts'
import { Command } from './command.tsx'
import { CreditAdvice } from './credit-advice.tsx'
import { JobProgress } from './job-progress.tsx'
import { ProblemCard, type Units } from './problem-card.tsx'
import { RunActions } from './run-actions.tsx'
import { SolverResult } from './solver-result.tsx'
import { useEscape } from './use-escape.ts'
import { useQuote } from './use-quote.ts'
import { useRun } from './use-run.ts'

interface Props {
  readonly solver: ShownSolver
  readonly session: PageSession
  /** Whether it is the view that is seen. */
  readonly shown: boolean
}

const Loaded = ({ solver, session, shown }: Props) => {
  const [typed, type] = useState<Typed>({})
  const path = `/api/svc/${solver.name}`
  const form = useMemo(() => formOf(solver.input), [solver])
  const { input, problems } = useMemo(() => inputOf(everyField(form), typed), [form, typed])
  const sound = Object.keys(problems).length === 0
  const units = useMemo(
    (): Units => Object.fromEntries(everyField(form).map((it) => [keyOf(it), it.schema['x-unit']])),
    [form],
  )
  const quoted = useQuote(session, path, sound && shown ? input : undefined)
  const run = useRun(session, path)
  const up = useLink()
  useEscape(run.cancel, shown && run.busy)
  const use = (name: string, value: number): void => type((old) => ({ ...old, [name]: String(value) }))
  const refused = run.problem ?? (run.busy ? undefined : quoted.problem)
  return (
    <>
      <form
        class="card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (sound) run.start(input)
        }}
        onKeyDown={(event) => {
          // In a field of several lines Enter is a line.
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        }}
      >
        <SchemaForm
          form={form}
          typed={typed}
          problems={problems}
          onType={(key, text) => type((old) => ({ ...old, [key]: text }))}
        />
        <RunActions run={run} sound={sound} quoted={quoted} onReset={() => type({})} />
        {run.busy && <JobProgress job={run.job} up={up} />}
        <Command path={path} input={input} />
      </form>
      <StartReactor session={session} solver={solver} input={input} sound={sound} />
      {refused !== undefined && (
        <ProblemCard problem={refused} units={units} onUse={use} before={run.problem === undefined}>
          <CreditAdvice problem={refused} session={session} onAgain={() => run.start(input)} />
        </ProblemCard>
      )}
      {run.answer !== undefined && run.input !== undefined && (
        <SolverResult answer={run.answer} input={run.input} solver={solver} session={session} />
      )}
    </>
  )
}

/** One solver: its form, the quote, the run with its progress, the plot and the receipt. */
export const SolverView = ({ name, ...rest }: Omit<Props, 'solver'> & { readonly name: string }) => {
  const up = useLink()
  const { value: solver, problem } = useReading((signal) => readSolver(name, signal), {
    on: [name, up],
  })
  return (
    <article>
      <p class="up">
        <a href="#solvers">All solvers</a>
      </p>
      <h2>{solver?.title ?? name}</h2>
      {solver === undefined && problem !== undefined && <ProblemCard problem={problem} />}
      {solver !== undefined && (
        <>
          <p class="lead">
            {solver.summary}{' '}
            <span class="about">
              {solver.method}. Relations: <OperatorLinks ids={solver.operators} />
            </span>
          </p>
          <Loaded solver={solver} {...rest} />
        </>
      )}
    </article>
  )
}
