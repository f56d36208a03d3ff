import { useState } from 'preact/hooks'
import { Ago } from '#ui/part/ago.tsx'
import { Short } from '#ui/part/short.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { isFinal } from '#ui/server/final.ts'
import { useReading } from '#ui/server/reading.ts'
import { isVisitor } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'
import { valueText, withUnit } from '#ui/text/numbers.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { forgetReactor, knownReactors } from './known.ts'
import { REACTOR_ID, type Reactor, solverOf, statusClass } from './reactor.ts'
import { ErrorMeter } from './reactor-view.tsx'

/** Reactors of others that are read at once, and how often: the node grants 120 readings a minute. */
const OTHERS_MAX = 8
const READ_EVERY_MS = 10_000

/** A reactor, or the refusal that stands in its place. */
type Card = { readonly id: string; readonly reactor?: Reactor; readonly problem?: Error }

/** What is shown: the caller's own, then those of others that this browser has seen, of which some may be left out. */
interface Cards {
  readonly cards: readonly Card[]
  readonly left: number
}

const readOne = async (session: PageSession, id: string, signal: AbortSignal): Promise<Card> => {
  const asked = { reactor: id, limit: 1 }
  try {
    return { id, reactor: (await session.call('GET /api/svc/reactor/trajectory', asked, { signal })).reactor }
  } catch (error) {
    if (!isFinal(error)) throw error
    return { id, problem: error as Error }
  }
}

const readCards = async (session: PageSession, others: number, signal: AbortSignal): Promise<Cards> => {
  // Who has no key has begun none, and is not asked for one to hear that.
  if (isVisitor(session.self)) return { cards: [], left: 0 }
  const { reactors } = await session.call('GET /api/svc/reactor', {}, { signal })
  const own = new Set(reactors.map(({ id }) => id))
  const strange = knownReactors(session.self).filter((id) => !own.has(id))
  const cards: Card[] = reactors.map((reactor) => ({ id: reactor.id, reactor }))
  for (const id of strange.slice(0, others)) cards.push(await readOne(session, id, signal))
  return { cards, left: Math.max(0, strange.length - others) }
}

const Stands = ({ reactor }: { readonly reactor: Reactor }) => (
  <>
    <p class="row-head">
      <span class={`badge ${statusClass[reactor.status]}`}>{reactor.status}</span>
      <span>
        step {reactor.step} of {reactor.steps}
      </span>
      {reactor.value !== null && <span>{withUnit(valueText(reactor.value), reactor.unit)}</span>}
    </p>
    <p>
      <ErrorMeter reactor={reactor} />
    </p>
    <p class="about">
      state <Short text={reactor.state} />
      {reactor.machine !== null && (
        <>
          {' '}
          in <a href={`#machine/${reactor.machine}`}>{reactor.machine}</a>
        </>
      )}
      , moved <Ago tick={reactor.moved_tick} />
    </p>
  </>
)

const ReactorCard = ({ of: { id, reactor, problem }, onForget }: { of: Card; onForget: () => void }) => (
  <li class="card machine" data-reactor={id}>
    <p class="machine-name">
      <a href={`#reactor/${id}`}>{reactor === undefined ? 'Reactor' : solverOf(reactor)}</a>{' '}
      <span class="about">
        <Short text={id} />
      </span>
    </p>
    {reactor !== undefined && <Stands reactor={reactor} />}
    {problem !== undefined && (
      <>
        <p class="wrong">{problem.message}</p>
        <button type="button" class="small" onClick={onForget}>
          Take off this list
        </button>
      </>
    )}
  </li>
)

/** Opens a reactor by its id: whoever knows it, and may, can follow or step it. */
const OpenForm = () => {
  const [id, type] = useState('')
  const fits = REACTOR_ID.test(id)
  return (
    <form
      class="card inline"
      onSubmit={(event) => {
        event.preventDefault()
        if (fits) location.hash = `reactor/${id}`
      }}
    >
      <TextRow
        id="reactor-id"
        label="Open by id"
        value={id}
        placeholder="32 hex digits"
        spellcheck={false}
        aria-invalid={id !== '' && !fits}
        onText={(text) => type(text.trim().toLowerCase())}
      />
      <button type="submit" disabled={!fits}>
        Open
      </button>
    </form>
  )
}

/** The reactors of the caller, and those of others that this browser has seen, as they stand. */
export const ReactorsView = ({ session }: { readonly session: PageSession }) => {
  const [others, more] = useState(OTHERS_MAX)
  const [changes, count] = useState(0)
  const { zid, key } = session.self
  const { value, problem } = useReading((signal) => readCards(session, others, signal), {
    everyMs: READ_EVERY_MS,
    on: [session, zid, key, others, changes],
  })
  return (
    <article>
      <h2>Reactors</h2>
      <p class="lead">
        A solver stepped again and again from where it ended: each step is checked, sealed, and bound to the one before
        it; the errors of all add up, and sealing stops where they reach 0.1 %.
      </p>
      <p>
        Start one in the view of a <a href="#solvers">solver</a>, under “Step by step”.
      </p>
      <OpenForm />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value?.cards.length === 0 && <p class="card about">There is none yet.</p>}
      <ul class="machines">
        {value?.cards.map((it) => (
          <ReactorCard
            key={it.id}
            of={it}
            onForget={() => {
              forgetReactor(session.self, it.id)
              count((old) => old + 1)
            }}
          />
        ))}
      </ul>
      {value !== undefined && value.left > 0 && (
        <button type="button" onClick={() => more(others + value.left)}>
          Show {value.left} more
        </button>
      )}
    </article>
  )
}
