import Type from 'typebox'
import { count, credits, finite, json, model, oneOf, orNull, tick, tokenId } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { reading, readingDigest } from './reading.ts'
import { computedAnswer } from './receipt.ts'

/** Computations that go on after the call that began them, and what one would cost. */

/** A job as its owner sees it. */
export const job = model('Job', {
  id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Job id.' }),
  state: oneOf(['queued', 'running', 'done', 'failed', 'cancelled', 'lost']),
  route: Type.String(),
  kind: Type.String({ description: 'The solver, or compute.' }),
  created_tick: tick(),
  ended_tick: orNull(tick()),
  fraction: finite({ minimum: 0, maximum: 1 }),
  step: count(),
  steps: count({ description: '0 before the first report.' }),
  eta: orNull(finite({ minimum: 0 }), { description: 'Seconds to go at the pace so far.' }),
  residual: orNull(finite()),
  reason: orNull(Type.String(), { description: 'Why it waits, failed or is lost, or has no envelope.' }),
  problem: orNull(Type.Object({ code: Type.String(), detail: Type.String(), details: json() })),
  token_id: orNull(tokenId()),
})
export type JobView = View<typeof job>

/** A job with the answer of its call. */
export const answeredJob = model('AnsweredJob', {
  ...job.properties,
  answer: orNull(computedAnswer, { description: 'What the call would have answered; null until the job is done.' }),
})

/** What a computation would cost. */
export const quote = model('Quote', {
  route: Type.String(),
  price: credits(),
  operators: Type.Array(Type.String()),
  work: finite({ minimum: 0, description: 'Units of about 1e6 floating-point operations.' }),
  work_limit: finite({ minimum: 0, description: 'The most that this caller may ask of it.' }),
  expected_seconds: finite({
    minimum: 0,
    description: 'Of a run on a thread of its own, as this machine was measured and as earlier runs went.',
  }),
  expected_range: orNull(
    Type.Unsafe<readonly [number, number]>(Type.Array(finite({ minimum: 0 }), { minItems: 2, maxItems: 2 })),
    {
      description:
        'Between which seconds it may end, where nobody knows beforehand how much there is to do; else null.',
    },
  ),
  reading: Type.Optional(reading),
  reading_digest: Type.Optional(readingDigest),
})
/** What a computation costs, whatever the route that it is asked for by. */
export type Quote = Omit<View<typeof quote>, 'route'>
