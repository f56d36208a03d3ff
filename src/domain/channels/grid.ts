import { Fault, isOfNode } from '#core/fault.ts'
import { msOf } from '#core/time.ts'
import { breathe } from '#core/wait.ts'
import { inTurns } from '#domain/fair.ts'
import { isTicking, type StandingChannel } from './channel-store.ts'
import { type ChannelContext, channelPayer } from './context.ts'
import { dueAfter } from './due.ts'
import { createDueSet, type DueSet } from './due-set.ts'
import { type ChannelRefusals, isRefusalOfTick } from './refusal.ts'
import { BoundPassed, type ChannelStep } from './step.ts'
import type { ChannelTurns } from './turns.ts'
import type { ChannelWriting } from './write.ts'

/** Ticks of one transaction: a plan that holds the loop for some ten milliseconds. */
const GROUP_MAX = 128
/** Groups that are on their way at a time: one is computed while another one waits for the disk. */
const GROUPS_MAX = 2
/** Channels that are computed between two breaths of the loop. */
const BREATH = 32
/** Mesh ticks without a beat after which the node is taken to have been away. */
const HOLE_TICKS_MAX = 8
/** Mesh ticks after which a channel is looked at again that a bug keeps from ticking. */
const BROKEN_TICKS = 128

/** How far the clock of channels has come. */
export interface ChannelClock {
  /** Mesh tick since which the node has followed the ticks without a hole. */
  awakeSince: number
}

interface Collaborators {
  readonly turns: ChannelTurns
  readonly steps: (it: StandingChannel, signal: AbortSignal) => Promise<ChannelStep>
  readonly writing: ChannelWriting
  readonly refusals: ChannelRefusals
  readonly clock: ChannelClock
}

/** What a channel came to that did not tick. */
type Missed = readonly [id: string, cause: unknown]

const isStarving = (cause: unknown): cause is Fault => cause instanceof Fault && cause.code === 'INSUFFICIENT_BALANCE'

/** Runs some work over a list, so many at a time. */
const inLanes = async <T>(items: readonly T[], lanes: number, work: (item: T) => Promise<void>): Promise<void> => {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** Computes what is due, whoever's: operators here, one after another, and solvers in threads. */
const createComputing = (context: ChannelContext, { steps }: Pick<Collaborators, 'steps'>) => {
  const { economy, threads } = context
  /** A channel that starves is not computed before there are credits. */
  const assertPaid = ({ row, head }: StandingChannel): void => {
    if (head.status === 'starved') economy.hold(channelPayer(context, row), row.price).release()
  }
  return async (due: readonly StandingChannel[], signal: AbortSignal) => {
    const done: ChannelStep[] = []
    const missed: Missed[] = []
    let count = 0
    const one = async (it: StandingChannel): Promise<void> => {
      if (count++ % BREATH === BREATH - 1) await breathe()
      try {
        assertPaid(it)
        done.push(await steps(it, signal))
      } catch (cause) {
        missed.push([it.row.id, cause])
      }
    }
    const [here, away] = [due.filter((it) => it.row.solver === null), due.filter((it) => it.row.solver !== null)]
    await Promise.all([inLanes(here, 1, one), inLanes(away, threads, one)])
    return { done, missed }
  }
}

/** Writes ticks that were computed, many in a transaction, and each alone where one of them is refused. */
const createGroups = ({ store, clock, seals }: ChannelContext, { writing }: Pick<Collaborators, 'writing'>) => {
  const alone = async (step: ChannelStep): Promise<Missed | undefined> => {
    try {
      await store.commit((tx) => void writing.tick(tx, step, true))
      return undefined
    } catch (cause) {
      return [step.it.row.id, cause]
    }
  }
  return async (done: readonly ChannelStep[]): Promise<readonly Missed[]> => {
    if (done.length === 0) return []
    try {
      await store.commit((tx) => {
        const start = clock.now()
        for (const step of done) writing.tick(tx, step, true)
        seals.learn(done.length, msOf(clock.now() - start))
      })
      return []
    } catch (cause) {
      if (isOfNode(cause)) return done.map((step) => [step.it.row.id, cause])
      const missed: Missed[] = []
      for (const step of done) {
        const it = await alone(step)
        if (it !== undefined) missed.push(it)
      }
      return missed
    } finally {
      for (const step of done) step.run.release()
    }
  }
}

/** When each channel is looked at. */
const createLooks = ({ store, channels, log }: Pick<ChannelContext, 'store' | 'channels' | 'log'>, due: DueSet) => {
  /** Looks at a channel when it is next due, or at once where a due tick has passed. */
  const moved = (id: string): void => {
    const it = channels.peek(id)
    due.place(id, it !== undefined && isTicking(it) ? (it.head.next_due ?? undefined) : undefined)
  }

  /** Looks at it again: a refused tick is over, and what the node could not do is tried again in the same. */
  const again = (id: string, cause: unknown): void => {
    moved(id)
    const it = channels.peek(id)
    if (it === undefined || it.head.next_due === null || !isTicking(it)) return
    const { meshTick } = store.now()
    if (isOfNode(cause)) return due.place(id, meshTick + 1)
    if (cause instanceof Fault || cause instanceof BoundPassed) return due.place(id, dueAfter(it.row, meshTick))
    log.error({ channel: id, error: cause }, 'channel_broken')
    due.place(id, meshTick + BROKEN_TICKS)
  }

  return { moved, again }
}

type Looks = ReturnType<typeof createLooks>

/** Does a group: takes turns, computes, writes, and says what did not tick and why. */
const createDoing = (
  context: ChannelContext,
  { parts, due, looks }: { readonly parts: Collaborators; readonly due: DueSet; readonly looks: Looks },
) => {
  const { store, channels } = context
  const { turns, refusals } = parts
  const { moved, again } = looks
  const compute = createComputing(context, parts)
  const write = createGroups(context, parts)

  const told = async (missed: readonly Missed[]): Promise<void> => {
    const said = missed.filter(([, cause]) => isRefusalOfTick(cause) || isStarving(cause))
    if (said.length > 0) {
      await store.commit((tx) => {
        for (const [id, cause] of said) {
          if (isStarving(cause)) refusals.starved(tx, id, cause)
          else if (isRefusalOfTick(cause)) refusals.refused(tx, id, cause, true)
        }
      })
    }
    for (const [id, cause] of missed) again(id, cause)
  }

  return async (ids: readonly string[], signal: AbortSignal): Promise<void> => {
    const taken = new Map<string, () => void>()
    for (const id of ids) {
      const release = turns.tryTake(id)
      if (release === undefined) due.place(id, store.now().meshTick + 1)
      else taken.set(id, release)
    }
    try {
      const standing = [...taken.keys()].flatMap((id) => channels.peek(id) ?? [])
      const { done, missed } = await compute(standing, signal)
      const unwritten = await write(done)
      for (const { it } of done) moved(it.row.id)
      if (!signal.aborted) await told([...missed, ...unwritten])
    } finally {
      for (const release of taken.values()) release()
    }
  }
}

/** What lets channels tick by themselves: those that are due are computed and written in groups, once a mesh tick. */
export const createChannelGrid = (context: ChannelContext, parts: Collaborators) => {
  const { store, channels, log } = context
  const { clock } = parts
  const due = createDueSet()
  const looks = createLooks(context, due)
  const { moved, again } = looks
  const group = createDoing(context, { parts, due, looks })
  const stop = new AbortController()
  let working: Promise<void> | undefined
  let wanted = false
  let beaten = store.now().meshTick

  const ownerOf = (id: string): string => channels.peek(id)?.row.owner ?? ''

  const round = async (): Promise<void> => {
    const { meshTick } = store.now()
    if (meshTick - beaten > HOLE_TICKS_MAX) clock.awakeSince = meshTick
    beaten = Math.max(beaten, meshTick)
    if (store.held !== undefined || store.clockBehind) return
    const ids = inTurns(due.take(meshTick), ownerOf)
    const groups: (readonly string[])[] = []
    for (let i = 0; i < ids.length; i += GROUP_MAX) groups.push(ids.slice(i, i + GROUP_MAX))
    await inLanes(groups, GROUPS_MAX, async (some) => {
      try {
        await group(some, stop.signal)
      } catch (error) {
        if (!isOfNode(error)) log.error({ error }, 'channels_failed')
        for (const id of some) again(id, error)
      }
    })
  }

  const work = async (): Promise<void> => {
    try {
      while (wanted && !stop.signal.aborted) {
        wanted = false
        await round()
      }
    } finally {
      working = undefined
    }
  }

  for (const { row } of channels.all()) moved(row.id)

  return {
    moved,
    /** What is due when a tick is over. */
    beat: (): void => {
      wanted = true
      if (!stop.signal.aborted) working ??= work()
    },
    /** Resolves when nothing is left to be done in this tick. */
    idle: async (): Promise<void> => {
      while (working !== undefined) await working
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      stop.abort(new Fault('NODE_STOPPING'))
      await working
    },
  }
}
