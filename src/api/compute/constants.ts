import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { closed, finite, text } from '#core/schema.ts'
import { constant } from '#domain/explorer/views.ts'

/** Physical constants (CODATA 2022) and those of the service. */
const common = { domain: 'compute', tier: 'computation', access: { credential: 'none' } } as const

const KEY_CHARS_MAX = 64

const list = endpoint({
  ...common,
  id: 'compute.constants',
  lasts: true,
  route: 'GET /api/constants',
  summary: 'All constants: values by key, and each with unit, source and uncertainty.',
  input: closed({}),
  result: answered(
    Type.Object({
      constants: Type.Record(Type.String(), finite(), { description: 'Value by key.' }),
      details: Type.Array(constant),
    }),
  ),
  faults: [],
  example: {},
  handle({ explorer }) {
    const all = explorer.constants()
    return { constants: Object.fromEntries(all.map(({ key, value }) => [key, value])), details: all }
  },
})

const one = endpoint({
  ...common,
  id: 'compute.constant',
  lasts: true,
  route: 'GET /api/constants/{key}',
  summary: 'One constant, by its key in any case.',
  input: closed({ key: text(KEY_CHARS_MAX, { minLength: 1, description: 'Key of a constant, e.g. C or K_B.' }) }),
  result: answered(constant),
  faults: ['CONSTANT_NOT_FOUND'],
  example: { key: 'C' },
  handle({ explorer }, { input }) {
    const found = explorer.constant(input.key)
    if (found === undefined) throw new Fault('CONSTANT_NOT_FOUND', undefined, { key: input.key })
    return found
  },
})

export const constantEndpoints = [list, one] as const
