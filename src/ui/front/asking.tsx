import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Query } from '#ui/address.ts'
import { lazyPart } from '#ui/part/arriving.tsx'
import { useLink } from '#ui/server/link.ts'
import type { Solvers } from '#ui/server/solvers.ts'
import type { PageSession } from '#ui/session.ts'
import { CreditAdvice } from '#ui/view/credit-advice.tsx'
import { JobProgress } from '#ui/view/job-progress.tsx'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { useEscape } from '#ui/view/use-escape.ts'
import { type Running, useRun } from '#ui/view/use-run.ts'
import { AskBox, goTo } from './ask-box.tsx'
import { Choices } from './choices.tsx'
import { useExample } from './example.ts'
import { ofQuestion, type PageMatch } from './match.ts'
import { MatchList, optionId } from './match-list.tsx'
import { nearestQuestion } from './questions.ts'
import { type BoxQuestion, inputOfAsked, type OfferedChoice, type Read } from './reading.ts'
import { ReadingCard } from './reading-card.tsx'
import { RefusedCard } from './refused-card.tsx'
import { useAsked } from './use-asked.ts'
import { useMatches } from './use-matches.ts'
import { useOptions } from './use-options.ts'
import { useReadingOf, wakeReader } from './use-reading-of.ts'

const Answer = lazyPart('The answer', async () => (await import('./answer.tsx')).Answer)

const AUTO = '/api/svc/auto'

/** What was run last: what it answers, who does, with which input, and the call, to make it again. */
interface Order {
  readonly title: string
  readonly path: string
  readonly call: object
  readonly solver: string | undefined
  readonly input: object
}

const orderOfReading = ({ reading, digest }: Extract<Read, { kind: 'read' }>, asked: BoxQuestion): Order => ({
  title: asked.text,
  path: AUTO,
  call: { ...inputOfAsked(asked), confirm: digest },
  solver: reading.solver ?? undefined,
  input: reading.input as object,
})

const orderOfChoice = ({ kind, name, title, route }: OfferedChoice, input: object): Order => ({
  title,
  path: route.slice(route.indexOf(' ') + 1),
  call: input,
  solver: kind === 'solver' ? name : undefined,
  input,
})

/** What is read out when a reading comes. */
const statusText = (read: Read, matches: readonly PageMatch[]): string => {
  const fits = matches.length === 0 ? '' : `${matches.length} matches; the arrow keys go through them.`
  if (read.kind === 'read') return `Read as ${read.reading.title}. Enter runs it. ${fits}`
  if (read.kind === 'asks') return `${read.why} ${fits}`
  if (read.kind === 'refused') return read.problem.message
  return fits
}

interface OutcomeProps {
  readonly run: Running
  /** What the answer that is there was the answer to. */
  readonly order: Order | undefined
  readonly again: () => void
  readonly session: PageSession
}

/** How the run stands, and what it came to. */
const Outcome = ({ run, order, again, session }: OutcomeProps) => {
  const up = useLink()
  return (
    <>
      {run.busy && (
        <div class="card">
          <JobProgress job={run.job} up={up} />
          <button type="button" onClick={run.cancel}>
            Cancel
          </button>
        </div>
      )}
      {run.cancelled === true && <p role="status">Cancelled; nothing was charged.</p>}
      {run.refused !== undefined && (
        <ProblemCard problem={run.refused.problem}>
          <CreditAdvice problem={run.refused.problem} session={session} onAgain={again} />
        </ProblemCard>
      )}
      {run.done !== undefined && order !== undefined && (
        <>
          <p class="answers">{order.title}</p>
          <Answer
            answer={run.done.answer}
            solver={order.solver}
            input={order.input}
            stale={run.busy}
            session={session}
          />
        </>
      )}
    </>
  )
}

interface Props {
  readonly session: PageSession
  readonly solvers: Solvers
  readonly shown: boolean
  readonly query: Query
  /** The place whose address carries the question. */
  readonly at: string
}

/** The box, what is read of it while it is typed, and the answer. */
export const Asking = ({ session, solvers, shown, query, at }: Props) => {
  const { asked, ask, onRun } = useAsked({ at, query, shown })
  const read = useReadingOf(session, asked)
  const { matches: fits, busy: looking, nearest } = useMatches(asked.text, session, solvers)
  const matches = useMemo(
    () => (nearest ? [...fits, ofQuestion(nearestQuestion(asked.text))] : fits),
    [fits, nearest, asked.text],
  )
  const run = useRun(session, AUTO)
  /** What was run, by the call that it was made with, which the run hands back. */
  const orders = useRef(new WeakMap<object, Order>()).current
  /** What shall run as soon as it is read. */
  const [wanted, want] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const below = useRef<HTMLDivElement>(null)
  const start = (next: Order): void => {
    orders.set(next.call, next)
    onRun()
    run.start(next.call, next.path)
  }
  const submit = (): void => {
    if (asked.text.trim() === '') field.current?.focus()
    else if (read.kind === 'read') start(orderOfReading(read, asked))
    else if (read.kind === 'busy' || looking) want(asked.text)
    else if (read.kind === 'asks') below.current?.querySelector<HTMLElement>('input, button')?.focus()
    else if (read.kind === 'refused' && read.readAs !== undefined) {
      below.current?.querySelector<HTMLElement>('.refused .actions :is(button, a)')?.focus()
    } else if (matches[0] !== undefined) goTo(matches[0])
  }
  useEffect(() => {
    if (wanted === undefined || read.kind === 'busy' || looking) return
    want(undefined)
    if (wanted === asked.text) submit()
  }, [wanted, read, looking])
  useExample((text) => {
    ask({ text, given: {} })
    want(text)
  }, shown)
  useEscape(run.cancel, shown && run.busy)
  const onText = (text: string): void => ask((old) => ({ text, given: text.trim() === '' ? {} : old.given }))
  const options = useOptions({ text: asked.text, matches, onText, onOpen: goTo, onSubmit: submit })
  const list = `${at}-fits`
  const woken = useRef(false)
  const wake = (): void => {
    if (!woken.current && asked.text === '') wakeReader(session)
    woken.current = true
  }
  return (
    <div class="asking">
      <AskBox
        {...{ text: asked.text, field, list, onText }}
        open={matches.length > 0}
        chosen={options.active === -1 ? undefined : optionId(list, options.active)}
        onFocus={wake}
        onKeyDown={options.onKeyDown}
        onSubmit={submit}
      />
      <p class="unseen" role="status">
        {statusText(read, matches)}
      </p>
      <div ref={below}>
        {read.kind === 'busy' && <p class="about reading-wait">reading …</p>}
        {read.kind === 'read' && (
          <ReadingCard
            {...{ read, asked, onAsked: ask, busy: run.busy }}
            onRun={() => start(orderOfReading(read, asked))}
          />
        )}
        {read.kind === 'asks' && (
          <Choices
            {...{ read, asked, onAsked: ask, busy: run.busy }}
            onRun={(choice, input) => start(orderOfChoice(choice, input))}
          />
        )}
        {read.kind === 'refused' &&
          (read.readAs === undefined ? (
            <ProblemCard problem={read.problem} before />
          ) : (
            <RefusedCard problem={read.problem} readAs={read.readAs} asked={asked} onAsked={ask} />
          ))}
      </div>
      <Outcome
        {...{ run, session }}
        order={run.done && orders.get(run.done.input)}
        again={() => {
          const refused = run.refused && orders.get(run.refused.input)
          if (refused !== undefined) start(refused)
        }}
      />
      {matches.length > 0 && (
        <p class="about">{nearest ? 'Nothing here has these words. Nearest are:' : 'What has these words:'}</p>
      )}
      <MatchList id={list} label="What fits" matches={matches} active={options.active} onOpen={goTo} />
    </div>
  )
}
