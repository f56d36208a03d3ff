import type { Json } from '#core/canonical.ts'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { Fault } from '#core/fault.ts'
import { type ContractRequest, findContract, needs } from '#domain/contracts/finding.ts'
import type { PreviewView, SuperpositionView, WouldView } from '#domain/contracts/views/firing.ts'
import { unfit } from '#numerics/contracts/definition/members.ts'
import { decide } from '#numerics/contracts/fire/decide.ts'
import { dueOf } from '#numerics/contracts/fire/dues.ts'
import type { ReadyContract, ReadyTransition } from '#numerics/contracts/fire/ready.ts'
import type { ContractRow } from '#store/rows/contract.ts'
import { payerOf } from './compute.ts'
import type { ContractEngine } from './engine.ts'
import { type FireOrder, namedIn } from './manual.ts'
import { freshFire, manualCause, speakerOf, stimulusOf } from './stimuli.ts'
import type { EngineContext } from './types.ts'

/** What a contract is asked about without being moved. */
export interface DryOrder extends FireOrder {
  readonly state?: string | undefined
  readonly context?: Readonly<Record<string, Json>> | undefined
  readonly readings?: Readonly<Record<string, Json>> | undefined
}

const invalid = (path: string, message: string): Fault =>
  new Fault('INVALID_INPUT', `${path}: ${message}.`, { errors: [{ path, message }] })

/** Where a contract would stand. @throws Fault INVALID_INPUT */
const standingFor = (
  { definition, states }: ReadyContract,
  standing: ContractStanding,
  order: DryOrder,
): ContractStanding => {
  const { state = standing.state, context = {} } = order
  if (!states.has(state)) throw invalid('/state', `the contract has no state ${state}`)
  for (const [name, value] of Object.entries(context)) {
    const member = Object.hasOwn(definition.context, name) ? definition.context[name] : undefined
    const why = member === undefined ? 'is no member of the context' : unfit(member, value)
    if (why !== undefined) throw invalid(`/context/${name}`, `${name} ${why}`)
  }
  return { ...standing, state, context: { ...standing.context, ...(context as Readonly<Record<string, Scalar>>) } }
}

const waitsOf = (ready: ReadyContract, { standing, armed_tick, status }: ContractRow, it: ReadyTransition) => {
  const trigger = ready.triggers.get(it.trigger)
  const due = trigger === undefined || status !== 'live' ? undefined : dueOf(trigger, standing, armed_tick)
  return {
    ...{ kind: it.kind, trigger: it.trigger, event: it.event?.name ?? null, from: it.event?.from ?? null },
    ...{ due: due?.due ?? null, tick: due?.tick ?? null, guarded: it.guard !== undefined },
  }
}

/** Creates what decides without a fire: nothing of it moves a contract. */
const createWould = (context: EngineContext) => {
  const { store, compute } = context
  const priced = (row: ContractRow, order: { solver?: string; operators?: readonly string[]; inputs: Json }) => {
    const machine = store.peek('machine', row.slug)
    if (machine === undefined) throw new Fault('NOT_FOUND')
    try {
      const { price, work } = compute.held.prepare(order as never, payerOf(context, machine, row))
      return { price, work }
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      return { refused: { code: cause.code, message: cause.message } }
    }
  }

  return (
    row: ContractRow,
    ready: ReadyContract,
    of: { standing: ContractStanding; stimulus: Parameters<typeof decide>[2] },
  ) => {
    const { standing, stimulus } = of
    const decision = decide(ready, standing, stimulus, [])
    const none: WouldView = {
      ...{ would: decision.kind, from: standing.state, to: null, steps: [], context: standing.context },
      ...{ effects: [], problem: null, seen: [], compute: null },
    }
    if (decision.kind === 'none') return { ...none, seen: decision.seen } as WouldView
    if (decision.kind === 'compute') {
      const { transition, ...order } = decision.order
      return { ...none, steps: [transition], compute: { ...order, ...priced(row, order) } } as unknown as WouldView
    }
    const { to, steps, after } = decision
    const moved = { ...none, to, steps, context: after.context }
    if (decision.kind === 'refused') return { ...moved, problem: decision.problem } as WouldView
    return { ...moved, effects: decision.effects } as unknown as WouldView
  }
}

/** Creates what shows fires that would be, or could. */
export const createLooks = (context: EngineContext, { readings }: Pick<ContractEngine, 'readings'>) => {
  const { store, contracts } = context
  const reader = { get: store.peek }
  const would = createWould(context)

  return {
    /** Decides on what is given, else on how things stand. @throws Fault NOT_FOUND, SCOPE_REQUIRED, INVALID_INPUT */
    dryRun: (asking: ContractRequest, order: DryOrder): WouldView => {
      const { row } = findContract(reader, asking, needs.run)
      const ready = contracts.ready(row)
      const tick = store.now().meshTick
      const cause = manualCause(asking.caller, undefined)
      const fire = freshFire(row, { cause, by: speakerOf(asking.caller), since: tick, ...namedIn(order) })
      const read = readings.here(reader, row, { ready, now: tick })
      const stimulus = stimulusOf(row, fire, { tick, readings: read })
      const given = (order.readings ?? {}) as typeof stimulus.readings
      const asked = { ...stimulus, readings: { ...stimulus.readings, ...given } }
      return would(row, ready, { standing: standingFor(ready, row.standing, order), stimulus: asked })
    },

    /** What each transition of the present state would do now. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    preview: (asking: ContractRequest): PreviewView => {
      const { row } = findContract(reader, asking, needs.own)
      const ready = contracts.ready(row)
      const { tick, meshTick } = store.now()
      const read = readings.here(reader, row, { ready, now: meshTick })
      const { state } = row.standing
      const transitions = (ready.states.get(state)?.transitions ?? []).map((it) => {
        const waits = waitsOf(ready, row, it)
        // What an event brings is not known before it comes.
        if (it.kind === 'event') return { transition: it.id, waits, would: null }
        const cause = { key: it.id }
        const fire = freshFire(row, { cause, by: row.created_by, since: meshTick, transition: it.id })
        const stimulus = stimulusOf(row, fire, { tick: meshTick, readings: read })
        return { transition: it.id, waits, would: would(row, ready, { standing: row.standing, stimulus }) }
      })
      return { id: row.id, tick, state, status: row.status, transitions }
    },

    /** What could come next of a contract of a public machine. @throws Fault NOT_FOUND */
    superposition: (id: string): SuperpositionView => {
      const row = contracts.peek(id)
      if (row === undefined || store.peek('machine', row.slug)?.is_public !== true) {
        throw new Fault('NOT_FOUND', 'No public machine has such a contract.')
      }
      const ready = contracts.ready(row)
      const { state } = row.standing
      const states = (ready.states.get(state)?.transitions ?? []).map((it) => ({
        ...{ to: it.to, transition: it.id, waits: waitsOf(ready, row, it) },
      }))
      return { id, tick: store.now().tick, state, status: row.status, states }
    },
  }
}
