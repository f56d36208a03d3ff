import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { isoOf } from '#core/iso.ts'
import { NS_PER_MS } from '#core/time.ts'
import { call } from '#ui/server/api.ts'
import { TICK_MS } from '#ui/server/pulse.ts'
import { useReading } from '#ui/server/reading.ts'

/** The node's clock, as it was read last. */
interface NodeClock {
  readonly tick: number
  /** Unix milliseconds at which tick 0 began. */
  readonly genesisMs: number
}

const READ_EVERY_MS = 5_000

/** The clock that the times of a view are told by. */
export const LogClock = createContext<NodeClock | undefined>(undefined)

/** Reads the node's clock now and then. */
export const useNodeClock = (): NodeClock | undefined => {
  const { value } = useReading((signal) => call('GET /api/svc/pulse', {}, { signal }), {
    everyMs: READ_EVERY_MS,
    on: [],
  })
  return value && { tick: value.tick, genesisMs: value.genesisUnixMs }
}

const SECOND_MS = 1_000
const units = [
  { name: 'day', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: SECOND_MS },
] as const

/** How long ago, in the largest unit that says something. */
export const agoText = (ms: number): string => {
  const unit = units.find((it) => ms >= it.ms)
  if (unit === undefined) return 'just now'
  const count = Math.floor(ms / unit.ms)
  return `${count} ${unit.name}${unit.name === 'day' && count > 1 ? 's' : ''} ago`
}

/** When a tick was: in human time, the tick and the date in its title. */
export const Moment = ({ tick }: { readonly tick: number }) => {
  const clock = useContext(LogClock)
  if (clock === undefined) return <span>tick {tick}</span>
  const iso = isoOf(BigInt(Math.round(clock.genesisMs + tick * TICK_MS)) * NS_PER_MS).slice(0, 19)
  return (
    <time dateTime={`${iso}Z`} title={`tick ${tick}, ${iso.replace('T', ' ')} UTC`}>
      {agoText((clock.tick - tick) * TICK_MS)}
    </time>
  )
}
