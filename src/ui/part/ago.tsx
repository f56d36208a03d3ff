import { useEffect, useState } from 'preact/hooks'
import { isoOf, parseIsoMs } from '#core/iso.ts'
import { meshTickStart } from '#core/tick.ts'
import { NS_PER_MS } from '#core/time.ts'
import { useTick } from '#ui/server/pulse.ts'
import { agoText, ticksAgo } from '#ui/text/ago.ts'
import { type Stamped, timeOf, timeText } from '#ui/text/time.ts'

interface Props {
  readonly tick: number
  /** Where the clock that counts it stands; the node's own unless said. */
  readonly now?: number
  /** What the ticks are called. */
  readonly unit?: 'tick' | 'mesh tick'
}

/** How long ago a tick was; which one it was stands in its tooltip, and is read out. */
export const Ago = ({ tick, now, unit = 'tick' }: Props) => {
  const here = useTick()
  const at = now ?? here
  const exact = `${unit} ${tick}`
  if (at === undefined) return <span>{exact}</span>
  return (
    <span class="ago" title={exact} data-tick={tick}>
      {ticksAgo(tick, at)}
      <span class="unseen"> ({exact})</span>
    </span>
  )
}

/** This browser's wall clock, in Unix milliseconds. */
export const wallClock = (): number => performance.timeOrigin + performance.now()

/** How often a time by the wall clock is told anew. */
const TELL_EVERY_MS = 20_000

interface MomentProps {
  /** Unix milliseconds. */
  readonly ms: number
  /** Of the clock of the node that says so. */
  readonly tick: number
}

/** How long ago a moment was by the wall clock; in its tooltip the time itself, and its tick. */
const Moment = ({ ms, tick }: MomentProps) => {
  const [now, tell] = useState(wallClock)
  useEffect(() => {
    const timer = setInterval(() => tell(wallClock()), TELL_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={isoOf(BigInt(Math.floor(ms)) * NS_PER_MS)} title={`${timeText(ms)}; tick ${tick}`} data-tick={tick}>
      {agoText((now - ms) / 1e3)}
    </time>
  )
}

/** How long ago something was sealed, in this node's log or another's: by the wall clock, which they share. */
export const When = (stamped: Stamped) => <Moment ms={timeOf(stamped)} tick={stamped.tick} />

/** How long ago something was that comes with its time; that text itself where it is no time. */
export const Since = ({ iso, tick }: { readonly iso: string; readonly tick: number }) => {
  const ms = parseIsoMs(iso)
  return ms === undefined ? <span>{iso}</span> : <Moment ms={ms} tick={tick} />
}

/** The time of a mesh tick, which counts from the Unix epoch. */
export const MeshTime = ({ tick }: { readonly tick: number }) => {
  const iso = isoOf(meshTickStart(tick))
  return (
    <time dateTime={iso} title={`mesh tick ${tick}`}>
      {iso.slice(0, 16).replace('T', ' ')} UTC
    </time>
  )
}
