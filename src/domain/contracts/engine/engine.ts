import { Fault, isOfNode } from '#core/fault.ts'
import type { ContractCallRow } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { createBegin } from './begin.ts'
import { createChains } from './chains.ts'
import { createClockwork } from './clockwork.ts'
import { createFinish, TransferRefused } from './finish.ts'
import { createHearing, type HeardEntry, type Hearing } from './hear.ts'
import { createPull, createTurns, type PullGiven } from './pull.ts'
import { createRunQueue } from './queue.ts'
import { createReadings } from './readings.ts'
import { createRuns } from './runs.ts'
import { BATCH_MAX, type EngineContext } from './types.ts'
import { createUntold, type Untold } from './untold.ts'
import { createZoneWatch } from './zones.ts'

/** Calls that are answered before something else has its turn. */
const CALLS_MAX = 256
/** Contracts whose urls are read at a time, of one owner and of all. */
const AWAY = { most: 32, perOwner: 4 } as const

/** What a contract that hears something is told, in a transaction. */
type Telling = (tx: Transaction, options: PullGiven) => boolean

interface TellingParts {
  readonly hearing: Hearing
  readonly untold: Untold
  readonly onBegun: (id: string) => void
}

/**
 * Has contracts hear events and calls: many in a transaction, and each alone where one of them is refused. What a bug
 * keeps from being told to one has failed, by a row of its audit.
 */
const createTelling = ({ store, log }: EngineContext, { hearing, untold, onBegun }: TellingParts) => {
  const alone = async (id: string, telling: Telling, failing: (tx: Transaction) => void): Promise<void> => {
    const told = async (options: PullGiven): Promise<void> => {
      try {
        if (await store.commit((tx) => telling(tx, options))) onBegun(id)
      } catch (cause) {
        if (isOfNode(cause)) throw cause
        if (cause instanceof TransferRefused && options.refused === undefined) return told({ refused: cause.problem })
        log.error({ contract: id, error: cause }, 'contract_broken')
        await store.commit(failing)
      }
    }
    return told({})
  }

  /** @returns those who could neither be told nor fail. @throws Fault of the node */
  const together = async (ids: readonly string[], heard: HeardEntry): Promise<readonly string[]> => {
    const telling =
      (id: string): Telling =>
      (tx, options) =>
        hearing.entry(tx, id, heard, options)
    try {
      const begun = await store.commit((tx) => ids.filter((id) => telling(id)(tx, {})))
      begun.forEach(onBegun)
      return []
    } catch (cause) {
      if (isOfNode(cause)) throw cause
      const left: string[] = []
      for (const id of ids) {
        try {
          await alone(id, telling(id), (tx) => untold.entry(tx, id, heard))
        } catch (error) {
          if (isOfNode(error)) throw error
          left.push(id)
        }
      }
      return left
    }
  }

  return {
    /** @returns those who could not be told. @throws Fault of the node */
    entry: async (ids: readonly string[], heard: HeardEntry): Promise<readonly string[]> => {
      const left: string[] = []
      for (let i = 0; i < ids.length; i += BATCH_MAX) {
        left.push(...(await together(ids.slice(i, i + BATCH_MAX), heard)))
      }
      return left
    },
    /** A call and its row, which goes with its outcome. @throws what kept it from having one */
    call: (key: string, call: ContractCallRow): Promise<void> => {
      const taken = (tx: Transaction): boolean => {
        if (tx.get('contractCall', key) === undefined) return false
        tx.del('contractCall', key)
        return true
      }
      return alone(
        call.contract,
        (tx, options) => taken(tx) && hearing.call(tx, call, options),
        (tx) => {
          if (taken(tx)) untold.call(tx, call)
        },
      )
    },
  }
}

type Task = 'zones' | 'chains' | 'calls' | 'due'
const TASKS = ['zones', 'chains', 'calls', 'due'] as const

/**
 * Does what is wanted, one kind after another, until nothing is. What is wrong with the node is told by whoever sees to
 * it: here contracts wait for the next tick.
 */
const createWork = (
  { log }: EngineContext,
  tasks: Readonly<Record<Task, (signal: AbortSignal) => Promise<boolean>>>,
  signal: AbortSignal,
) => {
  const wanted = new Set<Task>(TASKS)
  let working: Promise<void> | undefined

  const rounds = async (): Promise<void> => {
    await undefined
    while (wanted.size > 0 && !signal.aborted) {
      for (const task of TASKS) if (wanted.delete(task) && (await tasks[task](signal))) wanted.add(task)
    }
  }
  const work = async (): Promise<void> => {
    try {
      await rounds()
    } catch (error) {
      if (!isOfNode(error)) log.error({ error }, 'contracts_failed')
    } finally {
      working = undefined
    }
  }

  return {
    want: (...some: readonly Task[]): void => {
      for (const task of some) wanted.add(task)
      if (!signal.aborted) working ??= work()
    },
    get over() {
      return working
    },
  }
}

/** Creates what answers calls that wait. */
const createAnswering =
  ({ store }: EngineContext, { call: answer }: Pick<ReturnType<typeof createTelling>, 'call'>) =>
  async (): Promise<boolean> => {
    const calls: (readonly [string, ContractCallRow])[] = []
    for await (const it of store.range('contractCall', { limit: CALLS_MAX })) calls.push(it)
    let answered = 0
    for (const [key, call] of calls) {
      try {
        await answer(key, call)
        answered += 1
      } catch (error) {
        if (isOfNode(error)) throw error
      }
    }
    // What could not be answered stands, and is tried again in the next tick.
    return answered > 0
  }

/** What makes contracts act by themselves: at their instants, on events, and when others call them. */
export const createEngine = (context: EngineContext) => {
  const { store, machines, contracts, log } = context
  const stop = new AbortController()
  const readings = createReadings(context)
  const finish = createFinish(context, { onCall: () => want('calls') })
  const begin = createBegin({ readings, finish })
  const runs = createRuns(context, { finish, onOver: () => want('due') })
  const onBegun = (id: string): void => runs.take(id)
  const abort = (id: string): void => runs.abort(id, new Fault('CONTRACT_FIRING'))
  const turn = createTurns({ begin, abort })
  const urls = readings.urls
  const pull = createPull(context, { begin, turn, urls })
  const hearing = createHearing(context, { turn, urls })
  const telling = createTelling(context, { hearing, untold: createUntold(context), onBegun })
  const chains = createChains(context, { tell: telling.entry })

  /** What is wrong with the node is told by whoever sees to it: here its contracts wait for the next tick. */
  const guarded = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!isOfNode(error) && !stop.signal.aborted) log.error({ error }, 'contracts_failed')
    }
  }

  const away = createRunQueue(AWAY, (id, signal) =>
    guarded(async () => {
      const row = contracts.peek(id)
      if (row === undefined || row.next === null || row.next > store.now().meshTick) return
      const read = await readings.away(contracts.ready(row), id, signal)
      signal.throwIfAborted()
      if (await clockwork.one(id, { away: read })) want('due')
    }),
  )
  const onAway = (id: string): void => {
    const row = contracts.peek(id)
    if (row !== undefined) away.add(id, store.peek('machine', row.slug)?.owner_zid ?? '')
  }
  const clockwork = createClockwork(context, { pull, onBegun, onAway })

  const answerCalls = createAnswering(context, telling)
  const tasks = { zones: createZoneWatch(context), chains: chains.hear, calls: answerCalls, due: clockwork.due }
  const work = createWork(context, tasks, stop.signal)
  const { want } = work

  machines.listen((slug) => {
    chains.moved(slug)
    want('chains')
  })

  return {
    ...{ readings, begin, runs, finish, onBegun },
    /** Takes up what an earlier start left. It ends by itself, beside everything else. */
    takeUp: (): Promise<void> =>
      guarded(async () => {
        await runs.resume()
        await chains.resume(stop.signal)
        want('chains')
      }),
    /** What is due when a tick is over. */
    beat: (): void => want(...TASKS),
    /** Resolves when nothing is left to be done in this tick. */
    idle: async (): Promise<void> => {
      while (work.over !== undefined || runs.size > 0 || away.size > 0) {
        await work.over
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      stop.abort()
      await away.stop(new Fault('NODE_STOPPING'))
      await runs.stop()
      await work.over
    },
  }
}

export type ContractEngine = ReturnType<typeof createEngine>
