import type { Json } from '#core/canonical.ts'
import { inputsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { stateDigest, trajectoryWalk } from '#core/reactor.ts'
import { breathe } from '#core/wait.ts'
import type { Pool } from '#domain/compute/pool.ts'
import { isChecked } from '#domain/compute/task.ts'
import type { ComputePorts, ReactorMachines, RequestContext } from '#domain/compute/types.ts'
import type { ReactorView, Spread, StepProof, StepView, TrajectoryView } from '#domain/compute/views/reactor.ts'
import type { Waits } from '#domain/waits.ts'
import { ERROR_PCT_MAX, type Solver } from '#numerics/runtime/solver.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { keepsState, keptOf, type ReactorRow, type ReactorStepRow } from '#store/rows/reactor.ts'
import { mayRead } from './follow.ts'
import type { ReactorStore } from './reactor-store.ts'
import { chainView, stepView } from './shown.ts'
import { sameSolver } from './steps.ts'
import { lasting } from './taken.ts'
import type { Reactors } from './types.ts'

const spread = (values: readonly number[]): Spread | null => {
  const last = values.at(-1)
  if (last === undefined) return null
  let [least, largest, sum] = [last, last, 0]
  for (const it of values) {
    least = Math.min(least, it)
    largest = Math.max(largest, it)
    sum += it
  }
  return { least, largest, mean: sum / values.length, last }
}

/** Spreads of named numbers over the steps; names that a step lacks are left out of it. */
const spreads = (rows: readonly Readonly<Record<string, number | null>>[]): Readonly<Record<string, Spread>> => {
  const byName = new Map<string, number[]>()
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const values = byName.get(name) ?? []
      if (value !== null) values.push(value)
      byName.set(name, values)
    }
  }
  return Object.fromEntries(
    [...byName].flatMap(([name, values]) => {
      const found = spread(values)
      return found === null ? [] : [[name, found]]
    }),
  )
}

interface Collaborators {
  readonly reactorStore: ReactorStore
  readonly waits: Waits
  readonly machines: ReactorMachines
  readonly pool: Pool
  readonly solvers: readonly Solver[]
  readonly view: (row: ReactorRow) => ReactorView
}

type Ports = Pick<ComputePorts, 'store' | 'economy'>

/** Steps of a trajectory that are looked at between two breaths of the loop. */
const STEPS_PER_BREATH = 128

/** The nearest step at or before the middle whose state is kept. */
const middleOf = (row: ReactorRow): number => {
  let step = Math.floor(row.step / 2)
  while (!keepsState(row, step)) step -= 1
  return step
}

/** Takes the second half of a trajectory again, from a state that was kept. */
const createRerun = (
  { economy }: Ports,
  { reactorStore, pool, solvers }: Pick<Collaborators, 'reactorStore' | 'pool' | 'solvers'>,
) => {
  /** The step again; undefined when the solver or the gate refuses what it once took. */
  const again = async (kind: string, inputs: Json, signal: AbortSignal) => {
    try {
      const found = await pool.run({ name: kind, inputs, goesOn: true }, { signal })
      return isChecked(found) && found.continued !== null ? { found, continued: found.continued } : undefined
    } catch (cause) {
      if (cause instanceof Fault && lasting.has(cause.code)) return undefined
      throw cause
    }
  }

  return async (
    row: ReactorRow,
    rows: readonly ReactorStepRow[],
    { caller, signal }: RequestContext,
  ): Promise<NonNullable<TrajectoryView['rerun']>> => {
    const solver = sameSolver(solvers, row)
    const from = middleOf(row)
    const part = rows.slice(from + 1)
    let work = 0
    for (const it of part) work += it.work
    economy.keyless(caller.bucket, work)
    const [text, first] = [await reactorStore.stateAt(row.id, from), rows[from]]
    if (text === undefined || first === undefined) throw new Fault('REACTOR_BUSY', 'It moved on; ask again.')
    let [inputs, previous] = [JSON.parse(text) as Json, first.state]
    if (inputsDigest(solver.input, inputs as object) !== first.inputs_digest) {
      return { from, to: row.step, agrees: false, differs_at: from }
    }
    for (const it of part) {
      const differs = { from, to: row.step, agrees: false, differs_at: it.step }
      const taken = await again(row.kind, inputs, signal)
      if (taken === undefined) return differs
      const { found, continued } = taken
      const digests = { inputs_digest: continued.inputsDigest, result_digest: found.resultDigest }
      previous = stateDigest({ contract: row.contract, step: it.step, previous, ...digests })
      if (previous !== it.state || found.reality.errorPct !== it.error_pct) return differs
      inputs = JSON.parse(continued.inputs) as Json
    }
    return { from, to: row.step, agrees: true, differs_at: null }
  }
}

const stepsOf = async (reactorStore: ReactorStore, { id, step }: ReactorRow): Promise<readonly ReactorStepRow[]> => {
  const rows: ReactorStepRow[] = []
  for await (const row of reactorStore.steps(id, 0, step + 1)) rows.push(row)
  return rows
}

/** Reads trajectories, and verifies each whole before it is shown. */
export const createTrajectories = (ports: Ports, parts: Collaborators): Reactors['trajectory'] => {
  const { reactorStore, machines, view } = parts
  const { store } = ports
  const rerun = createRerun(ports, parts)

  const proofOf = async ({ slug }: ReactorRow, { seq }: ReactorStepRow): Promise<StepProof | null> =>
    slug === null || seq === null ? null : ((await machines.proved(slug, seq)) ?? null)

  /** Whether the entry of a step in the machine's chain says what the row says. */
  const saidInChain = (slug: string, { seq, state }: ReactorStepRow): boolean => {
    const row = seq === null ? undefined : store.peek('machineEntry', keyOf(slug, seqKey(seq)))
    return (row?.entry.body as { readonly state?: unknown } | undefined)?.state === state
  }

  const verify = async ({ slug, contract }: ReactorRow, rows: readonly ReactorStepRow[]) => {
    const walk = trajectoryWalk(contract)
    let entries = 0
    let unsaid: number | undefined
    for (const [i, row] of rows.entries()) {
      if (i % STEPS_PER_BREATH === STEPS_PER_BREATH - 1) await breathe()
      walk.step(keptOf(row))
      if (slug === null || unsaid !== undefined) continue
      if (saidInChain(slug, row)) entries += 1
      else unsaid = row.step
    }
    const { broken, count, valid } = walk.verdict()
    const silent = unsaid === undefined ? null : { step: unsaid, why: 'its entry in the chain says another state' }
    return { valid: valid && silent === null, count, entries, broken: broken ?? silent }
  }

  return async (query, asking) => {
    const row = reactorStore.find(query.reactor, asking.caller, query.rerun ? 'read' : 'follow')
    const reads = mayRead(reactorStore, row, asking.caller)
    const shows = reads ? stepView : chainView
    const rows = await stepsOf(reactorStore, row)
    const verified = await verify(row, rows)
    const first = query.after === undefined ? 0 : query.after + 1
    const page = rows.slice(first, first + query.limit)
    const shown: (StepView & { readonly entry: StepProof | null })[] = []
    for (const it of page) shown.push({ ...shows(it), entry: query.proofs ? await proofOf(row, it) : null })
    const last = first + page.length - 1
    return {
      reactor: reads ? view(row) : { ...view(row), value: null },
      rows: shown,
      next_after: last < row.step && page.length > 0 ? last : null,
      verified,
      rerun: query.rerun ? await rerun(row, rows, asking) : null,
    }
  }
}

const STATE_TRIES = 4

/** Reads the newest state, and what the steps so far came to. */
export const createLooks = ({ reactorStore, waits, view }: Collaborators): Pick<Reactors, 'state' | 'telemetry'> => ({
  state: async (reactor, { caller }) => {
    const found = reactorStore.find(reactor, caller, 'read')
    // A step taken meanwhile may have put the state away: then the newer one is read.
    for (let tries = 0; tries < STATE_TRIES; tries++) {
      const row = reactorStore.newest(found.id)
      const [input, kept] = [await reactorStore.stateAt(row.id, row.step), reactorStore.stepAt(row.id, row.step)]
      if (input === undefined || kept === undefined) continue
      const { step, state: digest } = row
      return { reactor: view(row), step, digest, inputs_digest: kept.inputs_digest, input }
    }
    throw new Fault('REACTOR_BUSY', 'It moves faster than it can be read; ask again.')
  },

  telemetry: async (reactor, { caller }) => {
    const row = reactorStore.find(reactor, caller, 'read')
    const rows = (await stepsOf(reactorStore, row)).slice(1)
    const sealed = rows.filter((it) => it.token_id !== null).length
    const errorPct = spread(rows.map((it) => it.error_pct))
    const error_left = Math.max(0, ERROR_PCT_MAX - row.error_sum)
    const mean = errorPct?.mean ?? 0
    const [first, last] = [rows[0], rows.at(-1)]
    const ticks = first === undefined || last === undefined ? 0 : last.tick - first.tick
    return {
      reactor: view(row),
      steps_taken: row.step,
      sealed,
      credits: sealed * row.price,
      work: rows.reduce((sum, it) => sum + it.work, 0),
      took_ms: spread(rows.map((it) => it.took_ms)),
      errorPct,
      errorSum: row.error_sum,
      error_left,
      steps_left: mean > 0 ? Math.min(Number.MAX_SAFE_INTEGER, Math.floor(error_left / mean)) : null,
      figures: spreads(rows.map((it) => it.figures)),
      observed: spreads(rows.map((it) => it.observed)),
      state_bytes: (await reactorStore.stateAt(row.id, row.step))?.length ?? 0,
      ticks_per_step: rows.length < 2 ? null : ticks / (rows.length - 1),
      waiting: waits.of(row.id),
    }
  },
})
