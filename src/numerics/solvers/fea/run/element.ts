import { sqrt } from '#numerics/math.ts'

/** Natural places of the eight nodes: corners against the clock, then the middles of the sides. */
const XI = [-1, 1, 1, -1, 0, 1, 0, -1] as const
const ETA = [-1, -1, 1, 1, -1, 0, 1, 0] as const

/** Gauss–Legendre's three points on [−1, 1] with their weights. */
export const GAUSS_POINTS: readonly number[] = [-sqrt(0.6), 0, sqrt(0.6)]
export const GAUSS_WEIGHTS: readonly number[] = [5 / 9, 8 / 9, 5 / 9]

/** Derivatives of the serendipity functions at a natural place: eight by ξ, then eight by η. */
const derivatives = (xi: number, eta: number, to: Float64Array): void => {
  for (let a = 0; a < 4; a++) {
    const [p, q] = [XI[a] as number, ETA[a] as number]
    to[a] = (p * (1 + eta * q) * (2 * xi * p + eta * q)) / 4
    to[8 + a] = (q * (1 + xi * p) * (2 * eta * q + xi * p)) / 4
  }
  for (const a of [4, 6]) {
    const q = ETA[a] as number
    to[a] = -xi * (1 + eta * q)
    to[8 + a] = ((1 - xi * xi) * q) / 2
  }
  for (const a of [5, 7]) {
    const p = XI[a] as number
    to[a] = ((1 - eta * eta) * p) / 2
    to[8 + a] = -eta * (1 + xi * p)
  }
}

/** Plane stress: σ = D·ε with D = [[a, b, 0], [b, a, 0], [0, 0, g]]. */
export interface Material {
  readonly a: number
  readonly b: number
  readonly g: number
}

/** @param E in pascal. */
export const materialOf = (E: number, nu: number): Material => {
  const a = E / (1 - nu * nu)
  return { a, b: nu * a, g: E / (2 * (1 + nu)) }
}

/** Derivatives by x and y at a natural place, and the determinant of the map. */
export interface Gradient {
  readonly byX: Float64Array
  readonly byY: Float64Array
  /** Negative or zero where the element is folded. */
  determinant: number
}

const natural = new Float64Array(16)

/** The gradient at a natural place (xi, eta) of an element with these nodes, into `to`. */
export const gradientAt = (
  x: Float64Array,
  y: Float64Array,
  { xi, eta, to }: { readonly xi: number; readonly eta: number; readonly to: Gradient },
): void => {
  derivatives(xi, eta, natural)
  let xXi = 0
  let xEta = 0
  let yXi = 0
  let yEta = 0
  for (let a = 0; a < 8; a++) {
    xXi += natural[a] * x[a]
    yXi += natural[a] * y[a]
    xEta += natural[8 + a] * x[a]
    yEta += natural[8 + a] * y[a]
  }
  const determinant = xXi * yEta - xEta * yXi
  for (let a = 0; a < 8; a++) {
    to.byX[a] = (natural[a] * yEta - natural[8 + a] * yXi) / determinant
    to.byY[a] = (natural[8 + a] * xXi - natural[a] * xEta) / determinant
  }
  to.determinant = determinant
}

/** Room for one gradient. */
export const gradient = (): Gradient => ({ byX: new Float64Array(8), byY: new Float64Array(8), determinant: 0 })

const room = gradient()

/**
 * Stiffness of one element, 16 × 16 by nodes (u then v of each), at 3 × 3 points: full integration, which the bounds of
 * a held root need.
 */
export const stiffnessOf = (
  x: Float64Array,
  y: Float64Array,
  { a, b, g }: Material,
  thickness: number,
): Float64Array => {
  const K = new Float64Array(256)
  GAUSS_POINTS.forEach((xi, i) => {
    GAUSS_POINTS.forEach((eta, j) => {
      gradientAt(x, y, { xi, eta, to: room })
      const { byX, byY, determinant } = room
      const w = (GAUSS_WEIGHTS[i] as number) * (GAUSS_WEIGHTS[j] as number) * determinant * thickness
      for (let p = 0; p < 8; p++) {
        const ax = w * a * byX[p]
        const bx = w * b * byX[p]
        const gx = w * g * byX[p]
        const ay = w * a * byY[p]
        const by = w * b * byY[p]
        const gy = w * g * byY[p]
        const row = 32 * p
        for (let q = p; q < 8; q++) {
          K[row + 2 * q] += ax * byX[q] + gy * byY[q]
          K[row + 2 * q + 1] += bx * byY[q] + gy * byX[q]
          K[row + 16 + 2 * q] += by * byX[q] + gx * byY[q]
          K[row + 16 + 2 * q + 1] += ay * byY[q] + gx * byX[q]
        }
      }
    })
  })
  for (let p = 0; p < 16; p++) for (let q = 0; q < p; q++) K[16 * p + q] = K[16 * q + p]
  return K
}

/** The three functions of a quadratic side at s in [−1, 1]: first corner, middle, second corner. */
export const sideFunctions = (s: number): readonly [number, number, number] => [
  (s * (s - 1)) / 2,
  1 - s * s,
  (s * (s + 1)) / 2,
]
/** Their derivatives. */
export const sideSlopes = (s: number): readonly [number, number, number] => [s - 0.5, -2 * s, s + 0.5]
