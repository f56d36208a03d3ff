import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { codesOf } from '#core/fault.ts'
import { closed, hex64, pageLimit, pageOffset } from '#core/schema.ts'
import { workPlaceSchema } from '#core/work/published.ts'
import { disputePage, disputeView } from '#domain/network/views/disputes.ts'

/** Disputes over works: anybody may look at them and check them, who is bonded or asked for the work opens them. */
const domain = 'network-governance'
const read = { domain, tier: 'computation', access: { credential: 'none' } } as const

const list = endpoint({
  ...read,
  id: 'network.disputes',
  route: 'GET /api/contribute/disputes',
  summary: 'Disputes over contributed works that this node knows of, the newest first.',
  input: closed({ limit: pageLimit(), offset: pageOffset() }),
  result: answered(disputePage),
  faults: [],
  example: { limit: 10 },
  handle: ({ disputes }, { input }) => disputes.list(input),
})

const get = endpoint({
  ...read,
  access: { credential: 'optional', reach: { to: 'anyone' } },
  id: 'network.dispute',
  route: 'GET /api/contribute/disputes/{id}',
  summary: 'A dispute with all that its check needs; what is not here is had from other nodes for who has a key.',
  input: closed({ id: hex64({ description: 'Id of the event of the challenge.' }) }),
  result: answered(disputeView),
  faults: ['NOT_FOUND', 'NODE_BUSY'],
  example: { id: '0'.repeat(64) },
  handle: ({ disputes }, { input, caller }) => disputes.get(caller, input.id),
})

const open = endpoint({
  domain,
  tier: 'machine-control',
  access: { credential: 'bearer', reach: { to: 'node-owner' } },
  id: 'network.open-dispute',
  route: 'POST /api/contribute/disputes',
  summary: 'Runs a contributed work again, and challenges it where it comes out otherwise.',
  audit: { event: 'dispute_opened', result: ['id', 'work', 'segment'] },
  input: closed({
    work: hex64({ description: 'Digest of the work.' }),
    place: Type.Optional(
      closed(workPlaceSchema.properties, {
        title: 'WorkPlace',
        description: 'Where it was published; left out for a work that this node took or gave.',
      }),
    ),
  }),
  result: answered(disputeView),
  faults: [
    'SCOPE_REQUIRED',
    'NOT_FOUND',
    'TOO_LATE',
    'NOT_BONDED',
    'NODE_UNREACHABLE',
    ...codesOf('commit'),
    'NODE_BUSY',
  ],
  example: { work: '0'.repeat(64) },
  handle: ({ disputes }, { input, caller, signal }) => disputes.open(caller, input, signal),
})

/** Endpoints of disputes. */
export const disputeEndpoints = [list, get, open] as const
