import { type DisputeDuty, dutiesOf } from '#core/dispute/duties.ts'
import type { Dispute, DisputesStanding } from '#core/dispute/fold.ts'
import { createPauses } from '#domain/network/pauses.ts'
import type { Challenging } from './challenging.ts'
import { askedFor, type Checks } from './check.ts'
import type { Data } from './data.ts'
import { createSaying } from './saying.ts'
import type { DisputePorts } from './types.ts'
import type { DisputeEvents } from './union.ts'

/** Ticks after which something that came to nothing is tried again. */
const AGAIN_TICKS = 15
/** How long before its time is over a node says that it found no data. */
const BEFORE_END_TICKS = 10
/** Milliseconds of a minute's processor time that checks for others may take: one in a hundred. */
const CHECK_MS_PER_MINUTE = 600
const MINUTE_MS = 60_000

/** How long checks for others have taken of late. */
const createBudget = (now: () => number) => {
  let from = now()
  let spentMs = 0
  return {
    get isOpen() {
      if (now() - from > MINUTE_MS) [from, spentMs] = [now(), 0]
      return spentMs < CHECK_MS_PER_MINUTE
    },
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      const start = now()
      try {
        return await work()
      } finally {
        spentMs += now() - start
      }
    },
  }
}

interface Doing {
  readonly ports: DisputePorts
  readonly data: Data
  readonly checks: Checks
  readonly challenging: Challenging
  readonly nowMs: () => number
}

/** Does what this node owes to disputes, one thing at a time. */
export const createDuties = ({ ports, data, checks, challenging, nowMs }: Doing) => {
  const { nodeId, store } = ports
  const budget = createBudget(nowMs)
  const pauses = createPauses(AGAIN_TICKS)

  const { reveal, rule } = createSaying(ports, data)

  const look = async (dispute: Dispute, { until }: DisputeDuty): Promise<void> => {
    if ((await data.get(askedFor(dispute))) !== undefined) return rule(dispute, 'available', null)
    if (until !== null && store.now().meshTick >= until - BEFORE_END_TICKS) await rule(dispute, 'unavailable', null)
  }

  const follow = async (dispute: Dispute): Promise<void> => {
    const of = askedFor(dispute)
    const found = await challenging.differenceOf(of, AbortSignal.timeout(MINUTE_MS))
    const { place } = dispute.challenge.payload
    if (found !== undefined) await challenging.accuse(of, { place, ...found }, { follows: dispute.id, ...found })
  }

  const check = async (dispute: Dispute, atOnce: boolean): Promise<void> => {
    // Others check when nobody is called any more: until then a bond that nobody has proven false is good.
    if (!atOnce && (dispute.course?.end == null || !budget.isOpen)) return
    await (atOnce ? checks.run(dispute) : budget.during(() => checks.run(dispute)))
  }

  const doOne = async (duty: DisputeDuty, dispute: Dispute, read: DisputeEvents): Promise<void> => {
    if (duty.what === 'serve') return
    if (duty.what === 'reveal') return reveal(dispute, read)
    if (pauses.isSoon(`${duty.what} ${duty.challenge}`, store.now().meshTick)) return
    if (duty.what === 'look') return look(dispute, duty)
    if (duty.what === 'challenge') return follow(dispute)
    if (duty.what === 'check') return check(dispute, duty.atOnce)
    const found = await checks.run(dispute)
    if (found !== undefined && found.outcome !== 'unchecked') await rule(dispute, found.outcome, found.recomputed)
  }

  return {
    /** @returns whether anything was due */
    perform: async (standing: DisputesStanding, read: DisputeEvents): Promise<void> => {
      const { meshTick } = store.now()
      for (const duty of dutiesOf(standing, nodeId, meshTick)) {
        const dispute = standing.disputes.get(duty.challenge)
        if (dispute !== undefined && duty.from <= meshTick) await doOne(duty, dispute, read)
      }
    },
  }
}
