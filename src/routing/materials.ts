import { Fault } from '#core/fault.ts'
import type { BoundInput } from './bound-input.ts'
import { type Phrase, phrasesOf } from './phrases.ts'
import { folded, holds } from './words.ts'

/** A property of a material: its value, its unit as the table of units writes it, and where it was published. */
export type Property = readonly [value: number, unit: string, source: string]

/** One line of `materials.jsonl`. */
export interface MaterialRow {
  readonly material: string
  readonly words: readonly string[]
  readonly properties: Readonly<Record<string, Property>>
}

/** One line of `bodies.jsonl`. */
export interface BodyRow {
  readonly body: string
  readonly words: readonly string[]
  readonly properties: Readonly<Record<string, Property>>
}

/** A material or a body of the sky, ready to be looked for. */
export interface Material {
  readonly name: string
  readonly phrases: readonly Phrase[]
  readonly properties: ReadonlyMap<string, Property>
}

/** Folded name of a property: as variables of operators are called, too. */
const DIFFUSIVITY = folded('thermal diffusivity')

/** The material of a row; a thermal diffusivity is k/(ρ·c) of its own numbers. */
export const materialOf = ({ material, words, properties }: MaterialRow): Material => {
  const all = new Map(Object.entries(properties).map(([name, it]) => [folded(name), it]))
  const [k, rho, c] = ['thermal conductivity', 'density', 'specific heat'].map((it) => all.get(folded(it)))
  if (k !== undefined && rho !== undefined && c !== undefined) {
    all.set(DIFFUSIVITY, [k[0] / (rho[0] * c[0]), 'm2/s', `k/(ρ·c) of ${k[2]}`])
  }
  return { name: material, phrases: phrasesOf(words), properties: all }
}

/** The body of a row: it gives its properties as a material does. */
export const bodyOf = ({ body, words, properties }: BodyRow): Material =>
  materialOf({ material: body, words, properties })

/** A material that a query names. */
export interface NamedMaterial {
  readonly material: Material
  readonly word: string
}

/** Materials that a query names; within `stainless steel` no other steel is looked for. */
export const materialsIn = (query: string, materials: readonly Material[]): readonly NamedMaterial[] => {
  const text = folded(query)
  const held = materials.flatMap((material) =>
    material.phrases.filter((it) => holds(text, it.folded)).map((phrase) => ({ material, phrase })),
  )
  const outer = held.filter(
    ({ phrase }) => !held.some((other) => other.phrase !== phrase && other.phrase.folded.includes(phrase.folded)),
  )
  return outer
    .filter(({ material }, i) => outer.findIndex((it) => it.material === material) === i)
    .map(({ material, phrase }) => ({ material, word: phrase.text }))
}

/** The property by one of its names that a query's materials have, and whose it is. */
export interface FoundProperty {
  readonly of: NamedMaterial
  readonly name: string
  readonly property: Property
}

/**
 * The one value of a property that the materials of a query have; undefined where none has it.
 *
 * @throws Fault AMBIGUOUS_INPUT where two have it.
 */
export const propertyOf = (named: readonly NamedMaterial[], names: readonly string[]): FoundProperty | undefined => {
  const all = named.flatMap((of) => {
    const name = names.find((it) => of.material.properties.has(folded(it)))
    const property = name === undefined ? undefined : of.material.properties.get(folded(name))
    return name === undefined || property === undefined ? [] : [{ of, name, property }]
  })
  if (all.length < 2) return all[0]
  const which = all.map(({ of }) => of.material.name)
  throw new Fault('AMBIGUOUS_INPUT', `Whose ${all[0]?.name} is meant: ${which.join(' or ')}? Give the number.`, {
    materials: which,
    property: all[0]?.name,
  })
}

/** What a reading says of a value that came from a material or a body. */
export const boundFrom = (
  { input, from, unit }: Pick<BoundInput, 'input' | 'unit'> & { readonly from: 'material' | 'body' },
  { of, name, property }: FoundProperty,
  value: number,
): BoundInput => {
  const [amount, given, source] = property
  const inUnit = given === '1' ? `${amount}` : `${amount} ${given}`
  return {
    input,
    from,
    given: `${of.word}: ${name} of ${of.material.name}, ${inUnit} (${source})`,
    value,
    unit,
  }
}
