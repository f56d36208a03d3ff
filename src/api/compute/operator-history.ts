import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { closed, count, integer, orNull, pageOffset, preset, text } from '#core/schema.ts'
import type { RegistryHistory } from '#numerics/operators/history.ts'
import type { Operator } from '#numerics/operators/registry.ts'

const ID_CHARS_MAX = 64
const PAGE_MAX = 500
const PAGE_DEFAULT = 100

const form = Type.Object({
  digest: Type.String({ description: '`sha256:` over the row: `GET /api/operators/{id}?digest=` gives it.' }),
  name: Type.String(),
  equation: Type.String(),
  today: Type.Boolean({ description: 'Whether it is the row of now.' }),
  versions: Type.Array(Type.String(), { description: 'Released registry versions in which it stood.' }),
})

const version = Type.Object({
  version: Type.String({ description: '`sha256:` over the sorted rows: the `registry_version` of its receipts.' }),
  released: Type.String({ description: 'Day of the release.' }),
  constants: Type.String({ description: 'Digest of the table of constants at the time.' }),
  count: count({ description: 'Rows in all.' }),
  put: count({ description: 'Rows that were new or changed.' }),
  dropped: count({ description: 'Rows that were gone.' }),
})

/** Versions of the operator registry, and the forms that a row has had. */
export const versions = endpoint({
  domain: 'compute',
  tier: 'computation',
  access: { credential: 'none' },
  id: 'compute.operator-versions',
  lasts: true,
  route: 'GET /api/operators/versions',
  summary: 'Versions of the operator registry, the newest first; with an id, the forms that its row has had.',
  input: closed({
    id: Type.Optional(text(ID_CHARS_MAX, { minLength: 1, description: 'Operator id, in any case.' })),
    limit: preset(
      integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT, description: 'Versions of the page.' }),
    ),
    offset: pageOffset(),
  }),
  result: answered(
    Type.Object({
      registry_version: Type.String({ description: 'That of the rows of now.' }),
      released: Type.Boolean({ description: 'Whether the rows of now are a released version.' }),
      count: count({ description: 'Released versions in all.' }),
      versions: Type.Array(version),
      forms: orNull(Type.Array(form), { description: 'Forms of the row, the oldest first; null without an id.' }),
    }),
  ),
  faults: ['NOT_FOUND'],
  example: { id: 'GR35' },
  handle({ compute: { history } }, { input }) {
    const { id, limit, offset } = input
    const { current } = history
    const forms = id === undefined ? undefined : history.forms(id)
    if (forms?.length === 0) throw new Fault('NOT_FOUND', 'No operator has or had this id.')
    const all = history.versions().toReversed()
    return {
      registry_version: current.version,
      released: all.some((it) => it.version === current.version),
      count: all.length,
      versions: all.slice(offset, offset + limit).map((it) => ({
        version: it.version,
        released: it.released,
        constants: it.constants,
        count: it.count,
        put: Object.keys(it.put).length,
        dropped: it.drop.length,
      })),
      forms:
        forms?.map(({ operator: { row, digest }, versions: stood }) => ({
          digest,
          name: row.name,
          equation: row.equation,
          today: current.has(row.id) && current.operator(row.id).digest === digest,
          versions: stood,
        })) ?? null,
    }
  },
})

/** The member of an input that asks for one form of a row. */
export const digestInput = Type.Optional(
  Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: 'An earlier form of the row, by its digest.' }),
)

/** The row of now, or the one of a digest. @throws Fault NOT_FOUND */
export const formOf = ({ current, forms }: RegistryHistory, id: string, digest: string | undefined): Operator => {
  if (digest === undefined) {
    if (!current.has(id)) throw new Fault('NOT_FOUND', 'No operator has this id.')
    return current.operator(id)
  }
  if (current.has(id) && current.operator(id).digest === digest) return current.operator(id)
  const found = forms(id).find(({ operator }) => operator.digest === digest)
  if (found === undefined) throw new Fault('NOT_FOUND', 'No form of this operator has this digest.')
  return found.operator
}
