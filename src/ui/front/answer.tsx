import { OperatorResult } from '#ui/operators/operator-result.tsx'
import type { JobAnswer } from '#ui/server/answer.ts'
import { useReading } from '#ui/server/reading.ts'
import { readSolver } from '#ui/server/solver.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { SolverResult } from '#ui/view/solver-result.tsx'

interface Props {
  readonly answer: JobAnswer
  /** The solver that answered; none where operators did. */
  readonly solver: string | undefined
  /** What the solver was called with. */
  readonly input: object
  /** Whether another run goes on. */
  readonly stale: boolean
  readonly session: PageSession
}

const FromSolver = ({ answer, solver: name, input, stale, session }: Props & { readonly solver: string }) => {
  const { value: solver, problem } = useReading((signal) => readSolver(name, signal), { on: [name] })
  if (solver !== undefined)
    return <SolverResult done={{ answer, input }} earlier={undefined} {...{ stale, solver, session }} />
  return problem === undefined ? <p class="card about">reading …</p> : <ProblemCard problem={problem} />
}

/** What a run from the box came to: value, check and receipt, by whichever way it was computed. */
export const Answer = ({ solver, ...rest }: Props) =>
  solver === undefined ? (
    <OperatorResult answer={rest.answer} stale={rest.stale} session={rest.session} />
  ) : (
    <FromSolver key={solver} {...rest} solver={solver} />
  )
