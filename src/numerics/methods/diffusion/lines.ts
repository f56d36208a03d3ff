/** One line of unknowns under one boundary condition, in units where every off-diagonal of the operator is 1. */

export type Boundary = 'fixed' | 'insulated' | 'periodic'

/** α·dt/dx² of a direction, as the scheme uses it: h = r/2 is the weight of a neighbour in half a step. */
export const weightOf = (r: number): number => r / 2
/** Centre of the stencil (1 + h·δ²)/h. */
export const stencilCentre = (r: number): number => (1 - r) / weightOf(r)
/** Diagonal of the matrix (1 − h·δ²)/h. */
export const matrixDiagonal = (r: number): number => (1 + r) / weightOf(r)

/** Inverse pivots of a tridiagonal matrix and the factors of its back substitution, in the order of elimination. */
export interface Factors {
  readonly pivots: Float64Array
  readonly backs: Float64Array
  /** Weight of the node before the last in the last row: 2 on an insulated edge. */
  readonly edge: number
}

/** Factors of the matrix with diagonal b and off-diagonals −1; an insulated edge doubles those of the end rows. */
export const factorsOf = (n: number, r: number, insulated: boolean): Factors => {
  const b = matrixDiagonal(r)
  const edge = insulated ? 2 : 1
  const pivots = new Float64Array(n)
  const backs = new Float64Array(n)
  for (let k = 0; k < n; k++) {
    const coupling = k === n - 1 ? edge : 1
    pivots[k] = 1 / (k === 0 ? b : b - coupling * backs[k - 1])
    backs[k] = k === 0 ? edge * pivots[k] : pivots[k]
  }
  return { pivots, backs, edge }
}

/** Where lines lie in a field: line `l` starts at l·apart, its elements are `step` apart. */
export interface Lines {
  readonly length: number
  readonly step: number
  readonly count: number
  readonly apart: number
}

/** The lines along the rows of a field. */
export const linesAlong = (rows: number, columns: number): Lines => ({
  length: columns,
  step: 1,
  count: rows,
  apart: columns,
})

/** The lines across the rows of a field. */
export const linesAcross = (rows: number, columns: number): Lines => ({
  length: rows,
  step: columns,
  count: columns,
  apart: 1,
})

/** What a line operator does to all lines of a field. */
export interface LineOperator {
  /** to = centre·from + (before + after). */
  readonly stencil: (from: Float64Array, to: Float64Array) => void
  /** Solves diagonal·x − (before + after) = w in place. */
  readonly solve: (w: Float64Array) => void
}

/**
 * Solves the lines by elimination. Lines that lie across the rows are taken together, element by element, so that
 * neighbours in memory stay neighbours; the numbers of a line are the same in either order.
 */
const thomas = (w: Float64Array, lines: Lines, factors: Factors, length: number): void => {
  const together = lines.step > lines.apart ? lines.count : 1
  for (let l = 0; l < lines.count; l += together)
    thomasFrom(w, { ...lines, count: together }, factors, {
      length,
      start: l * lines.apart,
    })
}

const thomasFrom = (
  w: Float64Array,
  { step, count, apart }: Lines,
  { pivots, backs, edge }: Factors,
  { length, start }: { readonly length: number; readonly start: number },
): void => {
  for (let k = 0; k < length; k++) {
    const pivot = pivots[k]
    const coupling = k === length - 1 ? edge : 1
    const from = start + k * step
    for (let l = 0; l < count; l++) {
      const at = from + l * apart
      w[at] = (k === 0 ? w[at] : w[at] + coupling * w[at - step]) * pivot
    }
  }
  for (let k = length - 2; k >= 0; k--) {
    const back = backs[k]
    const from = start + k * step
    for (let l = 0; l < count; l++) {
      const at = from + l * apart
      w[at] = w[at] + back * w[at + step]
    }
  }
}

/** What a ring is solved by: see {@link ringFactorsOf}. */
export interface RingFactors extends Factors {
  /** What the last unknown does to the others. */
  readonly influence: Float64Array
  /** What the last one's own equation is multiplied by. */
  readonly rest: number
}

/**
 * A ring of n unknowns: the last one is set aside, the others are eliminated as on a line with fixed ends, once for w
 * and once for the last one's own influence z, which is found here.
 */
export const ringFactorsOf = (n: number, r: number): RingFactors => {
  const inner = n - 1
  const factors = factorsOf(inner, r, false)
  const influence = new Float64Array(inner)
  influence[0] = 1
  influence[inner - 1] += 1
  thomas(influence, { length: inner, step: 1, count: 1, apart: inner }, factors, inner)
  return { ...factors, influence, rest: 1 / (matrixDiagonal(r) - (influence[0] + influence[inner - 1])) }
}

const ringSolver = (lines: Lines, r: number): ((w: Float64Array) => void) => {
  const { length, step, count, apart } = lines
  const inner = length - 1
  const factors = ringFactorsOf(length, r)
  const { influence: z, rest } = factors
  return (w) => {
    thomas(w, lines, factors, inner)
    for (let l = 0; l < count; l++) {
      const start = l * apart
      const last = start + inner * step
      w[last] = (w[last] + (w[start] + w[last - step])) * rest
      if (step < apart) for (let k = 0; k < inner; k++) w[start + k] = w[start + k] + z[k] * w[last]
    }
    if (step < apart) return
    for (let k = 0; k < inner; k++) {
      for (let l = 0; l < count; l++) w[k * step + l] = w[k * step + l] + z[k] * w[inner * step + l]
    }
  }
}

/** The operator of one direction. Lines have at least 3 unknowns. */
export const lineOperator = (lines: Lines, r: number, boundary: Boundary): LineOperator => {
  const { length, step, count, apart } = lines
  const centre = stencilCentre(r)
  const factors = factorsOf(length, r, boundary === 'insulated')
  const ring = boundary === 'periodic' ? ringSolver(lines, r) : undefined
  const last = length - 1
  const together = step > apart ? count : 1
  const stencilFrom = (from: Float64Array, to: Float64Array, start: number): void => {
    for (let k = 0; k < length; k++) {
      // Beyond the ends: the mirror, the other end of the ring, or zero.
      const before = k > 0 ? -step : boundary === 'insulated' ? step : last * step
      const after = k < last ? step : boundary === 'insulated' ? -step : -last * step
      const first = boundary === 'fixed' && k === 0
      const end = boundary === 'fixed' && k === last
      for (let l = 0; l < together; l++) {
        const at = start + k * step + l * apart
        const left = first ? 0 : from[at + before]
        const right = end ? 0 : from[at + after]
        to[at] = centre * from[at] + (left + right)
      }
    }
  }
  const stencil = (from: Float64Array, to: Float64Array): void => {
    for (let l = 0; l < count; l += together) stencilFrom(from, to, l * apart)
  }
  return { stencil, solve: ring ?? ((w) => thomas(w, lines, factors, length)) }
}
