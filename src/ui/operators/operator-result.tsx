import { useEffect, useRef } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { Receipt } from '#ui/receipt/receipt.tsx'
import type { JobAnswer } from '#ui/server/answer.ts'
import type { PageSession } from '#ui/session.ts'
import { valueText, withUnit } from '#ui/text/numbers.ts'
import { Headline, Stale } from '#ui/view/figures.tsx'
import { PropagatedCard, type PropagatedView } from './propagated-card.tsx'

type Branch = NonNullable<ResultAt<'POST /api/svc/compute'>['branches']>[number]
type Output = ResultAt<'POST /api/svc/compute'>['output']

interface Props {
  readonly answer: JobAnswer
  /** Whether the form says something else by now, or another run goes on. */
  readonly stale: boolean
  readonly session: PageSession
}

/** A sealed value of a relation, its uncertainty and its receipt. It takes the focus when it comes. */
export const OperatorResult = ({ answer, stale, session }: Props) => {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [answer])
  const output = answer['output'] as Output | undefined
  const branches = (answer['branches'] ?? []) as readonly Branch[]
  const propagated = answer['propagated'] as PropagatedView | null | undefined
  return (
    <>
      <section ref={section} class="card result" aria-label="Result" tabIndex={-1} data-stale={stale}>
        <Stale stale={stale} />
        <Headline answer={answer} />
        {output !== undefined && (
          <p class="about">
            {output.symbol}, {output.name}
          </p>
        )}
        {branches.map(({ operator, symbol, unit, others }) => (
          <p key={operator} class="about" data-others={symbol}>
            {operator} is also solved by {symbol} = {others.map((it) => withUnit(valueText(it), unit)).join(', ')}.
          </p>
        ))}
      </section>
      {answer.value !== null && propagated !== undefined && propagated !== null && (
        <PropagatedCard value={answer.value} propagated={propagated} />
      )}
      {answer.envelope === null ? (
        <p class="card about">No receipt: {answer.unsealed_reason}</p>
      ) : (
        <Receipt envelope={answer.envelope} value={answer} check={answer.check} session={session} />
      )}
    </>
  )
}
