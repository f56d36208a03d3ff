import { exp, log, sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import { ERROR_PCT_MAX, type Reality } from '#numerics/runtime/solver.ts'
import { nodesOfBoth, type Shot } from '#numerics/solvers/schrodinger/nodes.ts'
import type { SchrodingerInput, SchrodingerOutput } from '#numerics/solvers/schrodinger/schema.ts'
import { hydrogenOf, type Reference, referenceOf } from './reference.ts'
import { residualPct, statesPct } from './states.ts'
import { recomputeNodes, recomputeState, trackOf } from './stepped.ts'

const HBAR = constantOf('hbar').value
/** Phase per Numerov step of the fastest wave: its error in an energy is about this to the fourth power over 240. */
const PHASE_PER_STEP = 0.04
const STEPS_MIN = 1_000
const STEPS_MAX = 200_000
/** Relative half widths of the bracket that a level is put in, from the least; the gate's own bound is among them. */
const BRACKETS = [1e-7, 1e-6, 1e-5, 1e-4, 5e-4, 1e-3, 1e-2, 1e-1]
/** Relative disagreement of numbers that repeat one another. */
const ECHO = 1e-9

/** The numbers of an answer as the check reads them. */
interface Answer {
  readonly energies: Float64Array
  readonly x: Float64Array
  readonly potentialEnergy: Float64Array
  readonly states: Float64Array
}

const largestOf = (values: Float64Array): number => values.reduce((most, it) => Math.max(most, Math.abs(it)), 0)

/** Whether what repeats the input, or follows from the rest of the answer, does so. */
const echoes = (input: SchrodingerInput, output: SchrodingerOutput, answer: Answer): boolean => {
  const { energies, x, potentialEnergy, states } = answer
  const { levels, points } = input
  const least = potentialEnergy.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY)
  const walled = input.potential === 'well' || (input.potential === 'expression' && input.expression.edges === 'wall')
  const even = walled ? 'sine' : 'sinc'
  const wanted = input.potential === 'hydrogen' ? 'laguerre' : output.dx === 0 ? 'elements' : even
  // Every comparison with NaN is false, so that one broken number would hide in a maximum: it is looked for here.
  const finite = [energies, x, potentialEnergy, states].every((values) => values.every(Number.isFinite))
  return (
    finite &&
    output.potential === input.potential &&
    output.representation === wanted &&
    output.levels === levels &&
    output.points === points &&
    energies.length === levels &&
    x.length === points &&
    potentialEnergy.length === points &&
    states.length === levels * points &&
    output.groundState === energies[0] &&
    output.highestLevel === energies[levels - 1] &&
    output.minimum === least &&
    energies.every((value, k) => k === 0 || value >= energies[k - 1])
  )
}

/** Whether the grid is the even one it says, and begins and ends where the box of the problem wants it. */
const gridHolds = (input: SchrodingerInput, dx: number, x: Float64Array): boolean => {
  const last = x.length - 1
  const span = x[last] - x[0]
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= ECHO * span
  if (!(span > 0) || !near(dx * last, span) || !x.every((place, i) => near(place, x[0] + i * dx))) return false
  if (input.potential === 'well') return near(x[0], dx) && near(x[last] + dx, input.well.width)
  if (input.potential !== 'expression') return true
  return near(x[0] - dx, input.expression.from) && near(x[last] + dx, input.expression.to)
}

const potentialHolds = (V: (x: number) => number, { x, potentialEnergy }: Answer): boolean => {
  const largest = largestOf(potentialEnergy)
  return x.every((place, i) => Math.abs(V(place) - potentialEnergy[i]) <= ECHO * largest)
}

/** The percent within which node counts on both sides of each level hold it, of the level's own scale. */
const bracketBy = (energies: Float64Array, nodesAt: (energy: number) => number, minimum: number): number => {
  let worst = 0
  energies.forEach((energy, level) => {
    const scale = energy - minimum
    const holds = (share: number): boolean =>
      nodesAt(energy - share * scale) <= level && nodesAt(energy + share * scale) > level
    worst = Math.max(worst, 100 * (BRACKETS.find(holds) ?? Number.POSITIVE_INFINITY))
  })
  return worst
}

/** The same by Numerov's scheme, two energies in one pass. */
const bracketPct = (shot: Shot, energies: Float64Array, scaleOf: (level: number) => number): number => {
  let worst = 0
  energies.forEach((energy, level) => {
    const scale = scaleOf(level)
    const holds = (share: number): boolean => {
      const [below, above] = nodesOfBoth(shot, energy - share * scale, energy + share * scale)
      return below <= level && above > level
    }
    worst = Math.max(worst, 100 * (BRACKETS.find(holds) ?? Number.POSITIVE_INFINITY))
  })
  return worst
}

const shotOf = (input: SchrodingerInput, { V, from, to }: Reference, top: number, least: number): Shot => {
  const factor = (2 * input.mass) / (HBAR * HBAR)
  const waveNumber = sqrt(Math.max(0, factor * (top - least)))
  const steps = Math.ceil(((to - from) * waveNumber) / PHASE_PER_STEP)
  const count = Math.min(STEPS_MAX, Math.max(STEPS_MIN, Number.isFinite(steps) ? steps : STEPS_MAX))
  const h = (to - from) / count
  const perEnergy = (h * h * factor) / 12
  return {
    fixed: Float64Array.from({ length: count }, (_, n) => perEnergy * V(from + n * h)),
    perEnergy: new Float64Array(count).fill(perEnergy),
    start: Number.POSITIVE_INFINITY,
  }
}

/** The radial equation on the axis ln r: y = u/√r, y″ = ((l + 1/2)² + (2·m/ħ²)·r²·(V − E))·y, V without its l² part. */
const radialShot = (input: SchrodingerInput): Shot => {
  const { bohr, l } = hydrogenOf(input)
  const n = input.levels + l
  const low = log(1e-6)
  const high = log(2 * n * n + 40 * n + 40)
  const steps = Math.ceil((n * (high - low)) / PHASE_PER_STEP)
  const h = (high - low) / steps
  const twelfth = (h * h) / 12
  const factor = (2 * input.mass * bohr * bohr) / (HBAR * HBAR)
  const radius = Float64Array.from({ length: steps }, (_, k) => exp(low + k * h))
  return {
    fixed: radius.map((r) => twelfth * ((l + 0.5) * (l + 0.5) - 2 * r)),
    perEnergy: radius.map((r) => twelfth * factor * r * r),
    start: exp((l + 0.5) * h),
  }
}

/** Largest distance from the closed form in percent of the least of: height over the minimum, gaps to neighbours. */
const closedPct = (energies: Float64Array, exact: (n: number) => number, bounds: Bounds): number => {
  let worst = 0
  energies.forEach((energy, n) => {
    const level = exact(n)
    let scale = level - bounds.minimum
    if (n > 0) scale = Math.min(scale, level - exact(n - 1))
    if (n + 1 < bounds.count) scale = Math.min(scale, exact(n + 1) - level)
    worst = Math.max(worst, (100 * Math.abs(energy - level)) / scale)
  })
  return worst
}

interface Bounds {
  readonly minimum: number
  readonly count: number
}

interface Parts {
  readonly against: string
  readonly level: number
  readonly state: number
  /** Counts nodes: the dear part, asked for last. */
  readonly bracket: () => number
}

/** An even grid where there are jumps, or another where there are none. */
const gridIsNone: Parts = { against: 'the grid', level: 100, state: 100, bracket: () => 100 }

const checkHydrogen = (input: SchrodingerInput, answer: Answer): Parts => {
  const { exact, u, V, l } = hydrogenOf(input)
  const bounds = { minimum: Number.NEGATIVE_INFINITY, count: Number.POSITIVE_INFINITY }
  const scaleOf = (level: number): number => exact(level + 1) - exact(level)
  const { states, x, energies } = answer
  let worst = 0
  for (let level = 0; level < input.levels; level++) {
    const own = states.subarray(level * x.length, (level + 1) * x.length)
    const wanted = x.map(u(level))
    const largest = largestOf(wanted)
    own.forEach((value, i) => {
      worst = Math.max(worst, (100 * Math.abs(value - wanted[i])) / largest)
    })
  }
  return {
    against: `Bohr's levels, the radial functions of hydrogen, and nodes counted by shooting (l = ${l})`,
    level: closedPct(energies, exact, bounds),
    state: potentialHolds(V, answer) ? worst : Number.NaN,
    bracket: () => bracketPct(radialShot(input), energies, scaleOf),
  }
}

/** Whether the grid rises from edge to edge with the jumps among its places, and V is told at each. */
const placesHold = ({ V, jumps = [], from, to }: Reference, { x, potentialEnergy }: Answer): boolean => {
  const near = ECHO * (to - from)
  const rises = x.every((place, i) => place > (i === 0 ? from : x[i - 1]) && place < to)
  const largest = largestOf(potentialEnergy)
  const isJump = (place: number): boolean => jumps.some((jump) => Math.abs(place - jump) <= near)
  const told = x.every((place, i) => {
    // Half of both sides, as the places may miss the jump by their rounding.
    const wanted = isJump(place) ? (V(place - near) + V(place + near)) / 2 : V(place)
    return Math.abs(wanted - potentialEnergy[i]) <= ECHO * largest
  })
  return rises && told && jumps.every((jump) => x.some((place) => Math.abs(place - jump) <= near))
}

/** A potential that jumps: levels and states by integrating from place to place, and so never across a jump. */
const checkSteps = (input: SchrodingerInput, output: SchrodingerOutput, { answer, reference }: Stepped): Parts => {
  const { energies, x, states } = answer
  const { V, exact, count, walled, from, to } = reference
  const unit = to - from
  const quantum = (HBAR * HBAR) / (2 * input.mass * unit * unit)
  const { minimum } = output
  const top = energies[energies.length - 1] as number
  const track = trackOf({
    places: Float64Array.from([from, ...x, to], (place) => (place - from) / unit),
    v: (xi) => V(from + xi * unit) / quantum,
    fastest: (top - minimum) / quantum,
  })
  const bracket = (): number => {
    if (track === undefined) return Number.NaN
    return bracketBy(energies, (energy) => recomputeNodes(track, energy / quantum), minimum)
  }
  let worst = 0
  energies.forEach((energy, level) => {
    const own = states.subarray(level * x.length, (level + 1) * x.length)
    const largest = largestOf(own)
    const at = own.findIndex((value) => Math.abs(value) === largest)
    if (track === undefined || at < 0) worst = Number.NaN
    else {
      const wanted = recomputeState(track, energy / quantum, at + 1)
      const sign = (own[at] as number) < 0 ? -1 : 1
      own.forEach((value, i) => {
        worst = worstOf(worst, (100 * Math.abs(value - (sign * wanted[i + 1]) / sqrt(unit))) / largest)
      })
      if (!walled) worst = worstOf(worst, (100 * Math.max(Math.abs(own[0]), Math.abs(own[own.length - 1]))) / largest)
    }
  })
  return {
    against:
      exact === undefined
        ? 'nodes and states by integrating between the jumps, at both ends of a bracket around each level'
        : 'the roots of the well’s own equation, and nodes and states by integrating between its edges',
    level: exact === undefined ? 0 : closedPct(energies, exact, { minimum, count }),
    state: placesHold(reference, answer) ? worst : Number.NaN,
    bracket,
  }
}

interface Stepped {
  readonly answer: Answer
  readonly reference: Reference
}

/** The larger of two numbers, and NaN where one is. */
const worstOf = (a: number, b: number): number => (a > b || Number.isNaN(a) ? a : b)

const checkLine = (input: SchrodingerInput, output: SchrodingerOutput, answer: Answer): Parts => {
  const reference = referenceOf(input, output)
  if ((reference.jumps !== undefined) !== (output.dx === 0)) return gridIsNone
  if (reference.jumps !== undefined) return checkSteps(input, output, { answer, reference })
  const { energies } = answer
  const { V, exact, count, walled } = reference
  const minimum =
    input.potential === 'expression' ? output.minimum : input.potential === 'morse' ? -input.morse.depth : 0
  const bracket = (): number => {
    const shot = shotOf(input, reference, energies[energies.length - 1], minimum)
    return bracketPct(shot, energies, (level) => energies[level] - minimum)
  }
  const holds = gridHolds(input, output.dx, answer.x) && potentialHolds(V, answer)
  const factor = (2 * input.mass) / (HBAR * HBAR)
  const waves = { levels: input.levels, points: input.points, dx: output.dx, walled, factor, minimum }
  return {
    against:
      exact === undefined
        ? 'nodes counted by shooting at both ends of a bracket around each level'
        : 'the closed form of each level, and nodes counted by shooting on both sides of it',
    level: exact === undefined ? 0 : closedPct(energies, exact, { minimum, count }),
    state: holds ? Math.max(residualPct(answer, waves), statesPct(answer, waves)) : Number.NaN,
    bracket,
  }
}

/**
 * Checks levels and states. Each level: distance from the closed form where there is one (on the scale of the gap to
 * its neighbours or of its height over the minimum), and the narrowest bracket whose ends have the node counts n and
 * n + 1. Each state: the Schrödinger equation in local differences at every point, length 1, right angles, tails; for
 * hydrogen the radial functions themselves. Brackets, and their figure, are left out where the rest has failed.
 */
export const checkSchrodinger = (input: SchrodingerInput, output: SchrodingerOutput): Reality => {
  const answer: Answer = {
    energies: Float64Array.from(output.energies),
    x: Float64Array.from(output.x),
    potentialEnergy: Float64Array.from(output.potentialEnergy),
    states: Float64Array.from(output.states),
  }
  if (!echoes(input, output, answer)) {
    return { against: 'the input and the rest of the answer', errorPct: 100, figures: { echo_wrong: 1 } }
  }
  if (input.potential === 'hydrogen' && output.dx !== 0) {
    return { against: 'the uneven grid', errorPct: 100, figures: { echo_wrong: 1 } }
  }
  const { against, level, state, bracket } =
    input.potential === 'hydrogen' ? checkHydrogen(input, answer) : checkLine(input, output, answer)
  const figures = { closed_form_pct: level, states_pct: state, points: input.points }
  const known = Math.max(level, state)
  // What fails already fails whatever the nodes say; states that pass are carried by their grid, and bound the steps.
  if (!(known <= ERROR_PCT_MAX)) return { against, errorPct: known, figures }
  const bracketed = bracket()
  return { against, errorPct: Math.max(known, bracketed), figures: { ...figures, bracket_pct: bracketed } }
}
