import type { Json } from '#core/canonical.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import type { Scalar, Standing } from '#core/contract/standing.ts'
import { Fault } from '#core/fault.ts'
import { tail } from '#core/tail.ts'
import { type ContractRequest, findContract, needs } from '#domain/contracts/finding.ts'
import { unfit } from '#numerics/contracts/definition/members.ts'
import { decide } from '#numerics/contracts/fire/decide.ts'
import { dueOf } from '#numerics/contracts/fire/dues.ts'
import type { Ready, ReadyTransition } from '#numerics/contracts/fire/ready.ts'
import { under } from '#store/layout.ts'
import { type ContractRow, numberedKey } from '#store/rows/contract.ts'
import { payerOf } from './compute.ts'
import type { Engine } from './engine.ts'
import { type FireOrder, namedIn } from './manual.ts'
import { freshFire, manualCause, speakerOf, stimulusOf } from './stimuli.ts'
import type { EngineContext } from './types.ts'
import type { PreviewView, SuperpositionView, TakenView, WouldView } from './views.ts'

/** Rows that a reader who comes back is given; of more it is told the gap. */
const REPLAY_MAX = 1_000

/** What a contract is asked about without being moved. */
export interface DryOrder extends FireOrder {
  readonly state?: string | undefined
  readonly context?: Readonly<Record<string, Json>> | undefined
  readonly readings?: Readonly<Record<string, Json>> | undefined
}

/** A line of a live stream. */
export interface TakenLine {
  readonly id: string
  readonly event: 'transition' | 'gap'
  readonly data: unknown
}

const invalid = (path: string, message: string): Fault =>
  new Fault('INVALID_INPUT', `${path}: ${message}.`, { errors: [{ path, message }] })

/** Where a contract would stand. @throws Fault INVALID_INPUT */
const standingFor = ({ definition, states }: Ready, standing: Standing, order: DryOrder): Standing => {
  const { state = standing.state, context = {} } = order
  if (!states.has(state)) throw invalid('/state', `the contract has no state ${state}`)
  for (const [name, value] of Object.entries(context)) {
    const member = Object.hasOwn(definition.context, name) ? definition.context[name] : undefined
    const why = member === undefined ? 'is no member of the context' : unfit(member, value)
    if (why !== undefined) throw invalid(`/context/${name}`, `${name} ${why}`)
  }
  return { ...standing, state, context: { ...standing.context, ...(context as Readonly<Record<string, Scalar>>) } }
}

const waitsOf = (ready: Ready, { standing, armed_tick, status }: ContractRow, it: ReadyTransition) => {
  const trigger = ready.triggers.get(it.trigger)
  const due = trigger === undefined || status !== 'live' ? undefined : dueOf(trigger, standing, armed_tick)
  return {
    ...{ kind: it.kind, trigger: it.trigger, event: it.event?.name ?? null, from: it.event?.from ?? null },
    ...{ due: due?.due ?? null, tick: due?.tick ?? null, guarded: it.guard !== undefined },
  }
}

/** Creates what shows fires: those that were, and those that would be. Nothing of it moves a contract. */
export const createLooks = (context: EngineContext, { readings }: Pick<Engine, 'readings'>) => {
  const { store, contracts, hub, compute } = context
  const reader = { get: store.peek }

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

  const would = (
    row: ContractRow,
    ready: Ready,
    of: { standing: Standing; stimulus: Parameters<typeof decide>[2] },
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

  const takenOf = (row: Extract<FireRow, { outcome: 'fired' | 'refused' | 'failed' }>): TakenView => {
    const { no, tick, mesh_tick, fire, from, to, steps, version_no, attempt, seq } = row
    return { no, tick, mesh_tick, fire, from, to, steps, version_no, attempt, seq }
  }

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

    /** What each transition of the present state would do now, for the owner. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
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

    /** Its rows, newest first, for the owner in person. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    audit: async (
      asking: ContractRequest,
      { limit, after }: { readonly limit: number; readonly after?: number | undefined },
    ): Promise<{ id: string; rows: readonly FireRow[]; next_after: number | null }> => {
      const { row } = findContract(reader, asking, needs.own)
      const bounds = { ...under(row.id), ...(after === undefined ? {} : { lt: numberedKey(row.id, after) }) }
      const rows: FireRow[] = []
      for await (const [, it] of store.range('contractFire', { ...bounds, reverse: true, limit })) rows.push(it)
      const last = rows.at(-1)?.no ?? 0
      return { id: row.id, rows, next_after: rows.length < limit || last === 0 ? null : last }
    },

    /** Transitions as they are taken, from now on or after a row. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    transitions: async function* (
      asking: ContractRequest,
      lastEventId: string | undefined,
      signal: AbortSignal,
    ): AsyncGenerator<TakenLine> {
      const { row } = findContract(reader, asking, needs.read)
      using _ = hub.reading(row.id)
      const size = (): number => contracts.peek(row.id)?.rows ?? 0
      const last = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : undefined
      const from = last === undefined || last >= size() ? size() : Math.max(last + 1, size() - REPLAY_MAX)
      if (last !== undefined && from > last + 1) {
        yield { id: String(from - 1), event: 'gap', data: { after: last, next: from, missed: from - last - 1 } }
      }
      const source = {
        size,
        read: async function* (first: number, end: number) {
          const range = { gte: numberedKey(row.id, first), lt: numberedKey(row.id, end) }
          for await (const [, it] of store.range('contractFire', range)) yield it
        },
        moved: () => hub.moved(row.id),
      }
      for await (const it of tail(source, from, signal)) {
        findContract(reader, asking, needs.read)
        if (it.outcome === 'fired') yield { id: String(it.no), event: 'transition', data: takenOf(it) }
      }
    },
  }
}
