import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { concat } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'
import { cbrt } from '#numerics/math.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { KERNEL_DATA_START, type Kernel, loadKernel } from '#numerics/runtime/kernel.ts'
import { journalOf, type RunOrigin, refuseState, type StateReader } from '#numerics/runtime/origin.ts'
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
  /** The state, the places of the list, the pairs counted, and the digest of the samples so far. */
  readonly bytes: () => Uint8Array
  /** The state as revision 1 told it: without pairs counted, and a digest over the samples' states alone. */
  readonly formerBytes: () => Uint8Array
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
    /** Counts that were stopped. */
    count: (counts: Float64Array) => kernel.f64(countsAt, BINS).set(counts),
    clear: () => kernel.f64(countsAt, BINS).fill(0),
    /** Places, velocities and the list's places, which lie one after another. */
    raw: () => kernel.f64(base, 3 * n * ATOM),
  }
}

type Memory = ReturnType<typeof settle>

/** Boxes that an atom may have moved through: beyond, its place within one would be lost in the rounding. */
const BOXES_MAX = 1_099_511_627_776

/** Places, velocities and the list's places that were stopped, with a zero behind each. */
const heldAtoms = (held: StateReader, { n, skin }: EvolveInput, box: number): Float64Array => {
  const raw = held.doubles(3 * n * ATOM)
  for (let i = 0; i < n; i++) {
    const [at, from] = [i * ATOM, (2 * n + i) * ATOM]
    const [dx, dy, dz] = [raw[at] - raw[from], raw[at + 1] - raw[from + 1], raw[at + 2] - raw[from + 2]]
    const moved = dx * dx + dz * dz + dy * dy
    // Where an atom goes further, a list is made anew before the step is over.
    if (!(moved < (skin * skin) / 4))
      refuseState(`Atom ${i} is further from its place in the list than lists last.`, moved, 0)
    const far = Math.max(Math.abs(raw[from]), Math.abs(raw[from + 1]), Math.abs(raw[from + 2]))
    if (!(far <= BOXES_MAX * box)) refuseState(`Atom ${i} is ${far} from the box.`, far, BOXES_MAX * box)
    for (const which of [at, n * ATOM + at, from]) {
      if (raw[which + 3] !== 0) refuseState(`What is behind a vector of atom ${i} is not zero.`, raw[which + 3], 0)
    }
  }
  return raw
}

/** Puts atoms back as they were stopped: the list from its places first, then where they are now. */
const putBack = (memory: Memory, atoms: Float64Array): void => {
  const raw = memory.raw()
  const third = atoms.length / 3
  raw.set(atoms.subarray(2 * third))
  memory.relist()
  memory.raw().set(atoms)
}

/** The running digest of revision 1: over the states of the samples alone. */
const formerChain = (samples: readonly Sample[]): (() => Uint8Array) => {
  let kept: Uint8Array = new Uint8Array(0)
  let linked = 0
  return () => {
    for (const { state } of samples.slice(linked)) kept = sha256(concat(kept, littleEndianBytes(state)))
    linked = samples.length
    return kept
  }
}

/** Atoms at their start or where a run stopped, in a kernel of their own. */
export const createFluid = (input: EvolveInput, origin: RunOrigin = {}): Fluid => {
  const { n, dt, steps, skin } = input
  const schedule = scheduleOf(input)
  const memory = settle(input, startOf(input))
  const { calls, box, packed } = memory
  const journal = journalOf(origin)
  const { held } = journal
  const samples: Sample[] = []
  let repeated: AtomState | undefined
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
    enterSample(step, Float64Array.of(potential, calls.virial()), now())
  }
  const isSampled = (step: number): boolean => step % schedule.every === 0 || step === steps
  const note = (step: number): void => {
    if (step === schedule.repeatedFrom) enterRepeated(now())
    if (isSampled(step)) sample(step)
  }
  if (held === undefined) memory.relist()
  else {
    putBack(memory, heldAtoms(held, input, box))
    memory.count(held.doubles(BINS))
  }
  const chain = journal.chain(1)
  const enterSample = (step: number, [potential, virial]: Float64Array, state: AtomState): void => {
    samples.push({ step, potential, virial, state })
    chain.link(Float64Array.of(potential, virial), state)
  }
  const enterRepeated = (state: AtomState): void => {
    repeated = state
    chain.link(state)
  }
  calls.push()
  if (held === undefined) note(0)
  else
    journal.taken((tape) => {
      for (let step = 0; step <= journal.step; step++) {
        if (step === schedule.repeatedFrom) enterRepeated(tape.doubles(6 * n))
        if (isSampled(step)) enterSample(step, tape.doubles(2), tape.doubles(6 * n))
      }
    })
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
  const formerDigest = formerChain(samples)
  const known = (): AtomState => {
    assert(repeated !== undefined, 'the state before the end was kept')
    return repeated
  }
  return {
    box,
    schedule,
    advance,
    bytes: () => concat(littleEndianBytes(memory.raw()), littleEndianBytes(memory.counts()), chain.digest()),
    formerBytes: () => concat(littleEndianBytes(memory.raw()), formerDigest()),
    samples,
    get counts() {
      return memory.counts()
    },
    repeated: known,
    forces: () => packed(3),
    origins: () => packed(2),
  }
}
