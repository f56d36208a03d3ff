import { Fault } from '#core/fault.ts'
import { log2 } from '#numerics/math.ts'
import { refusing } from '#numerics/runtime/refusing.ts'
import { ASPECT_MAX, aspectOf, NODES_MAX, nodesOf, PLATE_RATIO_MIN, passingBeam, passingPlate } from './passing.ts'
import type { FeaInput } from './schema.ts'

/** The least load, in newton or pascal: below it squares of displacements could vanish. */
const LOAD_MIN = 1e-9

const outside = refusing('OUT_OF_RANGE')

/** Names and numbers of what would pass, as a sentence ends with them. */
const wouldPass = (passing: Readonly<Record<string, number>>): string => {
  const names = Object.entries(passing).map(([name, value]) => `${name} ${value}`)
  return names.length === 0 ? '' : `; ${names.join(' with ')} would pass`
}

const refuseBeam = (input: FeaInput): void => {
  const { L, h } = input
  if (!(L >= h)) outside('/L', `L/h is ${L / h}; a cantilever needs at least 1.`, { measured: L / h, limit: 1, L: h })
  const measured = aspectOf(input)
  if (measured <= ASPECT_MAX) return
  const passing = passingBeam(input)
  const why = `elements are ${measured} times as long as wide; ${ASPECT_MAX} are allowed${wouldPass(passing)}.`
  outside(`/${Object.keys(passing)[0]}`, why, { measured, limit: ASPECT_MAX, ...passing })
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
  const measured = aspectOf(input)
  if (measured <= ASPECT_MAX) return
  const passing = passingPlate(input)
  const why = `an element is ${measured} times as long as wide; ${ASPECT_MAX} are allowed${wouldPass(passing)}.`
  outside('/plate/grading', why, { measured, limit: ASPECT_MAX, ...passing })
}

/**
 * Every refusal before work.
 *
 * @throws Fault ILL_POSED (no load), OUT_OF_RANGE (stubby beam, slivers, plate hardly larger than its hole) and
 * WORK_LIMIT_EXCEEDED (nodes), with values that pass.
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
  const nodes = nodesOf(columns, rows)
  if (nodes <= NODES_MAX) return
  throw new Fault('WORK_LIMIT_EXCEEDED', `The mesh has ${nodes} nodes; ${NODES_MAX} are allowed.`, {
    measured: nodes,
    limit: NODES_MAX,
    ...passingBeam(input),
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
