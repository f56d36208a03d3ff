import { comingOf } from './coming.ts'
import type { Durable } from './durable.ts'
import type { Flight } from './flight.ts'
import { type OpenGroup, openGroup, settle } from './group.ts'
import type { CommitMoment } from './overlay.ts'
import { isPlan, type Queued, type QueuedPlan } from './queued.ts'
import { areTicksOver, endTicks } from './ticks.ts'

/** Transactions that share one write and one fsync. */
const GROUP_MAX = 256

/** Ends the ticks that are over before a group; those who asked for that are told. @returns when the group commits */
const begin = async (durable: Durable, flight: Flight, asked: readonly Queued[]): Promise<CommitMoment> => {
  if (flight.failure !== undefined) throw flight.failure
  const closing = asked.filter((it) => !isPlan(it))
  const { lastTick, states } = flight.ground
  const now = durable.moment(lastTick)
  if (closing.length === 0 && !areTicksOver(durable, states, now)) return now
  await flight.landed()
  const later = durable.moment(durable.lastTick)
  const made = await endTicks(durable, later)
  for (const it of closing) it.resolve(made)
  return later
}

/** Takes from the queue what an open group can take: no more than it has room for, and only in its own tick. */
const admit = (durable: Durable, queue: Queued[], group: OpenGroup): readonly QueuedPlan[] => {
  const more = queue.slice(0, GROUP_MAX - group.attempts.length)
  if (more.length === 0 || !more.every(isPlan)) return []
  const now = durable.moment(group.ground.lastTick)
  if (now.tick !== group.tick) return []
  queue.splice(0, more.length)
  group.plan(more, now)
  return more
}

/**
 * Plans the group at the head of the queue, on top of the one that is on its way if there is one, and takes whatever
 * comes until that has landed; then sends it. The end of a tick waits for the group before it, and the group after it
 * waits for the end.
 */
export const runGroup = async (durable: Durable, flight: Flight, queue: Queued[]): Promise<void> => {
  const asked = queue.splice(0, GROUP_MAX)
  try {
    const now = await begin(durable, flight, asked)
    const jobs = asked.filter(isPlan)
    if (jobs.length === 0) return
    const group = openGroup(flight.ground, now.tick)
    group.plan(jobs, now)
    while (flight.isOn) {
      await flight.rung()
      if (flight.isOn) asked.push(...admit(durable, queue, group))
    }
    await flight.landed()
    const settled = await settle(group)
    flight.send(comingOf(durable, settled), asked)
  } catch (cause) {
    flight.fail(asked, cause)
  }
}
