import { useEffect, useRef } from 'preact/hooks'
import type { PlotSource } from '#ui/export/export-actions.tsx'
import { PlotList } from '#ui/plot/plot-list.tsx'
import { usePlots } from '#ui/plot/use-plots.ts'
import { Receipt } from '#ui/receipt/receipt.tsx'
import type { JobAnswer } from '#ui/server/answer.ts'
import type { ShownSolver } from '#ui/server/solver.ts'
import type { PageSession } from '#ui/session.ts'
import { figure } from '#ui/text/numbers.ts'
import { Comparison } from './comparison.tsx'
import { Diagnostics } from './diagnostics.tsx'
import { Figures, HeadFigures, Headline, Stale } from './figures.tsx'
import { headlineOf } from './headline.ts'
import type { Done } from './use-run.ts'

interface Props {
  readonly done: Done
  readonly earlier: Done | undefined
  /** Whether the form says something else by now, or another run goes on. */
  readonly stale: boolean
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

/** An answer: figures, plots, receipt, diagnostics. It takes the focus when it comes. */
export const SolverResult = ({ done, earlier, stale, solver, session }: Props) => {
  const { answer, input } = done
  const section = useRef<HTMLElement>(null)
  const plots = usePlots(solver.name, input, answer)
  const figures = headlineOf(solver, answer)
  useEffect(() => section.current?.focus(), [answer])
  return (
    <>
      <section ref={section} class="card result" aria-label="Result" tabIndex={-1} data-stale={stale}>
        <Stale stale={stale} />
        <HeadFigures figures={figures} />
        <Headline schema={solver.output} answer={answer} minor={figures.length > 0} />
        <PlotList plots={plots} source={sourceOf(answer, solver)} run={{ name: solver.name, input }} />
        <Figures schema={solver.output} answer={answer} />
        {earlier !== undefined && <Comparison solver={solver} now={done} before={earlier} />}
      </section>
      {answer.envelope === null ? (
        <p class="card about">No receipt: {answer.unsealed_reason}</p>
      ) : (
        <Receipt envelope={answer.envelope} value={answer} check={answer.check} session={session} />
      )}
      <Diagnostics answer={answer} />
    </>
  )
}
