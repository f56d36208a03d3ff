import { littleEndianBytes } from '#core/arrays.ts'
import { equalBytes, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { SEGMENTS_MAX } from '#core/states.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import type { RunOrigin, Stopped } from '#numerics/runtime/origin.ts'
import { type Aid, type Reality, type Solver, solver, withoutAid } from '#numerics/runtime/solver.ts'
import { checkMotion } from './check/check.ts'
import { rootErrorPct } from './check/relation.ts'
import { solveGuide } from './guide.ts'
import { refuseMotion, workOfMotion } from './limits.ts'
import { curveAround, motionPlots } from './plots.ts'
import { motionOf } from './problem.ts'
import { type Engine, engineOf } from './run/engine.ts'
import { rootOf } from './run/relation.ts'
import { foundRoot, reportOf } from './run/report.ts'
import { type Question, type Root, type SolveInput, type SolveOutput, solveInput, solveOutput } from './schema.ts'

/** A motion on its way, or a root that is found in one step. */
type State = { readonly kind: 'motion'; readonly engine: Engine } | { readonly kind: 'root'; root: Root | undefined }

/** Work of an algebraic problem: a search for roots and 50-digit evaluations. */
const ROOT_WORK = 20

const isMotion = ({ referenceMode }: SolveInput): boolean => referenceMode !== 'algebraic'

const stepsOf = (input: SolveInput): number => (isMotion(input) ? motionOf(input).steps : 1)

const begin = (input: SolveInput, origin: RunOrigin): State =>
  isMotion(input) ? { kind: 'motion', engine: engineOf(motionOf(input), origin) } : { kind: 'root', root: undefined }

/** A root as a state: its symbol, a line feed and the number; nothing before it is found. */
const rootBytes = (found: Root | undefined): Uint8Array =>
  found === undefined
    ? utf8('')
    : new Uint8Array([...utf8(found.symbol), 0x0a, ...littleEndianBytes(Float64Array.of(found.root))])

/** A relation is taken up before its root is found, or after, where it must be the same one. */
const rootHeld = (aid: Aid, input: SolveInput, { step, bytes, records }: Stopped): State => {
  const root = step === 0 ? undefined : rootOf(aid.registry(), questionOf(input))
  const alone = records === undefined || records.length === 0
  if (alone && equalBytes(rootBytes(root), bytes)) return { kind: 'root', root }
  throw new Fault('INVALID_INPUT', 'The state is not that of the root of this relation, which keeps no records.')
}

const questionOf = ({ relation }: SolveInput): Question => {
  if (relation === null)
    throw new Fault('INVALID_INPUT', '/relation: is missing; algebraic solves it.', { path: '/relation' })
  return relation
}

const workOf = (input: SolveInput): number => {
  if (!isMotion(input)) return ROOT_WORK
  const motion = motionOf(input)
  const work = workOfMotion(motion, Math.min(motion.steps, SEGMENTS_MAX))
  // A path into a centre would take no end of steps; what refuses it says so.
  return Number.isFinite(work) ? work : ROOT_WORK
}

const operatorsFor = (input: SolveInput): readonly string[] => {
  switch (input.referenceMode) {
    case 'algebraic':
      return [questionOf(input).operator.trim().toUpperCase()]
    case 'shm':
      return ['NM30', 'NM19']
    case 'gravity':
      return ['NM21', 'NM19']
    case 'model':
      return ['FL5', 'NM19']
    default:
      return ['NM19']
  }
}

/** The same law from where it ended. */
const continuedOf = (input: SolveInput, { solution, velocities }: SolveOutput): SolveInput => {
  if (solution === null || velocities === null) {
    throw new Fault('ILL_POSED', 'The root of a relation is no state: there is nothing that goes on.')
  }
  const position = Array.from(solution.slice(-3), Number)
  const velocity = Array.from(velocities.slice(-3), Number)
  return { ...input, height: 100, displacement: 1, v0: 0, position, velocity }
}

const rootPlot = (root: Root): readonly Plot[] => {
  const { x, y } = curveAround(root)
  const axis = { name: root.symbol, unit: root.unit }
  const zero = { name: 'root', x: [root.root], y: [0], style: 'points' as const }
  const curves = [{ name: 'left − right', x, y }, zero]
  return [{ kind: 'curves', title: root.equation, x: axis, y: { name: 'left − right', unit: '' }, curves }]
}

const checkRoot = (aid: Aid, input: SolveInput, output: SolveOutput): Reality => {
  const against = 'the change of sign of the relation at 50 digits around the root'
  const { algebraic } = output
  const errorPct = algebraic === null ? Number.NaN : rootErrorPct(aid.registry(), questionOf(input), algebraic)
  const bare = algebraic !== null && JSON.stringify(foundRoot(algebraic)) === JSON.stringify(output)
  return { against, errorPct: bare ? errorPct : Number.NaN, figures: {} }
}

const solveWith = (aid: Aid): Solver<typeof solveInput, typeof solveOutput, null, State> =>
  solver<typeof solveInput, typeof solveOutput, null, State>({
    name: 'solve',
    keyless: true,
    revision: 1,
    title: 'Motion of one body, or one relation',
    summary:
      'A fall, an oscillation, an orbit, a fall with drag; or an operator of the registry solved for any variable.',
    domain: 'newtonian',
    method:
      'velocity-Verlet for a fall, composed to order 6 for springs and orbits, Runge–Kutta of order 4 with drag; ' +
      'isolation or bracketing of the unknown of a relation',
    operators: ['NM19'],
    unit: 'm',
    unitOf: (input) => (isMotion(input) ? 'm' : rootOf(aid.registry(), questionOf(input)).unit),
    operatorsOf: operatorsFor,
    kernels: ['math'],
    input: solveInput,
    output: solveOutput,
    guide: solveGuide,
    work: workOf,
    refuse: (input) => {
      refuseMotion(input)
      if (!isMotion(input)) rootOf(aid.registry(), questionOf(input))
    },
    run: {
      kind: 'steps',
      steps: stepsOf,
      init: (input, onRecord) => begin(input, { onRecord }),
      resume: (input, stopped, onRecord) =>
        isMotion(input) ? begin(input, { stopped, onRecord }) : rootHeld(aid, input, stopped),
      advance: (input, state, from, to, progress) => {
        const steps = stepsOf(input)
        if (state.kind === 'motion') state.engine.advance(from, to, (step) => progress({ step, steps }))
        else {
          state.root = rootOf(aid.registry(), questionOf(input))
          progress({ step: 1, steps })
        }
        return state
      },
      bytes: (state) => (state.kind === 'motion' ? state.engine.bytes() : rootBytes(state.root)),
      finish: (input, state) => ({
        output:
          state.kind === 'motion'
            ? reportOf(input, state.engine)
            : foundRoot(state.root ?? rootOf(aid.registry(), questionOf(input))),
        evidence: null,
      }),
    },
    check: (input, { output }) => (isMotion(input) ? checkMotion(input, output) : checkRoot(aid, input, output)),
    value: ({ finalPosition, algebraic }) => algebraic?.root ?? finalPosition,
    plots: (_, output) => (output.algebraic === null ? motionPlots(output) : rootPlot(output.algebraic)),
    continued: continuedOf,
    aided: solveWith,
    readsRegistry: (input) => !isMotion(input),
  })

/** One body under a simple law, or an operator solved for one of its variables. */
export const solve = solveWith(withoutAid)
