import { availableParallelism } from 'node:os'
import type { Code } from '#core/claim.ts'
import { momentAt } from '#core/clock.ts'
import { Fault } from '#core/fault.ts'
import type { Order } from '#numerics/operators/computation.ts'
import { constantsDigest } from '#numerics/operators/constants.ts'
import { kernelDigest, release } from '#numerics/runtime/kernel.ts'
import { kernelDigests } from '#numerics/runtime/replay.ts'
import { aided } from '#numerics/runtime/solver.ts'
import { solvers as ownSolvers } from '#numerics/solvers/index.ts'
import { createAnswers } from './answers.ts'
import { asAuto, createAutoOrders } from './auto-orders.ts'
import { createBundles } from './bundles.ts'
import { createCodecs } from './codecs.ts'
import { createRunway } from './flight.ts'
import type { JobRow } from './job.ts'
import { createJobs } from './jobs.ts'
import { createLaunch } from './launch.ts'
import { loadHistory } from './load-registry.ts'
import { createOperatorOrders } from './operator-orders.ts'
import { createPaces } from './paces.ts'
import { createPictures } from './pictures.ts'
import { createPool } from './pool.ts'
import type { Prepared } from './prepared.ts'
import { createQuotes } from './quote.ts'
import { openReactors, type ReactorRoom, type StepPlace } from './reactor/service.ts'
import { createSealer } from './seal.ts'
import { createSolverOrders } from './solver-orders.ts'
import type { Compute, ComputePorts } from './types.ts'
import { createVerdicts } from './verdicts.ts'

/** The kernel's version, as the interface document gives it. */
export const KERNEL_VERSION = '1.287.5'

/** One thread is left to the interface, the log and the mesh. */
const threadsOf = (configured: number): number =>
  configured > 0 ? configured : Math.max(1, availableParallelism() - 1)

/** A job's stored recipe as a computation again; its caller's limits are those of now. */
const again =
  (orders: {
    readonly solver: ReturnType<typeof createSolverOrders>
    readonly operators: ReturnType<typeof createOperatorOrders>
    readonly reactor: ReactorRoom['prepare']
  }) =>
  async ({ recipe, caller }: JobRow): Promise<Prepared> => {
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
  const code = { release, registry: registry.version, constants: constantsDigest, math: kernelDigest('math') }
  const codeFor = (solver: string, kernels: readonly string[]): Code => ({
    ...code,
    kernels: kernelDigests(kernels),
    solver,
  })
  const seal = createSealer(ports, codeFor, { registry: registry.version, kernel: KERNEL_VERSION })
  const answers = createAnswers(ports)
  const paces = createPaces()
  const runway = createRunway(ports, { seal, answers, paces })
  const jobs = createJobs(ports)
  const { launch, relaunch } = createLaunch(ports, { runway, jobs, answers })
  const orders = { solver: createSolverOrders(solvers, pool, now), operators: createOperatorOrders(registry, pool) }
  const auto = createAutoOrders({ pool, orders })
  const verdicts = createVerdicts(ports, { registry, solvers, pool, codeFor })
  const room = await openReactors(ports, { solvers, orders: orders.solver, pool })
  const remake = again({ ...orders, reactor: room.prepare })

  await jobs.load()
  const recovery = await jobs.recover(async (row) => relaunch(await remake(row), row), threads)

  const allKernels = [...new Set(solvers.flatMap((it) => it.kernels))]
  return {
    code: { ...code, kernels: kernelDigests(allKernels) },
    registry,
    history,
    kernelVersion: KERNEL_VERSION,
    codecs: createCodecs(),
    load: () => ({ threads, waiting: pool.waiting, waitingMax: options.queueMax, jobs: jobs.counts() }),
    solve: async (name, input, asking) => launch(orders.solver(name, input, asking.caller), asking),
    operate: async (order, asking) => launch(orders.operators('compute', order), asking),
    prove: async (order, asking) => launch(orders.operators('prove', order), asking),
    auto: async (call, asking) => launch((await auto(call, asking)).prepared, asking),
    read: async (call, asking) => {
      const { prepared, reading } = await auto(call, asking)
      return { reading, price: prepared.price, work: prepared.work }
    },
    quote: createQuotes({ ...orders, auto }, paces),
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
      await runway.ground(new Fault('NODE_STOPPING'))
      await recovery.over
      if (ports.pool === undefined) await pool[Symbol.asyncDispose]()
    },
  }
}
