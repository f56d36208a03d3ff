import { type AdiPlan, createAdi } from './adi.ts'
import { createExplicit } from './explicit.ts'
import { type LineOperator, lineOperator, linesAcross, linesAlong, weightOf } from './lines.ts'
import type { DiffusionProblem, Engine } from './problem.ts'
import { createRing } from './ring.ts'

/** Steps that Rannacher's start replaces: each by two backward-Euler half steps. */
export const DAMPED_STEPS = 2

/** The line operators of both directions; across is undefined on a line. */
export interface Operators {
  readonly along: LineOperator
  readonly across: LineOperator | undefined
}

/** The operators of a problem. */
export const operatorsOf = ({ rows, columns, rAlong, rAcross, boundary }: DiffusionProblem): Operators => ({
  along: lineOperator(linesAlong(rows, columns), rAlong, boundary),
  across: rows === 1 ? undefined : lineOperator(linesAcross(rows, columns), rAcross, boundary),
})

/** Two backward-Euler half steps, direction by direction: the matrices of the scheme itself without its stencils. */
export const dampedStep = (
  field: Float64Array,
  { along, across }: Operators,
  { rAlong, rAcross }: DiffusionProblem,
): void => {
  const scale = across === undefined ? 1 / weightOf(rAlong) : 1 / (weightOf(rAlong) * weightOf(rAcross))
  for (let half = 0; half < 2; half++) {
    for (let i = 0; i < field.length; i++) field[i] = field[i] * scale
    across?.solve(field)
    along.solve(field)
  }
}

/** Crank–Nicolson steps on a line. */
const lineEngine = (problem: DiffusionProblem, start: Float64Array): Engine => {
  const field = start.slice()
  const work = new Float64Array(field.length)
  const operators = operatorsOf(problem)
  const advance = (from: number, to: number, each: (step: number) => void): void => {
    for (let step = from; step < to; step++) {
      if (problem.damped && step < DAMPED_STEPS) dampedStep(field, operators, problem)
      else {
        operators.along.stencil(field, work)
        operators.along.solve(work)
        field.set(work)
      }
      each(step + 1)
    }
  }
  return { field, advance }
}

/** The kernel's steps, after the damped ones where there are any. */
const kernelEngine = (problem: DiffusionProblem, start: Float64Array): Engine => {
  const { rows, columns, rAcross, rAlong, boundary, damped } = problem
  const plan: AdiPlan = { rows, columns, rAcross, rAlong, insulated: boundary === 'insulated' }
  const adi = createAdi(plan, start)
  const begin = damped ? DAMPED_STEPS : 0
  let operators: Operators | undefined
  const advance = (from: number, to: number, each: (step: number) => void): void => {
    for (let step = from; step < Math.min(to, begin); step++) {
      operators ??= operatorsOf(problem)
      dampedStep(adi.field, operators, problem)
      each(step + 1)
    }
    if (to > begin) adi.advance(Math.max(from, begin), to, each)
  }
  return { field: adi.field, advance }
}

/** The kernel's steps on a ring of rings, after the damped ones where there are any. */
const ringEngine = (problem: DiffusionProblem, start: Float64Array): Engine => {
  const field = start.slice()
  const ring = createRing(problem, field)
  const begin = problem.damped ? DAMPED_STEPS : 0
  const advance = (from: number, to: number, each: (step: number) => void): void => {
    for (let step = from; step < Math.min(to, begin); step++) {
      dampedStep(field, operatorsOf(problem), problem)
      each(step + 1)
    }
    if (to > begin) ring.advance(Math.max(from, begin), to, each)
  }
  return { field, advance }
}

/**
 * The fastest engine that solves a problem. Which one is a function of the problem alone, so the bits are too.
 *
 * @param start unknowns at time 0, row-major.
 */
export const engineOf = (problem: DiffusionProblem, start: Float64Array): Engine => {
  if (problem.scheme === 'ftcs') return createExplicit(problem, start)
  if (problem.rows === 1) return lineEngine(problem, start)
  return problem.boundary === 'periodic' ? ringEngine(problem, start) : kernelEngine(problem, start)
}
