import { commensurable, parseUnit } from '#core/units.ts'
import type { Quantity } from '#numerics/operators/relation.ts'
import { type FoundProperty, materialsIn, type NamedMaterial, propertyOf } from './materials.ts'
import type { OperatorWords, Vocabulary } from './vocabulary.ts'
import { withCarets } from './word-units.ts'
import { folded } from './words.ts'

/** What a question leaves out and its words imply. */
export interface Supplied {
  readonly named: readonly NamedMaterial[]
  readonly inSky: readonly NamedMaterial[]
  readonly fromMaterial: ReadonlyMap<string, FoundProperty>
  readonly fromBody: ReadonlyMap<string, FoundProperty>
  /** Symbol and what is assumed, in words. */
  readonly usual: Readonly<Record<string, string>>
  /** Values of all these, by symbol. */
  readonly more: Readonly<Record<string, string | number>>
}

/** Standard acceleration of free fall: CGPM 1901, exact. */
const STANDARD_GRAVITY = 9.80665
const ACCELERATION = parseUnit('m/s^2')
const GRAVITY_NAMES = new Set(
  ['acceleration of free fall', 'gravity', 'gravitational acceleration', 'acceleration due to gravity'].map(folded),
)
const SURFACE_GRAVITY = 'surface gravity'

/** Whether a variable is the pull of the ground that everybody leaves out. */
const isGravity = ({ of, name, aliases = [] }: Quantity): boolean =>
  commensurable(of, ACCELERATION) && [name, ...aliases].some((it) => GRAVITY_NAMES.has(folded(it)))

/** The bodies that a variable may be of: of two variables of one property (m1, m2) each takes its own of two bodies. */
const bodiesFor = (
  symbol: string,
  inSky: readonly NamedMaterial[],
  bodies: OperatorWords['bodies'] = {},
): readonly NamedMaterial[] => {
  const alike = Object.keys(bodies).filter((it) => bodies[it] === bodies[symbol])
  const own = inSky[alike.indexOf(symbol)]
  return alike.length > 1 && alike.length === inSky.length && own !== undefined ? [own] : inSky
}

/**
 * What a value is taken from where a question does not give it: a material or a body that it names, or what is
 * usual.
 */
export const supplied = (
  missing: readonly Quantity[],
  {
    query,
    words,
    usual: isUsual,
    materials,
    bodies,
    called,
  }: {
    readonly query: string
    readonly words: OperatorWords | undefined
    /** Whether it is sure what is asked: what is usual holds for nothing else. */
    readonly usual: boolean
    readonly materials: Vocabulary['materials']
    readonly bodies: Vocabulary['bodies']
    readonly called: (quantity: Quantity) => readonly string[]
  },
): Supplied => {
  const named = materialsIn(query, materials)
  const inSky = materialsIn(query, bodies)
  const fromMaterial = new Map<string, FoundProperty>()
  const fromBody = new Map<string, FoundProperty>()
  const usual: Record<string, string> = {}
  const more: Record<string, string | number> = {}
  const assume = ({ symbol, unit }: Quantity, value: number, meaning: string): void => {
    usual[symbol] = `${value} ${unit}: ${meaning}`
    more[symbol] = value
  }
  for (const quantity of missing) {
    const property = propertyOf(named, called(quantity))
    const sky = words?.bodies?.[quantity.symbol] ?? (isGravity(quantity) ? SURFACE_GRAVITY : undefined)
    const body = sky === undefined ? undefined : propertyOf(bodiesFor(quantity.symbol, inSky, words?.bodies), [sky])
    const [value, meaning] = words?.usual?.[quantity.symbol] ?? []
    const found = property ?? body
    if (found !== undefined) {
      ;(property === undefined ? fromBody : fromMaterial).set(quantity.symbol, found)
      more[quantity.symbol] = `${found.property[0]} ${withCarets(found.property[1])}`
    } else if (isGravity(quantity)) assume(quantity, STANDARD_GRAVITY, 'standard gravity')
    else if (isUsual && value !== undefined && meaning !== undefined) assume(quantity, value, meaning)
  }
  return { named, inSky, fromMaterial, fromBody, usual, more }
}
