import type { TObject } from 'typebox'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import type { Moment } from '#core/clock.ts'
import { inputsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { didYouMean, shortened, slipsOf } from '#core/near-names.ts'
import { price } from '#core/price.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { operatorsOf, type Solver } from '#numerics/runtime/solver.ts'
import type { Pool } from './pool.ts'
import type { Prepared } from './prepared.ts'

/** The kernel operator, first in every computation. */
const KERNEL_OPERATOR = 'KO42'

/** The most work that a caller may ask of a solver: less without an account. */
export const workMaxOf = ({ limits }: Pick<Solver, 'limits'>, caller: Caller): number =>
  caller.kind === 'anonymous' || caller.kind === 'demo' ? limits.workAnonymousMax : limits.workMax

/**
 * Validates and prices a solver call; nothing runs and nothing is held. What only this node knows, its own time, enters
 * the inputs here, so that the seal, a job's second start and every replay have the same.
 *
 * @throws Fault NOT_FOUND, INVALID_INPUT, WORK_LIMIT_EXCEEDED, and the solver's own refusals.
 */
export const createSolverOrders =
  (solvers: readonly Solver[], pool: Pool, now: () => Moment) =>
  (name: string, raw: unknown, caller: Caller): Prepared => {
    const solver = solvers.find((it) => it.name === name)
    if (solver === undefined) {
      const suggestions = slipsOf(
        name,
        solvers.map((it) => it.name),
      )
      throw new Fault('NOT_FOUND', `There is no solver ${shortened(name)}.${didYouMean(suggestions)}`, { suggestions })
    }
    const given = resolveInput(solver as Solver<TObject>, raw) as Record<string, unknown>
    const input = (solver.completed?.(given, now()) ?? given) as Record<string, unknown>
    const asked = solver.completed === undefined ? {} : { asked: inputsDigest(solver.input, given) }
    const work = solver.work(input)
    const workMax = workMaxOf(solver, caller)
    if (!(work <= workMax)) {
      throw new Fault('WORK_LIMIT_EXCEEDED', `This takes ${work} work units; ${workMax} are allowed.`, {
        work,
        limit: workMax,
      })
    }
    solver.refuse(input)
    const operators = operatorsOf(solver, input)
    return {
      scope: name,
      kind: name,
      recipe: { what: 'solver', name, inputs: input as Json, ...asked },
      inputsDigest: inputsDigest(solver.input, input),
      operators: [KERNEL_OPERATOR, ...operators],
      price: solver.sealable?.(input) === false ? 0 : price(operators.length),
      work,
      workMax,
      execute: (execution) => pool.run({ name, inputs: input as Json }, execution),
    }
  }

export type SolverOrders = ReturnType<typeof createSolverOrders>
