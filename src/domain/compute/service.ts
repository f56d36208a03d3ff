import { availableParallelism } from 'node:os'
import type { Caller } from '#core/caller.ts'
import type { Bundle, Code } from '#core/claim.ts'
import { momentAt } from '#core/clock.ts'
import { Fault } from '#core/fault.ts'
import type { SignedVerdict } from '#core/verdict.ts'
import type { Order } from '#numerics/operators/computation.ts'
import { constantsDigest } from '#numerics/operators/constants.ts'
import type { RegistryHistory } from '#numerics/operators/history.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { kernelDigest, release } from '#numerics/runtime/kernel.ts'
import { kernelDigests } from '#numerics/runtime/replay.ts'
import { aided } from '#numerics/runtime/solver.ts'
import { solvers as ownSolvers } from '#numerics/solvers/index.ts'
import type { JobRow } from '#store/rows/job.ts'
import { createAnswers } from './answers.ts'
import { asAuto, createAutoOrders } from './auto-orders.ts'
import { createSolving, type OfferCall } from './away-run.ts'
import { openBatches } from './batch/service.ts'
import type { Batches } from './batch/types.ts'
import { createBundles } from './bundles.ts'
import { type Codecs, createCodecs } from './codecs.ts'
import type { Elsewhere } from './elsewhere.ts'
import { createHeldRuns, type HeldRuns } from './held.ts'
import { createJobs } from './jobs.ts'
import { createLaunch } from './launch.ts'
import { loadHistory } from './load-registry.ts'
import { createOperatorOrders } from './operator-orders.ts'
import { createPaces, type Paced, type Paces } from './paces.ts'
import { createParts, type Parts } from './parts.ts'
import { createPictures } from './pictures.ts'
import { createPool } from './pool.ts'
import type { Prepared } from './prepared.ts'
import { createQuotes } from './quote.ts'
import { openReactors, type ReactorRoom, type StepPlace } from './reactor/service.ts'
import type { Reactors } from './reactor/types.ts'
import { createRunner } from './runner.ts'
import { createSealer } from './seal.ts'
import { measureSlowness } from './slowness.ts'
import { createSolverOrders } from './solver-orders.ts'
import { asked } from './tally.ts'
import type {
  Attestation,
  AutoCall,
  AutoReading,
  Computed,
  ComputeLoad,
  ComputePorts,
  JobFrame,
  OperatorCall,
  Picture,
  RequestContext,
  Reverification,
  Sealed,
  Unsealed,
  Wanted,
} from './types.ts'
import { createVerdicts } from './verdicts.ts'
import type { JobView, Quote } from './views/jobs.ts'

/** The kernel's version, as the interface document gives it. */
export const KERNEL_VERSION = '1.287.5'

/** One thread is left to the interface, the log and the mesh. */
const threadsOf = (configured: number): number =>
  configured > 0 ? configured : Math.max(1, availableParallelism() - 1)

/** The compute domain: the only way to a sealed result. */
export interface Compute extends AsyncDisposable {
  /** Digests of everything that computes here, without the solver of one claim. */
  readonly code: Omit<Code, 'solver'>
  /** The operator rows; `registry.version` is the claim's registry_version. */
  readonly registry: OperatorRegistry
  /** The same, and those of earlier versions. */
  readonly history: RegistryHistory
  readonly kernelVersion: string
  /** Stateful loops over solvers whose answer is a state. */
  readonly reactors: Reactors
  /** Transforms of bytes that seal nothing. */
  readonly codecs: Codecs
  /** Parts of runs that are done or checked for other nodes. */
  readonly parts: Parts
  /** Calls that are opened together, so that none can be left out afterwards. */
  readonly batches: Batches
  /** Computations that are sealed in a transaction of somebody else's. */
  readonly held: HeldRuns
  /** How busy it is: threads, computations that wait for one, jobs by state. */
  load(): ComputeLoad

  /**
   * Runs a sealed solver and seals its result, in the order of definitions.md, "The gate".
   *
   * @throws Fault of validation, refusal, INSUFFICIENT_BALANCE, the gate (422), DAILY_LIMIT_EXCEEDED, NODE_BUSY.
   */
  solve(name: string, input: unknown, asking: RequestContext): Promise<Computed>
  /** Gives solvers' runs the way to other nodes. */
  join(elsewhere: Elsewhere): void
  /**
   * As {@link solve}, by another node, and always as a job.
   *
   * @throws Fault as {@link solve}; CONSENT_REQUIRED, WORK_LIMIT_EXCEEDED {limit}, NO_WORKER
   */
  offer(call: OfferCall, asking: RequestContext): Promise<Computed>
  /** Evaluates 1 to 3 operators and seals. @throws Fault as {@link solve}, and those of the operator pipeline. */
  operate(order: OperatorCall, asking: RequestContext): Promise<Computed>
  /** The keyless twin of {@link operate}: work cap, budget per address, minted to the house. */
  prove(order: OperatorCall, asking: RequestContext): Promise<Computed>
  /** Reads a call in words and runs what it means. @throws Fault AMBIGUOUS_INPUT that asks, and as {@link solve}. */
  auto(call: AutoCall, asking: RequestContext): Promise<Computed>
  /** Only reads a call in words; nothing runs. @throws Fault as {@link auto} before the hold. */
  read(call: AutoCall, asking: RequestContext): Promise<AutoReading>
  /**
   * Price, work and time of a call; runs nothing.
   *
   * @param kind `auto`, `compute`, `prove`, or the name of a solver.
   * @throws Fault NOT_FOUND, INVALID_INPUT and the refusals.
   */
  quote(kind: string, input: unknown, asking: RequestContext): Promise<Quote>
  /**
   * Measures in some two seconds how many times as long this machine takes as the one of the table of paces; quotes go
   * by it from then on. @throws the signal's reason; Fault NODE_BUSY, NODE_STOPPING.
   */
  measureSlowness(signal: AbortSignal): Promise<number>
  /** Quotes go by what was measured at an earlier start. */
  adoptSlowness(slowness: number): void

  /** The caller's own jobs, newest first. @throws Fault SCOPE_REQUIRED for callers who share theirs with others. */
  jobs(caller: Caller): readonly JobView[]
  /** @throws Fault NOT_FOUND, also for another caller's job. */
  job(id: string, caller: Caller): Promise<JobView>
  /** The answer of a job that is done; undefined while it is not. @throws Fault NOT_FOUND */
  jobAnswer(id: string, caller: Caller): Promise<Sealed | Unsealed | undefined>
  /** The job's frames after `after`, until it is over or the signal aborts. @throws Fault NOT_FOUND */
  jobFrames(id: string, asking: RequestContext, after: number): AsyncIterable<JobFrame>
  /** Ends a job; nothing is charged. @throws Fault NOT_FOUND, JOB_FINISHED */
  cancel(id: string, caller: Caller): Promise<JobView>

  /** A picture of an answer. @throws Fault NOT_FOUND for a plot that is not there; NODE_BUSY. */
  picture(kind: string, inputs: unknown, it: Sealed | Unsealed, wanted: Wanted): Promise<Picture>
  /** A picture of a stored result, for whoever may see its envelope. @throws Fault NOT_FOUND; NODE_BUSY. */
  storedPicture(tokenId: string, of: { caller: Caller; nonce?: string | undefined }, wanted: Wanted): Promise<Picture>

  /** @throws Fault NOT_FOUND; NOT_SEALED_YET until a checkpoint covers the envelope. */
  bundle(tokenId: string, caller: Caller, nonce?: string): Promise<Bundle>
  /** Re-runs a claim's result. @throws Fault INVALID_INPUT, WORK_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED */
  reverify(request: Reverification, asking: RequestContext): Promise<SignedVerdict>
  /** The stricter path: closed forms only, and a signature that verifies. @throws Fault as {@link reverify}. */
  attest(request: Attestation, asking: RequestContext): Promise<SignedVerdict>
}

/** A job's stored recipe as a computation again; its caller's limits are those of now. */
const again =
  (orders: {
    readonly solver: ReturnType<typeof createSolverOrders>
    readonly operators: ReturnType<typeof createOperatorOrders>
    readonly reactor: ReactorRoom['prepare']
  }) =>
  async ({ recipe, caller }: Pick<JobRow, 'recipe' | 'caller'>): Promise<Prepared> => {
    const { what, name, inputs, publish } = recipe
    if (what === 'reactor')
      return asAuto(await orders.reactor({ ...(inputs as unknown as StepPlace), publish }, caller), recipe)
    if (what === 'operators') {
      const order = { ...(inputs as unknown as Order), publish }
      return asAuto(orders.operators(name === 'prove' ? 'prove' : 'compute', order), recipe)
    }
    const solved = orders.solver(name, inputs, caller)
    return asAuto(publish === undefined ? solved : { ...solved, recipe: { ...solved.recipe, publish } }, recipe)
  }

/** What a replay must load, by solver; in the order of the canonical form, as the claim that it stands in. */
const codeOf =
  ({ version }: Pick<OperatorRegistry, 'version'>) =>
  (solver: string, kernels: readonly string[]): Code => ({
    constants: constantsDigest,
    kernels: kernelDigests(kernels),
    math: kernelDigest('math'),
    registry: version,
    release,
    solver,
  })

/** How fast this machine is: measured now, or at an earlier start. */
const pacing = (
  of: Omit<Parameters<typeof measureSlowness>[0], 'expect'>,
  paces: Paces,
): Pick<Compute, 'measureSlowness' | 'adoptSlowness'> => ({
  measureSlowness: async (signal) => {
    const { expect } = createPaces() // as the table says, whatever was learnt
    paces.slowness = await measureSlowness({ ...of, expect: (run: Paced) => expect(run).seconds }, signal)
    return paces.slowness
  },
  adoptSlowness: (slowness) => {
    paces.slowness = slowness
  },
})

/** The compute domain of one node. Jobs of an earlier start run again beside what is new. */
export const createCompute = async (ports: ComputePorts): Promise<Compute> => {
  const { options } = ports
  const history = loadHistory()
  const registry = history.current
  const solvers = (ports.solvers ?? ownSolvers).map((it) => aided(it, { registry: () => registry }))
  const now = () => momentAt(ports.clock.now(), ports.node.genesisMeshTick)
  const threads = threadsOf(options.threads)
  const file = ports.workerFile === undefined ? {} : { file: ports.workerFile }
  const pool = ports.pool ?? createPool({ threads, queueMax: options.queueMax, sleep: ports.sleep, ...file })
  const codeFor = codeOf(registry)
  const { seal, within } = createSealer(ports, codeFor, { registry: registry.version, kernel: KERNEL_VERSION })
  const answers = createAnswers(ports)
  const paces = createPaces()
  const runner = createRunner(ports, { seal, answers, paces })
  const jobs = createJobs(ports)
  const { launch, relaunch } = createLaunch(ports, { runner, jobs, answers })
  const orders = { solver: createSolverOrders(solvers, pool, now), operators: createOperatorOrders(registry, pool) }
  const auto = createAutoOrders({ pool, calls: ports.calls, orders })
  const verdicts = createVerdicts(ports, { registry, solvers, pool, codeFor })
  const room = await openReactors(ports, { solvers, orders: orders.solver, pool })
  const remake = again({ ...orders, reactor: room.prepare })

  await jobs.load()
  const recovery = await jobs.recover(async (row) => relaunch(await remake(row), row), threads)

  const batches = await openBatches(ports, { orders: { ...orders, again: remake }, runner, answers, pool, threads })

  const parts = createParts({ solvers, pool, codeFor })
  const begun = asked(ports.tally)
  const { solver: _, ...everything } = codeFor('', [...new Set(solvers.flatMap((it) => it.kernels))])
  return {
    code: everything,
    registry,
    history,
    kernelVersion: KERNEL_VERSION,
    codecs: createCodecs(),
    parts,
    batches,
    held: createHeldRuns(ports, { orders, within, paces, pool, answers }),
    load: () => ({ threads, waiting: pool.waiting, waitingMax: options.queueMax, jobs: jobs.counts() }),
    ...createSolving({ parts, orders: (...of) => begun(() => orders.solver(...of)), economy: ports.economy, launch }),
    operate: async (order, asking) => launch(await begun(() => orders.operators('compute', order)), asking),
    prove: async (order, asking) => launch(await begun(() => orders.operators('prove', order)), asking),
    auto: async (call, asking) => launch((await begun(() => auto(call, asking))).prepared, asking),
    read: async (call, asking) => {
      const { prepared, reading, readingDigest } = await auto(call, asking)
      return { reading, reading_digest: readingDigest, price: prepared.price, work: prepared.work }
    },
    quote: createQuotes({ ...orders, auto }, paces),
    ...pacing({ solvers, pool, now: ports.clock.now }, paces),
    reactors: room.open(launch),
    jobs: jobs.list,
    job: async (id, caller) => jobs.view(id, caller),
    jobAnswer: async (id, caller) => {
      const found = await jobs.result(id, caller)
      return found === undefined || !('tokenId' in found) ? found : answers.recall(found.tokenId)
    },
    jobFrames: (id, { caller, signal }, after) => jobs.frames(id, caller, { after, signal }),
    cancel: jobs.cancel,
    bundle: createBundles(ports, answers),
    ...createPictures(ports, { answers, pool, solvers }),
    ...verdicts,
    [Symbol.asyncDispose]: async () => {
      jobs.stop()
      batches.stop()
      await runner.stop(new Fault('NODE_STOPPING'))
      await Promise.all([recovery.over, batches.over()])
      if (ports.pool === undefined) await pool[Symbol.asyncDispose]()
    },
  }
}
