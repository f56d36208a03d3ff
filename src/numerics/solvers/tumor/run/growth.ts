import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import { expm1 } from '#numerics/math.ts'
import { type AdiPlan, compactOf, compactScale, createAdi } from '#numerics/methods/diffusion/adi.ts'
import { DAMPED_STEPS, dampedStep, operatorsOf } from '#numerics/methods/diffusion/engines.ts'
import { lineOperator, linesAlong } from '#numerics/methods/diffusion/lines.ts'
import type { DiffusionProblem } from '#numerics/methods/diffusion/problem.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { type Journal, journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { keptSteps } from '#numerics/runtime/segments.ts'
import { frontOf, isDamped, rOf, sampledSteps, tissueOf } from '#numerics/solvers/tumor/problem.ts'
import { SEGMENT_STEPS, type TumorEvidence, type TumorInput } from '#numerics/solvers/tumor/schema.ts'

/** Diffusion over a step of a field in place, but for a factor; and growth, which applies the factor. */
interface Diffusion {
  readonly field: Float64Array
  readonly scale: number
  /** Growth, then diffusion over the step of this number. */
  readonly growAndDiffuse: (step: number, scale: number, gain: number, rise: number) => void
  readonly tally: (scale: number, gain: number, rise: number) => readonly [number, number]
}

/** Growth over a time, exactly: u ← u·gain/(1 + u·rise) with gain = exp(rho·t), rise = gain − 1. */
const growPlainly = (field: Float64Array, scale: number, { gain, rise }: { gain: number; rise: number }): void => {
  for (let at = 0; at < field.length; at++) {
    const u = scale * field[at]
    field[at] = (u * gain) / (1 + u * rise)
  }
}

/** Sums of u and u·(1 − u) of a line as growth would leave it, its ends counted half. */
const tallyPlainly = (field: Float64Array, scale: number, { gain, rise }: { gain: number; rise: number }) => {
  let [grown, spent] = [0, 0]
  for (let at = 0; at < field.length; at++) {
    const x = scale * field[at]
    const u = (x * gain) / (1 + x * rise)
    const weight = at === 0 || at === field.length - 1 ? 0.5 : 1
    grown += weight * u
    spent += weight * u * (1 - u)
  }
  return [grown, spent] as const
}

/** On a line: Crandall's Crank–Nicolson scheme of fourth order in space. */
const lineDiffusion = (start: Float64Array, r: number): Diffusion => {
  const field = start.slice()
  const work = new Float64Array(field.length)
  const lines = linesAlong(1, field.length)
  const { stencil, matrix } = compactOf(r, true)
  const left = lineOperator(lines, stencil, 'insulated')
  const right = lineOperator(lines, matrix, 'insulated')
  return {
    field,
    scale: compactScale(r),
    growAndDiffuse: (_, scale, gain, rise) => {
      growPlainly(field, scale, { gain, rise })
      left.stencil(field, work)
      right.solve(work)
      field.set(work)
    },
    tally: (scale, gain, rise) => tallyPlainly(field, scale, { gain, rise }),
  }
}

/** On a rectangle: Mitchell and Fairweather's alternating directions, in the heat kernel. */
const planeDiffusion = (start: Float64Array, plan: AdiPlan): Diffusion => {
  const adi = createAdi(plan, start)
  return {
    field: adi.field,
    scale: compactScale(plan.rAlong, plan.rAcross),
    growAndDiffuse: adi.growAndStep,
    tally: adi.tally,
  }
}

/** A density on its way. */
export interface Growth extends Advancing {
  readonly damped: boolean
  readonly density: () => Float64Array
  readonly evidence: () => TumorEvidence
}

/** What is kept of a step. */
type Note = 'sums' | 'front' | 'density'

/** Keeps what belongs to the steps: of each two sums, of some the front, of some the density of so many nodes. */
const createNotes = (journal: Journal, { steps }: TumorInput, nodes: number) => {
  const keep = new Set(keptSteps(steps, SEGMENT_STEPS))
  const sampled = sampledSteps(steps)
  const budget = new Float64Array(2 * (steps + 1))
  const fronts = new Float64Array(sampled.length)
  const states: Float64Array[] = []
  const sizes: Readonly<Record<Note, number>> = { sums: 2, front: 1, density: nodes }
  const chain = journal.chain(journal.step + 1)
  let samples = 0
  const enter = (taken: number, of: (what: Note) => Float64Array): void => {
    budget.set(of('sums'), 2 * taken)
    chain.link(budget.subarray(2 * taken, 2 * taken + 2))
    if (sampled[samples] === taken) {
      fronts.set(of('front'), samples)
      chain.link(fronts.subarray(samples, samples + 1))
      samples++
    }
    if (!keep.has(taken)) return
    const density = of('density')
    states.push(density)
    chain.link(density)
  }
  const takeUp = (): void => {
    journal.taken((tape) => {
      for (let taken = 0; taken <= journal.step; taken++) enter(taken, (what) => tape.doubles(sizes[what]))
    })
    samples = sampled.filter((step) => step <= journal.step).length
  }
  const evidence = (): TumorEvidence => {
    const all = new Float64Array(states.length * nodes)
    for (const [i, state] of states.entries()) all.set(state, i * nodes)
    return { budget, states: all, fronts }
  }
  return { enter, takeUp, digest: chain.digest, evidence }
}

/**
 * Strang's splitting: growth over half a step (exact), diffusion over a step, growth over half a step. The halves that
 * meet are taken as one, so that what lies in memory between two steps has its last half step of growth before it.
 *
 * @param origin where a run stopped, if it is not to begin at the start.
 */
export const createGrowth = (input: TumorInput, start: Float64Array, origin: RunOrigin = {}): Growth => {
  const { rho, dt } = input
  const tissue = tissueOf(input)
  const { rows, columns } = tissue
  const { along, across } = rOf(input)
  const plan: AdiPlan = { rows, columns, rAcross: across, rAlong: along, insulated: true, compact: true }
  const journal = journalOf(origin)
  const { held } = journal
  const begin = held?.doubles(start.length) ?? start
  const diffusion = rows === 1 ? lineDiffusion(begin, along) : planeDiffusion(begin, plan)
  const { field } = diffusion
  const damped = isDamped(input, start)
  const problem: DiffusionProblem = {
    rows,
    columns,
    rAlong: along,
    rAcross: across,
    boundary: 'insulated',
    scheme: 'adi',
    damped,
  }
  const operators = damped ? operatorsOf(problem) : undefined
  const rise = (time: number): number => expm1(rho * time)
  const [half, whole] = [rise(dt / 2), rise(dt)]
  let begun = journal.step > 0
  let left = !begun || (damped && journal.step <= DAMPED_STEPS) ? 1 : diffusion.scale
  /** Some nodes of the field with the growth that is still to come. */
  const grown = (from: number, to: number): Float64Array => {
    const now = field.slice(from, to)
    if (begun) growPlainly(now, left, { gain: half + 1, rise: half })
    return now
  }
  const density = (): Float64Array => grown(0, field.length)
  const cell = tissue.dx * (rows === 1 ? 1 : tissue.dy)
  const middle = Math.floor((rows - 1) / 2) * columns
  const notes = createNotes(journal, input, field.length)
  const note = (taken: number): void =>
    notes.enter(taken, (what) => {
      if (what === 'density') return density()
      if (what === 'front') return Float64Array.of(frontOf({ ...tissue, rows: 1 }, grown(middle, middle + columns)))
      const [mass, free] = begun ? diffusion.tally(left, half + 1, half) : diffusion.tally(1, 1, 0)
      return Float64Array.of(cell * mass, cell * free)
    })
  if (held === undefined) note(0)
  else notes.takeUp()
  const advance = (from: number, to: number, each: (step: number) => void): void => {
    for (let step = from; step < to; step++) {
      const due = step === 0 ? half : whole
      begun = true
      if (operators !== undefined && step < DAMPED_STEPS) {
        growPlainly(field, left, { gain: due + 1, rise: due })
        dampedStep(field, operators, problem)
        left = 1
      } else {
        diffusion.growAndDiffuse(step, left, due + 1, due)
        left = diffusion.scale
      }
      note(step + 1)
      each(step + 1)
    }
  }
  const bytes = (): Uint8Array => concat(littleEndianBytes(field), notes.digest())
  return { damped, advance, bytes, density, evidence: notes.evidence }
}
