import { Fault } from '#core/fault.ts'
import { asin, log, PI, sqrt } from '#numerics/math.ts'
import { refusing } from '#numerics/runtime/refusing.ts'
import { countNodes } from './nodes.ts'
import { type Problem, potentialIn, problemOf } from './problem.ts'
import { ENERGY_MAX, INVERSE_WIDTH_MIN, type SchrodingerInput } from './schema.ts'

/** A piece of the ξ axis. */
interface Box {
  readonly low: number
  readonly high: number
}

/** e-folds of the highest state's decay between its turning point and the edge of the box. */
const DECAY = 20
/** Steps of the walk to the edge of a box: beyond, the state is too loosely bound to be boxed. */
const WALK_STEPS_MAX = 1_000_000
/** Points of the largest Laguerre mesh: its weights begin at exp(−2·points). */
const LAGUERRE_POINTS_MAX = 320
/** Grid points at which a potential is scanned before work. */
const SCAN = 4_000
/** Phase per point of the highest state, in units of π: refused above the first, fine below the second. */
const PHASE_MAX = 0.9
const PHASE_FINE = 0.6
/** Halvings that bring a wave number to its last bits. */
const HALVINGS = 60
const POINTS_MAX = 384

/** Refuses an input that states no such levels, with what would pass. */
export const illPosed = refusing('ILL_POSED')

/** sqrt(2·m·D)/(a·ħ): level n of a Morse well is bound when n < λ − 1/2. */
const lambdaOf = ({ morse }: SchrodingerInput, { energy }: Problem): number => sqrt(morse.depth / energy)

/** Energy by which a symmetric double well holds one level more than asked, by counting phase space. */
const doubleWellTop = (barrier: number, levels: number): number => {
  const CELLS = 400
  const held = (energy: number): number => {
    const edge = sqrt(1 + sqrt(energy / barrier))
    let sum = 0
    for (let i = 0; i < CELLS; i++) {
      const xi = (edge * (i + 0.5)) / CELLS
      sum += sqrt(Math.max(0, energy - barrier * (xi * xi - 1) * (xi * xi - 1)))
    }
    return (2 * sum * edge) / (CELLS * PI)
  }
  let high = 1
  while (held(high) < levels + 1) high *= 2
  let low = 0
  for (let halving = 0; halving < 40; halving++) {
    const middle = (low + high) / 2
    if (held(middle) < levels + 1) low = middle
    else high = middle
  }
  return high
}

/**
 * Wave number times width of a level of a finite well, √(2·m·depth)·width/ħ being its strength:
 * k = (n + 1)·π − 2·asin(k/strength).
 */
const finiteWave = (strength: number, level: number): number => {
  let [low, high] = [0, strength]
  for (let halving = 0; halving < HALVINGS; halving++) {
    const k = (low + high) / 2
    if (k + 2 * asin(k / strength) < (level + 1) * PI) low = k
    else high = k
  }
  return (low + high) / 2
}

/** The highest energy that matters and the outer turning points of that energy. */
interface Reach extends Box {
  readonly top: number
  /** Least value of v. */
  readonly bottom: number
}

const reachOf = (input: SchrodingerInput, problem: Problem): Reach => {
  if (input.potential === 'harmonic') {
    const top = 2 * input.levels - 1
    return { top, bottom: 0, low: -sqrt(top), high: sqrt(top) }
  }
  if (input.potential === 'morse') {
    const lambda = lambdaOf(input, problem)
    const kappa = lambda - input.levels + 0.5
    const root = sqrt((lambda - kappa) * (lambda + kappa)) / lambda
    return { top: -kappa * kappa, bottom: -lambda * lambda, low: -log(1 + root), high: -log(1 - root) }
  }
  if (input.potential === 'finite-well') {
    const depth = input.finiteWell.depth / problem.energy
    const k = finiteWave(sqrt(depth), input.levels - 1)
    return { top: k * k - depth, bottom: -depth, low: -0.5, high: 0.5 }
  }
  const barrier = input.doubleWell.barrier / problem.energy
  const top = doubleWellTop(barrier, input.levels)
  const edge = sqrt(1 + sqrt(top / barrier))
  return { top, bottom: 0, low: -edge, high: edge }
}

/** From a turning point outwards until the highest state has decayed. */
const edgeOf = ({ top, low, high }: Reach, { v }: Problem, outwards: 1 | -1): number => {
  const stride = (high - low) / 50
  let xi = outwards === 1 ? high : low
  let decay = 0
  for (let step = 0; step < WALK_STEPS_MAX; step++) {
    const kappa = sqrt(Math.max(0, v(xi) - top))
    const by = Math.min(stride, 0.2 / kappa)
    decay += kappa * by
    xi += outwards * by
    if (decay >= DECAY && Number.isFinite(xi)) return xi
  }
  return illPosed('/levels', 'the highest level is too loosely bound for a box.', { measured: decay, limit: DECAY })
}

/** The box of the representation, and the largest wave number in it. */
export const boxOf = (input: SchrodingerInput, problem: Problem): Box & { readonly waveNumber: number } => {
  if (input.potential === 'well') return { low: 0, high: 1, waveNumber: PI * input.levels }
  if (input.potential === 'hydrogen') return { low: 0, high: Number.POSITIVE_INFINITY, waveNumber: 0 }
  if (input.potential === 'expression') return { low: -0.5, high: 0.5, waveNumber: 0 }
  const reach = reachOf(input, problem)
  // Elements have their points where the waves are: how many carry them, the check tells.
  const waveNumber = input.potential === 'finite-well' ? 0 : sqrt(reach.top - reach.bottom)
  return { low: edgeOf(reach, problem, -1), high: edgeOf(reach, problem, 1), waveNumber }
}

const refuseMorse = (input: SchrodingerInput, problem: Problem): void => {
  const lambda = lambdaOf(input, problem)
  const bound = Math.max(0, Math.ceil(lambda - 0.5))
  if (input.levels > bound) {
    // A well that binds one level more than asked for, as the box of one that is hardly bound is too wide for a grid:
    // a deeper one, or a wider one where no such depth is allowed.
    const least = input.levels + 0.5
    const depth = problem.energy * least * least
    const a = (input.morse.a * lambda) / least
    const passing = depth <= ENERGY_MAX ? { depth } : a >= INVERSE_WIDTH_MIN ? { a } : {}
    illPosed('/levels', `this well binds ${bound} levels.`, { measured: input.levels, limit: bound, ...passing })
  }
}

const refuseFiniteWell = (input: SchrodingerInput, { energy }: Problem): void => {
  const { depth } = input.finiteWell
  const bound = Math.ceil(sqrt(depth / energy) / PI)
  if (input.levels <= bound) return
  // Half a level deeper than the one asked for begins to be bound.
  const needed = energy * (PI * (input.levels - 0.5)) * (PI * (input.levels - 0.5))
  const why = `this well binds ${bound} levels.`
  const passing = needed <= ENERGY_MAX ? { depth: needed } : {}
  illPosed('/levels', why, { measured: input.levels, limit: bound, levels: bound, ...passing })
}

const refuseHydrogen = ({ levels, points, hydrogen }: SchrodingerInput): void => {
  const needed = 2 * (levels + hydrogen.l) + 16
  if (points < needed) {
    illPosed('/points', `${levels} levels of l = ${hydrogen.l} need ${needed}.`, {
      measured: points,
      limit: needed,
      points: needed,
    })
  }
  if (points > LAGUERRE_POINTS_MAX) {
    illPosed('/points', `a radial mesh has at most ${LAGUERRE_POINTS_MAX}.`, {
      measured: points,
      limit: LAGUERRE_POINTS_MAX,
      points: LAGUERRE_POINTS_MAX,
    })
  }
}

/** v over the box of an own potential, edges included. */
const scanned = ({ expression }: SchrodingerInput, { length, energy }: Problem): Float64Array => {
  const V = potentialIn(expression)
  const values = Float64Array.from({ length: SCAN + 1 }, (_, i) => V(expression.from + (i / SCAN) * length) / energy)
  const bad = values.findIndex((value) => !Number.isFinite(value))
  if (bad >= 0) {
    illPosed('/expression/V', `it has no value at ${bad / SCAN} of the way from one edge to the other.`, {
      measured: bad / SCAN,
    })
  }
  return values
}

const refuseEdges = ({ expression: { from, to } }: SchrodingerInput): void => {
  if (to > from) return
  throw new Fault('INVALID_INPUT', '/expression/to: must be > from.', { path: '/expression/to', limit: from })
}

/**
 * Scans an own potential and counts its levels. Asked where the run is: thousands of values of an expression take
 * longer than whoever asks for a price can be kept waiting.
 *
 * @throws Fault ILL_POSED: no value somewhere, no well, or fewer levels in it than asked for.
 */
export const refuseScanned = (input: SchrodingerInput, problem: Problem): void => {
  if (input.potential !== 'expression') return
  const { edges } = input.expression
  const values = scanned(input, problem)
  if (edges === 'wall') return
  const edge = Math.min(values[0], values[SCAN])
  const bottom = values.reduce((least, value) => Math.min(least, value), edge)
  if (bottom >= edge)
    illPosed('/expression/V', 'it falls towards an edge: it is unbounded below, or has no well.', {
      measured: 0,
      limit: 1,
    })
  const twelfth = 1 / (12 * SCAN * SCAN)
  const held = countNodes(
    {
      fixed: values.map((value) => value * twelfth).slice(0, SCAN),
      perEnergy: new Float64Array(SCAN).fill(twelfth),
      start: Number.POSITIVE_INFINITY,
    },
    edge,
  )
  if (input.levels > held) {
    illPosed('/levels', `only ${held} levels lie below the potential at the edges of the box.`, {
      measured: input.levels,
      limit: held,
      ...(held > 0 && { levels: held }),
    })
  }
}

const refuseGrid = (input: SchrodingerInput, problem: Problem): void => {
  const { low, high, waveNumber } = boxOf(input, problem)
  if (waveNumber === 0) return
  const phase = (waveNumber * (high - low)) / (PI * (input.points + 1))
  if (phase <= PHASE_MAX) return
  const needed = Math.ceil((waveNumber * (high - low)) / (PI * PHASE_FINE))
  const why = `the highest level turns by ${phase}·π from point to point; ${needed} points resolve it.`
  if (needed <= POINTS_MAX) {
    illPosed('/points', why, { measured: phase, limit: PHASE_MAX, points: needed })
  }
  throw new Fault('WORK_LIMIT_EXCEEDED', `/points: ${why}`, { path: '/points', measured: needed, limit: POINTS_MAX })
}

/**
 * What can be refused without scanning an own potential.
 *
 * @throws Fault INVALID_INPUT (grammar, order of edges), ILL_POSED (levels that are not bound, a grid that cannot carry
 * the waves: with the number that would pass) and WORK_LIMIT_EXCEEDED (a grid beyond the largest).
 */
export const refuseSchrodinger = (input: SchrodingerInput): void => {
  if (2 * input.levels > input.points) {
    illPosed('/points', 'each level needs two points at least.', {
      measured: input.points,
      limit: 2 * input.levels,
      points: 2 * input.levels,
    })
  }
  const problem = problemOf(input)
  if (input.potential === 'morse') refuseMorse(input, problem)
  if (input.potential === 'hydrogen') refuseHydrogen(input)
  if (input.potential === 'finite-well') refuseFiniteWell(input, problem)
  if (input.potential === 'expression') refuseEdges(input)
  refuseGrid(input, problem)
}
