import Type from 'typebox'
import { type Answer, answer, answered, endpoint, idempotencyFaults } from '#api/endpoint.ts'
import { anything, closed, count, pageLimit, pageOffset, text } from '#core/schema.ts'
import type { Compute } from '#domain/compute/service.ts'
import type { Sealed, Unsealed } from '#domain/compute/types.ts'
import { answeredJob, type JobView, job, quote } from '#domain/compute/views/jobs.ts'
import { askingOf, type Beside, computedText, computeFaults, orderFaults, sealHeaders, sealing } from './answer.ts'
import { besideOperators } from './operate.ts'
import { quotableOf } from './quotable.ts'
import { besideReactor, STEP_ROUTE } from './reactor.ts'

/** Computations that go on after the call that began them, and what one would cost. */
const common = { domain: 'compute', tier: 'computation' } as const

const id = job.properties.id

const isOperators = ({ kind }: JobView): boolean => kind === 'compute' || kind === 'prove'

/** What the answer of a job's call has beside its result. */
const besideOf = (view: JobView, { reactors }: Compute): Beside | undefined => {
  if (view.route === STEP_ROUTE) return besideReactor(reactors)
  return isOperators(view) ? besideOperators : undefined
}

const withAnswer = (view: JobView, found: Sealed | Unsealed | undefined, compute: Compute): Answer<never> => {
  const beside = besideOf(view, compute)
  const text = found === undefined ? 'null' : computedText(found, beside)
  const body = `${JSON.stringify(view).slice(0, -1)},"answer":${text}}`
  const headers = found?.kind === 'sealed' ? sealHeaders(found) : {}
  return answer<never>({ body, type: 'application/json; charset=utf-8', headers })
}

const list = endpoint({
  ...common,
  access: { credential: 'bearer', reach: { to: 'own-key' } },
  id: 'compute.jobs',
  route: 'GET /api/jobs',
  summary: 'The caller’s own jobs, newest first, as long as they are kept.',
  input: closed({ limit: pageLimit(), offset: pageOffset() }),
  result: answered(
    Type.Object({
      total: count(),
      limit: count(),
      offset: count(),
      jobs: Type.Array(job),
    }),
  ),
  faults: ['SCOPE_REQUIRED'],
  example: { limit: 10, offset: 0 },
  handle({ compute }, { input, caller }) {
    const { limit, offset } = input
    const all = compute.jobs(caller)
    return { total: all.length, limit, offset, jobs: all.slice(offset, offset + limit) }
  },
})

/** Of one job. */
const ofJob = {
  ...common,
  access: { credential: 'optional', reach: { to: 'job' } },
  input: closed({ id }),
  example: { id: '0'.repeat(32) },
} as const

const read = endpoint({
  ...ofJob,
  id: 'compute.job',
  route: 'GET /api/jobs/{id}',
  summary: 'How far a job is, and its answer once it is done. Only its own caller can see it.',
  result: answeredJob,
  ...sealing,
  faults: ['NOT_FOUND'],
  async handle({ compute }, { input, caller }) {
    const view = await compute.job(input.id, caller)
    return withAnswer(view, await compute.jobAnswer(input.id, caller), compute)
  },
})

const events = endpoint({
  ...ofJob,
  id: 'compute.job-events',
  route: 'GET /api/jobs/{id}/events',
  summary: 'A job as it goes: `progress` and `state` events, resumable by Last-Event-ID, until it is over.',
  result: job,
  faults: ['NOT_FOUND'],
  streams: true,
  async *handle({ compute }, call) {
    const after = /^\d{1,15}$/.test(call.headers.lastEventId ?? '') ? Number(call.headers.lastEventId) : 0
    yield* compute.jobFrames(call.input.id, askingOf(call), after)
  },
})

const cancel = endpoint({
  ...ofJob,
  id: 'compute.job-cancel',
  route: 'DELETE /api/jobs/{id}',
  summary: 'Ends a job; nothing is charged.',
  result: job,
  faults: ['NOT_FOUND', 'JOB_FINISHED'],
  handle: ({ compute }, { input, caller }) => compute.cancel(input.id, caller),
})

const price = endpoint({
  ...common,
  id: 'compute.quote',
  route: 'POST /api/quote',
  access: { credential: 'optional', reach: { to: 'anyone' } },
  summary: 'Price, work and expected time of a computation; runs nothing.',
  input: closed({
    route: text(64, {
      minLength: 1,
      description: 'Route of the computation, `POST /api/svc/heat`, or its short name, `heat`.',
    }),
    input: Type.Optional(Type.Record(Type.String(), anything(), { description: 'What the call would send.' })),
  }),
  result: answered(quote),
  faults: [
    ...computeFaults,
    ...idempotencyFaults,
    'NOT_FOUND',
    'UNSTABLE_STEP',
    'ILL_POSED',
    ...orderFaults,
    'OUT_OF_RANGE',
    'CONSTANT_NOT_FOUND',
  ],
  example: { route: 'POST /api/svc/compute', input: { operators: ['GR37'], inputs: { mass: 1.98892e30 } } },
  async handle({ compute }, call) {
    const { route, kind, input } = quotableOf(call.input.route, call.input.input ?? {})
    return { route, ...(await compute.quote(kind, input, askingOf(call))) }
  },
})

export const jobEndpoints = [list, read, events, cancel, price] as const
