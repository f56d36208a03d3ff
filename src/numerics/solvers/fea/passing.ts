import { log, PI, pow, SQRT2 } from '#numerics/math.ts'
import { gradesOf, pitchOf } from './mesh.ts'
import { type FeaInput, GRADING_MAX, NX_MAX, NY_MAX, RADIAL_MAX } from './schema.ts'

/** Longer side of an element over its shorter one, at most. */
export const ASPECT_MAX = 20
/** Nodes at most: five numbers of each are in the answer. */
export const NODES_MAX = 100_000
/** Half the plate's side over the hole's radius, at least: nearer the elements beside the hole become slivers. */
export const PLATE_RATIO_MIN = 1.5

/** Gradings that are tried from 1 to the largest. */
const GRADINGS = 60

/** Nodes of a mesh of `columns × rows` elements. */
export const nodesOf = (columns: number, rows: number): number => columns * pitchOf(rows) + 2 * rows + 1

const aspect = (a: number, b: number): number => Math.max(a / b, b / a)

/** The longest aspect of an element: of any of a beam's, of the innermost and outermost of a plate's rays. */
export const aspectOf = (input: FeaInput): number => {
  if (input.problem === 'cantilever') return aspect(input.L / input.nx, input.h / input.ny)
  const { radius, width, around, radial } = input.plate
  const grades = gradesOf(input)
  const inner = grades[1] as number
  const outer = 1 - (grades[radial - 1] as number)
  const arc = PI / 2 / around
  return [width, width * SQRT2].reduce((most, reach) => {
    const [first, last] = [
      aspect((reach - radius) * inner, radius * arc),
      aspect((reach - radius) * outer, reach * arc),
    ]
    return Math.max(most, first, last)
  }, 0)
}

/** Members of an input that would pass in place of those given. */
type Passing = Readonly<Record<string, number>>

/** Elements of a beam that are neither too long nor too many: finer where they can be, else fewer. */
export const passingBeam = (input: FeaInput): Passing => {
  const { L, h, nx, ny } = input
  const slender = L / h
  const passes = (columns: number, rows: number): boolean =>
    columns <= NX_MAX &&
    rows <= NY_MAX &&
    nodesOf(columns, rows) <= NODES_MAX &&
    aspectOf({ ...input, nx: columns, ny: rows }) <= ASPECT_MAX
  // From one below what division says, as rounding may have it either way.
  const finer = Math.max(1, Math.ceil(nx / (ASPECT_MAX * slender)) - 1)
  for (const rows of [finer, finer + 1, finer + 2]) if (rows > ny && passes(nx, rows)) return { ny: rows }
  for (let rows = ny; rows >= 1; rows--) {
    const least = Math.ceil((slender * rows) / ASPECT_MAX)
    const most = Math.floor((NODES_MAX - 2 * rows - 1) / pitchOf(rows))
    const last = Math.min(most, NX_MAX, Math.floor(ASPECT_MAX * slender * rows))
    for (const columns of [Math.min(last, Math.max(least, nx)), least + 1, last - 1]) {
      if (columns < 1 || !passes(columns, rows)) continue
      return { ...(columns !== nx && { nx: columns }), ...(rows !== ny && { ny: rows }) }
    }
  }
  return { L: ASPECT_MAX * NX_MAX * h * (1 - 1e-12), nx: NX_MAX, ny: 1 }
}

/** The grading of a plate that passes next to the one asked for, or undefined. */
const gradingFor = (input: FeaInput): number | undefined => {
  const asked = input.plate.grading
  const all = Array.from({ length: GRADINGS + 1 }, (_, k) => pow(GRADING_MAX, k / GRADINGS))
  return all
    .filter((grading) => aspectOf({ ...input, plate: { ...input.plate, grading } }) <= ASPECT_MAX)
    .sort((a, b) => Math.abs(log(a / asked)) - Math.abs(log(b / asked)))[0]
}

/** Another grading of the rays of a plate, with more elements along them or a smaller plate where that alone fails. */
export const passingPlate = (input: FeaInput): Passing => {
  const { plate } = input
  for (let radial = plate.radial; radial <= RADIAL_MAX; radial++) {
    const grading = gradingFor({ ...input, plate: { ...plate, radial } })
    if (grading !== undefined) return { grading, ...(radial !== plate.radial && { radial }) }
  }
  for (let width = plate.width / 2; width >= PLATE_RATIO_MIN * plate.radius; width /= 2) {
    const grading = gradingFor({ ...input, plate: { ...plate, width } })
    if (grading !== undefined) return { grading, width }
  }
  return {}
}
