import { assertOwner } from '#core/caller.ts'
import type { DisputesStanding } from '#core/dispute/fold.ts'
import { workKey } from '#core/dispute/types.ts'
import { lockedBy, NEVER, notWithheld } from '#core/dispute/withhold.ts'
import { Fault } from '#core/fault.ts'
import { underway } from '#core/underway.ts'
import { countedWorks, SERVE_TICKS } from '#core/work/exposure.ts'
import type { WrongWork } from '#domain/network/works/requester/types.ts'
import { createChallenging } from './challenging.ts'
import { createChecks } from './check.ts'
import { type Current, createCurrent } from './current.ts'
import { createData } from './data.ts'
import { createDuties } from './duties.ts'
import { createOpening } from './opening.ts'
import { createShow } from './show.ts'
import type { DisputePorts, Disputes, OwnDisputes } from './types.ts'

const OWNER_ONLY = 'a dispute is opened by the owner of a node'

/** What proof of a wrong work comes to: its bond falls here, and a home withholds it. */
const createFalling = ({ store, contribution, nodeId }: DisputePorts) => {
  const rulingOf = ({ disputes }: DisputesStanding, challenge: string): string | null =>
    disputes.get(challenge)?.course?.rulings.find(({ outcome }) => outcome === 'upheld')?.event ?? null

  const isStanding = (bond: string): boolean => store.peek('bond', bond)?.fallen === null

  /** What is proven waits for no clock, so its end moves on for as long as it is neither withheld nor refuted. */
  const keepLocked = async (bond: string, until: readonly number[]): Promise<void> => {
    const before = store.peek('bondLoad', bond)?.until ?? 0
    const { meshTick } = store.now()
    const ahead = before > meshTick + SERVE_TICKS / 2 ? before : meshTick + SERVE_TICKS
    const load = Math.max(0, ...until.map((tick) => (tick === NEVER ? ahead : tick)))
    if (load > before) await store.commit((tx) => contribution.load(tx, bond, { disputeUntil: load }))
  }

  return async ({ standing }: Current): Promise<void> => {
    for (const [bond, under] of Map.groupBy(standing.works.values(), ({ work }) => work.terms?.bond)) {
      if (bond == null || !isStanding(bond)) continue
      const timed = under.map(({ work: { when, ...at } }) => ({
        id: workKey(at),
        at: when === 'pending' ? undefined : when.at,
      }))
      const counted = new Set(countedWorks(timed))
      await keepLocked(
        bond,
        lockedBy(standing, bond, (key) => counted.has(key)),
      )
      for (const it of under) {
        const isCounted = counted.has(workKey(it.work))
        const why = notWithheld(it, standing.disputes, { node: nodeId, zidOf: () => undefined, isCounted })
        // A node that is no home of its tokens takes them no more, which is all that it can do.
        if (it.proven === null || (why !== null && why !== 'no_home') || !isStanding(bond)) continue
        await contribution.withhold({ bond, challenge: it.proven, ruling: rulingOf(standing, it.proven) })
      }
    }
  }
}

/** Counts what is disputed of the works of a node. */
const ownOf = ({ disputes }: DisputesStanding, nodeId: string): OwnDisputes => {
  const own = [...disputes.values()].filter(({ work, refused }) => work.worker === nodeId && refused === null)
  return {
    open: own.filter(({ end }) => end === null).length,
    challenges: own.length,
    rulings: own.reduce((sum, { course }) => sum + (course?.rulings.length ?? 0), 0),
  }
}

/** Disputes of one node. */
export const createDisputes = (ports: DisputePorts): Disputes => {
  const { store, nodeId, log } = ports
  const stop = new AbortController()
  const work = underway()
  const data = createData(ports, stop.signal)
  const checks = createChecks(ports, data, stop.signal)
  const challenging = createChallenging(ports, data)
  const current = createCurrent(ports, data)
  const nowMs = (): number => Number(store.now().instant / 1_000_000n)
  const duties = createDuties({ ports, data, checks, challenging, nowMs })
  const show = createShow(ports, { data, checks }, current.get)
  const fall = createFalling(ports)
  const open = createOpening(ports, challenging, current.get)
  let running = false
  let ownWorks: OwnDisputes = { open: 0, challenges: 0, rulings: 0 }

  const round = async (): Promise<void> => {
    await current.get()
    // Never long: what was asked of late is not asked again.
    await Promise.all(current.unknown().map((event) => ports.findWork(event)))
    for (const of of current.lacking()) await data.get(of)
    const now = await current.get()
    await duties.perform(now.standing, now.read)
    const after = await current.get()
    ownWorks = ownOf(after.standing, nodeId)
    await fall(after)
  }

  return {
    get ownWorks() {
      return ownWorks
    },
    list: show.list,
    get: show.view,
    open: async (caller, asked, signal) => {
      assertOwner(caller, OWNER_ONLY)
      return show.view(caller, await open(asked, AbortSignal.any([signal, stop.signal])))
    },
    accuse: (wrong: WrongWork) => {
      const { place } = wrong
      return challenging.accuse({ work: place.work, worker: place.worker, requester: nodeId }, wrong)
    },
    beat: () => {
      if (running || current.isEmpty || stop.signal.aborted) return
      running = true
      work.add(
        round()
          .catch((error: unknown) => {
            if (!stop.signal.aborted) log.warn({ error }, 'disputes_not_followed')
          })
          .finally(() => {
            running = false
          }),
      )
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Fault('NODE_STOPPING'))
      await work.ended()
    },
  }
}
