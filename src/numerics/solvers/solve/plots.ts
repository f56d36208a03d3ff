import { sqrt } from '#numerics/math.ts'
import { evaluate } from '#numerics/operators/evaluate.ts'
import { parseEquation } from '#numerics/operators/grammar.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import type { Root, SolveOutput } from './schema.ts'

/** Points of the curve shown, and how far it reaches on either side of the root, relative. */
const CURVE_POINTS = 201

const REACH = 0.5

/** left − right around the root, for a picture: places and values, from the answer's own equation. */
export const curveAround = ({ equation: text, symbol, root, inputs }: Root) => {
  const equation = parseEquation(text)
  const values = new Map(Object.entries(inputs))
  const reach = root === 0 ? 1 : REACH * Math.abs(root)
  const x = Float64Array.from({ length: CURVE_POINTS }, (_, i) => root + reach * ((2 * i) / (CURVE_POINTS - 1) - 1))
  const y = x.map((at) => {
    values.set(symbol, at)
    return evaluate(equation.left, values) - evaluate(equation.right, values)
  })
  return { x, y }
}

const SECONDS = { name: 'time', unit: 's' }

const PER_SECOND = { name: 'velocity', unit: 'm/s' }

/** What a motion shows: the orbit, the phase portrait, or height and speed over time. */
export const motionPlots = ({ mode, tEval, solution, velocities }: SolveOutput): readonly Plot[] => {
  const times = tEval ?? []
  const at = (axis: number): Float64Array => column(solution, axis)
  const speed = (axis: number): Float64Array => column(velocities, axis)
  const over = (title: string, y: { name: string; unit: string }, values: Float64Array): Plot => ({
    kind: 'curves',
    title,
    x: SECONDS,
    y,
    curves: [{ name: y.name, x: times, y: values }],
  })
  if (mode === 'gravity') {
    const curves = [
      { name: 'path', x: at(0), y: at(1) },
      { name: 'centre', x: [0], y: [0], style: 'points' as const },
    ]
    const r = at(0).map((x, k) => {
      const [y, z] = [solution?.[3 * k + 1] as number, solution?.[3 * k + 2] as number]
      return sqrt(x * x + y * y + z * z)
    })
    return [
      { kind: 'curves', title: 'Path around the body', x: metres('x'), y: metres('y'), curves, equal: true },
      over('Distance from the centre', metres('distance'), r),
    ]
  }
  if (mode === 'shm') {
    const portrait = { name: 'orbit', x: at(0), y: speed(0) }
    return [
      over('Displacement', metres('displacement'), at(0)),
      { kind: 'curves', title: 'Phase portrait', x: metres('displacement'), y: PER_SECOND, curves: [portrait] },
    ]
  }
  const height = over('Height', metres('height'), at(2))
  const rising = over('Upward velocity', PER_SECOND, speed(2))
  const level = at(0).map((x, k) => sqrt(x * x + (solution?.[3 * k + 1] as number) * (solution?.[3 * k + 1] as number)))
  if (level.every((it) => it === level[0])) return [height, rising]
  const path = { name: 'path', x: level, y: at(2) }
  return [{ kind: 'curves', title: 'Path', x: metres('distance'), y: metres('height'), curves: [path] }, height, rising]
}

const metres = (name: string) => ({ name, unit: 'm' })

const column = (of: readonly number[] | null, axis: number): Float64Array =>
  Float64Array.from({ length: (of?.length ?? 0) / 3 }, (_, k) => of?.[3 * k + axis] as number)
