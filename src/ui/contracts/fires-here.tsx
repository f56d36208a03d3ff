import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { useReading } from '#ui/server/reading.ts'
import { DueTable } from './ahead.tsx'
import type { ShownContract } from './reads.ts'
import { nowSeconds } from './use-judged.ts'

const READ_EVERY_MS = 10_000

interface Props {
  readonly contract: ShownContract
  readonly definition: Definition
}

/** When the clock moves it next, worked out in this browser from what the contract says and where it stands. */
export const FiresHere = ({ contract, definition }: Props) => {
  const { version, state, entered_tick, armed_tick, contract: fire, status } = contract
  const { value } = useReading(
    async () => {
      const [{ duesHere, readyHere }, { ownZone }] = await Promise.all([import('./plan.ts'), import('#node/zones.ts')])
      const now = nowSeconds()
      const { meshTickAt } = await import('#core/tick.ts')
      const { NS_PER_SECOND } = await import('#core/time.ts')
      const ready = readyHere({ definition, version, now })
      const standing = { state, entered: { fire, tick: entered_tick }, context: {}, windows: {}, marks: {} }
      const armedTick = Math.max(armed_tick, meshTickAt(BigInt(now) * NS_PER_SECOND))
      return { dues: duesHere(ready, standing, { now, armedTick }), local: ownZone() }
    },
    { everyMs: READ_EVERY_MS, on: [version, state, entered_tick, armed_tick] },
  )
  return (
    <section class="card" aria-label="Next fires">
      <h3>Next fires</h3>
      {status !== 'live' && <p class="about">It is {status}: none of these happens until it is live.</p>}
      {value?.dues.length === 0 && <p class="about">No clock moves it from here: events do, or somebody.</p>}
      {value !== undefined && value.dues.length > 0 && <DueTable dues={value.dues} local={value.local} />}
    </section>
  )
}
