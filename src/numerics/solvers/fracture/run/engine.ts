import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, type Kernel, loadKernel } from '#numerics/runtime/kernel.ts'
import { refuseState, type StateReader } from '#numerics/runtime/origin.ts'
import type { Lattice, PlateState } from '#numerics/solvers/fracture/problem.ts'
import type { FractureInput } from '#numerics/solvers/fracture/schema.ts'

/** A plate in the memory of a kernel of its own. Sums are without the constants that the caller knows. */
export interface Engine {
  readonly lattice: Lattice
  readonly step: () => void
  /** The offsets of the bonds broken since the last call; they leave `bonds` with it. */
  readonly takeBroken: () => readonly number[]
  /** Bonds broken so far. */
  readonly brokenBonds: () => number
  /** Whole bonds of each node, as bits. */
  readonly bonds: Int32Array
  /** Σ s²·|ξ| of whole bonds, Σ v² between the grips, Σ of squared mean velocities in the last two half kicks. */
  readonly strain: () => number
  readonly motion: () => number
  readonly drag: () => number
  /** Force densities on the upper grip less those on the lower one, before and after the last drift. */
  readonly pulls: () => readonly [number, number]
  /** ux, uy, vx, vy of all nodes, block after block. */
  readonly all: () => Float64Array
  /** The same as bytes with what stands around the plate: a view. */
  readonly moving: () => Uint8Array
}

const DOUBLE = 8
/** Ghost nodes on each side: as many as the longest bond reaches, and even, so that rows begin at whole vectors. */
const PAD = 4
const TABLE_FIELDS = 8
const LOG_FIELDS = 5
/** Displacements, velocities and forces, two of each. */
const FIELDS = 6

/** Where things lie: nodes of a padded row, nodes of a padded field, and byte addresses. */
interface Layout {
  readonly columns: number
  readonly size: number
  readonly weightsAt: number
  readonly tableAt: number
  readonly logAt: number
  /** Place in a padded field of a node, and back. */
  readonly place: (node: number) => number
  readonly node: (place: number) => number
}

const layoutOf = ({ nx, ny, offsets }: Lattice): Layout => {
  const columns = nx + (nx % 2) + 2 * PAD
  const size = columns * (ny + 2 * PAD)
  const weightsAt = KERNEL_DATA_START + FIELDS * size * DOUBLE
  const tableAt = weightsAt + offsets.length * size * DOUBLE
  return {
    columns,
    size,
    weightsAt,
    tableAt,
    logAt: tableAt + offsets.length * TABLE_FIELDS * DOUBLE,
    place: (node) => (Math.floor(node / nx) + PAD) * columns + (node % nx) + PAD,
    node: (place) => (Math.floor(place / columns) - PAD) * nx + (place % columns) - PAD,
  }
}

/** Writes the constants of each offset for the kernel. */
const writeTable = (kernel: Kernel, { dx, c, volume, s0, offsets }: Lattice, { tableAt, columns }: Layout): void => {
  const table = kernel.f64(tableAt, offsets.length * TABLE_FIELDS)
  offsets.forEach(({ p, q }, k) => {
    const length = dx * Math.sqrt(p * p + q * q)
    const limit = length * (1 + s0)
    const shift = (q * columns + p) * DOUBLE
    const row = [p * dx, q * dx, length, length * length, limit * limit, (c * volume) / length, shift, q]
    table.set(row, k * TABLE_FIELDS)
  })
}

/** Writes places, velocities and weights of the bonds; grips move as they are told. */
const writeStart = (kernel: Kernel, lattice: Lattice, layout: Layout, start: PlateState, gripSpeed: number): void => {
  const { nx, ny, grips, offsets } = lattice
  const { size, weightsAt, place } = layout
  const fields = kernel.f64(KERNEL_DATA_START, FIELDS * size)
  const weights = kernel.f64(weightsAt, offsets.length * size)
  for (let node = 0; node < nx * ny; node++) {
    const at = place(node)
    const row = Math.floor(node / nx)
    const grip = row < grips ? -1 : row >= ny - grips ? 1 : 0
    fields[at] = start.ux[node]
    fields[size + at] = start.uy[node]
    fields[2 * size + at] = grip === 0 ? start.vx[node] : 0
    fields[3 * size + at] = grip === 0 ? start.vy[node] : grip * gripSpeed
    for (let k = 0; k < offsets.length; k++) weights[k * size + at] = (start.bonds[node] >> k) & 1
  }
}

/** How many bits of a word are set. */
export const bitsOf = (word: number): number => {
  let left = word
  let bits = 0
  while (left !== 0) {
    left &= left - 1
    bits++
  }
  return bits
}

/** How many bonds are whole. */
const wholeOf = (bonds: Int32Array): number => bonds.reduce((total, bits) => total + bitsOf(bits), 0)

/** Bonds that were stopped. @throws Fault INVALID_INPUT for one that was not there at the start. */
const heldBonds = (held: StateReader, start: Int32Array): Int32Array => {
  const bonds = held.ints(start.length)
  const strange = bonds.findIndex((bits, node) => (bits & ~(start[node] as number)) !== 0)
  if (strange >= 0) refuseState(`Node ${strange} has a bond that it did not begin with.`, strange, 0)
  return bonds
}

/** What an engine is set up with. */
interface Setting {
  readonly lattice: Lattice
  readonly dt: number
  readonly start: PlateState
  /** A state that was stopped: `moving`, then the bonds. */
  readonly held?: StateReader | undefined
}

/** A plate at its start, none of whose bonds is stretched beyond breaking; or as it was stopped. */
export const createEngine = (
  { rho, damping, gripSpeed }: FractureInput,
  { lattice, dt, start, held }: Setting,
): Engine => {
  const { nx, ny, grips, offsets } = lattice
  const layout = layoutOf(lattice)
  const { columns, size, tableAt, logAt } = layout
  const kernel = loadKernel('fracture')
  const moving = held?.doubles(4 * size)
  const bonds = held === undefined ? start.bonds.slice() : heldBonds(held, start.bonds)
  const whole = wholeOf(bonds)
  const brokenBefore = wholeOf(start.bonds) - whole
  kernel.reserve(logAt + whole * LOG_FIELDS * DOUBLE)
  writeStart(kernel, lattice, layout, { ...start, bonds }, gripSpeed)
  if (moving !== undefined) kernel.f64(KERNEL_DATA_START, moving.length).set(moving)
  writeTable(kernel, lattice, layout)
  const fields = kernel.f64(KERNEL_DATA_START, 4 * size)
  const log = kernel.f64(logAt, whole * LOG_FIELDS)
  const does = (name: string): ((...args: readonly number[]) => number) => {
    const it = kernel.call[name]
    assert(it !== undefined, `the fracture kernel has ${name}`)
    return it
  }
  const [step, count, strain, motion] = [does('step'), does('brokenCount'), does('strain'), does('motion')]
  const [drag, pullBefore, pullAfter] = [does('lastDrag'), does('lastPullBefore'), does('lastPullAfter')]
  const first = (PAD * columns + PAD) * DOUBLE
  const rowBytes = (nx + (nx % 2)) * DOUBLE
  const sizes = [columns * DOUBLE, first, rowBytes, ny, grips, size * DOUBLE, KERNEL_DATA_START, tableAt]
  does('configure')(...sizes, offsets.length, logAt)
  does('conditions')(dt, rho, damping, gripSpeed)
  does('forces')()
  // Between two steps a bond may be found too long that breaks in the next: the log begins anew with it.
  if (held !== undefined) does('configure')(...sizes, offsets.length, logAt)
  assert(count() === 0, 'a start that breaks by itself was refused')
  let known = 0
  const take = (): number => {
    const [place, offset] = log.subarray(known * LOG_FIELDS) as unknown as [number, number]
    bonds[layout.node(place)] &= ~(1 << offset)
    known++
    return offset
  }
  return {
    lattice,
    step,
    takeBroken: () => Array.from({ length: count() - known }, take),
    brokenBonds: () => brokenBefore + known,
    bonds,
    strain,
    motion,
    drag,
    pulls: () => [pullBefore(), pullAfter()],
    all: () => {
      const values = new Float64Array(4 * nx * ny)
      for (let at = 0; at < values.length; at++) {
        const node = at % (nx * ny)
        values[at] = fields[((at - node) / (nx * ny)) * size + layout.place(node)]
      }
      return values
    },
    moving: () => littleEndianBytes(fields),
  }
}
