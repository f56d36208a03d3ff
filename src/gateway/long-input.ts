import Type, { type TSchema } from 'typebox'
import type { Endpoint } from '#api/endpoint.ts'
import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'
import { refuseInput } from '#core/input.ts'
import { checkOf, inputReader, isSchema, propertiesOf, type RawInput } from './input.ts'
import { objectInPieces } from './json-pieces.ts'

/** The input of a call whose body is read as it comes: of its long list only elements that fit are kept. */
export interface LongInput {
  /** @throws Fault MALFORMED_JSON; INVALID_INPUT naming elements by their places in the whole list */
  take(bytes: Uint8Array): void
  /** @throws Fault MALFORMED_JSON, INVALID_INPUT */
  end(raw: Pick<RawInput, 'params' | 'query'>): Record<string, unknown>
}

/** Elements that stand for the whole list where the rest of an input is checked. */
const STAND_INS = 1_024

interface Refused {
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  readonly path: string
  readonly unknown?: number
}

/** Gives a refusal of some elements with their places in the whole list. */
const shifted = (refusal: unknown, list: string, by: number): never => {
  if (!(refusal instanceof Fault && refusal.code === 'INVALID_INPUT')) throw refusal
  const { errors, path: _, unknown, ...more } = refusal.details as unknown as Refused
  const [first, ...others] = errors.map(({ path, message }) => {
    const [, , at = '', ...inside] = path.split('/')
    return { path: ['', list, Number(at) + by, ...inside].join('/'), message }
  })
  assert(first !== undefined, 'a refusal says what is wrong')
  return refuseInput([{ ...first, ...more }, ...others], unknown ?? 0)
}

/** Readers of the inputs of an endpoint that has a long list; undefined for any other. */
export const longInputs = (endpoint: Endpoint): (() => LongInput) | undefined => {
  const list = endpoint.limits?.longList
  if (list === undefined) return undefined
  const schema = propertiesOf(endpoint.input)[list]
  assert(isSchema(schema) && isSchema(schema['items']), `${endpoint.id}: ${list} is a list of its input`)
  const { items, maxItems = Number.POSITIVE_INFINITY } = schema as { items: TSchema; maxItems?: number }
  const check = checkOf(Type.Object({ [list]: Type.Array(items) }))
  const read = inputReader(endpoint)
  return () => {
    const all: unknown[] = []
    const pieces = objectInPieces(list, (elements) => {
      try {
        check({ [list]: elements })
      } catch (refusal) {
        shifted(refusal, list, all.length)
      }
      for (const element of elements) all.push(element)
      if (all.length <= maxItems) return
      refuseInput([{ path: `/${list}`, message: `must not have more than ${maxItems} items`, limit: maxItems }])
    })
    return {
      take: pieces.take,
      end: (raw) => {
        const body = pieces.end()
        // A list that is not there, or whose name is spelt with escapes and came with the rest.
        if (all.length === 0) return read({ ...raw, body })
        const input = read({ ...raw, body: { ...body, [list]: all.slice(0, STAND_INS) } })
        return { ...input, [list]: all }
      },
    }
  }
}
