import { useEffect, useMemo, useRef } from 'preact/hooks'
import { PlotList } from '#ui/plot/plot-list.tsx'
import { plotsOf } from '#ui/plot/plots.ts'
import { Receipt } from '#ui/receipt/receipt.tsx'
import type { Answer, SolverShape } from '#ui/server/shapes.ts'
import type { Session } from '#ui/session.ts'
import { Figures, Headline } from './figures.tsx'

interface Props {
  readonly answer: Answer
  readonly solver: SolverShape
  readonly session: Session
}

/** An answer: value, plots, figures and receipt. It takes the focus when it comes. */
export const SolverResult = ({ answer, solver, session }: Props) => {
  const section = useRef<HTMLElement>(null)
  const plots = useMemo(() => plotsOf(solver.output, answer), [answer, solver])
  useEffect(() => section.current?.focus(), [answer])
  return (
    <>
      <section ref={section} class="card result" aria-label="Result" tabIndex={-1}>
        <Headline schema={solver.output} answer={answer} />
        <PlotList plots={plots} />
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
