/**
 * The eight-node element once more, for the check: functions as polynomials in 1, ξ, η, ξ², ξη, η², ξ²η, ξη² whose
 * coefficients come from the nodes by solving for them, integrated at 4 × 4 points.
 */

/** Exponents of the eight monomials. */
const POWERS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [2, 0],
  [1, 1],
  [0, 2],
  [2, 1],
  [1, 2],
] as const

const PLACES = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
] as const

const power = (base: number, exponent: number): number => {
  let product = 1
  for (let k = 0; k < exponent; k++) product *= base
  return product
}

/** The inverse of the matrix of monomials at the nodes, by Gauss–Jordan with pivoting. */
const inverse = ((): readonly (readonly number[])[] => {
  const rows = PLACES.map(([xi, eta], i) => [
    ...POWERS.map(([a, b]) => power(xi, a) * power(eta, b)),
    ...PLACES.map((_, j) => (i === j ? 1 : 0)),
  ])
  for (let k = 0; k < 8; k++) {
    const pivot = rows.reduce((best, row, i) => (i >= k && Math.abs(row[k]) > Math.abs(rows[best][k]) ? i : best), k)
    const [a, b] = [rows[k] as number[], rows[pivot] as number[]]
    rows[pivot] = a
    rows[k] = b.map((value) => value / (b[k] as number))
    rows.forEach((row, i) => {
      if (i === k) return
      const factor = row[k] as number
      rows[k]?.forEach((value, j) => {
        row[j] = (row[j] as number) - factor * value
      })
    })
  }
  return rows.map((row) => row.slice(8))
})()

/** Derivatives by ξ and by η of the eight functions at a place: rows of the table are places. */
const slopesAt = (xi: number, eta: number): Float64Array => {
  const table = new Float64Array(16)
  for (let node = 0; node < 8; node++) {
    POWERS.forEach(([a, b], m) => {
      const c = inverse[m]?.[node] as number
      if (a > 0) table[node] += c * a * power(xi, a - 1) * power(eta, b)
      if (b > 0) table[8 + node] += c * b * power(xi, a) * power(eta, b - 1)
    })
  }
  return table
}

/** Gauss–Legendre's four points and weights on [−1, 1]. */
const [INNER, OUTER] = [
  Math.sqrt(3 / 7 - (2 / 7) * Math.sqrt(1.2)),
  Math.sqrt(3 / 7 + (2 / 7) * Math.sqrt(1.2)),
] as const
export const FOUR_POINTS: readonly number[] = [-OUTER, -INNER, INNER, OUTER]
export const FOUR_WEIGHTS: readonly number[] = [
  (18 - Math.sqrt(30)) / 36,
  (18 + Math.sqrt(30)) / 36,
  (18 + Math.sqrt(30)) / 36,
  (18 - Math.sqrt(30)) / 36,
]

const INTEGRATION = FOUR_POINTS.flatMap((xi, i) =>
  FOUR_POINTS.map((eta, j) => ({
    table: slopesAt(xi, eta),
    weight: (FOUR_WEIGHTS[i] as number) * (FOUR_WEIGHTS[j] as number),
  })),
)

const THIRD = Math.sqrt(1 / 3)
const SAMPLES = [
  [-THIRD, -THIRD],
  [THIRD, -THIRD],
  [-THIRD, THIRD],
  [THIRD, THIRD],
].map(([xi, eta]) => slopesAt(xi as number, eta as number))

/** One element: places and displacements of its nodes. */
export interface ReferenceElement {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly u: Float64Array
  readonly v: Float64Array
}

/** Strains (xx, yy, engineering xy) and the determinant of the map, into `to`. */
const strainBy = (table: Float64Array, { x, y, u, v }: ReferenceElement, to: Float64Array): void => {
  let [xp, xq, yp, yq, up, uq, vp, vq] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (let node = 0; node < 8; node++) {
    const [p, q] = [table[node], table[8 + node]]
    xp += p * x[node]
    xq += q * x[node]
    yp += p * y[node]
    yq += q * y[node]
    up += p * u[node]
    uq += q * u[node]
    vp += p * v[node]
    vq += q * v[node]
  }
  const determinant = xp * yq - xq * yp
  to[0] = (up * yq - uq * yp) / determinant
  to[1] = (vq * xp - vp * xq) / determinant
  to[2] = (uq * xp - up * xq + vp * yq - vq * yp) / determinant
  to[3] = determinant
}

const strain = new Float64Array(4)

/** Strain energy per thickness of one element: E/(2(1 − ν²))·∫(εx² + εy² + 2ν·εx·εy + (1 − ν)/2·γ²). */
export const recomputeEnergy = (element: ReferenceElement, E: number, nu: number): number => {
  let sum = 0
  for (const { table, weight } of INTEGRATION) {
    strainBy(table, element, strain)
    const [x, y, g, determinant] = strain as unknown as readonly [number, number, number, number]
    sum += weight * determinant * (x * x + y * y + 2 * nu * x * y + ((1 - nu) / 2) * g * g)
  }
  return (E * sum) / (2 * (1 - nu * nu))
}

/**
 * Stresses (xx, yy, xy) carried from 2 × 2 points to the eight nodes by the bilinear function through the four, into
 * `to` node by node.
 */
export const recomputeStresses = (
  element: ReferenceElement,
  { E, nu }: { readonly E: number; readonly nu: number },
  to: Float64Array,
): void => {
  const stiff = E / (1 - nu * nu)
  to.fill(0)
  SAMPLES.forEach((table, k) => {
    strainBy(table, element, strain)
    const [x, y, g] = strain as unknown as readonly [number, number, number]
    const [right, upper] = [k % 2 === 1, k > 1]
    PLACES.forEach(([xi, eta], node) => {
      // Lagrange's two-point functions of ±1/√3.
      const along = (1 + (right ? 1 : -1) * xi * Math.sqrt(3)) / 2
      const across = (1 + (upper ? 1 : -1) * eta * Math.sqrt(3)) / 2
      const weight = along * across * stiff
      to[3 * node] += weight * (x + nu * y)
      to[3 * node + 1] += weight * (y + nu * x)
      to[3 * node + 2] += (weight * (1 - nu) * g) / 2
    })
  })
}
