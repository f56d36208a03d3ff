import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { duesBetween, nextDue } from '#numerics/contracts/fire/dues.ts'
import type { Ready } from '#numerics/contracts/fire/ready.ts'
import type { ContractRow } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import { actorOf, type Change, change } from './changes.ts'
import type { ContractContext } from './context.ts'
import { addRow } from './engine/audit-rows.ts'
import { assertNotFrozen, type ContractRequest, findContract, type Need, needs } from './finding.ts'
import { heardUpTo, lookTick } from './schedule.ts'
import { secretNames } from './secrets.ts'
import { contractViewOf } from './shown.ts'
import type { ContractView } from './views.ts'

/**
 * Writes down what came due while a contract was paused: a row of each trigger, and no fire of it. A state that it has
 * been in for long enough is left all the same.
 */
const missPause = (tx: Transaction, row: ContractRow, ready: Ready): ContractRow => {
  const bounds = { armedTick: row.armed_tick, until: tx.meshTick }
  let after = row
  for (const { trigger, dues, missed } of duesBetween(ready, row.standing, bounds)) {
    if (ready.triggers.get(trigger)?.trigger.kind === 'after') continue
    const count = dues.length + (missed?.count ?? 0)
    const from = missed?.from ?? dues[0]?.due
    const to = dues.at(-1)?.due ?? missed?.to
    if (from === undefined || to === undefined) continue
    after = addRow(tx, after, { outcome: 'missed', trigger, from, to, count, reason: 'paused' })
    const marks = { ...after.standing.marks, [trigger]: to }
    after = { ...after, standing: { ...after.standing, marks } }
  }
  return after
}

/** A contract that runs from this tick on, and has heard nothing of what was before. */
const running = (tx: Transaction, row: ContractRow, ready: Ready): ContractRow => {
  const { standing, contract } = row
  const isFirst = row.paused_by === 'author'
  // A state that nothing has left yet begins with the start.
  const isUntouched = isFirst && standing.entered.fire === contract
  const entered = isUntouched ? { fire: contract, tick: tx.meshTick } : standing.entered
  const begun = isFirst ? { ...row, standing: { ...standing, entered } } : missPause(tx, row, ready)
  const live: ContractRow = {
    ...{ ...begun, status: 'live', paused_by: null, failures: 0, armed_tick: tx.meshTick },
    seqs: heardUpTo(tx, row.slug, ready),
  }
  return { ...live, next: lookTick(ready, live) }
}

/** A contract that is over for good: what waits is not tried any more. */
const frozen = (tx: Transaction, row: ContractRow, by: string): ContractRow => {
  let after = row
  for (const { fire, cause, due } of row.waiting) {
    after = addRow(tx, after, { outcome: 'skipped', fire, cause, due, by })
  }
  return { ...after, status: 'frozen', paused_by: null, waiting: [], skip: null, next: null }
}

type Step = (tx: Transaction, row: ContractRow, ready: Ready) => Pick<Change, 'after' | 'what' | 'details'> | undefined

/** Starts, stops and ends contracts. A fire that is under way ends by the version it began with, and nothing follows. */
export const createStatus = (context: ContractContext) => {
  const { store, contracts } = context
  const reader = { get: store.peek }
  const shown = async (id: string): Promise<ContractView> => {
    const row = contracts.peek(id) as ContractRow
    return contractViewOf(row, contracts.version(id, row.version_no), await secretNames(store, id))
  }
  const step = async (asking: ContractRequest, need: Need, of: Step): Promise<ContractView> => {
    findContract(reader, asking, need)
    await store.commit((tx) => {
      const { row: before } = findContract(tx, asking, need)
      const ready = contracts.readyIn(tx, before)
      const changed = of(tx, before, ready)
      if (changed !== undefined) change(context, tx, { caller: asking.caller, before, ...changed })
    })
    return shown(asking.id)
  }

  return {
    /** Due instants and events pass it by until it is resumed. @throws Fault NOT_FOUND, SCOPE_REQUIRED, CONTRACT_FROZEN */
    pause: (asking: ContractRequest): Promise<ContractView> =>
      step(asking, needs.run, (_, row, ready) => {
        assertNotFrozen(row)
        if (row.status === 'paused') return undefined
        const paused: ContractRow = { ...row, status: 'paused', paused_by: 'hand', skip: null }
        return { after: { ...paused, next: lookTick(ready, paused) }, what: 'paused', details: {} }
      }),

    /** Starts it, or goes on: what came due meanwhile is missed. @throws Fault as {@link pause} */
    resume: (asking: ContractRequest): Promise<ContractView> =>
      step(asking, needs.run, (tx, row, ready) => {
        assertNotFrozen(row)
        if (row.status === 'live') return undefined
        const after = running(tx, row, ready)
        const { windows: _, ...kept } = after.standing
        const details: Record<string, Json> = { paused_by: row.paused_by, armed_tick: after.armed_tick, ...kept }
        return { after, what: row.paused_by === 'author' ? 'started' : 'resumed', details }
      }),

    /** Ends it for good; it can be read for ever. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    freeze: (asking: ContractRequest): Promise<ContractView> =>
      step(asking, needs.author, (tx, row) => {
        if (row.status === 'frozen') return undefined
        return { after: frozen(tx, row, actorOf(asking.caller)), what: 'frozen', details: {} }
      }),

    /**
     * Leaves the next due instant out; its row says by whom. @throws Fault as {@link pause}; NOTHING_TO_SKIP
     */
    skipNext: (asking: ContractRequest): Promise<ContractView> =>
      step(asking, needs.run, (_, row, ready) => {
        assertNotFrozen(row)
        const due = row.status === 'live' ? nextDue(ready, row.standing, row.armed_tick) : undefined
        const isSkipped = due !== undefined && row.skip?.trigger === due.trigger && row.skip.due === due.due
        if (due === undefined || isSkipped) {
          const why = isSkipped ? 'The next instant is left out already.' : 'No clock moves it now.'
          throw new Fault('NOTHING_TO_SKIP', why, { contract: row.id })
        }
        const skip = { trigger: due.trigger, due: due.due, by: actorOf(asking.caller) }
        return { after: { ...row, skip }, what: 'skips next', details: { trigger: due.trigger, due: due.due } }
      }),
  }
}
