import { useState } from 'preact/hooks'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { nameOf } from './entry.ts'
import { EntryBody } from './entry-body.tsx'
import type { Machine } from './machine.ts'
import { MomentTable } from './moment-table.tsx'
import { type ChainPosition, useMoment } from './use-moment.ts'
import { VerifyEntry } from './verify-entry.tsx'

/** How often the node is asked while the slider moves, and while the chain grows under it. */
const SLIDE_MS = 150
const GROW_MS = 1_000

interface Props {
  readonly session: PageSession
  readonly machine: Machine
  /** Entries of the chain, and the tick of the last one. */
  readonly size: number
  readonly tick: number
  /** The entry that is looked at; undefined follows the end. */
  readonly at: number | undefined
  readonly onMove: (seq: number | undefined) => void
}

interface ControlProps {
  readonly place: ChainPosition
  readonly least: number
  readonly most: number
  readonly now: boolean
  readonly onPlace: (at: number | undefined) => void
}

interface PlaceFieldProps {
  readonly name: string
  readonly at: number
  readonly most: number
  readonly go: (to: number) => void
}

/** A place to type. What is being typed stays while the chain grows and the slider is drawn anew. */
const PlaceField = ({ name, at, most, go }: PlaceFieldProps) => {
  const [typed, type] = useState<string>()
  return (
    <label class="place">
      <span>{name}</span>
      <input
        type="text"
        inputMode="numeric"
        aria-label={`Go to ${name.toLowerCase()}`}
        value={typed ?? at}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={(event) => {
          const text = event.currentTarget.value.trim()
          type(undefined)
          if (text !== '' && Number.isSafeInteger(Number(text))) go(Number(text))
        }}
        onBlur={() => type(undefined)}
      />
      <span class="about">of {most}</span>
    </label>
  )
}

const Control = ({ place: { by, at }, least, most, now, onPlace }: ControlProps) => {
  const name = by === 'seq' ? 'Entry' : 'Tick'
  const go = (to: number): void => onPlace(to >= most ? undefined : Math.max(least, to))
  return (
    <>
      <input
        type="range"
        class="slider"
        min={least}
        max={Math.max(least, most)}
        step={1}
        value={at}
        aria-label={`${name} of the chain`}
        aria-valuetext={now ? `${name} ${at}, the newest` : `${name} ${at} of ${most}`}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <div class="actions slide">
        <button type="button" class="small" onClick={() => onPlace(least)} disabled={at <= least}>
          First
        </button>
        <button type="button" class="small" onClick={() => go(at - 1)} disabled={at <= least} aria-label="One back">
          ◀
        </button>
        <PlaceField name={name} at={at} most={most} go={go} />
        <button type="button" class="small" onClick={() => go(at + 1)} disabled={now} aria-label="One on">
          ▶
        </button>
        <button type="button" class="small" onClick={() => onPlace(undefined)} aria-pressed={now}>
          Now
        </button>
      </div>
    </>
  )
}

const Unit = ({
  by,
  onUnit,
}: {
  readonly by: ChainPosition['by']
  readonly onUnit: (by: ChainPosition['by']) => void
}) => (
  <fieldset class="choices">
    <legend class="unseen">Slide by</legend>
    {(['seq', 'tick'] as const).map((it) => (
      <label key={it}>
        <input type="radio" name="slide-by" checked={it === by} onChange={() => onUnit(it)} />
        by {it === 'seq' ? 'entry' : 'tick'}
      </label>
    ))}
  </fieldset>
)

/** Slides along a machine's chain: its state at that point, what changed, the entry there, and its proof. */
export const TimeSlider = ({ session, machine, size, tick, at, onMove }: Props) => {
  const [by, slideBy] = useState<ChainPosition['by']>('seq')
  const [tickAt, goTick] = useState<number>()
  const { slug, genesis_hash: genesis, genesis_tick: first } = machine
  const bySeq = by === 'seq'
  const [least, most, chosen] = bySeq ? [0, size - 1, at] : [first, tick, tickAt]
  const now = chosen === undefined || chosen >= most
  const place = { by, at: now ? most : chosen }
  const everyMs = now ? GROW_MS : SLIDE_MS
  const { value: moment, problem } = useMoment({ session, slug, place, least, everyMs })
  const go = bySeq ? onMove : goTick
  const unit = (next: ChainPosition['by']): void => {
    slideBy(next)
    if (next === 'tick') goTick(at === undefined ? undefined : moment?.here.tickNumber)
    else onMove(tickAt === undefined ? undefined : moment?.here.seq)
  }
  return (
    <section class="card time" aria-label="Time" data-seq={moment?.here.seq} data-now={now}>
      <div class="card-head">
        <h3>{now ? 'State now' : `State ${bySeq ? 'after entry' : 'at the end of tick'} ${place.at}`}</h3>
        <Unit by={by} onUnit={unit} />
      </div>
      <Control place={place} least={least} most={most} now={now} onPlace={go} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {moment === undefined && problem === undefined && <p class="about">reading …</p>}
      {moment !== undefined && (
        <>
          <MomentTable moment={moment} />
          <h4>
            Entry {moment.here.seq}: {nameOf(moment.here)}
          </h4>
          <EntryBody body={moment.here.body} />
          <VerifyEntry session={session} slug={slug} genesis={genesis} row={moment.here} />
        </>
      )}
    </section>
  )
}
