import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'
import { cbrt } from '#numerics/math.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { KERNEL_DATA_START, type Kernel, loadKernel } from '#numerics/runtime/kernel.ts'
import { pairsTried } from '#numerics/solvers/evolve/pairs.ts'
import { type AtomState, boxOf, PAIRS_MAX, pairsExpected, startOf } from '#numerics/solvers/evolve/problem.ts'
import { BINS, type EvolveInput } from '#numerics/solvers/evolve/schema.ts'
import { shiftOf } from './potential.ts'

/** Numbers that the states kept for the check may hold together: 9.6 MB. */
const FRAME_NUMBERS_MAX = 1_200_000
/** Time over which the check integrates again at the end of the run. */
const REPEATED_TIME = 0.01
/** Pairs that the check may try at least, about 0.1 s of it, and more as a share of the run's own. */
const CHECK_PAIRS_MIN = 16_000_000
const CHECK_SHARE = 0.5
/** Forces that the check works out beside the samples. */
const REPEATED_FORCES = 5
/** Cells of half the reach within that reach, and the fewest along a side that are all different. */
const CELLS_MIN = 6

/** Which steps are sampled, and from which one the end is integrated again. */
export interface Schedule {
  /** Steps between two samples; the last interval is what is left. */
  readonly every: number
  /** Steps at which there is a sample: 0, the multiples of `every`, and the last. */
  readonly sampled: readonly number[]
  /** The step whose state is kept so that the rest can be repeated. */
  readonly repeatedFrom: number
}

/** Samples of a run: as many as asked for, as the states kept for the check allow, and as the check can afford. */
export const scheduleOf = (input: EvolveInput): Schedule => {
  const { n, steps, samples, dt, density, cutoff } = input
  const budget = Math.max(CHECK_PAIRS_MIN, CHECK_SHARE * steps * pairsExpected(input))
  const affordable = Math.floor(budget / pairsTried(n, density, cutoff)) - REPEATED_FORCES
  const kept = Math.max(1, Math.min(samples, steps, Math.floor(FRAME_NUMBERS_MAX / (6 * n)) - 1, affordable))
  const every = Math.ceil(steps / kept)
  const sampled = Array.from({ length: Math.ceil(steps / every) }, (_, k) => k * every)
  const repeated = Math.max(1, Math.min(steps, Math.floor(REPEATED_TIME / dt)))
  return { every, sampled: [...sampled, steps], repeatedFrom: steps - repeated }
}

/** One sample: what the kernel says of the state. */
export interface Sample {
  readonly step: number
  readonly potential: number
  /** Σ r·F over pairs. */
  readonly virial: number
  readonly state: AtomState
}

/** Atoms on their way. */
export interface Fluid extends Advancing {
  readonly box: number
  readonly schedule: Schedule
  /** The state, the places of the list, and the digest of the samples so far. */
  readonly bytes: () => Uint8Array
  readonly samples: readonly Sample[]
  /** Pairs counted by distance over the second half of the samples. */
  readonly counts: Float64Array
  /** The state from which the end is repeated; absent before its step. */
  readonly repeated: () => AtomState
  /** Forces of the last step, n × 3. */
  readonly forces: () => Float64Array
  /** The places that the last list was made from, n × 3. */
  readonly origins: () => Float64Array
}

const ATOM = 4
const DOUBLE = 8

/** The kernel's calls by name. */
const callsOf = ({ call }: Kernel) => {
  const { configure, pairsAt, room, list, push, drift, kick, energy, virial } = call
  assert(
    configure !== undefined && pairsAt !== undefined && room !== undefined && list !== undefined,
    'the evolve kernel can be set up',
  )
  assert(push !== undefined && drift !== undefined && kick !== undefined, 'the evolve kernel can step')
  assert(energy !== undefined && virial !== undefined, 'the evolve kernel can measure')
  return { configure, pairsAt, room, list, push, drift, kick, energy, virial }
}

/** Cells along a side for lists of this reach; 1 where they would not be all different, so that all pairs are tried. */
export const cellsOf = (box: number, reach: number, n: number): number => {
  const cells = Math.min(Math.floor((2 * box) / reach), Math.max(CELLS_MIN, Math.floor(cbrt(8 * n))))
  return cells < CELLS_MIN ? 1 : cells
}

const diverged = (step: number): never => {
  throw new Fault(
    'DID_NOT_CONVERGE',
    `An atom left the box within a list's life at step ${step}; a smaller dt helps.`,
    {
      measured: null,
      step,
    },
  )
}

/** Memory of a run in its kernel: vectors of atoms with a zero behind, and the lists. */
const settle = (input: EvolveInput, start: AtomState) => {
  const { n, cutoff, skin } = input
  const box = boxOf(input)
  const kernel = loadKernel('evolve')
  const calls = callsOf(kernel)
  const { force, energy } = shiftOf(cutoff)
  const countsAt = KERNEL_DATA_START
  const base = countsAt + BINS * DOUBLE
  calls.configure(n, base, box, cutoff, skin, cellsOf(box, cutoff + skin, n), force, energy)
  const pairsAt = calls.pairsAt()
  let room = 0
  const enlarge = (count: number): void => {
    if (count > PAIRS_MAX) {
      throw new Fault('WORK_LIMIT_EXCEEDED', `A neighbour list has ${count} pairs; ${PAIRS_MAX} are allowed.`, {
        measured: count,
        limit: PAIRS_MAX,
      })
    }
    room = count
    kernel.reserve(pairsAt + 4 * room)
    calls.room(room)
  }
  const view = (which: number): Float64Array => kernel.f64(base + which * n * ATOM * DOUBLE, n * ATOM)
  const packed = (which: number): Float64Array => {
    const from = view(which)
    const into = new Float64Array(3 * n)
    for (let i = 0; i < n; i++) for (let axis = 0; axis < 3; axis++) into[3 * i + axis] = from[ATOM * i + axis]
    return into
  }
  enlarge(Math.min(PAIRS_MAX, Math.ceil(1.3 * pairsExpected(input)) + 8 * n + 16))
  for (const [which, from] of [start.subarray(0, 3 * n), start.subarray(3 * n)].entries()) {
    const into = view(which)
    for (let k = 0; k < 3 * n; k++) into[ATOM * Math.floor(k / 3) + (k % 3)] = from[k]
  }
  const relist = (): void => {
    const needed = calls.list() + 4
    if (needed <= room) return
    enlarge(Math.min(PAIRS_MAX + 1, Math.ceil(1.2 * needed)))
    calls.list()
  }
  return {
    box,
    calls,
    relist,
    packed,
    countsAt,
    counts: () => kernel.f64(countsAt, BINS).slice(),
    clear: () => kernel.f64(countsAt, BINS).fill(0),
    /** Places, velocities and the list's places, which lie one after another. */
    raw: () => kernel.f64(base, 3 * n * ATOM),
  }
}

/** Atoms at their start, in a kernel of their own. */
export const createFluid = (input: EvolveInput): Fluid => {
  const { n, dt, steps, skin } = input
  const schedule = scheduleOf(input)
  const memory = settle(input, startOf(input))
  const { calls, box, packed } = memory
  const samples: Sample[] = []
  let repeated: AtomState | undefined
  let kept: Uint8Array = new Uint8Array(0)
  const now = (): AtomState => {
    const state = new Float64Array(6 * n)
    state.set(packed(0))
    state.set(packed(1), 3 * n)
    return state
  }
  const sample = (step: number): void => {
    const middle = schedule.sampled[schedule.sampled.length >> 1] ?? 0
    // Counting begins anew at the middle of the run: the first half still knows of the lattice.
    if (step === middle) memory.clear()
    const potential = calls.energy(memory.countsAt, BINS)
    const state = now()
    samples.push({ step, potential, virial: calls.virial(), state })
    kept = sha256(concat(kept, littleEndianBytes(state)))
  }
  const note = (step: number): void => {
    if (step === schedule.repeatedFrom) repeated = now()
    if (step % schedule.every === 0 || step === steps) sample(step)
  }
  memory.relist()
  calls.push()
  note(0)
  const limit = (skin * skin) / 4
  const advance = (from: number, to: number, each: (step: number) => void): void => {
    for (let taken = from + 1; taken <= to; taken++) {
      const moved = calls.drift(dt / 2, dt)
      if (!(moved < limit)) {
        if (!(moved < box * box)) diverged(taken)
        memory.relist()
      }
      calls.push()
      calls.kick(dt / 2)
      note(taken)
      each(taken)
    }
  }
  const known = (): AtomState => {
    assert(repeated !== undefined, 'the state before the end was kept')
    return repeated
  }
  return {
    box,
    schedule,
    advance,
    bytes: () => concat(littleEndianBytes(memory.raw()), kept),
    samples,
    get counts() {
      return memory.counts()
    },
    repeated: known,
    forces: () => packed(3),
    origins: () => packed(2),
  }
}
