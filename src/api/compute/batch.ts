import Type from 'typebox'
import { answer, endpoint, idempotencyFaults } from '#api/endpoint.ts'
import { BATCH_CALLS_MAX, VARIED_MAX } from '#core/batch/forms.ts'
import { utf8 } from '#core/bytes.ts'
import { type FaultCode, faults } from '#core/fault.ts'
import { anything, closed, count, finite, integer, oneOf, text } from '#core/schema.ts'
import type { AskedCall, Vary } from '#domain/compute/batch/sweep.ts'
import type { BatchLine } from '#domain/compute/batch/types.ts'
import { askingOf, computedText, computeFaults, orderFaults, solvingFaults } from './answer.ts'
import { besideOperators } from './operate.ts'
import { quotableOf } from './quotable.ts'

/** What an answer of many lines is, and what a body of many calls may be. */
export const NDJSON = 'application/x-ndjson'

const NAME_CHARS_MAX = 128

const route = text(64, {
  minLength: 1,
  description: 'Route of the computation, `POST /api/svc/heat`, or its short name, `heat`; `compute` for operators.',
})
const callInput = Type.Record(Type.String(), anything(), { description: 'What the call would send.' })

const vary = closed({
  name: text(NAME_CHARS_MAX, { minLength: 1, description: 'The input; dots lead inside, `initial.kind`.' }),
  values: Type.Optional(
    Type.Array(Type.Union([finite(), text(256), Type.Boolean()]), {
      minItems: 1,
      maxItems: BATCH_CALLS_MAX,
      description: 'Its values, one after another.',
    }),
  ),
  from: Type.Optional(finite({ description: 'The first value, where they are points of a range.' })),
  to: Type.Optional(finite({ description: 'The last one.' })),
  points: Type.Optional(integer({ minimum: 1, description: 'How many, both ends among them.' })),
  scale: Type.Optional(
    oneOf(['linear', 'log'], { description: 'Whether the points are a sum or a factor apart; linear unless said.' }),
  ),
})

const input = closed({
  calls: Type.Optional(
    Type.Array(closed({ route, input: Type.Optional(callInput) }), {
      description: `1 to ${BATCH_CALLS_MAX} calls. The body may be this list alone, or a call a line (\`${NDJSON}\`).`,
    }),
  ),
  sweep: Type.Optional(
    closed(
      {
        route,
        input: Type.Optional(callInput),
        vary: Type.Array(vary, { minItems: 1, maxItems: VARIED_MAX, description: 'The first changes slowest.' }),
      },
      { description: 'Calls of one route that differ in one or two inputs: every pair of their values.' },
    ),
  ),
})

type Asked = { readonly route: string; readonly input?: Readonly<Record<string, unknown>> | undefined }

const whole = ({ route: of, input: sent = {} }: Asked): AskedCall => ({ route: of, input: sent })

const problemOf = ({ problem }: Extract<BatchLine, { kind: 'refused' | 'failed' }>) => ({
  ...problem,
  status: problem.code in faults ? faults[problem.code as FaultCode].status : 500,
})

/** One line of the answer. */
const lineText = (line: BatchLine): string => {
  if (line.kind === 'opening') {
    const { opening, signature } = line
    const { batch, root, calls, price } = opening
    return JSON.stringify({ ok: true, batch, root, calls, price, opening, signature })
  }
  if (line.kind === 'closing') {
    const { closing, signature, proofs } = line
    const { batch, sealed, refused, failed } = closing
    return JSON.stringify({ ok: true, batch, sealed, refused, failed, closing, signature, proofs })
  }
  const { index, call, kind } = line
  const { route: of, input: sent, inputs_digest } = call
  const head = { index, ok: kind === 'sealed', outcome: kind, route: of, input: sent, inputs_digest }
  if (line.kind !== 'sealed') return JSON.stringify({ ...head, problem: problemOf(line) })
  const beside = line.answer.envelope.kind === 'compute' ? besideOperators : undefined
  return `${JSON.stringify(head).slice(0, -1)},"answer":${computedText(line.answer, beside)}}`
}

async function* bytesOf(lines: AsyncIterable<BatchLine>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield utf8(`${lineText(line)}\n`)
}

const batch = endpoint({
  id: 'compute.batch',
  route: 'POST /api/svc/batch',
  domain: 'compute',
  tier: 'computation',
  access: { credential: 'bearer', reach: { to: 'payer' } },
  summary:
    'Up to 1,000 calls, or a sweep, opened together: the root of all their inputs is in the log before the first runs.',
  idempotent: true,
  limits: { oneCall: true },
  listed: 'calls',
  input,
  query: closed({
    after: Type.Optional(
      count({
        maximum: BATCH_CALLS_MAX,
        description: 'Answers before this index are left out: whoever has them goes on.',
      }),
    ),
    cancel: Type.Optional(
      oneOf(['true', 'false'], {
        description:
          'true: the batch of this Idempotency-Key is given up. What is not sealed costs nothing and is refused as ' +
          'JOB_CANCELLED; the answer is its lines.',
      }),
    ),
  }),
  result: Type.String({
    description: 'A line for the opening, one for each call in order, one for the closing: protocols/wire/batch.md.',
  }),
  faults: [
    ...computeFaults,
    ...solvingFaults,
    ...orderFaults,
    ...idempotencyFaults,
    'CONSTANT_NOT_FOUND',
    'NOT_FOUND',
    'GONE',
    'MALFORMED_JSON',
  ],
  example: {
    calls: [
      { route: 'compute', input: { operators: ['GR37'], inputs: { mass: 1.98892e30 } } },
      { route: 'heat', input: { nx: 64 } },
    ],
  },
  produces: [NDJSON],
  async handle({ compute }, call) {
    const { calls, sweep } = call.input
    const asked = {
      calls: calls?.map(whole),
      sweep: sweep && { ...whole(sweep), vary: sweep.vary as readonly Vary[] },
    }
    const after = typeof call.query['after'] === 'number' ? call.query['after'] : 0
    const routed = (it: AskedCall) => quotableOf(it.route, it.input)
    let lines: AsyncIterable<BatchLine> | undefined
    await call.once(async (repeat) => {
      const cancel = call.query['cancel'] === 'true'
      const opened = await compute.batches.open({ asked, routed, cancel }, askingOf(call), repeat)
      lines = opened.lines(after, call.signal)
      return { replayed: opened.replayed }
    })
    return answer<never>({ body: bytesOf(lines as AsyncIterable<BatchLine>), type: NDJSON })
  },
})

export const batchEndpoints = [batch] as const
