import Type from 'typebox'
import { answer, endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { QUERY_CHARS_MAX } from '#core/question.ts'
import { anything, closed, finite, hex64, text } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import type { Computed } from '#domain/compute/types.ts'
import { reading, readingDigest } from '#domain/compute/views/reading.ts'
import { receiptMembers } from '#domain/compute/views/receipt.ts'
import { askingOf, type Beside, computedAnswer, computeFaults, computing, orderFaults } from './answer.ts'
import { besideOperators } from './operate.ts'

/** What a call in words takes, called or quoted. */
export const autoInput = closed({
  query: text(QUERY_CHARS_MAX, {
    minLength: 1,
    description: 'What is to be computed, in English words; numbers with units in it are values too (`5 km`).',
  }),
  constants: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), anything(), {
      description: 'Values by name: a number in the unit of the input, a text with a unit (`5 km`), or {value, unit}.',
    }),
  ),
  confirm: Type.Optional(
    hex64({
      description:
        'The `reading_digest` that was shown for this question: a yes to that reading. Refused when the question is ' +
        'read in another way; without it the claim says that nobody confirmed the reading.',
    }),
  ),
  dry: Type.Optional(Type.Boolean({ description: 'True: only show how it is read and what it would cost.' })),
  publish: Type.Optional(
    Type.Boolean({
      description: 'Whether the envelope stands in the public record; the account’s default when left out.',
    }),
  ),
})

/** Members of the receipt are there unless it was only read; those of the chosen route's result stand beside them. */
const result = Type.Object({
  reading,
  confirmed: Type.Optional(
    Type.Boolean({
      description: 'Whether the call confirmed the reading; if not, this answers the reading and not the question.',
    }),
  ),
  reading_digest: Type.Optional(readingDigest),
  dry: Type.Optional(Type.Boolean()),
  price: Type.Optional(finite({ minimum: 0, description: 'Credits; only when it was only read.' })),
  work: Type.Optional(
    finite({ minimum: 0, description: 'Units of about 1e6 operations; only when it was only read.' }),
  ),
  ...Type.Partial(Type.Object(receiptMembers)).properties,
})

/** What stands beside a result of the chosen route. */
const besideOf = (computed: Computed): Beside | undefined => {
  const read =
    computed.kind === 'accepted' ? undefined : (computed.extras['reading'] as View<typeof reading> | undefined)
  return read?.kind === 'operators' ? besideOperators : undefined
}

/** What a refusal to answer a question is called: its code tells of inputs, and whoever asks gave words. */
const titleOf = ({ code, details, title }: Fault): string => {
  if (code === 'MISSING_INPUTS' || 'missing' in details) return 'More is needed to answer the question.'
  if (code === 'NOT_FOUND') return 'Nothing here answers the question.'
  if (code !== 'AMBIGUOUS_INPUT') return title
  return 'reading_digest' in details
    ? 'The question is read in another way than was confirmed.'
    : 'The question is not clear enough.'
}

const asked = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    throw new Fault(cause.code, cause.message, cause.details, { title: titleOf(cause) })
  }
}

const auto = endpoint({
  id: 'compute.auto',
  route: 'POST /api/svc/auto',
  domain: 'compute',
  tier: 'computation',
  access: { credential: 'bearer', reach: { to: 'payer' } },
  idempotent: true,
  ...computing,
  summary: 'Routes a question in words to a solver or to operators, shows how it was read, and seals the answer.',
  input: autoInput,
  result,
  faults: [
    ...computeFaults,
    'NOT_FOUND',
    'UNSTABLE_STEP',
    'ILL_POSED',
    'ENERGY_NOT_CONSERVED',
    'DID_NOT_CONVERGE',
    'NOT_CANONICAL',
    ...orderFaults,
    'OUT_OF_RANGE',
    'CONSTANT_NOT_FOUND',
  ],
  example: { query: 'gravitational force between two masses', constants: { m1: 5.972e24, m2: 1000, r: '6780 km' } },
  async handle({ compute }, call) {
    const { query, constants, publish, dry, confirm } = call.input
    const question = { query, constants, publish, confirm }
    if (dry === true) {
      const body = JSON.stringify({ dry: true, ...(await asked(compute.read(question, askingOf(call)))) })
      return answer<never>({ body, type: 'application/json; charset=utf-8' })
    }
    const computed = await asked(call.once((repeat) => compute.auto(question, askingOf(call, repeat))))
    return computedAnswer(computed, besideOf(computed))
  },
})

export const autoEndpoints = [auto] as const
