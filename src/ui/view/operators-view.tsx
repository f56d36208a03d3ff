import { useEffect, useRef, useState } from 'preact/hooks'
import { Receipt } from '#ui/receipt/receipt.tsx'
import { useLink } from '#ui/server/link.ts'
import type { Answer } from '#ui/server/shapes.ts'
import type { Session } from '#ui/session.ts'
import { CreditAdvice } from './credit-advice.tsx'
import { Headline } from './figures.tsx'
import { OperatorForm } from './operator-form.tsx'
import { ProblemCard } from './problem-card.tsx'
import { useEscape } from './use-escape.ts'
import { matching, type OperatorRow, useOperator, useOperators } from './use-operators.ts'
import { useRun } from './use-run.ts'

const PATH = '/api/svc/compute'

interface PickerProps {
  readonly rows: readonly OperatorRow[]
  readonly id: string | undefined
  readonly onChoose: (id: string) => void
}

const Picker = ({ rows, id, onChoose }: PickerProps) => {
  const [words, search] = useState('')
  const found = matching(rows, words)
  const domains = [...new Set(found.map((it) => it.domain))]
  return (
    <div class="card form-grid">
      <div class="form-row">
        <label for="operator-words">Find</label>
        <input
          id="operator-words"
          type="search"
          placeholder="id, name, equation or domain"
          value={words}
          onInput={(event) => search(event.currentTarget.value)}
        />
      </div>
      <div class="form-row twice">
        <label for="operator">Relation</label>
        <select id="operator" value={id ?? ''} onChange={(event) => onChoose(event.currentTarget.value)}>
          <option value="" disabled>
            choose one of {found.length}
          </option>
          {domains.map((domain) => (
            <optgroup key={domain} label={domain}>
              {found
                .filter((it) => it.domain === domain)
                .map((it) => (
                  <option key={it.id} value={it.id}>
                    {it.id} {it.name}
                    {it.refused === null ? '' : ' (states a relation, has no value)'}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </div>
    </div>
  )
}

const Result = ({ answer, session }: { readonly answer: Answer; readonly session: Session }) => {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [answer])
  return (
    <>
      <section ref={section} class="card result" aria-label="Result" tabIndex={-1}>
        <Headline answer={answer} />
      </section>
      {answer.envelope !== null && (
        <Receipt envelope={answer.envelope} value={answer} check={answer.check} session={session} />
      )}
      {answer.envelope === null && <p class="card about">No receipt: {answer.unsealed_reason}</p>}
    </>
  )
}

/** The relations of the registry: choose one, give its inputs, get a sealed value. */
export const OperatorsView = ({ session, shown }: { readonly session: Session; readonly shown: boolean }) => {
  const up = useLink()
  const { value: rows = [], problem: unread } = useOperators(up)
  const [id, choose] = useState<string>()
  const detail = useOperator(id)
  const run = useRun(session, PATH)
  useEscape(run.cancel, shown && run.busy)
  return (
    <article>
      <h2>Operators</h2>
      <p class="lead">Relations of physics, each computed once and checked again with 50 digits before it is sealed.</p>
      {unread !== undefined && <ProblemCard problem={unread} />}
      <Picker rows={rows} id={id} onChoose={choose} />
      {detail !== undefined && detail.refused !== null && (
        <p class="card">
          {detail.equation} <span class="about">{detail.refused.reason}</span>
        </p>
      )}
      {detail !== undefined && detail.refused === null && (
        <OperatorForm key={detail.id} {...{ detail, session, run, shown, up }} path={PATH} />
      )}
      {run.problem !== undefined && (
        <ProblemCard problem={run.problem}>
          <CreditAdvice problem={run.problem} session={session} />
        </ProblemCard>
      )}
      {run.answer !== undefined && <Result answer={run.answer} session={session} />}
    </article>
  )
}
