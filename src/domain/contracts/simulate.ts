import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { contractDigest } from '#core/contract/cause.ts'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { Fault } from '#core/fault.ts'
import type { Prepared } from '#domain/compute/prepared.ts'
import { isChecked } from '#domain/compute/task.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { boundOf } from '#numerics/contracts/fire/bound.ts'
import type { ComputeOrder, ComputeOutcome } from '#numerics/contracts/fire/effects.ts'
import { type ReadyContract, readyContract } from '#numerics/contracts/fire/ready.ts'
import { PAUSE_EVERY, simulateInTurns } from '#numerics/contracts/fire/simulate.ts'
import {
  type ContractHappening,
  PAUSE,
  type SimulatingInTurns,
  type Simulation,
} from '#numerics/contracts/fire/simulation.ts'
import type { ContractContext } from './context.ts'
import { findContract } from './finding.ts'
import { invalid, type Soundness } from './sound.ts'
import type { SimulationView } from './views.ts'

/** Decisions of one call, some 20 µs each: a year of one every five minutes. Without a node there is no such bound. */
const CALL_DECISIONS_MAX = 110_000
/** Decisions after which a call waits until no other that is as long is under way. */
const LONG_DECISIONS = 10_000
/** Computations of one call that really run. */
export const SIMULATED_RUNS_MAX = 64
/** Ids of a contract that is none yet. */
const NOWHERE = '0'.repeat(32)

type Data = Readonly<Record<string, unknown>>

/** What is to be simulated. Ticks count from now. */
export interface SimulationOrder {
  readonly definition?: unknown
  /** One that is deployed, from where it stands. */
  readonly contract?: { readonly slug: string; readonly id: string } | undefined
  readonly ticks: number
  readonly events: readonly {
    readonly at: number
    readonly event: string
    readonly from?: string | undefined
    readonly data?: Data | undefined
  }[]
  readonly readings: readonly { readonly at: number; readonly oracle: string; readonly value: Scalar }[]
  /** What somebody asks of it: any transition of the state, or the one that is named. */
  readonly calls: readonly { readonly at: number; readonly transition?: string | undefined }[]
  /** Whether computations run, unsealed, or stand for none. */
  readonly compute: 'run' | 'stub'
  /** Rows of the timeline. */
  readonly limit: number
}

interface Start {
  readonly ready: ReadyContract
  readonly contract: string
  readonly id: string
  readonly standing: ContractStanding
}

/** What happens, by its ticks: a reading before what is decided in the same tick. */
const happeningsOf = ({ events, readings, calls }: SimulationOrder, from: number): readonly ContractHappening[] => {
  const all: ContractHappening[] = [
    ...readings.map(
      ({ at, oracle, value }): ContractHappening => ({ kind: 'reading', tick: from + at, oracle, value }),
    ),
    ...events.map(
      ({ at, event: name, from: slug = null, data = {} }): ContractHappening => ({
        ...{ kind: 'event', tick: from + at, name, from: slug, data: data as Readonly<Record<string, Json>> },
      }),
    ),
    ...calls.map(({ at, transition: id }): ContractHappening => {
      const tick = from + at
      return id === undefined ? { kind: 'now', tick } : { kind: 'transition', tick, id }
    }),
  ]
  return all.toSorted((a, b) => a.tick - b.tick)
}

/** What a simulation names and the definition has not. */
const assertNamed = ({ definition }: ReadyContract, { readings, calls }: SimulationOrder): void => {
  const oracles = readings.flatMap(({ oracle }, i) =>
    Object.hasOwn(definition.oracles, oracle)
      ? []
      : [{ path: `/readings/${i}/oracle`, reason: `there is no ${oracle}` }],
  )
  const ids = new Set(definition.transitions.map(({ id }) => id))
  const transitions = calls.flatMap(({ transition }, i) =>
    transition === undefined || ids.has(transition)
      ? []
      : [{ path: `/calls/${i}/transition`, reason: `there is no ${transition}` }],
  )
  const faults = [...oracles, ...transitions]
  if (faults.length > 0) throw invalid(faults)
}

/** Faults that say nothing of the computation: the call ends with them. */
const ofCall: ReadonlySet<string> = new Set([
  'WORK_LIMIT_EXCEEDED',
  'DAILY_LIMIT_EXCEEDED',
  'NODE_BUSY',
  'NODE_STOPPING',
  'WORKER_LOST',
])

/** Runs computations that seal nothing and cost nothing, within what callers without a key have. */
const createTrial = ({ compute, economy }: Pick<ContractContext, 'compute' | 'economy'>, caller: Caller) => {
  let runs = 0
  const prepare = ({ solver, operators, inputs }: ComputeOrder): Prepared =>
    compute.held.prepare({ solver, operators, inputs }, caller)
  const run = async (order: ComputeOrder, signal: AbortSignal): Promise<ComputeOutcome> => {
    runs += 1
    if (runs > SIMULATED_RUNS_MAX) {
      const detail = `One simulation runs at most ${SIMULATED_RUNS_MAX} computations; stub them, or simulate less.`
      throw new Fault('WORK_LIMIT_EXCEEDED', detail, { limit: SIMULATED_RUNS_MAX })
    }
    const prepared = prepare(order)
    economy.keyless(caller.bucket, prepared.work)
    const done = await prepared.execute({ signal, onReport: () => undefined, keep: () => undefined })
    if (!isChecked(done)) throw new Fault('ILL_POSED', `It has no error that could be measured: ${done.unsealed}`)
    const { value, unit } = done
    return { bound: boundOf({ output: JSON.parse(done.output), value, unit }, order.bind) }
  }
  return {
    priceOf: (order: ComputeOrder): number => {
      try {
        return prepare(order).price
      } catch (cause) {
        if (cause instanceof Fault) return 0
        throw cause
      }
    },
    outcomeOf: async (order: ComputeOrder, signal: AbortSignal): Promise<ComputeOutcome> => {
      try {
        return await run(order, signal)
      } catch (cause) {
        if (!(cause instanceof Fault) || ofCall.has(cause.code)) throw cause
        return { refused: { reason: 'gate', message: cause.message, code: cause.code } }
      }
    },
  }
}

/** Lets one at a time go on. */
const createLane = () => {
  let last: Promise<unknown> = Promise.resolve()
  /** @returns what ends the turn. @throws the signal's reason */
  return async (signal: AbortSignal): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = last
    last = Promise.all([before, promise])
    await before
    if (signal.aborted) resolve()
    signal.throwIfAborted()
    return resolve
  }
}

const shown = (
  ready: ReadyContract,
  it: Simulation,
  { from, until }: { readonly from: number; readonly until: number },
) => {
  const { timeline, counts, stopped, tick, standing, spending, coverage, broken, too_deep, next } = it
  const rows = timeline.map(({ fire: _, cause: __, ...row }) => row)
  return {
    ...{ name: ready.definition.name, version: ready.version, from, until, tick, stopped },
    ...{ state: standing.state, context: standing.context, counts, timeline: rows },
    ...{ spending, coverage, broken, too_deep, next },
  } as unknown as SimulationView
}

/** Plays what contracts would do. Nothing is written, sent or charged. */
export const createSimulation = (context: ContractContext, { read }: Soundness) => {
  const { store, contracts } = context
  const startOf = ({ definition, contract }: SimulationOrder, caller: Caller, tick: number): Start => {
    if ((definition === undefined) === (contract === undefined)) {
      const message = 'say definition or contract, one of them'
      throw new Fault('INVALID_INPUT', message, { errors: [{ path: '/definition', message }] })
    }
    if (contract !== undefined) {
      const { row } = findContract({ get: store.peek }, { ...contract, caller }, { role: 'none', inPerson: false })
      return { ready: contracts.ready(row), contract: row.contract, id: row.id, standing: row.standing }
    }
    const ready = readyContract(read(definition))
    const name = contractDigest(ready.version, NOWHERE)
    return { ready, contract: name, id: NOWHERE, standing: beginning(ready, name, tick) }
  }

  const enter = createLane()
  /** Plays it to its end, and lets others have their turns. */
  const played = async (
    simulation: SimulatingInTurns,
    outcomeOf: (order: ComputeOrder) => Promise<ComputeOutcome>,
    signal: AbortSignal,
  ): Promise<Simulation> => {
    let leave: (() => void) | undefined
    try {
      let step = simulation.next()
      for (let pauses = 0; step.done !== true; ) {
        if (step.value === PAUSE) {
          pauses += 1
          await new Promise((resolve) => setImmediate(resolve))
          signal.throwIfAborted()
          if (pauses * PAUSE_EVERY >= LONG_DECISIONS) leave ??= await enter(signal)
        }
        step = simulation.next(step.value === PAUSE ? { stubbed: true } : await outcomeOf(step.value))
      }
      return step.value
    } finally {
      leave?.()
    }
  }

  return {
    /**
     * What a definition, or a contract from where it stands, would make of what happens until a tick.
     *
     * @throws Fault INVALID_INPUT, CONTRACT_INVALID, NOT_FOUND; WORK_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED, NODE_BUSY
     * where computations run.
     */
    simulate: async (
      order: SimulationOrder,
      { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
    ): Promise<SimulationView> => {
      // What runs is counted by caller, and the shared key stands for many people.
      if (caller.kind === 'anonymous' || caller.shared)
        throw new Fault('SCOPE_REQUIRED', 'A simulation needs a key of your own.', { scope: 'account' })
      const from = store.now().meshTick
      const until = from + order.ticks
      const start = startOf(order, caller, from)
      assertNamed(start.ready, order)
      const trial = createTrial(context, caller)
      const simulation = simulateInTurns({
        ...{ ...start, from, until, happenings: happeningsOf(order, from), priceOf: trial.priceOf },
        ...{ decisionsMax: CALL_DECISIONS_MAX, timelineMax: order.limit },
      })
      const found = await played(
        simulation,
        async (it) => (order.compute === 'stub' ? { stubbed: true } : trial.outcomeOf(it, signal)),
        signal,
      )
      return shown(start.ready, found, { from, until })
    },
  }
}
