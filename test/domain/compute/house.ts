import { bundlePath, computeCalls } from '#api/told-routes.ts'
import type { Caller } from '#core/caller.ts'
import type { Log } from '#core/telemetry.ts'
import { noMeter } from '#core/telemetry.ts'
import { sleep } from '#core/wait.ts'
import { type Compute, createCompute } from '#domain/compute/service.ts'
import { openTally } from '#domain/compute/tally.ts'
import type { ComputeOptions, RequestContext } from '#domain/compute/types.ts'
import type { KeylessLimits } from '#domain/economy/budget.ts'
import { createEconomy } from '#domain/economy/service.ts'
import { createCustody } from '#domain/identity/custody.ts'
import { openNodeKeys } from '#domain/identity/node-keys.ts'
import { openIdentity } from '#domain/identity/service.ts'
import { createMachines } from '#domain/machines/service.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { openStore } from '#store/open.ts'
import { type FixedClock, fixedClock } from '../../kit/clock.ts'
import { keptRuns, sharedPool } from '../../kit/pool.ts'
import type { House } from '../house.ts'

/** A house with the compute domain on top, as a node has it. */
export interface ComputeHouse extends House {
  readonly compute: Compute
  readonly events: readonly string[]
}

export interface ComputeHouseOptions {
  readonly clock?: FixedClock
  readonly options?: Partial<ComputeOptions>
  readonly solvers?: readonly Solver[]
  readonly workerFile?: URL
  readonly keyless?: KeylessLimits
  /** True: a node of its owner's own machine, where the owner lacks no credits. */
  readonly trustsOwner?: boolean
  /** True: a run that some test has asked a node for before is not computed again. */
  readonly keptRuns?: boolean
}

const quiet = (events: string[]): Log => {
  const keep = (_fields: object, event: string): void => void events.push(event)
  return { debug: keep, info: keep, warn: keep, error: keep, audit: keep }
}

export const openComputeHouse = async (directory: string, given: ComputeHouseOptions = {}): Promise<ComputeHouse> => {
  await using opened = new AsyncDisposableStack()
  const clock = given.clock ?? fixedClock()
  const keys = openNodeKeys(directory)
  const store = opened.use(await openStore({ directory, clock, signer: keys.signer }))
  const keyless = given.keyless ?? { workMax: 5_000, workPerDay: 20_000, bucketsMax: 16 }
  const { trustsOwner = false } = given
  const workSecret = keys.secret('proof-of-work')
  const economy = createEconomy({
    store,
    signer: keys.signer,
    workSecret,
    custody: createCustody(keys),
    keyless,
    bundlePath,
    trustsOwner,
  })
  const identity = await openIdentity({ directory, store, economy, keys })
  const events: string[] = []
  // What is asked of threads and of their queue is judged on a pool of its own.
  const own = given.options?.threads !== undefined || given.options?.queueMax !== undefined
  const { workerFile } = given
  const threads = own
    ? { ...(workerFile === undefined ? {} : { workerFile }) }
    : { pool: given.keptRuns === true ? keptRuns() : sharedPool(workerFile) }
  const machines = createMachines({
    store,
    economy,
    nodeId: keys.nodeId,
    vault: keys.vault,
    repeatSecret: keys.secret('repeat'),
  })
  const compute = opened.use(
    await createCompute({
      store,
      economy,
      machines,
      tally: await openTally(store),
      clock,
      sleep,
      log: quiet(events),
      meter: noMeter,
      signer: keys.signer,
      node: { id: keys.nodeId, genesisMeshTick: store.genesisMeshTick },
      pulseSecret: keys.secret('pulse'),
      calls: computeCalls,
      options: { threads: 1, queueMax: 4, waitMs: 30_000, jobsMax: 8, ...given.options },
      ...(given.solvers === undefined ? {} : { solvers: given.solvers }),
      ...threads,
    }),
  )
  const resources = opened.move()
  return {
    clock,
    keys,
    store,
    economy,
    identity,
    machines,
    compute,
    events,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** How a caller asks, without a client that could leave. */
export const asking = (caller: Caller, more: Partial<RequestContext> = {}): RequestContext => ({
  caller,
  route: 'POST /asked',
  signal: new AbortController().signal,
  ...more,
})

export const stranger: Caller = { kind: 'anonymous', bucket: '198.51.100.7' }

/** Everything that a refusal must leave as it was. */
export const stateOf = ({ store }: House, account: string) => ({
  leaves: store.log.size,
  root: store.log.root,
  free: store.balance('free', account),
  paid: store.balance('paid', account),
  coins: store.supply('coin'),
})
