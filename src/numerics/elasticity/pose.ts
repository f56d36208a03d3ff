import { Fault } from '#core/fault.ts'
import { log2, PI, SQRT2 } from '#numerics/math.ts'
import { gradesOf, pitchOf } from './mesh.ts'
import type { FeaInput } from './schema.ts'

/** Longer side of an element over its shorter one, at most. */
export const ASPECT_MAX = 20
/** Nodes at most: five numbers of each are in the answer. */
export const NODES_MAX = 100_000
/** Half the plate's side over the hole's radius, at least: nearer the elements beside the hole become slivers. */
const PLATE_RATIO_MIN = 1.5

/** The least load, in newton or pascal: below it squares of displacements could vanish. */
const LOAD_MIN = 1e-9

const outside = (path: string, why: string, details: Readonly<Record<string, unknown>>): never => {
  throw new Fault('OUT_OF_RANGE', `${path}: ${why}`, { path, ...details })
}

/** The sides of the elements with the longest aspect: of the first, and for a plate of the innermost and outermost. */
const sidesOf = (input: FeaInput): readonly (readonly [number, number])[] => {
  if (input.problem === 'cantilever') return [[input.L / input.nx, input.h / input.ny]]
  const { radius, width, around, radial } = input.plate
  const grades = gradesOf(input)
  const inner = grades[1] as number
  const outer = 1 - (grades[radial - 1] as number)
  const arc = PI / 2 / around
  return [width, width * SQRT2].flatMap((reach) => [
    [(reach - radius) * inner, radius * arc] as const,
    [(reach - radius) * outer, reach * arc] as const,
  ])
}

const refuseBeam = (input: FeaInput): void => {
  const { L, h } = input
  if (!(L >= h)) outside('/L', `L/h is ${L / h}; a cantilever needs at least 1.`, { measured: L / h, limit: 1, L: h })
  const [[along, across] = [1, 1]] = sidesOf(input)
  const aspect = Math.max(along / across, across / along)
  if (aspect <= ASPECT_MAX) return
  const long = along > across
  const passes = long ? { nx: Math.ceil(L / (ASPECT_MAX * across)) } : { ny: Math.ceil(h / (ASPECT_MAX * along)) }
  const [name, value] = Object.entries(passes)[0] as [string, number]
  outside(`/${name}`, `elements are ${aspect} times as long as wide; ${ASPECT_MAX} are allowed: ${name} >= ${value}.`, {
    measured: aspect,
    limit: ASPECT_MAX,
    ...passes,
  })
}

const refusePlate = (input: FeaInput): void => {
  const { radius, width, around } = input.plate
  if (!(width >= PLATE_RATIO_MIN * radius)) {
    outside('/plate/width', `width/radius is ${width / radius}; at least ${PLATE_RATIO_MIN} is needed.`, {
      measured: width / radius,
      limit: PLATE_RATIO_MIN,
      width: PLATE_RATIO_MIN * radius,
    })
  }
  if (around % 2 === 1) {
    outside('/plate/around', 'must be even: a node stands in the corner of the plate.', {
      measured: around,
      around: around + 1,
    })
  }
  const aspect = sidesOf(input).reduce((most, [a, b]) => Math.max(most, a / b, b / a), 0)
  if (aspect <= ASPECT_MAX) return
  outside('/plate/grading', `an element is ${aspect} times as long as wide; ${ASPECT_MAX} are allowed.`, {
    measured: aspect,
    limit: ASPECT_MAX,
  })
}

/**
 * Every refusal before work.
 *
 * @throws Fault ILL_POSED (no load), OUT_OF_RANGE (stubby beam, slivers, plate hardly larger than its hole) with a
 * value that passes where one number decides, WORK_LIMIT_EXCEEDED (nodes).
 */
export const refuseFea = (input: FeaInput): void => {
  const hole = input.problem === 'hole'
  const load = Math.abs(hole ? input.plate.stress : input.P)
  if (load < LOAD_MIN) {
    throw new Fault('ILL_POSED', 'Without a load there is no displacement to measure an error against.', {
      path: hole ? '/plate/stress' : '/P',
      measured: load,
      limit: LOAD_MIN,
    })
  }
  if (hole) refusePlate(input)
  else refuseBeam(input)
  const [columns, rows] = hole ? [input.plate.around, input.plate.radial] : [input.nx, input.ny]
  const nodes = columns * pitchOf(rows) + 2 * rows + 1
  if (nodes <= NODES_MAX) return
  throw new Fault('WORK_LIMIT_EXCEEDED', `The mesh has ${nodes} nodes; ${NODES_MAX} are allowed.`, {
    measured: nodes,
    limit: NODES_MAX,
    nx: Math.floor((NODES_MAX - 2 * rows - 1) / pitchOf(rows)),
  })
}

/** Flops of making, applying, reading and checking an element. */
const ELEMENT_OPERATIONS = 16_000
/** Passes over the factors: two a round. */
const PASSES = 10

/** Millions of floating-point operations: the factor, the passes over it, and what is done element by element. */
export const workOfFea = (input: FeaInput): number => {
  const hole = input.problem === 'hole'
  const [columns, rows] = hole ? [input.plate.around, input.plate.radial] : [input.nx, input.ny]
  const side = 4 * rows + 2
  const parts = hole ? columns : 2 * Math.ceil(log2(columns + 1))
  const factor = (parts * 19 * side * side * side) / 3
  const passes = PASSES * columns * 5 * side * side
  return (factor + passes + ELEMENT_OPERATIONS * columns * rows) / 1e6
}
