import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { ownerOf } from '#domain/compute/job.ts'
import type { Pool } from '#domain/compute/pool.ts'
import type { Prepared } from '#domain/compute/prepared.ts'
import type { SolverOrders } from '#domain/compute/solver-orders.ts'
import type { Computed, ComputePorts, RequestContext } from '#domain/compute/types.ts'
import type { ReactorView } from '#domain/compute/views/reactor.ts'
import { createWaits } from '#domain/waits.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import type { ReactorRow } from '#store/rows/reactor.ts'
import { type AskNode, createAnswering, createFarNext } from './away.ts'
import { createCreation } from './create.ts'
import { createCollect, createNext, createObserve } from './follow.ts'
import { createLooks, createTrajectories } from './look.ts'
import { createReactorStore } from './reactor-store.ts'
import { reactorView, stepView } from './shown.ts'
import { createSteps } from './steps.ts'
import { type Reactors, reactorWaits, type StepOrder } from './types.ts'

type Ports = Pick<ComputePorts, 'store' | 'economy' | 'clock' | 'sleep' | 'node' | 'machines'>

interface Collaborators {
  readonly solvers: readonly Solver[]
  readonly orders: SolverOrders
  readonly pool: Pool
}

/** Which step a job was to take. */
export interface StepPlace {
  readonly reactor: string
  readonly step: number
}

/** The reactors of a node before there is a way to run anything. */
export interface ReactorRoom {
  /** A step as a computation that has not begun; a job's recipe names the step that it was to take. */
  prepare(order: StepPlace & Pick<StepOrder, 'publish'>, caller: Caller): Promise<Prepared>
  /** Everything else, once computations can be launched. */
  open(launch: (prepared: Prepared, asking: RequestContext) => Promise<Computed>): Reactors
}

/** Reads the reactors of a node. */
export const openReactors = async (ports: Ports, { solvers, orders, pool }: Collaborators): Promise<ReactorRoom> => {
  const { machines } = ports
  const node = ports.node.id
  const reactorStore = createReactorStore(ports)
  await reactorStore.load()
  const waits = createWaits(ports.sleep, reactorWaits)
  const steps = createSteps(ports, { reactorStore, solvers, orders, pool, machines })
  const create = createCreation(ports, { reactorStore, solvers, orders, machines })
  const view = (row: ReactorRow): ReactorView => reactorView(row, { node, busy: reactorStore.busy.has(row.id) })
  let ask: AskNode | undefined
  let beaten = Promise.withResolvers<void>()

  const open: ReactorRoom['open'] = (launch) => {
    const step: Reactors['step'] = async (order, asking) => launch(await steps(order, asking.caller), asking)
    const looks = { reactorStore, waits, machines, pool, solvers, view }
    const near = createNext({ reactorStore, waits, machines, node })
    const observe = createObserve(ports, { reactorStore, waits, machines, node, view, step })
    const far = createFarNext({ waits }, () => ask)
    return {
      ...createLooks(looks),
      trajectory: createTrajectories(ports, looks),
      create: async (order, asking) => {
        const { id, replayed } = await create(order, asking)
        return { view: view(reactorStore.find(id, asking.caller, 'read')), replayed }
      },
      list: (caller) => {
        // An address or the shared key stands for many people, whose reactors are each other's secret.
        if (caller.kind === 'anonymous' || caller.shared) {
          throw new Fault('SCOPE_REQUIRED', 'Listing reactors needs a key of your own.', { scope: 'account' })
        }
        return reactorStore.ofOwner(ownerOf(caller)).map(view)
      },
      step,
      beside: ({ extras }) => {
        const { id, step: number } = extras['reactor'] as { readonly id: string; readonly step: number }
        const [row, taken] = [reactorStore.peek(id), reactorStore.stepAt(id, number)]
        if (row === undefined || taken === undefined) return null
        return { id, machine: row.slug, status: view(row).status, steps: row.terms.steps, ...stepView(taken) }
      },
      observe,
      collect: createCollect({ reactorStore, waits, view }, observe),
      next: (order, asking) => {
        const { node: other } = order
        return other === undefined || other === node ? near(order, asking) : far({ ...order, node: other }, asking)
      },
      answer: createAnswering({ reactorStore, waits, machines }, () => beaten.promise),
      join: (way) => {
        ask = way
      },
      beat: () => {
        beaten.resolve()
        beaten = Promise.withResolvers()
      },
      load: () => ({ reactors: reactorStore.size, waiting: waits.count }),
    }
  }

  return { prepare: steps, open }
}
