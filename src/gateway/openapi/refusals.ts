import { isLocal } from '#api/access.ts'
import { orderFaults } from '#api/compute/answer.ts'
import { type Endpoint, idempotencyFaults } from '#api/endpoint.ts'
import { codesOf, Fault, type FaultCode, faultCodes, faults } from '#core/fault.ts'
import { splitRoute } from '#core/route.ts'
import { PROBLEM_TYPE, toProblem } from '#gateway/problem.ts'
import type { Components } from './components.ts'
import { refusalHeaders } from './headers.ts'
import type { Described } from './json.ts'

const example = new Fault('INVALID_INPUT', '/limit: must be <= 200', {
  errors: [{ path: '/limit', message: 'must be <= 200' }],
})

/** The form of every refusal. */
export const problemSchema = {
  type: 'object',
  description: 'RFC 9457.',
  examples: [toProblem(example, '3f0c8a52-6d0e-4c57-9c7b-2f1f0f7b9a10').problem],
  required: ['type', 'title', 'status', 'detail', 'instance', 'docs', 'code', 'retryable'],
  properties: {
    type: { type: 'string', pattern: '^urn:tickmesh:fault:[A-Z_]+$' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', pattern: '^urn:uuid:' },
    docs: { type: 'string', pattern: '^/docs/errors/[A-Z_]+$' },
    code: { type: 'string', enum: [...faultCodes, 'INTERNAL'] },
    retryable: { type: 'boolean' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

/** What the gateway itself may answer, whatever the endpoint. */
const common: readonly FaultCode[] = [
  'MALFORMED_REQUEST',
  'INVALID_INPUT',
  'NOT_ACCEPTABLE',
  'HEADER_TOO_SLOW',
  'HOST_REFUSED',
  'HEADER_TOO_LARGE',
  'NODE_STOPPING',
  'STORE_FAILED',
]
const ofBodies: readonly FaultCode[] = [
  'MALFORMED_JSON',
  'ORIGIN_REFUSED',
  'BODY_TOO_SLOW',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

/** Whether a method has a body. */
export const takesBody = (method: string): boolean => method !== 'GET' && method !== 'DELETE'

/** Every refusal that an endpoint can give: its own, and what stands before it. */
export const faultsOf = (endpoint: Endpoint): readonly FaultCode[] => {
  const { method } = splitRoute(endpoint.route)
  const asked = endpoint.access.credential
  // The key of a channel is good, and reaches that channel alone.
  const credential: readonly FaultCode[] =
    asked === 'bearer' || asked === 'optional' ? ['UNAUTHENTICATED', 'SCOPE_REQUIRED'] : []
  const body = takesBody(method) ? ofBodies : method === 'GET' ? [] : (['ORIGIN_REFUSED'] as const)
  const limited: readonly FaultCode[] = endpoint.limits?.unlimited === true ? [] : ['RATE_LIMITED', 'NODE_BUSY']
  // From elsewhere it is not there.
  const elsewhere: readonly FaultCode[] = isLocal(endpoint) ? ['NOT_FOUND'] : []
  const repeated: readonly FaultCode[] = endpoint.idempotent === true ? idempotencyFaults : []
  return [...new Set([...common, ...limited, ...credential, ...body, ...endpoint.faults, ...elsewhere, ...repeated])]
}

const malformed = ['MALFORMED_REQUEST', 'INVALID_INPUT'] as const
const badBody = [...malformed, 'MALFORMED_JSON'] as const
const unavailable = ['NODE_STOPPING', 'STORE_FAILED', 'NODE_BUSY'] as const
const sealing = [...unavailable, ...codesOf('commit')] as const
const unsolved = ['WORK_LIMIT_EXCEEDED', 'UNSTABLE_STEP', 'ILL_POSED', 'OUT_OF_RANGE', 'NOT_CANONICAL'] as const

/** Names of the sets of codes that several endpoints share. */
const named: Readonly<Record<string, readonly FaultCode[]>> = {
  BadRequest: malformed,
  BadBody: badBody,
  BadEntry: [...badBody, 'NOT_CANONICAL'],
  BadProblem: [...badBody, ...unsolved],
  BadRelation: [...badBody, ...unsolved, ...orderFaults],
  BadOperators: [...badBody, 'WORK_LIMIT_EXCEEDED', ...orderFaults, 'OUT_OF_RANGE', 'ILL_POSED'],
  BadEvidence: [...badBody, 'BAD_SIGNATURE', 'BAD_PUBLIC_KEY', 'NOT_CANONICAL', 'WORK_LIMIT_EXCEEDED'],
  TooSlow: ['HEADER_TOO_SLOW', 'BODY_TOO_SLOW'],
  Repeated: idempotencyFaults,
  NoStepNow: [...idempotencyFaults, 'MACHINE_NOT_ACTIVE', 'REACTOR_BUSY', 'REACTOR_ENDED', 'STEP_TAKEN'],
  NotPrecise: codesOf('gate'),
  LimitReached: ['RATE_LIMITED', 'DAILY_LIMIT_EXCEEDED'],
  Unavailable: unavailable,
  WorkerUnavailable: [...unavailable, 'WORKER_LOST'],
  OtherNodeUnavailable: [...unavailable, 'NODE_UNREACHABLE'],
  SealingUnavailable: sealing,
  ComputingUnavailable: [...sealing, 'WORKER_LOST'],
}
const names = new Map(Object.entries(named).map(([name, codes]) => [codes.join(), name]))

/** Other sets of at most so many codes are named by them; a longer one stands where it is used. */
const NAMED_CODES_MAX = 3

const pascal = (code: string): string =>
  code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const nameOf = (codes: readonly FaultCode[]): string | undefined =>
  names.get(codes.join()) ?? (codes.length > NAMED_CODES_MAX ? undefined : codes.map(pascal).join(''))

const response = (status: number, codes: readonly FaultCode[]): Described => ({
  description: codes.map((code) => `${code}: ${faults[code].title}`).join('\n'),
  headers: refusalHeaders(status),
  content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
  'x-codes': codes,
})

/** Responses by status of what an endpoint refuses. */
export const refusalsOf = (endpoint: Endpoint, components: Components): Described => {
  const byStatus = Map.groupBy(faultsOf(endpoint), (code) => faults[code].status)
  const described = ([status, codes]: [number, readonly FaultCode[]]): [string, Described] => {
    const [name, part] = [nameOf(codes), response(status, codes)]
    return [String(status), name === undefined ? part : components.response(name, part)]
  }
  return Object.fromEntries([...byStatus].sort(([a], [b]) => a - b).map(described))
}
