import { asin, cosh, exp, log, PI, sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import { jumpsOf, potentialIn } from '#numerics/solvers/schrodinger/problem.ts'
import type { SchrodingerInput, SchrodingerOutput } from '#numerics/solvers/schrodinger/schema.ts'

/** What the check knows of a potential by itself, in SI: nothing here is scaled as the run scales it. */
export interface Reference {
  readonly V: (x: number) => number
  /** Ends between which levels are counted, in metres. */
  readonly from: number
  readonly to: number
  /** Level n in closed form, or undefined where there is none. */
  readonly exact: ((n: number) => number) | undefined
  /** How many levels the closed form has. */
  readonly count: number
  /** Whether the walls of the problem stand at the ends. */
  readonly walled: boolean
  /** Where V jumps, in metres; undefined where it does not. */
  readonly jumps?: readonly number[]
}

const HBAR = constantOf('hbar').value
/** Share of the grid's length by which the check looks beyond it on an open line. */
const BEYOND = 0.15
/** Halvings that bring a share to its last bits. */
const HALVINGS = 60
/** Share of its width by which a place may miss the edge of a well and be it. */
const AT_EDGE = 1e-12

type Grid = Pick<SchrodingerOutput, 'x' | 'dx'>

const widened = ({ x }: Grid): { readonly from: number; readonly to: number } => {
  const first = x[0] ?? Number.NaN
  const last = x[x.length - 1] ?? Number.NaN
  return { from: first - BEYOND * (last - first), to: last + BEYOND * (last - first) }
}

const open = { walled: false, count: Number.POSITIVE_INFINITY }

/** Levels of a finite well from k·width + 2·asin(k/k0) = (n + 1)·π, k0 being the wave number of its depth. */
const finiteWell = ({ mass, finiteWell: { width, depth } }: SchrodingerInput): Omit<Reference, 'from' | 'to'> => {
  const deepest = sqrt(2 * mass * depth) / HBAR
  const exact = (n: number): number => {
    let [low, high] = [0, 1]
    for (let halving = 0; halving < HALVINGS; halving++) {
      const share = (low + high) / 2
      if (share * deepest * width + 2 * asin(share) < (n + 1) * PI) low = share
      else high = share
    }
    return depth * (low * low - 1)
  }
  const edge = width / 2
  const V = (x: number): number => {
    const off = Math.abs(x) - edge
    return Math.abs(off) <= AT_EDGE * width ? -depth / 2 : off < 0 ? -depth : 0
  }
  return { V, exact, count: Math.ceil((deepest * width) / PI), walled: false, jumps: [-edge, edge] }
}

/** The potential, its ends and closed form; hydrogen has a reference of its own. */
export const referenceOf = (input: SchrodingerInput, grid: Grid): Reference => {
  const { mass } = input
  if (input.potential === 'well') {
    const { width } = input.well
    const quantum = (PI * PI * HBAR * HBAR) / (2 * mass * width * width)
    const exact = (n: number): number => (n + 1) * (n + 1) * quantum
    return { V: () => 0, from: 0, to: width, exact, count: Number.POSITIVE_INFINITY, walled: true }
  }
  if (input.potential === 'harmonic') {
    const { omega } = input.harmonic
    const V = (x: number): number => (mass * omega * omega * x * x) / 2
    return { ...open, ...widened(grid), V, exact: (n) => HBAR * omega * (n + 0.5) }
  }
  if (input.potential === 'morse') {
    const { depth, a, centre } = input.morse
    // D·((1 − e^(−y))² − 1), written so that it stays exact near the bottom: (1 − e^(−y)) = 2·e^(−y/2)·sinh(y/2).
    const V = (x: number): number => {
      const y = a * (x - centre)
      return depth * exp(-y) * (2 * cosh(y) - 2 - exp(y))
    }
    const omega = a * sqrt((2 * depth) / mass)
    const anharmonic = (HBAR * omega * HBAR * omega) / (4 * depth)
    const exact = (n: number): number => HBAR * omega * (n + 0.5) - anharmonic * (n + 0.5) * (n + 0.5) - depth
    const count = Math.ceil((2 * depth) / (HBAR * omega) - 0.5)
    return { ...widened(grid), V, exact, count, walled: false }
  }
  if (input.potential === 'double-well') {
    const { barrier, distance } = input.doubleWell
    const V = (x: number): number => {
      const off = ((x - distance) * (x + distance)) / (distance * distance)
      return barrier * off * off
    }
    return { ...open, ...widened(grid), V, exact: undefined }
  }
  if (input.potential === 'finite-well') return { ...finiteWell(input), ...widened(grid) }
  const { from, to, edges } = input.expression
  const jumps = jumpsOf(input.expression)
  const own = { V: potentialIn(input.expression), from, to, exact: undefined, count: 0, walled: edges === 'wall' }
  return jumps.length === 0 ? own : { ...own, jumps }
}

/** Bohr radius of the input's nucleus and mass, and the energy of principal quantum number 1, negative. */
const hydrogenScales = ({ mass, hydrogen }: SchrodingerInput): { readonly bohr: number; readonly ground: number } => {
  const e = constantOf('e').value
  const coulomb = (hydrogen.Z * e * e) / (4 * PI * constantOf('epsilon_0').value)
  const bohr = (HBAR * HBAR) / (mass * coulomb)
  return { bohr, ground: -coulomb / (2 * bohr) }
}

/** Hydrogen in closed form: energies, potential, and the radial function u = r·R of a level. */
export const hydrogenOf = (input: SchrodingerInput) => {
  const { l, Z } = input.hydrogen
  const { bohr, ground } = hydrogenScales(input)
  const e = constantOf('e').value
  const V = (r: number): number =>
    (-Z * e * e) / (4 * PI * constantOf('epsilon_0').value * r) + (HBAR * HBAR * l * (l + 1)) / (2 * input.mass * r * r)
  const exact = (level: number): number => ground / ((level + l + 1) * (level + l + 1))
  /** Normalised (2r/n·a)^(l+1)·e^(−r/na)·L^(2l+1): Landau, Lifshitz, Quantum Mechanics, section 36. */
  const u = (level: number): ((r: number) => number) => {
    const n = level + l + 1
    // (n − l − 1)!/(n + l)! = 1/((level + 1)·…·(level + 2l + 1)); logarithms keep ρ^(l+1) within doubles.
    let logNorm = -log(n * n * bohr)
    for (let k = level + 1; k <= level + 2 * l + 1; k++) logNorm -= log(k)
    return (r) => {
      const rho = (2 * r) / (n * bohr)
      let [before, here] = [0, 1]
      for (let k = 0; k < level; k++) {
        const next = ((2 * k + 2 * l + 2 - rho) * here - (k + 2 * l + 1) * before) / (k + 1)
        before = here
        here = next
      }
      return exp(logNorm / 2 + (l + 1) * log(rho) - rho / 2) * here
    }
  }
  return { V, exact, u, bohr, l, Z }
}
