import type { FireProblem } from '#core/contract/fire-row.ts'
import { isOfNode } from '#core/fault.ts'
import { inTurns } from '#domain/fair.ts'
import { seqKey } from '#store/layout.ts'
import type { Transaction } from '#store/transaction.ts'
import { TransferRefused } from './finish.ts'
import type { Pull, Pulled, PullGiven } from './pull.ts'
import { ASLEEP_TICKS, BATCH_MAX, BATCHES_MAX, DUE_MAX, type EngineContext } from './types.ts'

/** Times that one contract is looked at before what has come due since has its turn: some catch up a hundred. */
const ROUNDS_MAX = 4

interface Collaborators {
  readonly pull: Pull
  readonly onBegun: (id: string) => void
  /** It is to be decided once its urls have been read. */
  readonly onAway: (id: string) => void
}

/** Contracts of one machine that are due in one tick. */
interface MachineDues {
  readonly slug: string
  readonly ids: string[]
}

/**
 * What is due in each tick, some contracts of one machine at a time: the head of its chain is then written once for all
 * of them.
 */
const byMachine = (
  dues: readonly (readonly [string, string])[],
  slugOf: (id: string) => string | undefined,
): readonly MachineDues[] => {
  const all: MachineDues[] = []
  const open = new Map<string, MachineDues>()
  for (const [key, id] of dues) {
    const slug = slugOf(id) ?? ''
    const place = `${key.slice(0, -id.length)}${slug}`
    let it = open.get(place)
    if (it === undefined || it.ids.length === BATCH_MAX) {
      it = { slug, ids: [] }
      open.set(place, it)
      all.push(it)
    }
    it.ids.push(id)
  }
  return all
}

/** What is due by a mesh tick: keys and contracts, the oldest first. */
const dueBy = async ({ store }: EngineContext, now: number): Promise<readonly (readonly [string, string])[]> => {
  const found: (readonly [string, string])[] = []
  for await (const it of store.range('contractDue', { lt: seqKey(now + 1), limit: DUE_MAX })) found.push(it)
  return found
}

/** Contracts that a bug keeps from being decided: they are left alone for a while. */
const createBroken = () => {
  const until = new Map<string, number>()
  return {
    add: (id: string, now: number): void => void until.set(id, now + ASLEEP_TICKS),
    has: (id: string, now: number): boolean => {
      const end = until.get(id)
      if (end === undefined) return false
      if (end > now) return true
      until.delete(id)
      return false
    },
  }
}

/** What decides contracts in the writer, many to a transaction, and what goes wrong with one without the others. */
export const createClockwork = (context: EngineContext, { pull, onBegun, onAway }: Collaborators) => {
  const { store, contracts, log } = context
  const broken = createBroken()

  const commit = (ids: readonly string[], options: PullGiven, onPlanned?: () => void): Promise<readonly Pulled[]> =>
    store.commit((tx: Transaction) => {
      const found = ids.map((id) => pull(tx, id, options))
      onPlanned?.()
      return found
    })

  const alone = async (id: string, options: PullGiven): Promise<readonly Pulled[]> => {
    try {
      return await commit([id], options)
    } catch (cause) {
      if (isOfNode(cause)) throw cause
      const problem: FireProblem | undefined = cause instanceof TransferRefused ? cause.problem : undefined
      if (problem !== undefined && options.refused === undefined) return alone(id, { ...options, refused: problem })
      log.error({ contract: id, error: cause }, 'contract_broken')
      broken.add(id, store.now().meshTick)
      return [{ more: false, begun: false, needsAway: false }]
    }
  }

  const together = async (ids: readonly string[], onPlanned: () => void): Promise<readonly Pulled[]> => {
    try {
      return await commit(ids, {}, onPlanned)
    } catch (cause) {
      if (isOfNode(cause)) throw cause
      const found: Pulled[] = []
      for (const id of ids) found.push(...(await alone(id, {})))
      return found
    }
  }

  const decide = async (ids: readonly string[], onPlanned: () => void): Promise<readonly string[]> => {
    const found = await together(ids, onPlanned)
    ids.forEach((id, i) => {
      if (found[i]?.begun === true) onBegun(id)
      if (found[i]?.needsAway === true) onAway(id)
    })
    return ids.filter((_, i) => found[i]?.more === true)
  }

  /**
   * Decides the next cause of each, so many transactions at a time: half of them while the others are on their way to
   * the disk. @returns those of which more is due
   */
  const round = async (ids: readonly string[], signal: AbortSignal): Promise<readonly string[]> => {
    const more: string[] = []
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < ids.length && !signal.aborted) {
        const batch = ids.slice(next, next + BATCH_MAX)
        next += batch.length
        more.push(...(await decide(batch, planned.resolve)))
      }
    }
    const planned = Promise.withResolvers<void>()
    const lanes = () => Promise.all(Array.from({ length: BATCHES_MAX / 2 }, lane))
    const some = lanes()
    await Promise.race([planned.promise, some])
    await Promise.all([some, lanes()])
    return more
  }

  const ownerOf = (slug: string): string => store.peek('machine', slug)?.owner_zid ?? ''

  return {
    /** Decides one contract, with what its urls gave. @throws Fault of the node */
    one: async (id: string, options: PullGiven): Promise<boolean> => {
      const [found] = await alone(id, options)
      if (found?.begun === true) onBegun(id)
      return found?.more === true
    },
    /** Decides all that is due. @returns whether more may be. @throws Fault of the node */
    due: async (signal: AbortSignal): Promise<boolean> => {
      const now = store.now().meshTick
      const found = await dueBy(context, now)
      const full = found.length === DUE_MAX
      const runs = byMachine(
        found.filter(([, id]) => !broken.has(id, now)),
        contracts.slugOf,
      )
      let ids: readonly string[] = inTurns(runs, ({ slug }) => ownerOf(slug)).flatMap((it) => it.ids)
      for (let i = 0; ids.length > 0 && i < ROUNDS_MAX && !signal.aborted; i++) ids = await round(ids, signal)
      return full || ids.length > 0
    },
  }
}
