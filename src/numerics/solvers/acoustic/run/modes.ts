import { PI, sqrt } from '#numerics/math.ts'
import { addTo, type Band, band, eigenpair } from '#numerics/methods/linear/band.ts'
import type { Progress } from '#numerics/runtime/solver.ts'
import { elementsOf, type Part, partsOf, radiusAt } from '#numerics/solvers/acoustic/problem.ts'
import type { AcousticInput, AcousticOutput } from '#numerics/solvers/acoustic/schema.ts'

/** Gauss–Legendre's four points on [−1, 1] and their weights: exact for cones. */
const NEAR = sqrt(3 / 7 - (2 / 7) * sqrt(1.2))
const FAR = sqrt(3 / 7 + (2 / 7) * sqrt(1.2))
const POINTS = [-FAR, -NEAR, NEAR, FAR] as const
const LIGHT = (18 - sqrt(30)) / 36
const HEAVY = (18 + sqrt(30)) / 36
const WEIGHTS = [LIGHT, HEAVY, HEAVY, LIGHT] as const

/** Relative distance behind a mode at which the search for the next one begins; modes of a bore are never double. */
const BEYOND = 1e-6

/** One element: its part and the shares of the part at its ends. */
interface Element {
  readonly part: Part
  readonly low: number
  readonly high: number
}

const elementList = (input: AcousticInput): readonly Element[] => {
  const counts = elementsOf(input)
  return partsOf(input).flatMap((part, k) => {
    const count = counts[k] as number
    return Array.from({ length: count }, (_, e) => ({ part, low: e / count, high: (e + 1) / count }))
  })
}

/** ∫S·N′·N′ and ∫S·N·N of a quadratic element, S the square of the radius: nine numbers each by rows. */
const matricesOf = ({ part, low, high }: Element): readonly [Float64Array, Float64Array] => {
  const [stiff, mass] = [new Float64Array(9), new Float64Array(9)]
  const h = part.length * (high - low)
  POINTS.forEach((s, point) => {
    const radius = radiusAt(part, low + ((high - low) * (1 + s)) / 2)
    const weight = (WEIGHTS[point] as number) * radius * radius
    const values = [(s * (s - 1)) / 2, 1 - s * s, (s * (s + 1)) / 2]
    const slopes = [s - 0.5, -2 * s, s + 0.5]
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        stiff[3 * i + j] += ((2 * weight) / h) * (slopes[i] as number) * (slopes[j] as number)
        mass[3 * i + j] += ((weight * h) / 2) * (values[i] as number) * (values[j] as number)
      }
    }
  })
  return [stiff, mass]
}

interface Assembled {
  readonly K: Band
  readonly M: Band
  /** Unknown of the first node: 1 less where the left end is open, whose pressure is none. */
  readonly first: number
}

const assemble = (input: AcousticInput, elements: readonly Element[]): Assembled => {
  const nodes = 2 * elements.length + 1
  const first = input.left === 'open' ? -1 : 0
  const size = nodes + first - (input.right === 'open' ? 1 : 0)
  const [K, M] = [band(size, 2), band(size, 2)]
  elements.forEach((element, e) => {
    const [stiff, mass] = matricesOf(element)
    for (let i = 0; i < 3; i++) {
      for (let j = i; j < 3; j++) {
        const [row, column] = [2 * e + i + first, 2 * e + j + first]
        if (row < 0 || column >= size) continue
        addTo(K, row, column, stiff[3 * i + j])
        addTo(M, row, column, mass[3 * i + j])
      }
    }
  })
  return { K, M, first }
}

/** A vector on all nodes, its largest number 1 (the first of equals). */
const normalised = (vector: Float64Array, nodes: number, first: number): Float64Array => {
  const all = new Float64Array(nodes)
  all.set(vector, -first)
  const peak = all.reduce((best, it) => (Math.abs(it) > Math.abs(best) * (1 + 1e-9) ? it : best), 0)
  return all.map((it) => it / peak)
}

/** Frequencies and pressures of the lowest modes. @throws Fault DID_NOT_CONVERGE. */
export const resonances = (input: AcousticInput, progress: Progress): AcousticOutput => {
  const elements = elementList(input)
  const nodes = 2 * elements.length + 1
  const { K, M, first } = assemble(input, elements)
  const parts = partsOf(input)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const [x, radius] = [new Float64Array(nodes), new Float64Array(nodes)]
  elements.forEach(({ part, low, high }, e) => {
    ;[low, (low + high) / 2, high].forEach((share, k) => {
      x[2 * e + k] = part.x + share * part.length
      radius[2 * e + k] = radiusAt(part, share)
    })
  })
  // Two closed ends let the pressure be the same everywhere: a mode that does not sound.
  const silent = input.left === 'closed' && input.right === 'closed' ? 1 : 0
  const frequencies = new Float64Array(input.modes)
  const pressure = new Float64Array(input.modes * nodes)
  const guess = ((PI / 2 / length) * (PI / 2)) / length
  let from = 0
  for (let mode = 0; mode < input.modes; mode++) {
    const { value, vector } = eigenpair(K, M, { index: mode + silent, from, to: mode === 0 ? guess : 2 * from })
    from = value * (1 + BEYOND)
    frequencies[mode] = (input.c * sqrt(value)) / (2 * PI)
    pressure.set(normalised(vector, nodes, first), mode * nodes)
    progress({ step: mode + 1, steps: input.modes })
  }
  return {
    fundamental: frequencies[0] as number,
    frequencies: frequencies as unknown as readonly number[],
    length,
    elements: elements.length,
    dof: K.size,
    x: x as unknown as readonly number[],
    radius: radius as unknown as readonly number[],
    pressure: pressure as unknown as readonly number[],
  }
}
