import Type from 'typebox'
import { answer, answered, type Call, endpoint, type Frame, idempotencyFaults } from '#api/endpoint.ts'
import { codesOf, Fault } from '#core/fault.ts'
import { closed, fitting, slug } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import type { ObserveOrder, Reactors } from '#domain/compute/reactor/types.ts'
import type { Sealed, Unsealed } from '#domain/compute/types.ts'
import {
  besideStep,
  nextStep,
  observed,
  reactor,
  reactorPage,
  reactorState,
  stepRow,
  telemetry as telemetryView,
  trajectory as trajectoryView,
} from '#domain/compute/views/reactor.ts'
import { condition, continuable, contractDefaults, contractSchema, SOLVER_DEFAULT } from '#numerics/reactor/schema.ts'
import { askingOf, computedAnswer, computedResult, computeFaults, computing, solvingFaults } from './answer.ts'
import {
  listInput,
  nextInput,
  observeInput,
  PAGE_MAX,
  PROVED_PAGE_MAX,
  reactorInput,
  stepInput,
  trajectoryInput,
  watchInput,
} from './reactor-inputs.ts'

/** Stateful loops: a solver stepped again and again from where it ended, each step checked, sealed and chained. */
const common = { domain: 'compute', tier: 'computation' } as const

const ofMachine = ['SCOPE_REQUIRED', 'NOT_FOUND', 'MACHINE_NOT_ACTIVE', 'RATE_LIMITED'] as const
const making = [
  'INVALID_INPUT',
  'NOT_STEPPABLE',
  'WORK_LIMIT_EXCEEDED',
  'SLUG_TAKEN',
  'NODE_BUSY',
  'NODE_STOPPING',
  ...codesOf('commit'),
] as const
const reading = ['NOT_FOUND', 'SCOPE_REQUIRED'] as const
const stepping = [
  ...computeFaults,
  ...idempotencyFaults,
  ...solvingFaults,
  ...ofMachine,
  'REACTOR_BUSY',
  'REACTOR_ENDED',
  'STEP_TAKEN',
] as const

/** Each call reads a whole trajectory, or computes half of it again. */
const costly = { callsPerMinute: 120 } as const

const metadata = {
  domain: 'any',
  method: 'the run and the check of the stepped solver; the errors of all steps add up',
  operators: ['KO42'],
  unit: 'that of the stepped solver',
  default: SOLVER_DEFAULT,
  steppable: [...continuable],
}

/** What stands beside the result of a step. */
export const besideReactor = (reactors: Reactors) => ({
  own: [],
  more: (it: Sealed | Unsealed) => ({ reactor: reactors.beside(it) }),
})

const create = endpoint({
  ...common,
  id: 'compute.reactor',
  route: 'POST /api/svc/reactor',
  access: { credential: 'bearer', reach: { to: 'payer' } },
  idempotent: true,
  summary: 'Makes a stateful loop over a solver from a transition contract. Nothing runs yet and nothing is charged.',
  describe: { tags: ['Solvers'], 'x-solver': metadata },
  input: closed({
    ...Type.Partial(contractSchema).properties,
    machine: Type.Optional(
      slug({
        description:
          'Machine whose chain gets an entry of each step; of an account, one that its reactors share when left out.',
      }),
    ),
  }),
  result: answered(Type.Object({ reactor })),
  faults: [...making, ...solvingFaults, ...ofMachine],
  example: {},
  async handle({ compute }, call) {
    const { machine, ...order } = call.input
    const contract = fitting(contractSchema, { ...contractDefaults, ...order })
    const wanted = { ...contract, slug: machine }
    const { view } = await call.once((repeat) => compute.reactors.create(wanted, askingOf(call, repeat)))
    return { reactor: view }
  },
})

const list = endpoint({
  ...common,
  id: 'compute.reactors',
  route: 'GET /api/svc/reactor',
  access: { credential: 'bearer', reach: { to: 'own-key' } },
  summary: 'The caller’s own reactors as they stand, newest first.',
  input: listInput,
  result: answered(reactorPage),
  faults: ['SCOPE_REQUIRED'],
  example: { limit: 10, offset: 0 },
  handle({ compute }, { input, caller }) {
    const { limit, offset } = input
    const all = compute.reactors.list(caller)
    return { total: all.length, limit, offset, reactors: all.slice(offset, offset + limit) }
  },
})

const step = endpoint({
  ...common,
  id: 'compute.reactor-step',
  route: 'POST /api/svc/reactor/step',
  access: { credential: 'bearer', reach: { to: 'reactor', role: 'operator' } },
  idempotent: true,
  ...computing,
  summary: 'Takes one step: runs the solver on the newest state, checks, seals, and puts the new state into the chain.',
  input: stepInput,
  result: computedResult({ reactor: besideStep }),
  faults: [...stepping],
  example: {},
  async handle({ compute }, call) {
    const { reactors } = compute
    const computed = await call.once((repeat) => reactors.step(call.input, askingOf(call, repeat)))
    return computedAnswer(computed, besideReactor(reactors))
  },
})

/** The route that a job of a step has. */
export const STEP_ROUTE = step.route

/** The condition of an observation, which is said whole or not at all. */
const untilOf = ({ of, op, than }: Pick<View<typeof watchInput>, 'of' | 'op' | 'than'>): ObserveOrder['until'] => {
  if (of === undefined && op === undefined && than === undefined) return undefined
  return fitting(condition, {
    ...(of !== undefined && { of }),
    ...(op !== undefined && { op }),
    ...(than !== undefined && { than }),
  })
}

const orderOf = (input: Omit<View<typeof watchInput>, 'after'>): ObserveOrder => ({
  reactor: input.reactor,
  steps: input.steps,
  until: untilOf(input),
})

/** The step that a reader has, by its own word or by Last-Event-ID. */
const lastOf = ({ input, headers }: Call<typeof watchInput>): number | undefined => {
  const { lastEventId } = headers
  if (lastEventId === undefined || lastEventId === '') return input.after
  // Read past, it would begin with a step that the reader may have, and charge for another.
  if (!/^\d{1,4}$/.test(lastEventId)) {
    const message = 'Last-Event-ID must be the number of a step of this reactor.'
    throw new Fault('INVALID_INPUT', message, { errors: [{ path: '/last-event-id', message }] })
  }
  return Number(lastEventId)
}

const watch = endpoint({
  ...common,
  id: 'compute.reactor-watch',
  route: 'GET /api/svc/reactor/observe',
  access: { credential: 'bearer', reach: { to: 'reactor', role: 'operator' } },
  summary:
    'Steps once a tick as long as the stream is read; resumable by Last-Event-ID, which is the number of a step.',
  acts: true,
  input: watchInput,
  result: stepRow,
  faults: [...stepping],
  example: { steps: 1 },
  streams: true,
  handle: ({ compute }, call): AsyncIterable<Frame> =>
    compute.reactors.observe(orderOf(call.input), askingOf(call), lastOf(call)),
})

const observe = endpoint({
  ...common,
  id: 'compute.reactor-observe',
  route: 'POST /api/svc/reactor/observe',
  access: { credential: 'bearer', reach: { to: 'reactor', role: 'operator' } },
  summary:
    'Steps once a tick until the number of steps, the condition, the contract or the wait is over; then answers.',
  input: observeInput,
  result: answered(observed),
  faults: [...stepping],
  example: { steps: 1, wait: 0 },
  handle({ compute }, call) {
    const { after, wait } = call.input
    return compute.reactors.collect(orderOf(call.input), askingOf(call), { after, wait })
  },
})

const state = endpoint({
  ...common,
  id: 'compute.reactor-state',
  route: 'GET /api/svc/reactor/state',
  access: { credential: 'bearer', reach: { to: 'reactor', role: 'viewer' } },
  summary: 'The newest state, every number of it, with its digest.',
  input: reactorInput,
  result: answered(reactorState),
  faults: [...reading, 'REACTOR_BUSY'],
  example: {},
  async handle({ compute }, call) {
    const { input, ...rest } = await compute.reactors.state(call.input.reactor, askingOf(call))
    // A state may have megabytes: it goes out as it is stored, without being read.
    const body = `${JSON.stringify({ ok: true, ...rest }).slice(0, -1)},"input":${input}}`
    return answer<never>({ body, type: 'application/json; charset=utf-8' })
  },
})

const trajectory = endpoint({
  ...common,
  id: 'compute.reactor-trajectory',
  route: 'GET /api/svc/reactor/trajectory',
  access: { credential: 'bearer', reach: { to: 'reactor', role: 'viewer' } },
  summary:
    'The steps taken, oldest first, with every digest recomputed and, if wanted, the second half computed again.',
  limits: costly,
  input: trajectoryInput,
  result: answered(trajectoryView),
  faults: [
    ...reading,
    'INVALID_INPUT',
    'REACTOR_BUSY',
    'WORK_LIMIT_EXCEEDED',
    'DAILY_LIMIT_EXCEEDED',
    'NODE_BUSY',
    'WORKER_LOST',
  ],
  example: { limit: 10, proofs: true },
  handle({ compute }, call) {
    const { limit, proofs } = call.input
    const most = proofs ? PROVED_PAGE_MAX : PAGE_MAX
    if (limit > most) {
      const message = `a page with proofs has at most ${PROVED_PAGE_MAX} rows`
      throw new Fault('INVALID_INPUT', `/limit: ${message}.`, { errors: [{ path: '/limit', message }], limit: most })
    }
    return compute.reactors.trajectory(call.input, askingOf(call))
  },
})

const telemetry = endpoint({
  ...common,
  id: 'compute.reactor-telemetry',
  route: 'GET /api/svc/reactor/telemetry',
  access: { credential: 'bearer', reach: { to: 'reactor', role: 'viewer' } },
  summary: 'Counts, times, errors and conserved figures of the steps taken.',
  limits: costly,
  input: reactorInput,
  result: answered(telemetryView),
  faults: [...reading],
  example: {},
  handle: ({ compute }, call) => compute.reactors.telemetry(call.input.reactor, askingOf(call)),
})

const next = endpoint({
  ...common,
  id: 'compute.reactor-next',
  route: 'GET /api/svc/reactor/next',
  access: { credential: 'bearer', reach: { to: 'reactor', role: 'viewer' } },
  summary:
    'Answers when there is a step after `after`, on this node or, with its proof, on another that shares the machine.',
  input: nextInput,
  result: answered(nextStep),
  faults: [...reading, 'INVALID_INPUT', 'BAD_SIGNATURE', 'NODE_UNREACHABLE', 'NODE_BUSY', 'RATE_LIMITED'],
  example: { after: 0, wait: 0 },
  handle: ({ compute }, call) => compute.reactors.next(call.input, askingOf(call)),
})

/** The same by the other method, for callers who send whatever they say as a body. */
const statePost = endpoint({ ...state, id: 'compute.reactor-state-post', route: 'POST /api/svc/reactor/state' })
const trajectoryPost = endpoint({
  ...trajectory,
  id: 'compute.reactor-trajectory-post',
  route: 'POST /api/svc/reactor/trajectory',
})
const telemetryPost = endpoint({
  ...telemetry,
  id: 'compute.reactor-telemetry-post',
  route: 'POST /api/svc/reactor/telemetry',
})
const nextPost = endpoint({ ...next, id: 'compute.reactor-next-post', route: 'POST /api/svc/reactor/next' })

export const reactorEndpoints = [
  create,
  list,
  step,
  watch,
  observe,
  state,
  statePost,
  trajectory,
  trajectoryPost,
  telemetry,
  telemetryPost,
  next,
  nextPost,
] as const
