import { cos, PI, sin, sqrt } from '#numerics/math.ts'
import { type Stream, streamOf } from '#numerics/methods/random.ts'
import { PLANTED } from './planted.ts'
import type { Pose } from './rigid.ts'
import type { Element, PairName } from './schema.ts'

/** Atoms of a built-in pair. */
export interface Made {
  readonly elements: readonly Element[]
  readonly places: Float64Array
  readonly charge: Float64Array
}

/** A receptor that was built around a ligand, and where the ligand was. */
export interface BuiltIn {
  readonly receptor: Made
  /** As a caller would have it: turned and moved away from where it was built. */
  readonly ligand: Made
  readonly site: readonly [number, number, number]
  readonly dielectric: number
  readonly planted: { readonly pose: Pose; readonly symmetries: readonly (readonly number[])[] }
}

interface Recipe {
  readonly key: number
  readonly receptorAtoms: number
  readonly ligandAtoms: number
  /** Whether receptor atoms may stand at this place, seen from the ligand's middle. */
  readonly open: (x: number, y: number, z: number) => boolean
}

const RECIPES: Readonly<Record<PairName, Recipe>> = {
  cavity: { key: 11, receptorAtoms: 500, ligandAtoms: 20, open: (_x, _y, z) => z < 2 },
  cleft: { key: 23, receptorAtoms: 400, ligandAtoms: 16, open: (_x, y, z) => z < 0 || y * y > 36 },
  ring: { key: 37, receptorAtoms: 300, ligandAtoms: 12, open: (_x, _y, z) => z < 2 },
}

/** Nearest that two atoms of the receptor stand, and nearest that one stands to the ligand, in Å. */
const APART = 2.9
const CONTACT = 3.6
/** Radius of the ball around its first atom that a ligand lies in. */
const BALL = 4
/** Attempts to place an atom: the densest recipe needs a tenth. */
const ATTEMPTS_MAX = 2_000_000

const far = (places: readonly number[], at: readonly number[], least: number): boolean => {
  const [ax, ay, az] = at as readonly [number, number, number]
  for (let i = 0; i < places.length; i += 3) {
    const x = (places[i] as number) - ax
    const y = (places[i + 1] as number) - ay
    const z = (places[i + 2] as number) - az
    if (x * x + y * y + z * z < least * least) return false
  }
  return true
}

/** Random numbers one after another. */
const drawer = (stream: Stream): (() => number) => {
  let place = 0
  return () => stream.uniform(place++)
}

/** A compact chain of atoms 1.5 Å from one before them and 2.3 Å from all others, with charges that add up to 0. */
const chain = (count: number, draw: () => number): Made => {
  const places: number[] = [0, 0, 0]
  while (places.length < 3 * count) {
    const from = 3 * Math.floor((draw() * places.length) / 3)
    const [up, round] = [2 * draw() - 1, 2 * PI * draw()]
    const across = sqrt(1 - up * up)
    const at = [across * cos(round), across * sin(round), up].map((c, axis) => (places[from + axis] ?? 0) + 1.5 * c)
    const others = places.filter((_, k) => k < from || k >= from + 3)
    const within = at.reduce((sum, c) => sum + c * c, 0) <= BALL * BALL
    if (within && far(others, at, 2.3)) places.push(...at)
  }
  const kinds: readonly Element[] = ['C', 'N', 'O', 'C']
  const elements = Array.from({ length: count }, (_, i) => kinds[i % 4] as Element)
  const raw = Array.from({ length: count }, () => draw() - 0.5)
  const mean = raw.reduce((sum, q) => sum + q / count, 0)
  return { elements, places: Float64Array.from(places), charge: Float64Array.from(raw, (q) => q - mean) }
}

/** A flat ring of six carbons in one of six hydrogens: benzene, as Jorgensen's charges have it. */
const ring = (): Made => {
  const at = Array.from({ length: 12 }, (_, i) => {
    const [radius, angle] = [i < 6 ? 1.4 : 2.48, (PI * (i % 6)) / 3]
    return [radius * cos(angle), radius * sin(angle), 0]
  })
  return {
    elements: at.map((_, i) => (i < 6 ? 'C' : 'H')),
    places: Float64Array.from(at.flat()),
    charge: Float64Array.from(at, (_, i) => (i < 6 ? -0.115 : 0.115)),
  }
}

/** The twelve ways in which a regular ring comes to lie on itself by turning: six turns, each also turned over. */
const ringSymmetries: readonly (readonly number[])[] = Array.from({ length: 12 }, (_, k) =>
  Array.from({ length: 12 }, (_, i) => {
    const [shell, place] = [i < 6 ? 0 : 6, i % 6]
    return shell + ((k < 6 ? place + k : 12 - place + k) % 6)
  }),
)

/**
 * Atoms at random places around a ligand, as near as they may stand; charges against those of the nearest ligand
 * atom.
 */
const around = (ligand: Made, { receptorAtoms, open }: Recipe, draw: () => number): Made => {
  const places: number[] = []
  const charges: number[] = []
  const guests = Array.from(ligand.places)
  let reach = 6
  for (let attempt = 0; attempt < ATTEMPTS_MAX && places.length < 3 * receptorAtoms; attempt++) {
    // The ball grows slowly, so that what is near the ligand fills up first.
    if (attempt % 400 === 399) reach += 0.1
    const at = [0, 1, 2].map(() => reach * (2 * draw() - 1))
    const [x = 0, y = 0, z = 0] = at
    if (x * x + y * y + z * z > reach * reach || !open(x, y, z)) continue
    if (!far(guests, at, CONTACT) || !far(places, at, APART)) continue
    let [nearest, least] = [0, Number.POSITIVE_INFINITY]
    for (let i = 0; i < ligand.elements.length; i++) {
      const [u, v, w] = [0, 1, 2].map((axis) => ligand.places[3 * i + axis] - (at[axis] ?? 0)) as [
        number,
        number,
        number,
      ]
      const square = u * u + v * v + w * w
      if (square < least) [nearest, least] = [i, square]
    }
    places.push(...at)
    charges.push(least < 36 ? -ligand.charge[nearest] : 0.2 * (draw() - 0.5))
  }
  const kinds: readonly Element[] = ['C', 'C', 'N', 'O', 'C']
  return {
    elements: charges.map((_, i) => kinds[i % 5] as Element),
    places: Float64Array.from(places),
    charge: Float64Array.from(charges),
  }
}

/** Places about the middle. */
const aboutMiddle = (made: Made): Made => {
  const n = made.elements.length
  const middle = [0, 1, 2].map((axis) => made.places.reduce((sum, x, k) => (k % 3 === axis ? sum + x / n : sum), 0))
  return { ...made, places: made.places.map((x, k) => x - (middle[k % 3] ?? 0)) }
}

/** Turned a third about the diagonal and moved: nothing of where it was built shows in a ligand as given. */
const displaced = (made: Made): Made => ({
  ...made,
  places: made.places.map((_, k) => made.places[k - (k % 3) + ((k + 2) % 3)] + 20),
})

/** How many atoms a built-in pair has, without building it. */
export const builtInCounts = (name: PairName): { readonly receptor: number; readonly ligand: number } => ({
  receptor: RECIPES[name].receptorAtoms,
  ligand: RECIPES[name].ligandAtoms,
})

const made = new Map<PairName, BuiltIn>()

/** A built-in pair: the same atoms every time. */
export const builtIn = (name: PairName): BuiltIn => {
  const known = made.get(name)
  if (known !== undefined) return known
  const recipe = RECIPES[name]
  const draw = drawer(streamOf(recipe.key, 0))
  const ligand = aboutMiddle(name === 'ring' ? ring() : chain(recipe.ligandAtoms, draw))
  const receptor = around(ligand, recipe, draw)
  const symmetries = name === 'ring' ? ringSymmetries : [ligand.elements.map((_, i) => i)]
  // The starts' ball is not around the planted middle itself.
  const fresh: BuiltIn = {
    receptor,
    ligand: displaced(ligand),
    site: [0.7, -0.6, 0.5],
    dielectric: 4,
    planted: { pose: PLANTED[name], symmetries },
  }
  made.set(name, fresh)
  return fresh
}
