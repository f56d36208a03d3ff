/** An input of a solver, as far as its resolution is read. */
type Raw = Readonly<Record<string, unknown>>

/** How the measured error of a solver falls with its resolution. */
export interface Refinement {
  /** Inputs that grow by one factor, with dots between the names; one that the input lacks stays as it is. */
  readonly raise: readonly string[]
  /** Inputs on which the answer does not depend, put to the least their schema allows to pay for the rest. */
  readonly least?: readonly string[]
  /** Inputs that are divided by the same factor. */
  readonly lower?: readonly string[]
  /** The error falls with this power of the factor: the lowest that was observed. */
  readonly order: number
  /** Which factors it takes: whole ones where bodies lie on the lines of the grid, powers of two for a transform. */
  readonly factor?: 'whole' | 'doubling'
}

/** A state that was given node by node has the resolution that it has. */
const isGiven = ({ initial }: Raw): boolean => (initial as Raw | undefined)?.['kind'] === 'values'

const sides = ({ dim }: Raw): readonly string[] => (dim === 1 ? ['nx'] : ['nx', 'ny'])

const elasticity = ({ problem, root }: Raw): Refinement => {
  if (problem === 'hole') return { raise: ['plate.radial', 'plate.around'], order: 2 }
  // Twice the power of the distance by which displacements grow from a held corner; the larger ν, the smaller.
  if (root === 'clamp') return { raise: ['nx', 'ny'], order: 1.35 }
  return { raise: ['nx', 'ny'], order: 2 }
}

/** In square cells the errors of both directions cancel in the jet; a bore along x is of the first order. */
const water = ({ mode, nx, ny, lx, ly }: Raw): Refinement => {
  if (mode === 'dam-break') return { raise: ['nx'], lower: ['dt'], least: ['ny'], order: 1 }
  const isSquare = Number(nx) * Number(ly) === Number(ny) * Number(lx)
  return { raise: ['nx', 'ny'], lower: ['dt'], order: isSquare ? 4 : 1.5 }
}

/**
 * By solver: what to refine when its check finds too large an error. Solvers whose error does not come from a
 * resolution that is an input (adaptive steps, searches, closed forms) have none.
 */
export const refinements: Readonly<Record<string, (input: Raw) => Refinement | undefined>> = {
  acoustic: () => ({ raise: ['elements'], order: 4 }),
  action: ({ order }) => ({ raise: ['stepsPerPeriod'], order: Number(order) }),
  buckling: () => ({ raise: ['elements'], order: 4 }),
  climate: (input) => (isGiven(input) ? undefined : water(input)),
  // Fields at the corners of electrodes are singular: the bounds close with the power 2 · 2/3.
  device: ({ dim, doping }) =>
    dim === 1 || doping !== undefined
      ? { raise: ['junction.points'], order: 2 }
      : { raise: ['nx', 'ny'], order: 4 / 3, factor: 'whole' },
  fea: elasticity,
  flow: () => ({ raise: ['nx', 'ny', 'steps'], lower: ['dt'], order: 2, factor: 'doubling' }),
  fracture: ({ mode }) => (mode === 'bar' ? undefined : { raise: [], lower: ['courant'], order: 2 }),
  heat: (input) => (isGiven(input) ? undefined : { raise: [...sides(input), 'steps'], lower: ['dt'], order: 2 }),
  multibody: ({ order }) => ({ raise: [], lower: ['dt'], order: Number(order) }),
  quant: () => ({ raise: ['paths'], order: 0.5 }),
  react: () => ({ raise: ['steps'], lower: ['dt'], order: 4 }),
  schrodinger: () => ({ raise: ['points'], order: 6 }),
  tumor: (input) => (isGiven(input) ? undefined : { raise: [...sides(input), 'steps'], lower: ['dt'], order: 2 }),
  wave: (input) =>
    isGiven(input)
      ? undefined
      : { raise: sides(input), lower: ['dt'], order: input['mode'] === 'maxwell' ? 2 : Number(input['order']) },
}
