import { PI, sqrt } from '#numerics/math.ts'
import { addTo, type Band, band, eigenpair } from '#numerics/methods/linear/band.ts'
import { heldAt, segmentsOf } from '#numerics/solvers/buckling/problem.ts'
import type { BucklingInput, BucklingOutput } from '#numerics/solvers/buckling/schema.ts'

/** Elements of each segment: by its share of the length, at least two. */
export const elementsOf = (input: BucklingInput): readonly number[] => {
  const all = segmentsOf(input)
  const whole = all.reduce((sum, { length }) => sum + length, 0)
  return all.map(({ length }) => Math.max(2, Math.floor((input.elements * length) / whole + 0.5)))
}

interface Element {
  readonly length: number
  readonly stiffness: number
}

const elementList = (input: BucklingInput): readonly Element[] => {
  const counts = elementsOf(input)
  return segmentsOf(input).flatMap(({ length, stiffness }, k) => {
    const count = counts[k] as number
    return Array.from({ length: count }, () => ({ length: length / count, stiffness }))
  })
}

/** Bending stiffness and geometric stiffness per load of an element: upper triangles by rows, unknowns v, θ, v, θ. */
const matricesOf = ({
  length: h,
  stiffness,
}: Element): { readonly K: readonly number[]; readonly G: readonly number[] } => {
  const k = stiffness / (h * h * h)
  const g = 1 / (30 * h)
  return {
    K: [12, 6 * h, -12, 6 * h, 4 * h * h, -6 * h, 2 * h * h, 12, -6 * h, 4 * h * h].map((it) => k * it),
    G: [36, 3 * h, -36, 3 * h, 4 * h * h, -3 * h, -h * h, 36, -3 * h, 4 * h * h].map((it) => g * it),
  }
}

/** Stiffness and geometric stiffness without the unknowns that are held, and the place of each unknown (−1: held). */
interface Assembled {
  readonly K: Band
  readonly G: Band
  readonly places: Int32Array
}

const assemble = (input: BucklingInput, elements: readonly Element[]): Assembled => {
  const places = new Int32Array(2 * elements.length + 2)
  const held = [...heldAt(input.lower), ...heldAt(input.upper)]
  let size = 0
  for (let i = 0; i < places.length; i++) {
    const end = i < 2 ? i : i >= places.length - 2 ? 4 + i - places.length : -1
    places[i] = end >= 0 && held[end] ? -1 : size++
  }
  const [K, G] = [band(size, 3), band(size, 3)]
  elements.forEach((element, e) => {
    const parts = matricesOf(element)
    let at = 0
    for (let i = 0; i < 4; i++) {
      for (let j = i; j < 4; j++, at++) {
        const [row, column] = [places[2 * e + i], places[2 * e + j]]
        if (row < 0 || column < 0) continue
        addTo(K, row, column, parts.K[at] as number)
        addTo(G, row, column, parts.G[at] as number)
      }
    }
  })
  return { K, G, places }
}

/** The lowest buckling load and its mode. @throws Fault DID_NOT_CONVERGE. */
export const buckle = (input: BucklingInput): BucklingOutput => {
  const elements = elementList(input)
  const { K, G, places } = assemble(input, elements)
  const length = segmentsOf(input).reduce((sum, it) => sum + it.length, 0)
  const stiffness = segmentsOf(input).map((it) => it.stiffness)
  // Half the load of a cantilever of the least stiffness is below that of every column which is no mechanism.
  const guess = (PI * PI * Math.min(...stiffness)) / (8 * length * length)
  const { value, vector } = eigenpair(K, G, { index: 0, to: guess })
  const nodes = elements.length + 1
  const at = (i: number): number => (places[i] < 0 ? 0 : vector[places[i]])
  const raw = Float64Array.from({ length: nodes }, (_, node) => at(2 * node))
  const peak = raw.reduce((best, it) => (Math.abs(it) > Math.abs(best) * (1 + 1e-9) ? it : best), 0)
  const x = new Float64Array(nodes)
  elements.forEach((it, e) => {
    x[e + 1] = x[e] + it.length
  })
  const stress = input.area === undefined ? undefined : value / input.area
  return {
    criticalLoad: value,
    effectiveLength: PI * sqrt((stiffness[0] as number) / value),
    length,
    elements: elements.length,
    dof: K.size,
    ...(stress !== undefined && { criticalStress: stress }),
    ...(stress !== undefined && input.yield !== undefined && { yieldsFirst: stress > input.yield }),
    x: x as unknown as readonly number[],
    mode: raw.map((it) => it / peak) as unknown as readonly number[],
    slope: Float64Array.from({ length: nodes }, (_, node) => at(2 * node + 1) / peak) as unknown as readonly number[],
  }
}
