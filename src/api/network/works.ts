import Type from 'typebox'
import {
  askingOf,
  computedAnswer,
  computedResult,
  computeFaults,
  computing,
  solvingFaults,
} from '#api/compute/answer.ts'
import { quotableOf } from '#api/compute/quotable.ts'
import { answered, endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { anything, closed, pageLimit, pageOffset, preset, text } from '#core/schema.ts'
import { workPage } from '#domain/network/views/works.ts'

/** Work that nodes do for each other. */
const domain = 'network-governance'

const works = endpoint({
  domain,
  tier: 'computation',
  id: 'network.contribute-works',
  route: 'GET /api/contribute/works',
  summary: 'Jobs that this node took from others and gave them, the newest first: state, place, what was checked.',
  access: { credential: 'bearer', reach: { to: 'node-owner' } },
  input: closed({ limit: pageLimit(), offset: pageOffset() }),
  result: answered(workPage),
  faults: ['SCOPE_REQUIRED'],
  example: { limit: 10 },
  handle: ({ works: room }, { input, caller }) => room.list(caller, input),
})

const CONSENT =
  'Yes: the nodes of its pool, and whoever disputes it, may read the inputs. Without it nothing leaves this node.'

const offers = endpoint({
  domain,
  tier: 'computation',
  ...computing,
  id: 'network.contribute-offers',
  route: 'POST /api/contribute/offers',
  summary:
    'Has another node run a solver: this one samples and checks what comes back, and seals it. Always a job; ' +
    '`Prefer: respond-async, where=mesh; consent` does the same on any solver.',
  access: { credential: 'bearer', reach: { to: 'payer' } },
  idempotent: true,
  input: closed({
    route: text(64, { minLength: 1, description: 'Route of the solver, `POST /api/svc/heat`, or its name, `heat`.' }),
    input: Type.Optional(Type.Record(Type.String(), anything(), { description: 'What the call would send.' })),
    consent: preset(Type.Boolean({ default: false, description: CONSENT })),
  }),
  result: computedResult({}),
  faults: [...computeFaults, ...solvingFaults, 'NOT_FOUND', 'CONSENT_REQUIRED', 'BOND_FULL', 'NO_WORKER'],
  example: { route: 'heat', input: {}, consent: true },
  async handle({ compute }, call) {
    const { route, input = {}, consent } = call.input
    const { kind } = quotableOf(route, input)
    if (['auto', 'compute', 'prove'].includes(kind)) {
      throw new Fault('INVALID_INPUT', '/route: other nodes run solvers; this is computed here alone.')
    }
    const offer = { name: kind, input, consent }
    return computedAnswer(await call.once((repeat) => compute.offer(offer, askingOf(call, repeat))))
  },
})

/** Endpoints of work that nodes do for each other. */
export const workEndpoints = [works, offers] as const
