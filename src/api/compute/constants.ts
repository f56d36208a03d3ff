import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import { nothing, withOk } from '#api/explorer/schemas.ts'
import { Fault } from '#core/fault.ts'
import { closed, finite, text } from '#core/schema.ts'
import type { Constant } from '#domain/explorer/explorer.ts'

/** Physical constants (CODATA 2022) and those of the service. */
const common = { domain: 'compute', tier: 'computation', access: { credential: 'none' } } as const

const KEY_CHARS_MAX = 64

const detail = Type.Object({
  key: Type.String(),
  value: finite(),
  unit: Type.String({ description: 'Unit; 1 for a number.' }),
  name: Type.String(),
  source: Type.String(),
  exact: Type.Boolean({ description: 'Exact by definition.' }),
  uncertainty: finite({ minimum: 0, description: 'Standard uncertainty in the same unit; 0 where exact.' }),
})

const list = endpoint({
  ...common,
  id: 'compute.constants',
  route: 'GET /api/constants',
  summary: 'All constants: values by key, and each with unit, source and uncertainty.',
  input: nothing,
  result: Type.Object({
    ok: Type.Boolean(),
    constants: Type.Record(Type.String(), finite(), { description: 'Value by key.' }),
    details: Type.Array(detail),
  }),
  faults: [],
  example: {},
  handle({ explorer }) {
    const all = explorer.constants()
    return withOk({
      constants: Object.fromEntries(all.map(({ key, value }) => [key, value])),
      details: all.map((it) => ({ ...it })),
    })
  },
})

const one = endpoint({
  ...common,
  id: 'compute.constant',
  route: 'GET /api/constants/{key}',
  summary: 'One constant, by its key in any case.',
  input: closed({ key: text(KEY_CHARS_MAX, { minLength: 1, description: 'Key of a constant, e.g. C or K_B.' }) }),
  result: Type.Object({ ok: Type.Boolean(), ...detail.properties }),
  faults: ['CONSTANT_NOT_FOUND'],
  example: { key: 'C' },
  handle({ explorer }, { input }) {
    const found: Constant | undefined = explorer.constant(input.key)
    if (found === undefined) throw new Fault('CONSTANT_NOT_FOUND', undefined, { key: input.key })
    return withOk({ ...found })
  },
})

export const constantEndpoints = [list, one] as const
