import { Fault } from '#core/fault.ts'
import { type Lattice, latticeOf, scheduleOf, startOf } from './problem.ts'
import type { FractureInput } from './schema.ts'

/** Nodes of a plate at most: the answer holds six numbers of each. */
export const NODES_MAX = 40_000
/** Time step over the longest stable one, at most. */
const COURANT_MAX = 1
const THIRD = 1 / 3
const NU_SLACK = 1e-3
/** Steps of a plate at most. */
const STEPS_MAX = 1_000_000
/** Stretch of a bond at the start over the critical one, at most: a hair below, so that rounding breaks none. */
const STRETCH_SHARE_MAX = 1 - 1e-9

const refuseForm = (input: FractureInput, lattice: Lattice): void => {
  const { nx, ny, nu, start } = input
  if (Math.abs(nu - THIRD) > NU_SLACK) {
    throw new Fault('OUT_OF_RANGE', `/nu: is ${nu}; bonds that pull in pairs have Poisson’s ratio 1/3.`, {
      path: '/nu',
      measured: nu,
      limit: THIRD,
    })
  }
  if (nx * ny > NODES_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The plate has ${nx * ny} nodes; ${NODES_MAX} are allowed.`, {
      measured: nx * ny,
      limit: NODES_MAX,
      ny: Math.floor(NODES_MAX / nx),
    })
  }
  if (start === undefined) return
  for (const [name, values] of Object.entries(start)) {
    if (values.length !== nx * ny) {
      throw new Fault('INVALID_INPUT', `/start/${name}: needs a number for each node.`, {
        path: `/start/${name}`,
        measured: values.length,
        limit: nx * ny,
      })
    }
  }
  const strange = start.bonds.findIndex(
    (bits, node) => bits < 0 || bits >> lattice.offsets.length !== 0 || leaves(lattice, node, bits),
  )
  if (strange < 0) return
  throw new Fault('INVALID_INPUT', `/start/bonds/${strange}: names a bond that this plate does not have.`, {
    path: `/start/bonds/${strange}`,
  })
}

/** Whether a node's bonds lead out of the plate. */
const leaves = ({ nx, ny, offsets }: Lattice, node: number, bits: number): boolean =>
  offsets.some(({ p, q }, k) => {
    const [i, j] = [(node % nx) + p, Math.floor(node / nx) + q]
    return ((bits >> k) & 1) === 1 && (i < 0 || i >= nx || j >= ny)
  })

/** The largest stretch of a whole bond at the start. */
const stretchAtStart = (input: FractureInput, lattice: Lattice): number => {
  if (input.start === undefined) return input.strain
  const { nx, dx, offsets } = lattice
  const { ux, uy, bonds } = startOf(input, lattice)
  let most = 0
  for (let node = 0; node < ux.length; node++) {
    offsets.forEach(({ p, q }, k) => {
      if (((bonds[node] >> k) & 1) === 0) return
      const other = node + q * nx + p
      const [x, y] = [p * dx + ux[other] - ux[node], q * dx + uy[other] - uy[node]]
      const length = dx * Math.sqrt(p * p + q * q)
      most = Math.max(most, (Math.sqrt(x * x + y * y) - length) / length)
    })
  }
  return most
}

/** Whether nothing moves and nothing is displaced at the start. */
const rests = ({ start, strain }: FractureInput): boolean =>
  start === undefined
    ? strain === 0
    : [start.ux, start.uy, start.vx, start.vy].every((values) => values.every((it) => it === 0))

const refusePlate = (input: FractureInput): void => {
  const lattice = latticeOf(input)
  refuseForm(input, lattice)
  if (input.courant > COURANT_MAX) {
    const why = `the step is ${input.courant} of the longest stable one; ${COURANT_MAX} is the limit.`
    throw new Fault('UNSTABLE_STEP', `/courant: ${why}`, {
      path: '/courant',
      measured: input.courant,
      limit: COURANT_MAX,
      courant: 0.05,
      dt: scheduleOf({ ...input, courant: 0.05 }).dt,
    })
  }
  const { steps } = scheduleOf(input)
  if (steps > STEPS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The run has ${steps} steps; ${STEPS_MAX} are allowed.`, {
      measured: steps,
      limit: STEPS_MAX,
      time: (input.time * STEPS_MAX) / steps,
    })
  }
  const stretch = stretchAtStart(input, lattice)
  if (input.gripSpeed === 0 && rests(input)) {
    throw new Fault('ILL_POSED', 'A plate without strain between resting grips stores no energy to balance.', {
      path: input.start === undefined ? '/strain' : '/start',
      measured: 0,
    })
  }
  if (stretch < STRETCH_SHARE_MAX * lattice.s0) return
  throw new Fault('ILL_POSED', `Bonds are stretched by ${stretch} at the start; they break at ${lattice.s0}.`, {
    path: input.start === undefined ? '/strain' : '/start/uy',
    measured: stretch,
    limit: lattice.s0,
    strain: 0.9 * lattice.s0,
  })
}

/**
 * Every refusal before work.
 *
 * @throws Fault OUT_OF_RANGE (ν other than 1/3), UNSTABLE_STEP, ILL_POSED (no energy, or bonds beyond their stretch),
 * INVALID_INPUT (arrays of another size, an odd number of elements), WORK_LIMIT_EXCEEDED (nodes, steps).
 */
export const refuseFracture = (input: FractureInput): void => {
  if (input.mode === 'plate') return refusePlate(input)
  if (input.start !== undefined) {
    throw new Fault('INVALID_INPUT', '/start: has no meaning in mode bar.', { path: '/start' })
  }
  if (input.bar.elements % 2 === 0) return undefined
  throw new Fault('INVALID_INPUT', '/bar/elements: must be even, the section is in the middle.', {
    path: '/bar/elements',
    measured: input.bar.elements,
    elements: input.bar.elements + 1,
  })
}

/** Flops of a bond and of a node in a step, and of the digest of a node's state. */
const BOND_OPERATIONS = 26
const NODE_OPERATIONS = 20
const DIGEST_OPERATIONS = 110
/** Flops of an element of a bar in an increment. */
const ELEMENT_OPERATIONS = 20

/** Millions of floating-point operations. @param digests how many states of the run are hashed. */
export const workOfFracture = (input: FractureInput, digests: (steps: number) => number): number => {
  if (input.mode === 'bar') return (input.bar.increments * (input.bar.elements + 10) * ELEMENT_OPERATIONS) / 1e6
  const { offsets } = latticeOf(input)
  const { steps } = scheduleOf(input)
  const each = offsets.length * BOND_OPERATIONS + NODE_OPERATIONS
  return (input.nx * input.ny * (steps * each + digests(steps) * DIGEST_OPERATIONS)) / 1e6
}
