import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { didYouMean, slipsOf } from '#core/near-names.ts'
import { anything, closed, count, finite, integer, model, orNull, pageOffset, preset, text } from '#core/schema.ts'
import type { Example, OperatorRow, Variable } from '#numerics/operators/operator.ts'
import type { Operator, OperatorRegistry } from '#numerics/operators/registry.ts'
import { PAGE_MAX as FOUND_PAGE_MAX, searchOperators } from '#numerics/operators/search.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { solverByName, solvers } from '#numerics/solvers/index.ts'
import { find } from './find.ts'
import { digestInput, formOf, versions } from './operator-history.ts'
import { solverMetadata, solverRoute } from './solver-endpoints.ts'

/** What can be computed here: the operator registry and the solvers. */
const common = { domain: 'compute', tier: 'computation', access: { credential: 'none' } } as const

const PAGE_MAX = 500
const PAGE_DEFAULT = 100
const FOUND_MAX = 50
const QUERY_CHARS_MAX = 64

const limit = preset(
  integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT, description: 'Rows of the page.' }),
)

const rowMembers = {
  id: Type.String(),
  name: Type.String(),
  domain: Type.String(),
  equation: Type.String(),
  source: Type.String(),
  solves_for: Type.Array(Type.String(), { description: 'Symbols it can be solved for; empty where it is refused.' }),
  refused: orNull(Type.Unsafe<NonNullable<OperatorRow['refused']>>(anything()), {
    description: 'Why the relation has no value to compute; null where it has one.',
  }),
}
const row = Type.Object(rowMembers)
const variables = Type.Record(Type.String(), Type.Unsafe<Variable>(anything()))

const brief = ({ id, name, domain, equation, source, solves_for, refused }: OperatorRow) => ({
  id,
  name,
  domain,
  equation,
  source,
  solves_for,
  refused: refused ?? null,
})

const inDomain = ({ operators }: OperatorRegistry, domain: string | undefined): readonly Operator[] =>
  domain === undefined ? operators : operators.filter((it) => it.row.domain === domain)

const list = endpoint({
  ...common,
  id: 'compute.operators',
  lasts: true,
  route: 'GET /api/operators',
  summary: 'The operator registry, a page at a time.',
  input: closed({
    domain: Type.Optional(text(QUERY_CHARS_MAX, { description: 'Only this domain.' })),
    limit,
    offset: pageOffset(),
  }),
  result: answered(
    Type.Object({
      registry_version: Type.String({ description: '`sha256:` over the sorted rows.' }),
      count: count({ description: 'Rows in all, of the domain if one is named.' }),
      domains: Type.Array(Type.Object({ domain: Type.String(), count: count() })),
      operators: Type.Array(row),
    }),
  ),
  faults: [],
  example: {},
  handle({ compute: { registry } }, { input }) {
    const found = inDomain(registry, input.domain)
    const { offset, limit: rows } = input
    const counts = Map.groupBy(registry.operators, (it) => it.row.domain)
    return {
      registry_version: registry.version,
      count: found.length,
      domains: [...counts].map(([domain, its]) => ({ domain, count: its.length })),
      operators: found.slice(offset, offset + rows).map((it) => brief(it.row)),
    }
  },
})

const one = endpoint({
  ...common,
  id: 'compute.operator',
  lasts: true,
  route: 'GET /api/operators/{id}',
  summary: 'One operator: equation, variables with units and aliases, worked example.',
  input: closed({
    id: text(QUERY_CHARS_MAX, { minLength: 1, description: 'Operator id, in any case.' }),
    digest: digestInput,
  }),
  result: answered(
    Type.Object({
      ...rowMembers,
      variables,
      requires: Type.Array(Type.Object({ holds: Type.String(), why: Type.Optional(Type.String()) }), {
        description: 'What the variables must fulfil together beside their own ranges; else the code is OUT_OF_RANGE.',
      }),
      example: orNull(Type.Unsafe<Example>(anything())),
      digest: Type.String({ description: '`sha256:` over the row.' }),
    }),
  ),
  faults: ['NOT_FOUND'],
  example: { id: 'GR37' },
  handle({ compute: { history } }, { input }) {
    const { row: found, digest } = formOf(history, input.id, input.digest)
    const { variables: its, requires = [], example } = found
    return { ...brief(found), variables: its, requires: [...requires], example: example ?? null, digest }
  },
})

const search = endpoint({
  ...common,
  id: 'compute.operator-search',
  route: 'GET /api/operators/search',
  summary: 'Operators by words, domain, symbol and unit, best first; without words by id.',
  input: closed({
    q: Type.Optional(
      text(QUERY_CHARS_MAX, { description: 'Words of id, name, variables, equation, domain or source.' }),
    ),
    domain: Type.Optional(text(QUERY_CHARS_MAX, { description: 'Only this domain.' })),
    symbol: Type.Optional(text(QUERY_CHARS_MAX, { description: 'Only with a variable of this symbol, as written.' })),
    unit: Type.Optional(text(QUERY_CHARS_MAX, { description: 'Only with a variable of this quantity, e.g. `km`.' })),
    refused: Type.Optional(Type.Boolean({ description: 'False leaves out relations that are refused.' })),
    limit: preset(
      integer({ minimum: 1, maximum: FOUND_PAGE_MAX, default: FOUND_MAX, description: 'Rows of the page.' }),
    ),
    offset: pageOffset(),
  }),
  result: answered(
    Type.Object({
      q: Type.String(),
      count: count({ description: 'Found in all.' }),
      operators: Type.Array(
        Type.Object({
          ...rowMembers,
          variables,
          score: finite({ minimum: 0 }),
        }),
      ),
    }),
  ),
  faults: [],
  example: { q: 'gravitation' },
  handle({ compute: { registry } }, { input }) {
    const { q = '', ...filters } = input
    const { total, found } = searchOperators(registry, { ...filters, text: q })
    const operators = found.map(({ row: it, score }) => ({ ...brief(it), variables: it.variables, score }))
    return { q, count: total, operators }
  },
})

const solverMembers = {
  name: Type.String(),
  title: Type.String(),
  summary: Type.String(),
  domain: Type.String(),
  method: Type.String(),
  operators: Type.Array(Type.String()),
  unit: Type.String({ description: 'Unit of the value.' }),
  revision: count({ description: 'Raised whenever the bits of a result change.' }),
  route: Type.String(),
  steppable: Type.Boolean({
    description: 'Whether its claims hold digests of states within a run, not whether reactors step it.',
  }),
  limits: Type.Object({ workAnonymousMax: finite(), workMax: finite() }),
}

const solverView = (solver: Solver) => ({
  name: solver.name,
  title: solver.title,
  summary: solver.summary,
  ...solverMetadata(solver),
  route: solverRoute(solver.name),
  steppable: solver.run.kind === 'steps',
  limits: solver.limits,
})

const solverList = endpoint({
  ...common,
  id: 'compute.solvers',
  lasts: true,
  route: 'GET /api/solvers',
  summary: 'The sealed solvers of this node.',
  input: closed({}),
  result: answered(Type.Object({ count: count(), solvers: Type.Array(Type.Object(solverMembers)) })),
  faults: [],
  example: {},
  handle: () => ({ count: solvers.length, solvers: solvers.map(solverView) }),
})

/** A schema as plain JSON, without what the builder hides in it. */
const schemaJson = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json

const guide = model('SolverGuide', {
  presets: Type.Array(
    Type.Object({ name: Type.String(), about: Type.String(), input: Type.Unsafe<Json>(anything()) }),
    { description: 'Real problems by name; each `input` holds what differs from the defaults, and runs as it is.' },
  ),
  headline: Type.Array(Type.Object({ member: Type.String(), label: Type.String() }), {
    description: 'What a practitioner reads first: paths into the output (`a.b`, `a.0`), null where a mode has none.',
  }),
  advanced: Type.Array(Type.String(), { description: 'Inputs, or whole nested objects of them, that matter to few.' }),
})

/** The guide of a solver as plain JSON. */
const guideView = ({ guide: own }: Solver) => ({
  presets: (own?.presets ?? []).map(({ name, about, input }) => ({ name, about, input: input as Json })),
  headline: (own?.headline ?? []).map(({ member, label }) => ({ member, label })),
  advanced: [...(own?.advanced ?? [])],
})

const solverOne = endpoint({
  ...common,
  id: 'compute.solver',
  lasts: true,
  route: 'GET /api/solvers/{name}',
  summary: 'One solver: JSON Schemas of its input (with units, ranges, defaults) and output, and a guide to both.',
  input: closed({ name: text(QUERY_CHARS_MAX, { minLength: 1, description: 'Name of the solver.' }) }),
  result: answered(Type.Object({ ...solverMembers, input: anything(), output: anything(), guide })),
  faults: ['NOT_FOUND'],
  example: { name: 'heat' },
  handle(_, { input }) {
    const found = solverByName(input.name)
    if (found === undefined) {
      const near = slipsOf(
        input.name,
        solvers.map((it) => it.name),
      )
      throw new Fault('NOT_FOUND', `There is no solver of this name.${didYouMean(near)}`, { suggestions: near })
    }
    const { input: taken, output } = found
    return { ...solverView(found), input: schemaJson(taken), output: schemaJson(output), guide: guideView(found) }
  },
})

export const catalogueEndpoints = [list, search, find, versions, one, solverList, solverOne] as const
