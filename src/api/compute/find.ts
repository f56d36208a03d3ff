import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count, integer, model, orNull, preset, text } from '#core/schema.ts'
import { findOperators, KNOWN_MAX, SAID_LENGTH_MAX, WAYS_DEFAULT, WAYS_MAX } from '#numerics/operators/find/find.ts'

/** Characters of all known quantities together, with the commas between them. */
const KNOWN_CHARS_MAX = KNOWN_MAX * (SAID_LENGTH_MAX + 2)

const variableMembers = {
  operator: Type.String(),
  symbol: Type.String(),
  name: Type.String(),
  unit: Type.String(),
  write: Type.String({ description: '`ID.symbol`, as `inputs` and `solve_for` of POST /api/svc/compute take it.' }),
}
const variable = model('OperatorVariable', variableMembers)

const way = model('OperatorWay', {
  operators: Type.Array(Type.String(), { description: 'One, or the two of a chain in its order.' }),
  solve_for: Type.String({ description: '`ID.symbol`.' }),
  output: variable,
  links: Type.Array(
    Type.Object({
      operator: Type.String(),
      name: Type.String(),
      domain: Type.String(),
      equation: Type.String(),
      solve_for: Type.String({ description: 'Symbol that this operator is solved for.' }),
    }),
  ),
  given: Type.Array(Type.Object({ ...variableMembers, known: Type.String() }), {
    description: 'Variables that a known quantity gives, with the words it was named by.',
  }),
  missing: Type.Array(variable, { description: 'Variables that nothing gives yet; constants never are among them.' }),
  unused: Type.Array(Type.String(), { description: 'Known quantities that it has no use for.' }),
  fed: orNull(Type.Object({ from: variable, to: variable }), {
    description: 'Of a chain: the output of the first operator and the variable of the second that it goes to.',
  }),
})

const word = Type.Object({
  text: Type.String(),
  as: Type.String({ description: 'How it was read: symbol, name, unit, or words of names.' }),
  units: Type.Array(Type.String(), { description: 'Units of the variables that it may mean.' }),
})

/** What gives a quantity from others that are known. */
export const find = endpoint({
  domain: 'compute',
  tier: 'computation',
  access: { credential: 'none' },
  id: 'compute.operator-find',
  route: 'GET /api/operators/find',
  summary: 'Operators, and chains of two, that give a wanted quantity from known ones; fewest missing inputs first.',
  input: closed({
    wanted: text(SAID_LENGTH_MAX, {
      minLength: 1,
      description: 'Symbol, name or unit of the quantity wanted: pressure, P, Pa, P [Pa].',
    }),
    known: Type.Optional(
      text(KNOWN_CHARS_MAX, { description: `At most ${KNOWN_MAX} known quantities in the same way, with commas.` }),
    ),
    limit: preset(
      integer({ minimum: 1, maximum: WAYS_MAX, default: WAYS_DEFAULT, description: 'Operators shown, and chains.' }),
    ),
  }),
  result: answered(
    Type.Object({
      wanted: word,
      known: Type.Array(word),
      count: count({ description: 'Operators in all.' }),
      operators: Type.Array(way),
      chain_count: count({ description: 'Chains in all.' }),
      chains: Type.Array(way),
    }),
  ),
  faults: [],
  example: { wanted: 'pressure', known: 'volume,temperature,amount' },
  handle({ compute: { registry } }, { input }) {
    const { wanted, known = '', limit } = input
    const words = known.trim() === '' ? [] : known.split(',')
    return findOperators(registry, { wanted, known: words, limit })
  },
})
