import type { TObject } from 'typebox'
import type { Unit } from '#core/units.ts'
import { unitOrNone } from './word-units.ts'

/** The part of a schema that binding looks at. */
interface Shape {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly default?: unknown
  readonly 'x-unit'?: string
  readonly 'x-shape'?: unknown
}

/** A member of a solver's input that is no object. */
export interface InputLeaf {
  /** Names from the top with dots between. */
  readonly path: string
  readonly key: string
  readonly schema: object
  readonly number: boolean
  readonly integer: boolean
  readonly values: readonly unknown[]
  readonly initial: unknown
  /** Unit as the schema writes it; empty for a pure number. */
  readonly unitText: string
  /** The unit, where it is one of the table. */
  readonly unit: Unit | undefined
}

const DEPTH_MAX = 3

const plain = (schema: Shape): Shape => schema.anyOf?.find((it) => it.type !== 'null') ?? schema

const leavesWithin = (
  properties: Readonly<Record<string, Shape>>,
  prefix: string,
  depth: number,
): readonly InputLeaf[] =>
  Object.entries(properties).flatMap(([key, outer]) => {
    const schema = plain(outer)
    const path = `${prefix}${key}`
    if (schema.properties !== undefined) {
      return depth < DEPTH_MAX ? leavesWithin(schema.properties, `${path}.`, depth + 1) : []
    }
    const unitText = schema['x-unit'] ?? outer['x-unit'] ?? ''
    const number = schema.type === 'number' || schema.type === 'integer'
    return [
      {
        path,
        key,
        schema: outer,
        number,
        integer: schema.type === 'integer',
        values: schema.enum ?? [],
        initial: outer.default ?? schema.default,
        unitText,
        unit: unitText === '' || unitText === '1' ? undefined : unitOrNone(unitText),
      },
    ]
  })

const known = new WeakMap<object, readonly InputLeaf[]>()

/** The leaves of a solver's input, in the order of the schema. */
export const leavesOf = (input: TObject): readonly InputLeaf[] => {
  const leaves = known.get(input) ?? leavesWithin(input.properties as Readonly<Record<string, Shape>>, '', 0)
  known.set(input, leaves)
  return leaves
}

const hyphened = (key: string): string => key.replace(/\p{Lu}/gu, (letter) => `-${letter.toLowerCase()}`)

/**
 * Paths that a run does not read: members of a case (`well.width`) while another one is chosen (`potential: harmonic`).
 * By the schemas' convention a case's own inputs stand under its name.
 *
 * @param chosen the value of a leaf as it stands.
 */
export const unreadBy = (leaves: readonly InputLeaf[], chosen: (path: string) => unknown): readonly string[] =>
  leaves.flatMap(({ path }) => {
    const group = path.includes('.') ? hyphened(path.slice(0, path.indexOf('.'))) : undefined
    const by = group === undefined ? undefined : leaves.find(({ values }) => values.includes(group))
    return by === undefined || by.path.startsWith(`${path.slice(0, path.indexOf('.'))}.`) || chosen(by.path) === group
      ? []
      : [path]
  })

/** `dragArea` and `t_max` as they are spoken. */
export const spoken = (key: string): string => key.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ')
