import { useEffect, useRef, useState } from 'preact/hooks'
import type { ContractHappening } from '#numerics/contracts/fire/simulation.ts'
import { FactBox } from '#ui/part/fact.tsx'
import { ticksText } from '#ui/text/ago.ts'
import { figure } from '#ui/text/numbers.ts'
import { HappeningTable } from './happening-table.tsx'
import { readHappening, type TypedHappening } from './happenings.ts'
import type { JudgedText } from './judge.ts'
import { StepCard } from './step-card.tsx'
import { nowSeconds } from './use-judged.ts'
import { type Played, simulateThere } from './use-plan.ts'

/** Lengths of time that are simulated, in ticks of 777 ms. */
const SPANS = [
  ['an hour', 4_633],
  ['a day', 111_197],
  ['a week', 778_379],
  ['30 days', 3_335_910],
  ['a year', 40_586_905],
] as const

export type PlayedContract = NonNullable<JudgedText['contract']>

interface Run {
  readonly version: string
  readonly played?: Played
  readonly problem?: string
}

/** One simulation at a time; the newest is kept while the definition goes on. */
const useSimulation = () => {
  const [run, show] = useState<Run>()
  const [busy, work] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = (contract: PlayedContract, ticks: number, happenings: readonly ContractHappening[]): void => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    work(true)
    const { version } = contract
    simulateThere({ ...contract, now: nowSeconds(), ticks, happenings }, stop.signal).then(
      (played) => {
        show({ version, played })
        work(false)
      },
      (error: Error) => {
        if (running.current !== stop) return
        if (!stop.signal.aborted) show({ version, problem: error.message })
        work(false)
      },
    )
  }
  return { run, busy, start, stop: () => running.current?.abort() }
}

const stopWords = {
  until: 'to its end',
  decisions: 'until it was decided often enough',
  failures: 'until so many failures in a row paused it',
} as const

const listText = (all: readonly string[]): string => (all.length === 0 ? 'none' : all.join(', '))

const Came = ({
  of: { counts, spending, coverage, broken, stopped, tick, from },
  onStep,
}: {
  of: Played
  onStep: (tick: number) => void
}) => (
  <>
    <p class="about" role="status">
      It went {stopWords[stopped]}, {ticksText(tick - from)}: {counts.fired} fired, {counts.refused} refused,{' '}
      {counts.none} moved nothing.
    </p>
    <dl class="facts">
      <FactBox name="credits">{figure(spending.credits)}</FactBox>
      <FactBox name="computations">{figure(spending.computations)}</FactBox>
      <FactBox name="most credits of one day">{figure(spending.most?.credits ?? 0)}</FactBox>
      <FactBox name="states never entered">{listText(coverage.states_missed)}</FactBox>
      <FactBox name="transitions never taken">{listText(coverage.transitions_missed)}</FactBox>
    </dl>
    {broken.length > 0 && (
      <ul class="plain" data-broken={broken.length}>
        {broken.map((it) => (
          <li key={it.claim} class="wrong">
            It happens, and should never: <code>{it.never}</code>{' '}
            <button type="button" class="small" onClick={() => onStep(it.tick)}>
              See it
            </button>
          </li>
        ))}
      </ul>
    )}
  </>
)

interface TimelineProps {
  readonly played: Played
  readonly onShow: (shown: ShownStep | undefined) => void
}

/** The step that is looked at: where it led, and by which transitions. */
export interface ShownStep {
  readonly state: string
  readonly steps: readonly string[]
}

const Timeline = ({ played, onShow }: TimelineProps) => {
  const { timeline, from, counts } = played
  const [at, move] = useState(0)
  const place = Math.min(at, Math.max(0, timeline.length - 1))
  const step = timeline[place]
  useEffect(() => move(0), [played])
  useEffect(() => {
    onShow(step === undefined ? undefined : { state: step.to, steps: step.steps })
    return () => onShow(undefined)
  }, [step])
  const goTo = (tick: number): void =>
    move(
      Math.max(
        0,
        timeline.findIndex((it) => it.tick >= tick),
      ),
    )
  const all = counts.fired + counts.refused + counts.none
  return (
    <div class="timeline" data-steps={timeline.length}>
      <Came of={played} onStep={goTo} />
      {step !== undefined && (
        <>
          <div class="slide">
            <input
              class="slider"
              type="range"
              aria-label="Step of the simulation"
              aria-valuetext={`step ${place + 1} of ${timeline.length}: ${step.from} to ${step.to}`}
              min={0}
              max={Math.max(0, timeline.length - 1)}
              value={place}
              onInput={(event) => move(Number(event.currentTarget.value))}
            />
            <div class="place">
              <button type="button" class="small" disabled={place === 0} onClick={() => move(place - 1)}>
                Before
              </button>
              <button
                type="button"
                class="small"
                disabled={place >= timeline.length - 1}
                onClick={() => move(place + 1)}
              >
                Next
              </button>
              <span>
                step {place + 1} of {timeline.length}
                {all > timeline.length && <span class="about"> ({all - timeline.length} more are counted only)</span>}
              </span>
            </div>
          </div>
          <StepCard of={step} begin={from} />
        </>
      )}
    </div>
  )
}

interface Props {
  readonly contract: PlayedContract | undefined
  readonly rows: readonly TypedHappening[]
  readonly onRows: (rows: readonly TypedHappening[]) => void
  readonly onShow: (shown: ShownStep | undefined) => void
}

/** What would come of a contract in some time: it runs here, writes nothing and computes nothing. */
export const SimulationCard = ({ contract, rows, onRows, onShow }: Props) => {
  const [ticks, last] = useState<number>(SPANS[1][1])
  const { run, busy, start, stop } = useSimulation()
  const read = rows.map(readHappening)
  const sound = read.every((it) => typeof it !== 'string')
  const go = (): void => {
    if (contract !== undefined && sound) start(contract, ticks, read as readonly ContractHappening[])
  }
  return (
    <section class="card simulation" aria-label="Simulation">
      <h3>Simulation</h3>
      <p class="about">
        It begins now and runs in this browser. Computations are left out: their credits count, and the context keeps
        what it has.
      </p>
      {contract !== undefined && <HappeningTable definition={contract.definition} rows={rows} onRows={onRows} />}
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault()
          go()
        }}
      >
        <label class="choices">
          For{' '}
          <select value={ticks} onChange={(event) => last(Number(event.currentTarget.value))}>
            {SPANS.map(([title, length]) => (
              <option key={title} value={length}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" class="primary" disabled={contract === undefined || !sound || busy}>
          Simulate
        </button>
        {busy && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        <span class="about" role="status">
          {busy && 'running …'}
          {!busy && contract === undefined && 'There are faults to be mended first.'}
          {!busy &&
            run !== undefined &&
            contract !== undefined &&
            run.version !== contract.version &&
            'The definition has changed since.'}
        </span>
      </form>
      {run?.problem !== undefined && <p class="wrong">{run.problem}</p>}
      {run?.played !== undefined && <Timeline played={run.played} onShow={onShow} />}
    </section>
  )
}
