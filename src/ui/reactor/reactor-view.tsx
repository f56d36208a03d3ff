import { useEffect, useState } from 'preact/hooks'
import { FactBox } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'
import { ApiProblem } from '#ui/server/api.ts'
import { useLink } from '#ui/server/link.ts'
import type { PageSession } from '#ui/session.ts'
import { figure, valueText, withUnit } from '#ui/text/numbers.ts'
import { CreditAdvice } from '#ui/view/credit-advice.tsx'
import { JobProgress } from '#ui/view/job-progress.tsx'
import { ProblemCard, problemCode } from '#ui/view/problem-card.tsx'
import { useEscape } from '#ui/view/use-escape.ts'
import { Course } from './course.tsx'
import { rememberReactor } from './known.ts'
import { ERROR_PCT_BOUND, type Reactor, solverOf, statusClass, type Trajectory } from './reactor.ts'
import { StatePlots } from './state-plots.tsx'
import { StepList } from './step-list.tsx'
import { type Stepping, useStepping } from './use-stepping.ts'
import { type LiveTrajectory, useTrajectory } from './use-trajectory.ts'
import { VerifyTrajectory } from './verify-trajectory.tsx'

const linkWords = {
  opening: 'opening …',
  live: 'live',
  lost: 'lost; the node is asked again …',
  over: 'no more steps come',
  refused: 'ended',
} as const

const verifiedText = ({ valid, count, entries, broken }: Trajectory['verified']): string =>
  valid
    ? `the node finds ${count} states that follow from one another, and ${entries} entries that say the same`
    : `BROKEN at step ${broken?.step}: ${broken?.why}`

/** Errors added up, as a bar up to what may be sealed. */
export const ErrorMeter = ({ reactor: { errorSum, seal } }: { readonly reactor: Reactor }) => (
  <span class="error-meter">
    <meter
      min={0}
      max={ERROR_PCT_BOUND}
      high={ERROR_PCT_BOUND / 2}
      value={Math.min(errorSum, ERROR_PCT_BOUND)}
      aria-label="errors added up, of what may be sealed"
    />
    <span data-error-sum={errorSum}>
      {figure(errorSum)} % of {ERROR_PCT_BOUND} %{!seal && <span class="about"> (not sealed)</span>}
    </span>
  </span>
)

const Facts = ({ reactor, live }: { readonly reactor: Reactor; readonly live: LiveTrajectory }) => {
  const seq = live.rows.at(-1)?.seq ?? null
  return (
    <>
      <dl class="facts">
        <div>
          <dt>step</dt>
          <dd data-step={reactor.step}>
            {reactor.step} of {reactor.steps}
          </dd>
        </div>
        {reactor.value !== null && (
          <div>
            <dt>value</dt>
            <dd title={String(reactor.value)}>{withUnit(valueText(reactor.value), reactor.unit)}</dd>
          </div>
        )}
        <FactBox name="state">
          <Short text={reactor.state} />
        </FactBox>
        <FactBox name="entry of the chain">
          {reactor.machine === null || seq === null ? (
            'none: it has no machine'
          ) : (
            <a href={`#machine/${reactor.machine}`}>
              {reactor.machine} #{seq}
            </a>
          )}
        </FactBox>
        <FactBox name="errors added up">
          <ErrorMeter reactor={reactor} />
        </FactBox>
        <FactBox name="price of a step">{reactor.price} credits</FactBox>
      </dl>
      <p class="about" role="status" data-link={live.link}>
        {linkWords[live.link]}
        {live.verified !== undefined && `; ${verifiedText(live.verified)}`}
      </p>
    </>
  )
}

/** Why there are no more steps: a refusal as the node would give it again, or the end of the contract. */
const Ended = ({ reactor: { ended } }: { readonly reactor: Reactor }) => {
  if (ended === null) return null
  if (ended.code === null) return <p class="card">{ended.why}</p>
  const members = { ...ended.details, code: ended.code, detail: ended.why }
  return <ProblemCard problem={new ApiProblem(422, members)} />
}

interface ControlsProps {
  readonly reactor: Reactor
  /** The newest step that is known. */
  readonly step: number
  readonly stepping: Stepping
  readonly up: boolean
}

const Controls = ({ reactor, step, stepping, up }: ControlsProps) => {
  const [typed, type] = useState('10')
  const left = reactor.steps - step
  const wanted = Number(typed)
  const fits = Number.isInteger(wanted) && wanted >= 1
  const over = reactor.ended !== null || left <= 0
  const { busy, done } = stepping
  return (
    <>
      <form
        class="actions"
        aria-label="Steps"
        onSubmit={(event) => {
          event.preventDefault()
          if (fits && !over) stepping.start(step, Math.min(wanted, left))
        }}
      >
        <button
          type="button"
          class="primary"
          aria-disabled={busy || over}
          onClick={() => over || stepping.start(step, 1)}
        >
          Step
        </button>
        <label class="steps-wanted">
          <span class="unseen">Steps to run</span>
          <input
            type="text"
            inputMode="numeric"
            value={typed}
            aria-invalid={!fits}
            onInput={(event) => type(event.currentTarget.value.trim())}
          />
        </label>
        <button type="submit" aria-disabled={busy || over || !fits}>
          Run {fits ? Math.min(wanted, Math.max(left, 1)) : '…'} steps
        </button>
        {busy && (
          <button type="button" onClick={stepping.stop}>
            Stop
          </button>
        )}
        <span class="about" role="status">
          {busy && `taking step ${done + 1} of ${stepping.wanted}`}
          {!busy &&
            stepping.stopped === true &&
            `Stopped after ${done} of ${stepping.wanted}; nothing more is charged.`}
        </span>
      </form>
      {busy && <JobProgress job={stepping.job} up={up} />}
    </>
  )
}

interface Props {
  readonly session: PageSession
  readonly id: string
}

const Open = ({ session, live, reactor }: { session: PageSession; live: LiveTrajectory; reactor: Reactor }) => {
  const stepping = useStepping(session, reactor.id)
  const up = useLink()
  useEscape(stepping.stop, stepping.busy)
  const row = live.rows.at(-1)
  const { problem } = stepping
  // What a step was refused with stays with the reactor where the state alone is the reason: it is said once.
  const said = problem instanceof ApiProblem && reactor.ended?.code === problem.code
  return (
    <>
      <section class="card reactor-card" aria-label="Reactor" data-status={reactor.status}>
        <Facts reactor={reactor} live={live} />
        <Controls reactor={reactor} step={row?.step ?? reactor.step} stepping={stepping} up={up} />
      </section>
      <Ended reactor={reactor} />
      {problem !== undefined && !said && (
        <ProblemCard problem={problem}>
          <CreditAdvice problem={problem} session={session} />
        </ProblemCard>
      )}
      <section class="card" aria-label="State">
        <h3>State</h3>
        {row !== undefined && <StatePlots session={session} reactor={reactor} row={row} taken={stepping.taken} />}
        <Course reactor={reactor} rows={live.rows} />
      </section>
      <section class="card" aria-label="Trajectory">
        <h3>Trajectory</h3>
        <p class="about">
          Each state is bound by the digest of the one before it, and stands in the chain of the machine.
        </p>
        <VerifyTrajectory session={session} reactor={reactor} />
        <StepList reactor={reactor} rows={live.rows} />
      </section>
    </>
  )
}

/** The refusals that say no more than that a reactor is not for whoever asks. */
const CLOSED: ReadonlySet<string> = new Set(['NOT_FOUND', 'UNAUTHENTICATED'])

/** Why nothing can be followed: there is none, or it is another's; anything else as the node says it. */
const Refused = ({ problem }: { readonly problem: Error }) => {
  const code = problemCode(problem)
  if (!CLOSED.has(code)) return <ProblemCard problem={problem} />
  return (
    <div class="card problem" data-code={code} role="alert">
      <p>
        <b>There is no reactor with this id that you may see.</b> <a href={`/docs/errors/${code}`}>{code}</a>
      </p>
      <p>
        It does not exist, or it is somebody else's: the key that began it opens it, and the keys of the machine that
        its steps stand in. {code === 'UNAUTHENTICATED' && 'This browser has no key.'}
      </p>
      <p>
        <a href="#reactors">All reactors you may see</a> · <a href="#settings">Sign in</a>
      </p>
    </div>
  )
}

/** One reactor: where it stands, further steps, the newest state, and the whole trajectory, live. */
export const ReactorView = ({ session, id }: Props) => {
  const live = useTrajectory(session, id)
  const { reactor } = live
  useEffect(() => {
    if (reactor !== undefined) rememberReactor(session.self, id)
  }, [session, id, reactor === undefined])
  return (
    <article class="reactor">
      <p class="crumb">
        <a href="#reactors">All reactors</a>
      </p>
      <h2>{reactor === undefined ? 'Reactor' : `Reactor of ${solverOf(reactor)}`}</h2>
      <p class="row-head">
        <Short text={id} />
        {reactor !== undefined && (
          <>
            <span class={`badge ${statusClass[reactor.status]}`} data-status={reactor.status}>
              {reactor.status}
            </span>
            <a href={`#solver/${solverOf(reactor)}`}>the solver</a>
          </>
        )}
      </p>
      {live.link === 'refused' && live.problem !== undefined && <Refused problem={live.problem} />}
      {reactor === undefined && live.link !== 'refused' && <p class="about">reading …</p>}
      {reactor !== undefined && <Open session={session} live={live} reactor={reactor} />}
    </article>
  )
}
