import type { FireComputation, FireProblem, FireReading, FireRow } from '#core/contract/fire-row.ts'
import type { ContractStanding } from '#core/contract/standing.ts'
import { Fault } from '#core/fault.ts'
import { contextDigest, type Decision } from '#numerics/contracts/fire/decide.ts'
import { decidedTick } from '#numerics/contracts/fire/dues.ts'
import type { FireEffect } from '#numerics/contracts/fire/effects.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import { settled } from '#numerics/contracts/fire/settled.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { type ContractRow, numberedKey, type WaitingFire } from '#store/rows/contract.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import { addRow, pausedByFailures } from './audit-rows.ts'
import { dayOf, spentOn } from './day.ts'
import { fireEntry } from './entry.ts'
import type { EngineContext } from './types.ts'

/** A decision that takes a fire to its end. */
export type Final = Extract<Decision, { kind: 'fired' | 'refused' }>

/** A fire with everything that it was decided on. */
export interface FireCourse {
  readonly fire: WaitingFire
  readonly ready: ReadyContract
  readonly version_no: number
  readonly standing: ContractStanding
  readonly readings: readonly FireReading[]
  /** Entries of each chain that had been decided before. */
  readonly seqs: Readonly<Record<string, number>>
  /** Mesh tick of the decision. */
  readonly tick: number
}

/** What a fire came to. */
export interface FireEnding extends FireCourse {
  readonly decision: Final
  /** Whether no try is left after some. */
  readonly failed?: boolean
  readonly computations: readonly FireComputation[]
  readonly charged: number
  readonly took_ms: number
}

/** A transfer that could not be made, thrown out of the transaction so that nothing of the fire is left. */
export class TransferRefused extends Error {
  readonly problem: FireProblem

  constructor({ code, message }: Fault) {
    super(message)
    this.problem = { reason: 'transfer', message, code }
  }
}

/** Where the contract stands after a fire; what moved it meanwhile has moved it. */
const standingAfter = (
  tx: Transaction,
  row: ContractRow,
  of: { readonly ending: FireEnding; readonly now: ReadyContract },
): ContractStanding => {
  const { standing, version_no, decision, ready } = of.ending
  const { after } = decision
  const isSame = row.version_no === version_no
  if (isSame && row.standing === standing) return after
  const version = isSame ? undefined : tx.get('contractVersion', numberedKey(row.id, row.version_no))
  const since = tx.meshTick - tx.tick + (version?.tick ?? tx.tick)
  const isNext = isSame || row.version_no === version_no + 1
  return settled(of.now, row.standing, { by: ready, began: standing, after, since, isNext })
}

/** Mesh ticks by which a fire comes later than its instant. */
const latenessOf = ({ fire, ready, tick }: FireEnding): number => {
  const { cause, due } = fire
  const trigger = 'trigger' in cause ? ready.triggers.get(cause.trigger) : undefined
  return due === null || trigger === undefined ? 0 : Math.max(0, tick - decidedTick(trigger, due))
}

const outcomeOf = ({ decision, failed = false }: FireEnding): 'fired' | 'refused' | 'failed' =>
  decision.kind === 'fired' ? 'fired' : failed ? 'failed' : 'refused'

type Decided = Extract<FireRow, { readonly outcome: 'fired' | 'refused' | 'failed' }>

const sayingOf = (ending: FireEnding, after: ContractStanding): Omit<Decided, 'no' | 'seq' | 'tick'> => {
  const { fire, decision, ready, standing } = ending
  const { computations, charged, took_ms, readings, version_no, tick } = ending
  const { from, to, steps } = decision
  const event = fire.event === null ? null : (fire.event as NonNullable<Decided['event']>)
  // Written out, for it is made at every fire: spread members cost several times as much.
  return {
    outcome: outcomeOf(ending),
    mesh_tick: tick,
    fire: fire.fire,
    cause: fire.cause,
    by: fire.by,
    version_no,
    version: ready.version,
    due: fire.due,
    lateness_ticks: latenessOf(ending),
    attempt: fire.attempt,
    event,
    heard: ending.seqs,
    asked: fire.transition,
    at: fire.at,
    readings,
    from,
    to,
    steps,
    computations,
    charged,
    took_ms,
    problem: decision.kind === 'refused' ? decision.problem : null,
    context: after.context,
    before: contextDigest(standing.context),
    after: contextDigest(decision.after.context),
    outbox: decision.kind === 'fired' ? decision.effects.filter(({ kind }) => kind === 'notify').length : 0,
  }
}

/** What hears of fires that are durable. */
interface FinishParts {
  readonly onCall: () => void
}

/** Does what a fire does beyond its contract, or leaves it to be done. */
const createEffects =
  ({ machines, outward }: EngineContext, { onCall }: FinishParts) =>
  (tx: Transaction, { row, machine, fire }: { row: ContractRow; machine: MachineRow; fire: WaitingFire }) => {
    const depth = fire.depth + 1
    return (effect: FireEffect, index: number): void => {
      switch (effect.kind) {
        case 'transfer':
          try {
            outward.transfer(tx, { machine, to: effect.to, amount: effect.amount, ref: `${fire.fire}.${index}` })
          } catch (cause) {
            throw cause instanceof Fault ? new TransferRefused(cause) : cause
          }
          return
        case 'notify': {
          const { url, headers, body } = effect
          const to_send = {
            id: row.id,
            fire: fire.fire,
            index,
            url,
            headers,
            body,
            attempts: 0,
            first_tick: tx.meshTick,
          }
          return tx.put('contractOutbox', keyOf(seqKey(tx.meshTick), fire.fire, String(index)), to_send)
        }
        case 'emit': {
          const open = { event: effect.event, payload_hash: null, fire: fire.fire, action: index, depth }
          machines.enter(tx, machine, { type: 'event', open, data: effect.data })
          return
        }
        default: {
          const event = { name: effect.event, data: effect.data }
          const call = { contract: effect.contract, fire: fire.fire, action: index, event, depth }
          tx.put('contractCall', keyOf(effect.contract, fire.fire, String(index)), call)
          tx.onDurable(onCall)
        }
      }
    }
  }

/** Counts an outcome: so many failures in a row pause a contract. */
const counted = (tx: Transaction, row: ContractRow, ending: FireEnding): ContractRow => {
  const { decision, ready, charged } = ending
  const fired = decision.kind === 'fired'
  const today = spentOn(row, dayOf(tx.meshTick))
  const failures = fired ? 0 : row.failures + 1
  const spent = { ...today, credits: today.credits + charged, fires: today.fires + (fired ? 1 : 0) }
  const next = { ...row, spent, failures, fire_count: row.fire_count + (fired ? 1 : 0), updated_tick: tx.tick }
  return pausedByFailures(tx, next, ready.definition.budget.failures_in_row)
}

/** Creates what writes the outcome of a fire, all of it in one transaction. */
export const createFinish = (context: EngineContext, parts: FinishParts) => {
  const effectsOf = createEffects(context, parts)
  /**
   * @param row the contract as it stands in the transaction.
   * @returns it as it is to be put down.
   * @throws TransferRefused
   */
  return (tx: Transaction, row: ContractRow, ending: FireEnding): ContractRow => {
    const { decision, fire } = ending
    const machine = tx.get('machine', row.slug)
    if (machine === undefined) throw new Fault('NOT_FOUND')
    const after = standingAfter(tx, row, { ending, now: context.contracts.readyIn(tx, row) })
    const saying = sayingOf(ending, after)
    const moved = decision.kind === 'fired' || decision.from !== decision.to
    const entered = moved ? context.machines.enter(tx, machine, fireEntry(machine, row, saying)) : null
    const standing = { ...row, standing: after, firing: row.firing === fire.fire ? null : row.firing }
    const rowed = addRow(tx, standing, { ...saying, seq: entered?.entry.seq ?? null }, saying.mesh_tick)
    // What its fire mints is there for its transfers.
    if (decision.kind === 'fired') context.machines.minted(tx, machine, fire.fire)
    if (decision.kind === 'fired') decision.effects.forEach(effectsOf(tx, { row, machine, fire }))
    return counted(tx, rowed, ending)
  }
}

export type Finish = ReturnType<typeof createFinish>
