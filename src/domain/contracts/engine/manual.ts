import type { Json } from '#core/canonical.ts'
import { fireId } from '#core/contract/cause.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { assertNotFrozen, type ContractRequest, findContract, needs } from '#domain/contracts/finding.ts'
import { assertActive } from '#domain/machines/record.ts'
import { keyOf } from '#store/layout.ts'
import { type ContractRow, numberedKey, type WaitingFire } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Beginning, Begun } from './begin.ts'
import { timed } from './due.ts'
import type { ContractEngine } from './engine.ts'
import { TransferRefused } from './finish.ts'
import type { PullGiven } from './pull.ts'
import { freshFire, manualCause, speakerOf } from './stimuli.ts'
import type { EngineContext } from './types.ts'

/** What somebody asks a contract for: its time, a transition by name, an event, or both. */
export interface FireOrder {
  readonly transition?: string | undefined
  readonly event?: string | undefined
  readonly data?: Readonly<Record<string, Json>> | undefined
}

type Answer = { readonly row: FireRow }

/** With what a fire is tried. */
interface TriedGiven extends PullGiven {
  /** What stands in the same batch, before it. @throws Fault, and nothing is tried */
  readonly enter?: (tx: Transaction) => void
  /** The state that is asked for, in place of a transition by its name. */
  readonly to?: string | undefined
}

/** What a transition or an event was asked for by. @throws Fault INVALID_INPUT */
export const namedIn = ({ transition, event, data }: FireOrder): Pick<WaitingFire, 'transition' | 'event'> => {
  if (data !== undefined && event === undefined) {
    const message = 'data is of an event: say which'
    throw new Fault('INVALID_INPUT', `/event: ${message}.`, { errors: [{ path: '/event', message }] })
  }
  return { transition: transition ?? null, event: event === undefined ? null : { name: event, data: data ?? {} } }
}

const untaken = ({ row: { id, standing } }: Begun, { why, seen }: Extract<Begun, { kind: 'none' }>): Fault =>
  why === 'guard'
    ? new Fault('GUARD_FALSE', undefined, { contract: id, state: standing.state, seen })
    : new Fault('NO_TRANSITION', undefined, { contract: id, state: standing.state })

/** The row of a fire that has come to its end. */
const outcomeOf = ({ store }: EngineContext, id: string, fire: string): FireRow | undefined => {
  const no = store.peek('contractFireNo', keyOf(id, fire))
  return no === undefined ? undefined : store.peek('contractFire', numberedKey(id, no))
}

/** Waits for something, but no longer than the caller does. @throws the signal's reason */
const awaited = async (something: Promise<void>, signal: AbortSignal): Promise<void> => {
  const left = Promise.withResolvers<void>()
  const leave = (): void => left.resolve()
  signal.addEventListener('abort', leave, { once: true })
  await Promise.race([something, left.promise])
  signal.removeEventListener('abort', leave)
  signal.throwIfAborted()
}

/** Creates what has a contract asked for something at once, and waits for how that ends. */
export const createFired = (context: EngineContext, { begin, readings, runs, onBegun }: ContractEngine) => {
  const { store, contracts } = context

  /** Begins a fire; where a state is asked for, by the first transition there whose guard is true. */
  const begunBy = (tx: Transaction, beginning: Beginning, to: string | undefined): Begun => {
    const { row, ready, fire } = beginning
    if (to === undefined) return begin(tx, beginning)
    const ways = ready.states.get(row.standing.state)?.transitions.filter((it) => it.to === to) ?? []
    let begun: Begun = { kind: 'none', row, why: 'transition', seen: [] }
    for (const { id } of ways) {
      begun = begin(tx, { ...beginning, fire: { ...fire, transition: id } })
      if (begun.kind !== 'none') break
    }
    return begun
  }

  /** Tries it in a transaction. @throws Fault, which leaves nothing behind */
  const tried = (tx: Transaction, asking: ContractRequest, fire: WaitingFire, options: TriedGiven): Begun => {
    const { machine, row: before } = findContract(tx, asking, needs.run)
    options.enter?.(tx)
    assertNotFrozen(before)
    assertActive(machine)
    if (before.firing !== null)
      throw new Fault('CONTRACT_FIRING', undefined, { contract: before.id, fire: before.firing })
    const ready = contracts.readyIn(tx, before)
    const { away = [], refused, to } = options
    const beginning = { row: before, fire, ready, away, ...(refused === undefined ? {} : { refused }) }
    const begun = begunBy(tx, beginning, to)
    if (begun.kind === 'none') throw untaken(begun, begun)
    if (begun.kind !== 'known') contracts.put(tx, before, timed(contracts.readyIn(tx, begun.row), begun.row))
    return begun
  }

  const attempt = async (asking: ContractRequest, fire: WaitingFire, options: TriedGiven): Promise<Begun> => {
    try {
      return await store.commit((tx) => tried(tx, asking, fire, options))
    } catch (cause) {
      if (!(cause instanceof TransferRefused) || options.refused !== undefined) throw cause
      return attempt(asking, fire, { ...options, refused: cause.problem })
    }
  }

  return async (
    asking: ContractRequest,
    fire: WaitingFire,
    { signal, ...given }: Pick<TriedGiven, 'enter' | 'to'> & { readonly signal: AbortSignal },
  ): Promise<FireRow> => {
    const row = contracts.peek(asking.id) as ContractRow
    const away = await readings.away(contracts.ready(row), row.id, signal)
    const begun = await attempt(asking, fire, { ...given, away })
    if (begun.kind === 'begun') {
      onBegun(row.id)
      await awaited(runs.over(row.id), signal)
      const refusal = runs.refusalOf(fire.fire)
      if (refusal !== undefined) throw refusal
    }
    const outcome = outcomeOf(context, row.id, fire.fire)
    if (outcome === undefined) throw new Fault('NODE_STOPPING', 'It is begun, and comes to its end after the restart.')
    return outcome
  }
}

/** @see createFired */
export type FiredFire = ReturnType<typeof createFired>

/** Creates what fires contracts because somebody asks for it. */
export const createManual = (context: EngineContext, fired: FiredFire) => {
  const { store, economy } = context
  const reader = { get: store.peek }

  const fire = async (
    asking: ContractRequest,
    order: FireOrder,
    { scope, key, input, signal }: Repeat & { readonly signal: AbortSignal },
  ): Promise<WithReplayed<Answer>> => {
    const { caller } = asking
    const { row } = findContract(reader, asking, needs.run)
    const cause = manualCause(caller, key)
    const since = store.now().meshTick
    const wanted = freshFire(row, { cause, by: speakerOf(caller), since, ...namedIn(order) })
    if (key === undefined) return { row: await fired(asking, wanted, { signal }), replayed: false }
    const it = await economy.idempotent(caller, scope, key, digest(purposes.request, input as Json))
    if (it.kind === 'replay') return { ...(it.answer as unknown as Answer), replayed: true }
    try {
      const known = outcomeOf(context, row.id, fireId(row.contract, cause))
      const answer: Answer = { row: known ?? (await fired(asking, wanted, { signal })) }
      await store.commit((tx) => it.keep(tx, () => answer as unknown as Json))
      return { ...answer, replayed: known !== undefined }
    } finally {
      it.release()
    }
  }

  return {
    /**
     * Takes a transition of the present state that a clock or nothing pulls, at once; paused contracts too.
     *
     * @throws Fault NOT_FOUND, SCOPE_REQUIRED, CONTRACT_FROZEN, CONTRACT_FIRING, NO_TRANSITION, GUARD_FALSE,
     * BUDGET_SPENT, INSUFFICIENT_BALANCE, MACHINE_NOT_ACTIVE
     */
    fireNow: (asking: ContractRequest, transition: string | undefined, repeat: Repeat & { signal: AbortSignal }) =>
      fire(asking, { transition }, repeat),
    /** Takes a transition by its name, or by its event. @throws Fault as {@link fireNow}; INVALID_INPUT */
    transition: (asking: ContractRequest, order: FireOrder, repeat: Repeat & { signal: AbortSignal }) => {
      if (order.transition !== undefined || order.event !== undefined) return fire(asking, order, repeat)
      const message = 'say which transition, or which event'
      throw new Fault('INVALID_INPUT', `/transition: ${message}.`, { errors: [{ path: '/transition', message }] })
    },
  }
}
