import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { fieldsOf, inputOf, type Typed } from '#ui/form/schema.ts'
import { SchemaForm } from '#ui/form/schema-form.tsx'
import { Plots } from '#ui/plot/plot.tsx'
import { plotsOf, seriesOf } from '#ui/plot/plots.ts'
import { Receipt } from '#ui/receipt/receipt.tsx'
import { ApiProblem, send } from '#ui/server/api.ts'
import { type Job, runJob } from '#ui/server/jobs.ts'
import type { Answer, SolverShape } from '#ui/server/shapes.ts'
import type { Session } from '#ui/session.ts'
import { JobProgress } from './job-progress.tsx'
import { Scalars } from './scalars.tsx'

interface Quote {
  readonly price: number
  readonly expected_seconds: number
}

/** What a run is in: its job while it goes on, then its answer or its refusal. */
interface Run {
  readonly job?: Job
  readonly answer?: Answer
  readonly input?: object
  readonly problem?: ApiProblem | Error
  readonly busy: boolean
}

const useSolver = (name: string): SolverShape | undefined => {
  const [solver, show] = useState<SolverShape>()
  useEffect(() => {
    show(undefined)
    void send<SolverShape>(`/api/solvers/${name}`).then(show)
  }, [name])
  return solver
}

const Problem = ({ problem }: { readonly problem: ApiProblem | Error }) => (
  <div class="card wrong" role="alert">
    <p>
      {problem instanceof ApiProblem && <b>{problem.code} </b>}
      {problem.message}
    </p>
  </div>
)

const Result = ({
  run,
  solver,
  session,
}: {
  readonly run: Run
  readonly solver: SolverShape
  readonly session: Session
}) => {
  const { answer, input } = run
  const plots = useMemo(
    () => (answer === undefined ? [] : plotsOf(seriesOf(solver.output, answer, input ?? {}))),
    [answer, input, solver],
  )
  if (answer === undefined) return null
  return (
    <>
      <section class="card" aria-label="Result" data-value={String(answer.value)}>
        <Plots plots={plots} />
        <Scalars schema={solver.output} answer={answer} />
      </section>
      {answer.envelope === null ? (
        <p class="card about">{answer.unsealed_reason}</p>
      ) : (
        <Receipt
          envelope={answer.envelope}
          value={answer}
          check={answer.check}
          credential={session.self.credential}
          trusted={session.vkey}
        />
      )}
    </>
  )
}

/** One solver: its form, the quote, the run with its progress, the plot and the receipt. */
export const SolverView = ({ name, session }: { readonly name: string; readonly session: Session }) => {
  const solver = useSolver(name)
  const [typed, type] = useState<Typed>({})
  const [quote, show] = useState<Quote>()
  const [run, go] = useState<Run>({ busy: false })
  const stop = useRef<AbortController>(undefined)
  const fields = useMemo(() => (solver === undefined ? [] : fieldsOf(solver.input)), [solver])
  const { input, problems } = useMemo(() => inputOf(fields, typed), [fields, typed])
  const path = `/api/svc/${name}`
  const { credential } = session.self

  useEffect(() => {
    const over = new AbortController()
    const body = { route: `POST ${path}`, input }
    void send<Quote>('/api/quote', { method: 'POST', body, credential, signal: over.signal })
      .then(show)
      .catch(() => show(undefined))
    return () => over.abort()
  }, [path, input, credential])

  const start = async (event: Event): Promise<void> => {
    event.preventDefault()
    stop.current = new AbortController()
    go({ busy: true })
    try {
      const { signal } = stop.current
      const answer = await runJob({ path, input, credential, signal, tell: (job) => go({ busy: true, job }) })
      go({ busy: false, answer, input })
      session.minted()
    } catch (problem) {
      go({ busy: false, problem: problem as Error })
    }
  }

  if (solver === undefined) return <p class="about">…</p>
  return (
    <article>
      <h2>{solver.title}</h2>
      <p>
        {solver.summary} <span class="about">{solver.method}.</span>
      </p>
      <form class="card" onSubmit={(event) => void start(event)} noValidate>
        <SchemaForm
          fields={fields}
          typed={typed}
          problems={problems}
          onType={(key, text) => type((old) => ({ ...old, [key]: text }))}
        />
        <div class="actions">
          <button type="submit" class="primary" disabled={run.busy || Object.keys(problems).length > 0}>
            Run
          </button>
          {run.busy && (
            <button type="button" onClick={() => stop.current?.abort()}>
              Cancel
            </button>
          )}
          <button type="reset" onClick={() => type({})} disabled={run.busy}>
            Defaults
          </button>
          {quote !== undefined && (
            <span class="about">
              {quote.price} credits, about{' '}
              {quote.expected_seconds < 1 ? 'a second' : `${Math.ceil(quote.expected_seconds)} s`}
            </span>
          )}
        </div>
        {run.busy && <JobProgress job={run.job} />}
      </form>
      {run.problem !== undefined && <Problem problem={run.problem} />}
      <Result run={run} solver={solver} session={session} />
    </article>
  )
}
