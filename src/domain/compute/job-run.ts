import type { Static, TObject } from 'typebox'
import { toJson } from '#core/arrays.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { Order } from '#numerics/operators/computation.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { COMPUTE } from '#numerics/operators/sealed.ts'
import { continuation } from '#numerics/reactor/stretch.ts'
import { fieldEquations } from '#numerics/runtime/equations.ts'
import { type Judged, produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { asSealed } from '#numerics/runtime/segment.ts'
import { aided, operatorsOf, type Progress, type Solver, unitOf } from '#numerics/runtime/solver.ts'
import { loadHistory, loadRegistry } from './load-registry.ts'
import { runOperators } from './operator-run.ts'
import {
  type Computable,
  type Continued,
  failedReply,
  type PostedTask,
  PROGRESS_MS,
  type Report,
  type Task,
  type WorkerReply,
} from './task.ts'

/** Tells of a run at most four times a second; the first report says that it has begun, one that it is through. */
export const reporter = (post: (report: Report) => void): Progress => {
  const start = performance.now()
  let last = start
  let through = false
  post({ step: 0, steps: 0, residual: null, elapsedMs: 0 })
  return ({ step, steps, residual }) => {
    const now = performance.now()
    const end = step === steps && !through
    if (now - last < PROGRESS_MS && !end) return
    through ||= end
    last = now
    post({ step, steps, residual: residual ?? null, elapsedMs: now - start })
  }
}

/** The operator rows that a task names. @throws Fault NOT_FOUND with `registry`, the version that is not here. */
const rowsAt = (version: string): OperatorRegistry => {
  const rows = loadHistory().at(version)
  if ('missing' in rows) throw new Fault('NOT_FOUND', rows.missing, { registry: version })
  return rows
}

const continuedOf = (...stretch: Parameters<typeof continuation>): Continued => {
  const { input: next, inputsDigest, quantities } = continuation(...stretch)
  return { inputs: JSON.stringify(next), inputsDigest, quantities }
}

/** What a task asks for: a solver with its rows, and its full input. */
export interface AskedRun {
  readonly solver: Solver
  readonly input: Static<TObject>
}

/** The solver of a task and its input. @throws Fault NOT_FOUND for one that is not here; INVALID_INPUT. */
export const askedOf = (
  all: readonly Solver[],
  { name, inputs, registry: version, sealedBy = '' }: Pick<Task, 'name' | 'inputs' | 'registry' | 'sealedBy'>,
): AskedRun => {
  // Rows that are named are needed: nothing that runs without them says anything of a claim that was made with them.
  const rows = version === undefined ? undefined : rowsAt(version)
  const found = all.find((it) => it.name === name)
  if (found === undefined) throw new Fault('NOT_FOUND', `There is no solver ${name}.`)
  const solver = asSealed(aided(found, { registry: () => rows ?? loadRegistry() }), sealedBy)
  return { solver, input: resolveInput(solver, inputs) }
}

/** A result as a worker sends it. */
export const computableOf = (
  { solver, input }: AskedRun,
  produced: Judged<Static<TObject>, unknown> & Pick<Computable, 'steps'>,
  goesOn = false,
): Computable => {
  const operators = operatorsOf(solver, input)
  const field = fieldEquations(solver.field?.(input, produced.outcome), operators.length)
  const outcome = {
    kind: solver.name,
    solver: `${solver.name}@${solver.revision}`,
    kernels: solver.kernels,
    operators: ['KO42', ...operators],
    inputs: JSON.stringify(input),
    output: JSON.stringify(toJson(produced.outcome.output)),
    inputsDigest: produced.inputsDigest,
    evidenceDigest: produced.evidenceDigest,
    resultDigest: produced.resultDigest,
    steps: produced.steps,
    value: produced.value,
    unit: unitOf(solver, input),
    field,
    extras: {} as Readonly<Record<string, Json>>,
    continued: goesOn ? continuedOf(solver, input, produced.outcome.output) : null,
  }
  const { reality } = produced
  if (reality !== null) return { ...outcome, reality }
  return { ...outcome, reality: null, unsealed: produced.outcome.unsealed ?? '' }
}

/** What operators give, by the rows that a task names. */
export const operatorsRun = ({ inputs, registry }: Pick<Task, 'inputs' | 'registry'>): Computable =>
  runOperators(registry === undefined ? loadRegistry() : rowsAt(registry), inputs as unknown as Order)

const compute = (all: readonly Solver[], sent: PostedTask, progress: Progress): Computable => {
  if (sent.name === COMPUTE) return operatorsRun(sent)
  const asked = askedOf(all, sent)
  return computableOf(asked, produce(asked.solver, asked.input, { progress }), sent.goesOn)
}

/** What a worker does with a task: resolve, run, check, digest. A throw becomes a reply, so nothing of it is lost. */
export const jobOf =
  (all: readonly Solver[]) =>
  (sent: PostedTask): WorkerReply => {
    try {
      return {
        ok: true,
        checked: compute(
          all,
          sent,
          reporter((report) => sent.port.postMessage(report)),
        ),
      }
    } catch (cause) {
      return failedReply(cause)
    } finally {
      sent.port.close()
    }
  }
