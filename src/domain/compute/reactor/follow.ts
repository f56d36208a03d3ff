import { Fault } from '#core/fault.ts'
import { meshTickStart } from '#core/tick.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import { ownerOf } from '#domain/compute/job.ts'
import type { Computed, ComputePorts, ReactorMachines, RequestContext } from '#domain/compute/types.ts'
import type { NextView, Observed, ReactorView, StepView } from '#domain/compute/views/reactor.ts'
import { millisUntil, type Waits } from '#domain/waits.ts'
import { metBy } from '#numerics/reactor/contract.ts'
import type { ReactorRow, ReactorStepRow } from '#store/rows/reactor.ts'
import { assertMaySpend } from './create.ts'
import type { ReactorStore } from './reactor-store.ts'
import { chainView, stepView } from './shown.ts'
import type { NextOrder, ObserveLine, ObserveOrder, StepOrder } from './types.ts'

/** The longest that an observation sleeps before it looks at the clock again, in milliseconds. */
const NAP_MS_MAX = 1_000

interface Collaborators {
  readonly reactorStore: ReactorStore
  readonly waits: Waits
  readonly machines: ReactorMachines
  readonly node: string
  readonly view: (row: ReactorRow) => ReactorView
  readonly step: (order: StepOrder, asking: RequestContext) => Promise<Computed>
}

/** The long-poll on this node. */
export const createNext = ({ reactorStore, waits, machines, node }: Omit<Collaborators, 'view' | 'step'>) => {
  /** The step after a number, once it is there; undefined when the time is over or nothing more can come. */
  const awaited = async (id: string, after: number, { ms, signal }: { ms: number; signal: AbortSignal }) => {
    using time = waits.limit(ms, signal)
    for (;;) {
      const moved = reactorStore.hub.moved(id)
      const row = reactorStore.peek(id)
      if (row === undefined || row.step > after || row.ended !== null || time.over.aborted) return row
      await waits.until([moved], ms, [time.over])
    }
  }

  return async ({ reactor, after, wait }: NextOrder, { caller, signal }: RequestContext): Promise<NextView> => {
    const row = reactorStore.find(reactor, caller, 'follow')
    const from = after ?? row.step
    using _ = waits.enter(ownerOf(caller), row.id)
    const now = await awaited(row.id, from, { ms: wait * MS_PER_SECOND, signal })
    signal.throwIfAborted()
    const found = now === undefined || now.step <= from ? undefined : reactorStore.stepAt(row.id, from + 1)
    if (found === undefined) return { reactor: row.id, node, moved: false, step: null, entry: null }
    const entry = row.slug === null || found.seq === null ? undefined : await machines.proved(row.slug, found.seq)
    const shown = mayRead(reactorStore, row, caller) ? stepView(found) : chainView(found)
    return { reactor: row.id, node, moved: true, step: shown, entry: entry ?? null }
  }
}

/** Whether a caller who follows may also read. */
export const mayRead = (reactorStore: ReactorStore, { id }: ReactorRow, caller: RequestContext['caller']): boolean => {
  try {
    reactorStore.find(id, caller, 'read')
    return true
  } catch (cause) {
    if (cause instanceof Fault) return false
    throw cause
  }
}

/** Quantities of a step that a condition of an observation may name. */
const quantitiesIn = ({ value, error_pct, error_sum, observed }: ReactorStepRow) => ({
  ...observed,
  value,
  errorPct: error_pct,
  errorSum: error_sum,
})

const assertKnown = ({ terms }: ReactorRow, { until }: ObserveOrder): void => {
  const allowed = ['value', 'errorPct', 'errorSum', ...terms.observers]
  if (until === undefined || allowed.includes(until.of)) return
  const message = `${until.of} is not observed; one of ${allowed.join(', ')} is`
  throw new Fault('INVALID_INPUT', `/of: ${message}.`, { errors: [{ path: '/of', message }], allowed })
}

/** Steps that come as long as somebody looks. */
export const createObserve = (
  { store }: Pick<ComputePorts, 'store'>,
  { reactorStore, waits, view, step }: Collaborators,
) => {
  /** Waits for the reactor to move, or for the next tick. */
  const rest = (id: string, signals: readonly AbortSignal[]): Promise<void> => {
    const { instant, meshTick } = store.now()
    const ms = Math.min(NAP_MS_MAX, millisUntil(instant, meshTickStart(meshTick + 1)))
    return waits.until([reactorStore.hub.moved(id)], ms, signals)
  }

  /** Whether this tick has had no step yet, and nobody else is taking one. */
  const mayStep = ({ id, step: taken, moved_tick }: ReactorRow): boolean =>
    !reactorStore.busy.has(id) && (taken === 0 || moved_tick < store.now().tick)

  const stepOnce = async ({ id, step: taken }: ReactorRow, asking: RequestContext): Promise<void> => {
    try {
      await step({ reactor: id, step: taken + 1 }, { ...asking, prefer: 'wait=600', idempotencyKey: undefined })
    } catch (cause) {
      if (!(cause instanceof Fault) || (cause.code !== 'REACTOR_BUSY' && cause.code !== 'STEP_TAKEN')) throw cause
      await rest(id, [asking.signal])
    }
  }

  /**
   * The steps after `after` that are there, then one in each tick. It ends with the contract, the condition or the
   * number of steps asked for, and takes nothing more once the signal aborts.
   *
   * @param patience once it aborts, no tick is waited for any more; a step that has begun is.
   */
  return async function* (
    order: ObserveOrder,
    asking: RequestContext,
    after: number | undefined,
    patience: AbortSignal = new AbortController().signal,
  ): AsyncGenerator<ObserveLine> {
    const { caller, signal } = asking
    const found = reactorStore.find(order.reactor, caller, 'step')
    assertMaySpend(caller)
    assertKnown(found, order)
    using _ = waits.enter(ownerOf(caller), found.id)
    const until = order.until === undefined ? [] : [order.until]
    let last = Math.min(after ?? found.step, found.step)
    let left = order.steps ?? Number.POSITIVE_INFINITY
    while (!signal.aborted && left > 0) {
      const row = reactorStore.newest(found.id)
      const seen = row.step > last ? reactorStore.stepAt(row.id, last + 1) : undefined
      if (seen !== undefined) {
        last = seen.step
        left -= 1
        yield { id: String(last), event: 'step', data: stepView(seen) }
        if (metBy(until, quantitiesIn(seen)) !== undefined) break
      } else if (row.ended !== null) break
      else if (mayStep(row)) await stepOnce(row, asking)
      else if (patience.aborted) break
      else await rest(found.id, [signal, patience])
    }
    if (!signal.aborted) yield { id: String(last), event: 'end', data: view(reactorStore.newest(found.id)) }
  }
}

/** An observation that is answered at once: what came until it ended, or until the wait was over. */
export const createCollect =
  (
    { reactorStore, waits, view }: Pick<Collaborators, 'reactorStore' | 'waits' | 'view'>,
    observe: ReturnType<typeof createObserve>,
  ) =>
  async (
    order: ObserveOrder,
    asking: RequestContext,
    { after, wait }: { readonly after: number | undefined; readonly wait: number },
  ): Promise<Observed> => {
    const { caller, signal } = asking
    const { id, step } = reactorStore.find(order.reactor, caller, 'step')
    using time = waits.limit(wait * MS_PER_SECOND, signal)
    const steps: StepView[] = []
    const lines = observe({ ...order, reactor: id }, asking, after, time.over)
    for await (const { event, data } of lines) if (event === 'step') steps.push(data as StepView)
    signal.throwIfAborted()
    return { reactor: view(reactorStore.newest(id)), steps, next_after: steps.at(-1)?.step ?? after ?? step }
  }
