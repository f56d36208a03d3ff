import { Fault } from '#core/fault.ts'
import { msOf } from '#core/time.ts'
import type { ContractIntentRow } from '#store/rows/contract.ts'
import { createComputing, type HeldComputation } from './compute.ts'
import { createEnds } from './ends.ts'
import type { Finish, FireCourse } from './finish.ts'
import { createRunQueue, type RunQueue } from './queue.ts'
import { type EngineContext, RUNS_MAX, RUNS_PER_OWNER_MAX } from './types.ts'

/** How often a fire that is through looks whether the log takes leaves again, in milliseconds. */
const OPEN_POLL_MS = 250

/** Fires that were begun and are to come to their end. */
export interface Runs extends Pick<RunQueue, 'over' | 'abort' | 'size'> {
  /** Takes up a fire whose intent is durable. */
  take(id: string): void
  /** Takes up all that an earlier start left. */
  resume(): Promise<void>
  /** Why a fire that somebody asked for in person left no trace; forgotten once it was told. */
  refusalOf(fire: string): Fault | undefined
  stop(): Promise<void>
}

interface Collaborators {
  readonly finish: Finish
  /** Called when there may be something else to do. */
  readonly onOver: () => void
}

/** What a fire was decided on, as its intent says. */
const courseOf = ({ contracts }: EngineContext, intent: ContractIntentRow, id: string): FireCourse => {
  const { version_no, zones, readings, standing, seqs, begun_tick: tick } = intent
  const ready = contracts.ready({ id, version_no, ...(zones && { zones }) })
  return { fire: intent, ready, version_no, standing, readings, seqs, tick }
}

/** Creates what brings fires that compute to their end. */
export const createRuns = (context: EngineContext, { finish, onOver }: Collaborators): Runs => {
  const { store, contracts, clock, sleep, log } = context
  const computing = createComputing(context)
  const refusals = new Map<string, Fault>()
  const end = createEnds(context, { finish, onWithdrawn: (fire, why) => void refusals.set(fire, why) })

  /** While witnesses are asked how far the log was, or the clock is behind, what is through waits. */
  const untilOpen = async (signal: AbortSignal): Promise<void> => {
    while ((store.held !== undefined || store.clockBehind) && !signal.aborted) await sleep(OPEN_POLL_MS, signal)
  }

  const run = async (id: string, signal: AbortSignal): Promise<void> => {
    const [row, intent] = [contracts.peek(id), store.peek('contractIntent', id)]
    const machine = row === undefined ? undefined : store.peek('machine', row.slug)
    if (row === undefined || intent === undefined || machine === undefined) return
    const held: HeldComputation[] = []
    const start = clock.now()
    try {
      const course = courseOf(context, intent, id)
      const computed = await computing({ row, machine, course }, held, signal)
      await untilOpen(signal)
      signal.throwIfAborted()
      await end({ id, course }, { ...computed, took_ms: msOf(clock.now() - start) })
    } finally {
      for (const it of held) it.run.release()
    }
  }

  const queue = createRunQueue({ most: RUNS_MAX, perOwner: RUNS_PER_OWNER_MAX }, async (id, signal) => {
    try {
      await run(id, signal)
    } catch (error) {
      // The intent stands: it is taken up again with the next start.
      if (!signal.aborted) log.error({ contract: id, error }, 'contract_fire_failed')
    }
    onOver()
  })

  const take = (id: string): void => {
    const row = contracts.peek(id)
    if (row !== undefined) queue.add(id, store.peek('machine', row.slug)?.owner_zid ?? '')
  }

  return {
    take,
    over: queue.over,
    abort: queue.abort,
    get size() {
      return queue.size
    },
    resume: async () => {
      for await (const [id] of store.range('contractIntent')) take(id)
    },
    refusalOf: (fire) => {
      const fault = refusals.get(fire)
      refusals.delete(fire)
      return fault
    },
    stop: () => queue.stop(new Fault('NODE_STOPPING')),
  }
}
