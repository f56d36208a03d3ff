import { atan2, cos, PI } from '#numerics/math.ts'
import type { Curve, Plot } from '#numerics/plot/plot.ts'
import type { Field } from '#numerics/runtime/solver.ts'
import { beamParts, beamSolution, hoopStress } from './exact.ts'
import { lineStart, middleStart, pitchOf } from './mesh.ts'
import type { FeaInput, FeaOutput } from './schema.ts'

/** Segments of a drawn mesh, at most: of finer ones every second, third … line is drawn. */
const SEGMENTS_MAX = 6_000
/** Places of a theoretical curve. */
const CURVE_POINTS = 101
/** The largest displacement as drawn, as a share of the body's largest side. */
const DRAWN_SHARE = 0.1

interface Size {
  readonly columns: number
  readonly rows: number
}

const sizeOf = (input: FeaInput): Size =>
  input.problem === 'hole'
    ? { columns: input.plate.around, rows: input.plate.radial }
    : { columns: input.nx, rows: input.ny }

/** Pairs of neighbouring nodes along the lines of a mesh that are drawn. */
const edgesOf = ({ columns, rows }: Size): readonly (readonly [number, number])[] => {
  const every = Math.max(1, Math.ceil((4 * columns * rows + 2 * (columns + rows)) / SEGMENTS_MAX))
  const edges: [number, number][] = []
  for (
    let column = 0;
    column <= columns;
    column += column + every > columns && column < columns ? columns - column : every
  ) {
    const start = lineStart(rows, column)
    for (let k = 0; k < 2 * rows; k++) edges.push([start + k, start + k + 1])
  }
  const step = Math.min(every, rows)
  for (let row = 0; row <= rows; row += row + step > rows && row < rows ? rows - row : step) {
    for (let column = 0; column < columns; column++) {
      const middle = middleStart(rows, column) + row
      edges.push([lineStart(rows, column) + 2 * row, middle], [middle, lineStart(rows, column + 1) + 2 * row])
    }
  }
  return edges
}

const largest = (values: readonly number[]): number => values.reduce((most, it) => Math.max(most, Math.abs(it)), 0)

/** The deformed mesh, coloured by the equivalent stress where there is one. */
const meshPlot = (input: FeaInput, { x, y, u, v, vonMises }: FeaOutput): Plot => {
  const scale = (DRAWN_SHARE * Math.max(largest(x), largest(y))) / Math.max(largest(u), largest(v))
  const edges = edgesOf(sizeOf(input))
  const ends = edges.flat()
  return {
    kind: 'curves',
    title: `Deformed mesh, displacements ${Number(scale.toPrecision(3))} times`,
    x: { name: 'x', unit: 'm' },
    y: { name: 'y', unit: 'm' },
    equal: true,
    curves: [
      {
        name: 'mesh',
        style: 'segments',
        x: Float64Array.from(ends, (node) => (x[node] as number) + scale * (u[node] as number)),
        y: Float64Array.from(ends, (node) => (y[node] as number) + scale * (v[node] as number)),
        ...(vonMises !== undefined && {
          shade: {
            name: 'equivalent stress',
            unit: 'Pa',
            values: Float64Array.from(edges, ([a, b]) => ((vonMises[a] as number) + (vonMises[b] as number)) / 2),
          },
        }),
      },
    ],
  }
}

/** The deflected axis beside elasticity's and Euler's. */
const deflectionPlot = (input: FeaInput, { x, v }: FeaOutput): Plot => {
  const { columns, rows } = sizeOf(input)
  const nodes = Array.from({ length: columns + 1 }, (_, column) => lineStart(rows, column) + rows)
  const places = Float64Array.from({ length: CURVE_POINTS }, (_, i) => (input.L * i) / (CURVE_POINTS - 1))
  const { bending } = beamParts(input)
  const slender = places.map((place) => {
    const part = place / input.L
    return (-bending * part * part * (3 - part)) / 2
  })
  const theory = places.map((place) => beamSolution(input, place, 0).v)
  const exact: Curve = { name: 'plane elasticity', style: 'dashes', x: places, y: theory }
  return {
    kind: 'curves',
    title: 'Deflection of the axis',
    x: { name: 'x', unit: 'm' },
    y: { name: 'deflection', unit: 'm' },
    curves: [
      {
        name: 'elements',
        style: 'points',
        x: Float64Array.from(nodes, (node) => x[node] as number),
        y: Float64Array.from(nodes, (node) => v[node] as number),
      },
      ...(input.root === 'elastic' ? [exact] : []),
      { name: 'bending alone', x: places, y: slender },
    ],
  }
}

/** Values of a beam's nodes at the corners of its elements, row by row. */
const atCorners = ({ columns, rows }: Size, values: readonly number[]): Float64Array =>
  Float64Array.from({ length: (rows + 1) * (columns + 1) }, (_, at) => {
    const column = at % (columns + 1)
    return values[lineStart(rows, column) + (2 * (at - column)) / (columns + 1)] as number
  })

/** Equivalent stress of a beam at the corners of its elements, as a map. */
const stressMap = (input: FeaInput, vonMises: readonly number[]): Plot => {
  const { columns, rows } = sizeOf(input)
  return {
    kind: 'map',
    title: 'Equivalent stress',
    name: 'von Mises',
    unit: 'Pa',
    values: atCorners({ columns, rows }, vonMises),
    rows: rows + 1,
    columns: columns + 1,
    x: { name: 'x', unit: 'm', low: 0, high: input.L },
    y: { name: 'y', unit: 'm', low: -input.h / 2, high: input.h / 2 },
  }
}

/** Deflections of a beam at the corners of its elements, as the equations take them; rays of a plate are no grid. */
export const fieldOf = (input: FeaInput, { v }: FeaOutput): Field | undefined => {
  if (input.problem === 'hole') return undefined
  const { columns, rows } = sizeOf(input)
  return {
    values: atCorners({ columns, rows }, v),
    shape: [rows + 1, columns + 1],
    spacing: [input.h / rows, input.L / columns],
    boundary: 'insulated',
    name: 'deflection',
    unit: 'm',
    dissipative: false,
  }
}

/** Stress along the hole's edge beside Kirsch's; the edge is free, so the equivalent stress is the hoop's magnitude. */
const edgePlot = (input: FeaInput, { x, y, vonMises = [] }: FeaOutput): Plot => {
  const { columns, rows } = sizeOf(input)
  const nodes = Array.from({ length: columns + 1 }, (_, column) => column * pitchOf(rows))
  const { stress } = input.plate
  const places = Float64Array.from({ length: CURVE_POINTS }, (_, i) => (90 * i) / (CURVE_POINTS - 1))
  const hoop = (place: number): number => {
    const c = cos((PI * place) / 180)
    return Math.abs(hoopStress(stress, 2 * c * c - 1))
  }
  const angles = Float64Array.from(nodes, (node) => (180 * atan2(y[node] as number, x[node] as number)) / PI)
  return {
    kind: 'curves',
    title: 'Stress along the edge of the hole',
    x: { name: 'angle from the pull', unit: 'deg' },
    y: { name: 'magnitude of the hoop stress', unit: 'Pa' },
    curves: [
      { name: 'elements', style: 'points', x: angles, y: Float64Array.from(nodes, (node) => vonMises[node] as number) },
      { name: 'Kirsch', x: places, y: places.map(hoop) },
    ],
  }
}

/** What is worth seeing of an answer, the most telling first. */
export const plotsOf = (input: FeaInput, output: FeaOutput): readonly Plot[] =>
  input.problem === 'hole'
    ? [meshPlot(input, output), edgePlot(input, output)]
    : [
        meshPlot(input, output),
        deflectionPlot(input, output),
        ...(output.vonMises === undefined ? [] : [stressMap(input, output.vonMises)]),
      ]
