import { useId, useMemo } from 'preact/hooks'
import { EquationMath } from '#ui/math/math.tsx'
import { Fact } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'
import { useLink } from '#ui/server/link.ts'
import type { PageSession } from '#ui/session.ts'
import { Command } from '#ui/view/command.tsx'
import { CreditAdvice } from '#ui/view/credit-advice.tsx'
import { type Changes, ProblemCard, problemCode, type Units } from '#ui/view/problem-card.tsx'
import { Refusal } from '#ui/view/refusal.tsx'
import { refusedFields } from '#ui/view/refused-fields.ts'
import { RunActions } from '#ui/view/run-actions.tsx'
import { ShareInputs } from '#ui/view/share-inputs.tsx'
import { isSameInput, refusalOf } from '#ui/view/standing.ts'
import { useEscape } from '#ui/view/use-escape.ts'
import { useQuote } from '#ui/view/use-quote.ts'
import { useRun } from '#ui/view/use-run.ts'
import { ExampleCard } from './example-card.tsx'
import { NoOperator } from './near.tsx'
import { OperatorForm } from './operator-form.tsx'
import { OperatorLinks } from './operator-links.tsx'
import { OperatorResult } from './operator-result.tsx'
import { emptyOf, type Filled, filledWith, orderOf } from './order.ts'
import type { RelationView } from './relation.ts'
import { useFilled } from './use-filled.ts'
import { useOperator } from './use-operators.ts'
import { VariableTable } from './variable-table.tsx'

const PATH = '/api/svc/compute'
/** The kernel operator: it is part of every computation, and none by itself. */
const KERNEL_ID = 'KO42'

interface Props {
  readonly session: PageSession
  readonly shown: boolean
  /** The variable that the address asks for. */
  readonly symbol: string | undefined
}

/** A relation that states something and has no value. */
const Refused = ({ refused }: { readonly refused: NonNullable<RelationView['refused']> }) => (
  <section class="card" aria-label="Why it is not computed" data-refused={refused.kind}>
    <h3>Not computed: {refused.kind?.replaceAll('-', ' ')}</h3>
    <p>{refused.reason}</p>
    {refused.see !== undefined && refused.see.length > 0 && (
      <p>
        See <OperatorLinks ids={refused.see} />
      </p>
    )}
  </section>
)

const unitsOf = ({ variables }: RelationView): Units =>
  Object.fromEntries(Object.entries(variables).map(([symbol, { unit }]) => [symbol, unit]))

/** Numbers as they are typed: without a unit they are in the variable's own. */
const textsOf = (changes: Changes): Filled['texts'] =>
  Object.fromEntries(Object.entries(changes).map(([symbol, value]) => [symbol, String(value)]))

const Computing = ({ detail, session, shown, symbol }: Props & { readonly detail: RelationView }) => {
  const { filled, fill, query, keep, place } = useFilled(detail, symbol, shown)
  const order = useMemo(() => orderOf(detail, filled), [detail, filled])
  const whole = emptyOf(detail, filled).length === 0
  const quoted = useQuote(session, PATH, shown && whole ? order : undefined)
  const run = useRun(session, PATH)
  const refusalId = useId()
  const up = useLink()
  useEscape(run.cancel, shown && run.busy)
  const refused = refusalOf(run, order, quoted.problem)
  const keys = refused === undefined ? [] : refusedFields(refused.problem, Object.keys(detail.variables))
  const units = useMemo(() => unitsOf(detail), [detail])
  const use = (changes: Changes): void => fill((old) => ({ ...old, texts: { ...old.texts, ...textsOf(changes) } }))
  const example = filledWith(detail)
  /** Another place of the history: back leads to what stood there before. */
  const reset = (): void => {
    keep()
    fill(example)
  }
  return (
    <>
      <form
        class="card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!run.busy) keep()
          run.start(order)
        }}
      >
        <OperatorForm
          detail={detail}
          filled={filled}
          refused={{ keys, by: refusalId }}
          onTarget={(target) => fill((old) => ({ ...old, target }))}
          onText={(name, text) => fill((old) => ({ ...old, texts: { ...old.texts, [name]: text } }))}
        />
        <RunActions run={run} sound quoted={quoted} up={up} onReset={reset}>
          <ShareInputs place={place} query={query} input={order} />
        </RunActions>
        {refused !== undefined && (
          <Refusal id={refusalId} {...refused} fields={keys} units={units} onUse={use}>
            <CreditAdvice problem={refused.problem} session={session} onAgain={() => run.start(order)} />
          </Refusal>
        )}
        <Command path={PATH} input={order} />
      </form>
      {detail.example !== null && (
        <ExampleCard
          detail={detail}
          example={detail.example}
          busy={run.busy}
          onFill={reset}
          onRun={() => {
            reset()
            run.start(orderOf(detail, example))
          }}
        />
      )}
      {run.done !== undefined && (
        <OperatorResult
          answer={run.done.answer}
          stale={run.busy || !isSameInput(run.done.input, order)}
          session={session}
        />
      )}
    </>
  )
}

const About = ({ detail }: { readonly detail: RelationView }) => (
  <section class="card relation" aria-label="The relation">
    <EquationMath equation={detail.equation} variables={detail.variables} parsed={detail.refused === null} />
    <VariableTable detail={detail} />
    <dl class="tight">
      {detail.requires.map(({ holds, why }) => (
        <Fact key={holds} name="holds where">
          <code>{holds}</code>
          {why !== undefined && ` ${why}`}
        </Fact>
      ))}
      <Fact name="source">{detail.source}</Fact>
      {detail.refused === null && (
        <Fact name="as text">
          <code>{detail.equation}</code>
        </Fact>
      )}
      <Fact name="row">
        <Short text={detail.digest} />
      </Fact>
    </dl>
  </section>
)

/** One relation: its equation, variables and source, a form for each variable it can be solved for, and the result. */
export const OperatorView = ({ id, ...rest }: Props & { readonly id: string }) => {
  const { value: detail, problem } = useOperator(id, useLink())
  return (
    <article>
      <p class="crumb">
        <a href="#operators">All operators</a>
      </p>
      <h2>{detail?.name ?? id}</h2>
      {detail !== undefined && (
        <p class="lead about">
          <code>{detail.id}</code> {detail.domain.replaceAll('-', ' ')}
        </p>
      )}
      {detail === undefined &&
        problem !== undefined &&
        (problemCode(problem) === 'NOT_FOUND' ? <NoOperator id={id} /> : <ProblemCard problem={problem} />)}
      {detail !== undefined && (
        <>
          <About detail={detail} />
          {detail.refused !== null && <Refused refused={detail.refused} />}
          {detail.id === KERNEL_ID && <p class="card">It comes first in every computation, and is none by itself.</p>}
          {detail.refused === null && detail.id !== KERNEL_ID && <Computing {...rest} detail={detail} />}
        </>
      )}
    </article>
  )
}
