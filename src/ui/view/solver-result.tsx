import { useEffect, useRef } from 'preact/hooks'
import type { PlotSource } from '#ui/export/export-actions.tsx'
import { PlotList } from '#ui/plot/plot-list.tsx'
import { usePlots } from '#ui/plot/use-plots.ts'
import { Receipt } from '#ui/receipt/receipt.tsx'
import type { JobAnswer } from '#ui/server/answer.ts'
import type { ShownSolver } from '#ui/server/solver.ts'
import type { PageSession } from '#ui/session.ts'
import { figure } from '#ui/text/numbers.ts'
import { Figures, Headline } from './figures.tsx'

interface Props {
  readonly answer: JobAnswer
  /** What the answer was asked with. */
  readonly input: object
  readonly solver: ShownSolver
  readonly session: PageSession
}

const sourceOf = ({ envelope }: JobAnswer, { name, title }: ShownSolver): PlotSource =>
  envelope === null
    ? { title, note: 'not sealed', stem: [name, 'unsealed'] }
    : {
        title,
        note: `token ${envelope.token_id}, tick ${envelope.tick}, measured error ${figure(envelope.precisionActual)} %`,
        stem: [name, envelope.token_id],
      }

/** An answer: value, plots, figures and receipt. It takes the focus when it comes. */
export const SolverResult = ({ answer, input, solver, session }: Props) => {
  const section = useRef<HTMLElement>(null)
  const plots = usePlots(solver.name, input, answer)
  useEffect(() => section.current?.focus(), [answer])
  return (
    <>
      <section ref={section} class="card result" aria-label="Result" tabIndex={-1}>
        <Headline schema={solver.output} answer={answer} />
        <PlotList plots={plots} source={sourceOf(answer, solver)} run={{ name: solver.name, input }} />
        <Figures schema={solver.output} answer={answer} />
      </section>
      {answer.envelope === null ? (
        <p class="card about">No receipt: {answer.unsealed_reason}</p>
      ) : (
        <Receipt envelope={answer.envelope} value={answer} check={answer.check} session={session} />
      )}
    </>
  )
}
