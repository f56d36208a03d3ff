import { PI } from '#numerics/math.ts'
import { type FlowProblem, problemOf } from '#numerics/solvers/flow/problem.ts'
import type { FlowInput, FlowOutput } from '#numerics/solvers/flow/schema.ts'

/** Agreement asked of what follows from the rest of the answer. */
const ECHO = 1e-9
/** Largest divergence, times a cell over the speed: what rounding leaves. */
export const DIVERGENCE_MAX = 1e-10

const near = (found: number | undefined, wanted: number, scale = Math.abs(wanted)): boolean =>
  found !== undefined && Math.abs(found - wanted) <= ECHO * scale

/** Mean of half the squares, each component by itself. */
const energyOf = (u: readonly number[], v: readonly number[]): number => {
  let [along, across] = [0, 0]
  for (let at = 0; at < u.length; at++) along += (u[at] as number) * (u[at] as number)
  for (let at = 0; at < v.length; at++) across += (v[at] as number) * (v[at] as number)
  return along / (2 * u.length) + across / (2 * v.length)
}

/** The step that is taken where none is given: 0.9 of the longest stable one, as the solver's page has it. */
const recomputeStep = ({ case: kind, stream, speed }: FlowInput, { dx, dy, viscosity }: FlowProblem): number => {
  const [u, v] = kind === 'channel' ? [speed, 0] : [speed + Math.abs(stream.u), speed + Math.abs(stream.v)]
  const [x, y] = [1 / dx, 1 / dy]
  return 0.9 / ((u * x + v * y) / 2.8 + (4 * viscosity * (x * x + y * y)) / 2.75)
}

/**
 * Whether a problem is the one that the input states: ν·Re = U·L, cells that fill the sides, steps that fill the
 * time. Run and closed form take their problem from one function, so that this is worked out anew.
 */
export const isProblemOf = (input: FlowInput, problem: FlowProblem): boolean => {
  const { dx, dy, nx, ny, dt, steps, viscosity } = problem
  const { re, speed, length } = input
  const side = input.case === 'taylor-green' ? 2 * PI * length : length
  const decay = (length * length * re) / (10 * speed * length)
  const time = input.case === 'channel' ? decay : length / speed
  const cavity = input.case === 'cavity'
  const longest = cavity ? dt : (input.dt ?? recomputeStep(input, problem))
  // Steps that are given are as long as stable; those that fill a time are the fewest of such a length.
  const stepped = input.steps === undefined ? dt <= longest * (1 + ECHO) : near(dt, longest)
  const fewest = cavity || input.steps !== undefined || steps === 1 || (steps - 1) * longest < time * (1 + ECHO)
  const timed = input.case === 'cavity' || input.steps !== undefined || input.dt !== undefined
  return (
    near(viscosity * re, speed * length) &&
    near(dy * ny, side) &&
    near(dx * nx, input.case === 'channel' ? dy * nx : side) &&
    (input.dt === undefined || dt === input.dt) &&
    (input.steps === undefined || steps === input.steps) &&
    stepped &&
    fewest &&
    (timed || near(dt * steps, time))
  )
}

/** Whether what only repeats the input does so, and all arrays have their shape. */
export const echoesFlow = (input: FlowInput, output: FlowOutput): boolean => {
  const problem = problemOf(input)
  const { nx, ny, dx, dy, dt, steps, viscosity, kind } = problem
  const cells = nx * ny
  return (
    isProblemOf(input, problem) &&
    output.case === kind &&
    output.nx === nx &&
    output.ny === ny &&
    output.dx === dx &&
    output.dy === dy &&
    output.dt === dt &&
    output.steps === steps &&
    output.time === (kind === 'cavity' ? 0 : dt * steps) &&
    output.viscosity === viscosity &&
    output.u.length === cells &&
    output.v.length === cells &&
    output.pressure.length === cells &&
    // A cavity's has corners in it that no grid resolves: none is sent.
    (kind === 'cavity' ? output.kineticEnergy === undefined : near(output.kineticEnergy, energyOf(output.u, output.v)))
  )
}
