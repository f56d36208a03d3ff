import { PI, pow, sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import { type BuiltIn, builtIn, builtInCounts } from './pairs.ts'
import type { Pose } from './rigid.ts'
import type { DockInput, Element } from './schema.ts'

/** Atoms with what acts on them, in Å, kJ/mol and elementary charges. */
export interface Atoms {
  readonly count: number
  /** n × 3. */
  readonly places: Float64Array
  readonly sigma: Float64Array
  readonly epsilon: Float64Array
  readonly charge: Float64Array
}

/** Receptor and ligand of an input. */
export interface Complex {
  readonly receptor: Atoms
  /** Its places are about its own middle. */
  readonly ligand: Atoms
  /** Middle of the ball of starts. */
  readonly site: readonly [number, number, number]
  /** The known pose and the ligand's symmetries, of a built-in pair. */
  readonly planted?: { readonly pose: Pose; readonly symmetries: readonly (readonly number[])[] }
}

/**
 * Distance of the minimum in Å and depth in kcal/mol: Rappé, Casewit, Colwell, Goddard, Skiff, J. Am. Chem. Soc. 114
 * (1992) 10024, table 1.
 */
export const UFF: Readonly<Record<Element, readonly [number, number]>> = {
  H: [2.886, 0.044],
  C: [3.851, 0.105],
  N: [3.66, 0.069],
  O: [3.5, 0.06],
  F: [3.364, 0.05],
  Na: [2.983, 0.03],
  Mg: [3.021, 0.111],
  P: [4.147, 0.305],
  S: [4.035, 0.274],
  Cl: [3.947, 0.227],
  K: [3.812, 0.035],
  Ca: [3.399, 0.238],
  Fe: [2.912, 0.013],
  Zn: [2.763, 0.124],
  Br: [4.189, 0.251],
  I: [4.5, 0.339],
}

const KCAL = 4.184
const SIXTH_ROOT_OF_2 = pow(2, 1 / 6)

/** e²·N_A/(4π·ε₀) in kJ/mol·Å. */
export const COULOMB: number =
  (constantOf('e').value * constantOf('e').value * constantOf('N_A').value * 1e7) /
  (4 * PI * constantOf('epsilon_0').value)

type Given = NonNullable<DockInput['receptor']>

const fromGiven = (given: Given): Atoms => ({
  count: given.length,
  places: Float64Array.from(given.flatMap(({ position }) => position)),
  sigma: Float64Array.from(given, ({ sigma, element }) => sigma ?? UFF[element][0] / SIXTH_ROOT_OF_2),
  epsilon: Float64Array.from(given, ({ epsilon, element }) => epsilon ?? UFF[element][1] * KCAL),
  charge: Float64Array.from(given, ({ charge }) => charge ?? 0),
})

const fromBuiltIn = (atoms: BuiltIn['receptor']): Atoms => ({
  count: atoms.elements.length,
  places: atoms.places,
  sigma: Float64Array.from(atoms.elements, (element) => UFF[element][0] / SIXTH_ROOT_OF_2),
  epsilon: Float64Array.from(atoms.elements, (element) => UFF[element][1] * KCAL),
  charge: atoms.charge,
})

const middleOf = (places: Float64Array): readonly [number, number, number] => {
  const sum: [number, number, number] = [0, 0, 0]
  for (let k = 0; k < places.length; k++) sum[(k % 3) as 0 | 1 | 2] += (3 * places[k]) / places.length
  return sum
}

/** The same atoms about their own middle. */
const centred = (atoms: Atoms): Atoms => {
  const middle = middleOf(atoms.places)
  return { ...atoms, places: atoms.places.map((x, k) => x - (middle[(k % 3) as 0 | 1 | 2] as number)) }
}

const triple = (values: readonly number[]): readonly [number, number, number] => [
  values[0] as number,
  values[1] as number,
  values[2] as number,
]

/** Receptor and ligand of an input. */
export const complexOf = (input: DockInput): Complex => {
  const { receptor: own, ligand: guest, centre } = input
  if (own !== undefined && guest !== undefined) {
    const receptor = fromGiven(own)
    const site = centre === undefined ? middleOf(receptor.places) : triple(centre)
    return { receptor, ligand: centred(fromGiven(guest)), site }
  }
  const pair = builtIn(input.pair)
  const site = centre === undefined ? pair.site : triple(centre)
  const ligand = centred(fromBuiltIn(pair.ligand))
  // A pair was planted at one permittivity: at another its minimum is elsewhere.
  const planted = input.dielectric === pair.dielectric ? { planted: pair.planted } : {}
  return { receptor: fromBuiltIn(pair.receptor), ligand, site, ...planted }
}

/** How many atoms an input has: what a price is made of, before anything is built. */
export const countsOf = ({ pair, receptor, ligand }: DockInput): { receptor: number; ligand: number } =>
  receptor !== undefined && ligand !== undefined
    ? { receptor: receptor.length, ligand: ligand.length }
    : builtInCounts(pair)

/** The least distance between two atoms of one set: along x only as far back as the least so far reaches. */
export const closestOf = ({ count, places }: Atoms): number => {
  const order = Int32Array.from({ length: count }, (_, i) => 3 * i).sort((a, b) => places[a] - places[b])
  let least = Number.POSITIVE_INFINITY
  for (let k = 1; k < count; k++) {
    const i = order[k]
    const [x, y, z] = [places[i], places[i + 1], places[i + 2]]
    for (let l = k - 1; l >= 0; l--) {
      const j = order[l]
      const dx = places[j] - x
      if (dx * dx >= least) break
      const dy = places[j + 1] - y
      const dz = places[j + 2] - z
      least = Math.min(least, dx * dx + dy * dy + dz * dz)
    }
  }
  return sqrt(least)
}
