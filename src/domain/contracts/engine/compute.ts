import type { Caller } from '#core/caller.ts'
import type { FireComputation, FireProblem } from '#core/contract/fire-row.ts'
import type { Scalar } from '#core/contract/standing.ts'
import { Fault } from '#core/fault.ts'
import type { HeldRun } from '#domain/compute/held.ts'
import { payerFor } from '#domain/identity/payer.ts'
import { boundOf } from '#numerics/contracts/fire/bound.ts'
import { type Decision, decide } from '#numerics/contracts/fire/decide.ts'
import type { ComputeOrder, ComputeOutcome } from '#numerics/contracts/fire/effects.ts'
import type { ContractRow } from '#store/rows/contract.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import { beyondBudget, dayOf, spentOn } from './day.ts'
import type { FireCourse } from './finish.ts'
import { stimulusOf } from './stimuli.ts'
import type { EngineContext } from './types.ts'

/** A computation of a fire that passed the gate, and waits for the fire's commit. */
export interface HeldComputation {
  readonly run: HeldRun
  readonly said: Omit<FireComputation, 'token_id'>
}

/** What a fire came to before its commit. */
export interface FireComputed<D extends Decision = Exclude<Decision, { kind: 'compute' }>> {
  readonly decision: D
  readonly held: readonly HeldComputation[]
}

/** Who pays for what a contract computes: the owner of its machine. */
export const payerOf = (
  context: Pick<EngineContext, 'store' | 'signer'>,
  { owner_zid }: MachineRow,
  { id }: Pick<ContractRow, 'id'>,
): Caller => payerFor(context, owner_zid, `contract:${id}`)

const problemOf = ({ code, message }: Fault): FireProblem => ({
  reason: code === 'INSUFFICIENT_BALANCE' ? 'credits' : 'gate',
  ...{ message, code },
})

/** Refusals that say nothing of what was asked: the node stops, or its log takes nothing. */
const isPause = (cause: unknown, signal: AbortSignal): boolean =>
  signal.aborted || (cause instanceof Fault && cause.code === 'NODE_STOPPING')

/** Creates what runs the computations of a fire, one after another, until its decision needs no more. */
export const createComputing = (context: EngineContext) => {
  const { held: door } = context.compute

  return async (
    { row, machine, course }: { readonly row: ContractRow; readonly machine: MachineRow; readonly course: FireCourse },
    held: HeldComputation[],
    signal: AbortSignal,
  ): Promise<FireComputed> => {
    const { ready, standing, fire, tick } = course
    const caller = payerOf(context, machine, row)
    const spent = spentOn(row, dayOf(tick))
    const outcomes: ComputeOutcome[] = []

    const run = async ({ solver, operators, inputs, bind }: ComputeOrder): Promise<ComputeOutcome> => {
      try {
        const prepared = door.prepare({ solver, operators, inputs }, caller)
        const credits = held.reduce((sum, it) => sum + it.run.credits, prepared.price)
        const beyond = beyondBudget(ready.definition, spent, { credits })
        if (beyond !== undefined) return { refused: { reason: 'budget', message: beyond } }
        const run = await door.run(prepared, caller, signal)
        const { kind, value, unit, inputsDigest: inputs_digest, resultDigest: result_digest } = run.checked
        const bound = boundOf({ output: JSON.parse(run.checked.output), value, unit }, bind)
        held.push({
          run,
          said: { kind, inputs_digest, result_digest, bound: bound as Readonly<Record<string, Scalar>> },
        })
        await run.ready()
        return { bound }
      } catch (cause) {
        if (isPause(cause, signal) || !(cause instanceof Fault)) throw cause
        return { refused: problemOf(cause) }
      }
    }

    for (;;) {
      const decision = decide(ready, standing, stimulusOf(row, fire, course), outcomes)
      if (decision.kind !== 'compute') return { decision, held }
      outcomes.push(await run(decision.order))
    }
  }
}
