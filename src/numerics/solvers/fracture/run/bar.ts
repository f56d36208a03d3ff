import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import { exp } from '#numerics/math.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import type { FractureInput } from '#numerics/solvers/fracture/schema.ts'

/** A bar with a cohesive section in its middle, at one increment. */
export interface BarSample {
  readonly share: number
  readonly opening: number
  readonly elongation: number
  readonly force: number
  readonly strain: number
  readonly broken: number
  readonly work: number
}

/** A bar on its way. */
export interface Bar extends Advancing {
  readonly samples: readonly BarSample[]
  readonly greatest: () => number
}

/** Samples kept at most, the start not counted. */
const SAMPLES_MAX = 60

/** Increments that load the bar up to its strength; in the others the section opens. */
export const elasticIncrements = ({ bar }: FractureInput): number => Math.max(1, Math.floor(bar.increments / 4))

/** Stress of the section at an opening, in pascal. */
const tractionAt = ({ Gc, bar }: FractureInput, opening: number): number => {
  const share = (opening * bar.strength) / Gc
  if (bar.law === 'exponential') return bar.strength * exp(-share)
  return bar.strength * Math.max(0, 1 - share / 2)
}

/** Every how many increments a sample is kept. */
export const barStride = ({ bar }: FractureInput): number => Math.ceil(bar.increments / SAMPLES_MAX)

/** A sample as it was kept: its members in their order. */
const barSampleOf = (numbers: Float64Array): BarSample => {
  const [share, opening, elongation, force, strain, broken, work] =
    numbers as unknown as readonly number[] as readonly [number, number, number, number, number, number, number]
  return { share, opening, elongation, force, strain, broken, work }
}

/**
 * Linear elements with the section between the two middle ones. Load is led by the opening of the section, because a
 * bar longer than 2·E·Gc/strength² snaps back: neither force nor elongation grows all the way.
 */
export const createBar = (input: FractureInput, origin: RunOrigin = {}): Bar => {
  const { E, Gc, bar } = input
  const { length, area, elements, increments, strength } = bar
  const stiffness = (E * area * elements) / length
  const elastic = elasticIncrements(input)
  const every = barStride(input)
  const u = new Float64Array(elements + 2)
  const [diagonal, factor, load] = [0, 1, 2].map(() => new Float64Array(elements + 2)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  for (let node = 1; node <= elements; node++) {
    factor[node] = node === 1 ? 0 : stiffness / diagonal[node - 1]
    diagonal[node] = (node === elements ? stiffness : 2 * stiffness) - factor[node] * stiffness
  }
  const middle = elements / 2
  const journal = journalOf(origin)
  const { held } = journal
  let [gap, force, elongation, work, broken, greatest] = (held?.doubles(6) ?? [
    0, 0, 0, 0, 0, 0,
  ]) as readonly number[] as [number, number, number, number, number, number]
  const chain = journal.chain(1)
  const samples: BarSample[] = []

  /** Displacements under a force at the right end and a gap in the middle: one line of equations, by elimination. */
  const balance = (): void => {
    load.fill(0)
    load[elements] = force
    load[middle] -= stiffness * gap
    load[middle + 1] += stiffness * gap
    // Node 0 is held; node `middle` is the left face, and the element after it sees the right face.
    for (let node = 2; node <= elements; node++) load[node] += factor[node] * load[node - 1]
    u[elements] = load[elements] / diagonal[elements]
    for (let node = elements - 1; node >= 1; node--) u[node] = (load[node] + stiffness * u[node + 1]) / diagonal[node]
  }
  const stored = (): number => {
    let energy = 0
    for (let node = 1; node <= elements; node++) {
      const stretch = u[node] - u[node - 1] - (node === middle + 1 ? gap : 0)
      energy += (stiffness * stretch * stretch) / 2
    }
    return energy
  }
  const keep = (it: BarSample): void => {
    samples.push(it)
    chain.link(Float64Array.from(Object.values(it)))
  }
  const sample = (done: number): void =>
    keep({ share: done / increments, opening: gap, elongation, force, strain: stored(), broken, work })
  const isKept = (done: number): boolean => done % every === 0 || done === increments
  const increment = (done: number): void => {
    const before = { gap, force, elongation }
    const opens = done > elastic
    gap = opens ? ((bar.opening * Gc) / strength) * ((done - elastic) / (increments - elastic)) : 0
    force = area * (opens ? tractionAt(input, gap) : (strength * done) / elastic)
    balance()
    elongation = u[elements]
    work += ((force + before.force) / 2) * (elongation - before.elongation)
    broken += ((force + before.force) / 2) * (gap - before.gap)
    greatest = Math.max(greatest, elongation)
  }
  if (held === undefined) sample(0)
  else
    journal.taken((tape) => {
      for (let done = 0; done <= journal.step; done++) if (isKept(done)) keep(barSampleOf(tape.doubles(7)))
    })
  return {
    advance: (from, to, each) => {
      for (let done = from + 1; done <= to; done++) {
        increment(done)
        if (isKept(done)) sample(done)
        each(done)
      }
    },
    bytes: () =>
      concat(littleEndianBytes(Float64Array.of(gap, force, elongation, work, broken, greatest)), chain.digest()),
    samples,
    greatest: () => greatest,
  }
}
