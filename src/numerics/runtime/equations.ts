import { assert } from '#core/assert.ts'
import type { Json } from '#core/canonical.ts'
import { PULSE_HZ_EXACT, TICK_SECONDS } from '#core/tick.ts'
import { cos, exp, PI, sin, sqrt, TAU } from '#numerics/math.ts'
import { type Expansion, expand, type GridAxis, halfWavesOf, nodesOf } from '#numerics/methods/fft.ts'
import { ALPHA, modulated } from './modulation.ts'
import type { Field } from './solver.ts'

/** Constants of the master equation (definitions: □φ − μ²φ − λφ³ − e^(−φ/φc) + φc²·Σ wk·Ck(φ) = T + β·F² + J). */
const MU_SQUARED = 1
const LAMBDA = 0.5
const PHI_C = 1
/** β of the source β·F², F² = 2(B² − E²/c²), and the speed of light, exact, in m/s. */
const BETA = 0.01
const LIGHT = 299_792_458
/** Amplitudes of the propagator that are shown. */
const AMPLITUDES = 8

/** RMS of each term of the master equation over the nodes where the equation holds. */
export interface MasterTerms {
  readonly dalembertian: number
  readonly mass: number
  readonly cubic: number
  readonly exponential: number
  readonly coupling: number
  readonly source: number
  readonly residual: number
}

/** E = P·Z of a field that has a velocity. */
export interface Functional {
  readonly E: number
  readonly P: number
  readonly Z: number
}

/** One tick of the linear core. */
export interface Propagator {
  /** φn(t + τ) of the first 8 modes, by rising eigenvalue. */
  readonly amplitudes: readonly number[]
  /** Relative change of the mode energy over the tick; below 1e-12 by construction of the rotation. */
  readonly energy_change: number
}

/** What of an envelope's equations depends on the field and on nothing else. */
export interface FieldEquations {
  readonly master: MasterTerms | null
  readonly functional: Functional | null
  readonly propagator: Propagator | null
}

/** Node counts and offsets of the neighbours of a field of one or two axes; a line is one row. */
interface Grid {
  readonly rows: number
  readonly columns: number
  /** Squares of the spacings, row direction first; the first is not used on a line. */
  readonly squares: readonly [number, number]
  readonly boundary: Field['boundary']
}

const gridOf = ({ shape, spacing, boundary }: Field): Grid => {
  assert(shape.length === spacing.length && (shape.length === 1 || shape.length === 2), 'a field of one or two axes')
  const [rows, columns] = shape.length === 2 ? [shape[0], shape[1]] : [1, shape[0]]
  const dx = spacing[spacing.length - 1] as number
  const dy = shape.length === 2 ? spacing[0] : 1
  return { rows, columns, squares: [dy * dy, dx * dx], boundary }
}

/** φ = u/max|u|; a field of zeros stays one. */
const normalised = (values: Float64Array): Float64Array => {
  let scale = 0
  for (const value of values) scale = Math.max(scale, Math.abs(value))
  return scale === 0 ? values : values.map((value) => value / scale)
}

/**
 * The index before or after `i` on an axis of `n` nodes, under the boundary condition; the mirror is the ghost node.
 */
const neighbour = (i: number, step: 1 | -1, n: number, boundary: Field['boundary']): number => {
  const to = i + step
  if (to >= 0 && to < n) return to
  return boundary === 'periodic' ? (to + n) % n : i - step
}

/** ∇²φ at one node. */
const laplacianAt = (phi: Float64Array, { rows, columns, squares, boundary }: Grid, r: number, c: number): number => {
  const at = (row: number, column: number): number => phi[row * columns + column]
  const here = at(r, c)
  const left = at(r, neighbour(c, -1, columns, boundary))
  const right = at(r, neighbour(c, 1, columns, boundary))
  const along = (left - 2 * here + right) / squares[1]
  if (rows === 1) return along
  const above = at(neighbour(r, -1, rows, boundary), c)
  const below = at(neighbour(r, 1, rows, boundary), c)
  return along + (above - 2 * here + below) / squares[0]
}

/** φc²·Σ wk·sin(2πkφ)/(k + φ²) with equal weights. */
const couplingOf = (phi: number, operators: number): number => {
  let sum = 0
  for (let k = 1; k <= operators; k++) sum += sin(TAU * k * phi) / (k + phi * phi)
  return operators === 0 ? 0 : (PHI_C * PHI_C * sum) / operators
}

/** A fixed edge carries its condition and not the equation. */
const isEdge = ({ rows, columns, boundary }: Grid, r: number, c: number): boolean =>
  boundary === 'fixed' && (c === 0 || c === columns - 1 || (rows > 1 && (r === 0 || r === rows - 1)))

/** ∂²φ/∂t² from three time levels, or zero: □ has a time part only where the solver keeps them. */
const accelerations = (field: Field, scale: number): Float64Array | undefined => {
  const [one, two] = field.previous?.levels ?? []
  if (field.previous === undefined || one === undefined || two === undefined || scale === 0) return undefined
  const { dt } = field.previous
  return field.values.map((value, i) => (value - 2 * one[i] + two[i]) / (dt * dt * scale))
}

const maxAbs = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

/** β·F² at every node, where a field has E and B: on the scale of φ, that is with E in max|E| and B in max|E|/c. */
const sources = ({ light }: Field): Float64Array | undefined => {
  if (light === undefined) return undefined
  const scale = maxAbs(light.electric)
  if (scale === 0) return undefined
  return light.electric.map((E, i) => {
    const e = E / scale
    const b = (LIGHT * light.magnetic[i]) / scale
    return BETA * 2 * (b * b - e * e)
  })
}

const masterOf = (field: Field, operators: number): MasterTerms | null => {
  const grid = gridOf(field)
  const phi = normalised(field.values)
  const second = accelerations(field, maxAbs(field.values))
  const light = sources(field)
  const sums = { dalembertian: 0, mass: 0, cubic: 0, exponential: 0, coupling: 0, source: 0, residual: 0 }
  let nodes = 0
  for (let r = 0; r < grid.rows; r++) {
    for (let c = 0; c < grid.columns; c++) {
      if (isEdge(grid, r, c)) continue
      const at = r * grid.columns + c
      const here = phi[at]
      const box = laplacianAt(phi, grid, r, c) - (second?.[at] ?? 0)
      const mass = MU_SQUARED * here
      const cubic = LAMBDA * here * here * here
      const exponential = exp(-here / PHI_C)
      const coupling = couplingOf(here, operators)
      const source = light?.[at] ?? 0
      const residual = box - mass - cubic - exponential + coupling - source
      sums.dalembertian += box * box
      sums.mass += mass * mass
      sums.cubic += cubic * cubic
      sums.exponential += exponential * exponential
      sums.coupling += coupling * coupling
      sums.source += source * source
      sums.residual += residual * residual
      nodes++
    }
  }
  if (nodes === 0) return null
  const rms = (sum: number): number => sqrt(sum / nodes)
  return {
    dalembertian: rms(sums.dalembertian),
    mass: rms(sums.mass),
    cubic: rms(sums.cubic),
    exponential: rms(sums.exponential),
    coupling: rms(sums.coupling),
    // T = J = 0, and F² only where a solver has E and B.
    source: rms(sums.source),
    residual: rms(sums.residual),
  }
}

const rootMeanSquare = (values: Float64Array): number =>
  sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length)

/** (φ − φ before)/dt on the scale of φ, where the solver keeps an earlier level. */
const velocities = (field: Field, scale: number): Float64Array | undefined => {
  const before = field.previous?.levels[0]
  if (field.previous === undefined || before === undefined || scale === 0) return undefined
  const { dt } = field.previous
  return field.values.map((value, i) => (value - before[i]) / (dt * scale))
}

/** Z = M·R·(1 + C)(1 + X)·e^(−δt) with M = 1, R the longest side, C = Σ wk, X = 0. */
const functionalOf = (field: Field, operators: number): Functional | null => {
  const velocity = velocities(field, maxAbs(field.values))
  const before = field.previous?.levels[0]
  if (velocity === undefined || before === undefined) return null
  const intervals = (nodes: number): number => (field.boundary === 'periodic' ? nodes : nodes - 1)
  const length = field.shape.reduce((most, nodes, i) => Math.max(most, intervals(nodes) * field.spacing[i]), 0)
  const C = operators === 0 ? 0 : 1
  // A dissipative field's e^(−δt) is what it kept of its own size over the last step.
  const kept = field.dissipative ? rootMeanSquare(field.values) / rootMeanSquare(before) : 1
  const Z = length * (1 + C) * kept
  const P = rootMeanSquare(velocity)
  return Number.isFinite(P * Z) ? { E: P * Z, P, Z } : null
}

const expansions: Readonly<Record<Field['boundary'], Expansion>> = {
  fixed: 'sine',
  insulated: 'cosine',
  periodic: 'hartley',
}

/** The nodes that carry modes: of a fixed edge none. */
const modal = (values: Float64Array, { rows, columns, boundary }: Grid): Float64Array => {
  if (boundary !== 'fixed') return values
  const inner: number[] = []
  for (let r = rows === 1 ? 0 : 1; r < (rows === 1 ? 1 : rows - 1); r++) {
    for (let c = 1; c < columns - 1; c++) inner.push(values[r * columns + c])
  }
  return Float64Array.from(inner)
}

/** Eigenvalues of −(second difference) with the weight of each mode in the sum of squares. */
const modesOf = ({ kind, intervals }: GridAxis, square: number): readonly { k2: number; weight: number }[] =>
  Array.from({ length: nodesOf(kind, intervals) }, (_, index) => {
    const half = sin((PI * halfWavesOf(kind, index, intervals)) / (2 * intervals))
    const edge = kind === 'cosine' && (index === 0 || index === intervals)
    return { k2: (4 * half * half) / square, weight: edge ? 0.5 : 1 }
  })

const propagatorOf = (field: Field): Propagator | null => {
  const grid = gridOf(field)
  const { rows, columns, squares, boundary } = grid
  const intervalsOf = (nodes: number): number => (boundary === 'periodic' ? nodes : nodes - 1)
  const kind = expansions[boundary]
  const sides = rows === 1 ? [columns] : [rows, columns]
  const axes = sides.map((nodes): GridAxis => ({ kind, intervals: intervalsOf(nodes) }))
  if (axes.some((axis) => nodesOf(axis.kind, axis.intervals) < 1)) return null
  const scale = maxAbs(field.values)
  const phi = expand(modal(normalised(field.values), grid), axes)
  const velocity = velocities(field, scale)
  const phiDot = velocity === undefined ? undefined : expand(modal(velocity, grid), axes)
  const across = modesOf(axes.at(-1) as GridAxis, squares[1])
  const down = axes.length === 2 ? modesOf(axes[0], squares[0]) : [{ k2: 0, weight: 1 }]
  // Orthonormal amplitudes: two expansions multiply by half the nodes of each axis, give or take the edges.
  const unit = axes.reduce(
    (all, { kind: k, intervals }) => all * sqrt(k === 'hartley' ? 1 / intervals : 2 / intervals),
    1,
  )
  const norm = kind === 'cosine' ? unit / (axes.length === 2 ? 4 : 2) : unit
  let before = 0
  let after = 0
  const first: { readonly omega2: number; readonly amplitude: number }[] = []
  down.forEach((dy, r) => {
    across.forEach((dx, c) => {
      const at = r * across.length + c
      const omega2 = dx.k2 + dy.k2 + MU_SQUARED
      const omega = sqrt(omega2)
      const a = phi[at] * norm
      const v = (phiDot?.[at] ?? 0) * norm
      const cosine = cos(omega * TICK_SECONDS)
      const sine = sin(omega * TICK_SECONDS)
      const moved = cosine * a + (sine / omega) * v
      const speed = cosine * v - omega * sine * a
      const weight = dx.weight * dy.weight
      before += weight * (v * v + omega2 * a * a)
      after += weight * (speed * speed + omega2 * moved * moved)
      if (r < AMPLITUDES && c < AMPLITUDES) first.push({ omega2, amplitude: moved })
    })
  })
  const ranked = first.map((it, order) => ({ ...it, order })).sort((a, b) => a.omega2 - b.omega2 || a.order - b.order)
  return {
    amplitudes: ranked.slice(0, AMPLITUDES).map(({ amplitude }) => amplitude + 0),
    energy_change: before === 0 ? 0 : Math.abs(after - before) / before,
  }
}

/**
 * The diagnostics of a field: reported in an envelope, never part of the gate. All parts are null for a scalar result.
 *
 * @param domainOperators how many operators beside KO42 the result names: the number of couplings.
 */
export const fieldEquations = (field: Field | undefined, domainOperators: number): FieldEquations => {
  if (field === undefined) return { master: null, functional: null, propagator: null }
  return {
    master: masterOf(field, domainOperators),
    functional: functionalOf(field, domainOperators),
    propagator: propagatorOf(field),
  }
}

/** What an envelope's equations are made of. */
export interface EquationParts {
  /** The claim's value; null when the result has none. */
  readonly S: number | null
  /** The claim's phase, in [0, 1). */
  readonly phase: number
  /** From {@link fieldEquations}. */
  readonly field: FieldEquations
}

/** The envelope's `equations`: the modulation always, the rest for a result with a field. Plain JSON. */
export const equationsOf = ({ S, phase, field }: EquationParts): Json => ({
  // In the order of the canonical form.
  functional: field.functional as Json,
  master: field.master as Json,
  modulation: { R: S === null ? null : modulated(S, phase) + 0, S, alpha: ALPHA, f: PULSE_HZ_EXACT, phase },
  propagator: field.propagator as Json,
})
