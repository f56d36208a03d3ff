import { Fault, type FaultCode, faults } from '#core/fault.ts'

/** RFC 9457, with the members that this project adds. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  /** Path of the page that says when it is given, and what to do. */
  readonly docs: string
  readonly code: FaultCode | 'INTERNAL'
  readonly retryable: boolean
  readonly [member: string]: unknown
}

export interface ProblemAnswer {
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
}

export const PROBLEM_TYPE = 'application/problem+json'
/** What a caller is told to wait when the refusal does not know better. */
const RETRY_AFTER_SECONDS = 1

/** The `type` of a refusal. */
export const problemType = (code: string): string => `urn:tickmesh:fault:${code}`

/** The page of a refusal: when it is given, and what to do. */
export const problemDocs = (code: string): string => `/docs/errors/${code}`

/** 429 and 503 always say when to come back, any other refusal where it knows. */
const retryAfter = ({ retry_after_seconds: seconds }: Readonly<Record<string, unknown>>, status: number) => {
  if (typeof seconds === 'number' && seconds >= 0) return { 'Retry-After': String(Math.ceil(seconds)) }
  return status === 429 || status === 503 ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {}
}

const headersOf = ({ details }: Fault, status: number): Record<string, string> => ({
  'Cache-Control': 'no-store',
  ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="tickmesh"' } : {}),
  ...retryAfter(details, status),
})

/** Members of a fault beside the standard ones; an input that does not fit always has its list of errors. */
const membersOf = ({ code, details, message }: Fault): Readonly<Record<string, unknown>> => {
  if (code !== 'INVALID_INPUT' || Array.isArray(details['errors'])) return details
  const path = typeof details['path'] === 'string' ? details['path'] : ''
  return { ...details, errors: [{ path: path === '/' ? '' : path, message }] }
}

/**
 * What a throw becomes on the wire. Whatever is not a Fault is a bug and says nothing about itself.
 *
 * @param id the request's, a UUID: the log names the call by it.
 */
export const toProblem = (thrown: unknown, id: string = crypto.randomUUID()): ProblemAnswer => {
  const instance = `urn:uuid:${id}`
  if (!(thrown instanceof Fault)) {
    const problem: Problem = {
      type: problemType('INTERNAL'),
      title: 'The node failed.',
      status: 500,
      detail: 'The node failed. Its log has this instance.',
      instance,
      docs: problemDocs('INTERNAL'),
      code: 'INTERNAL',
      retryable: false,
    }
    return { problem, headers: { 'Cache-Control': 'no-store' } }
  }
  const { code, title, message: detail } = thrown
  const { status, retryable } = faults[code]
  const standard = { type: problemType(code), title, status, detail, instance, docs: problemDocs(code) }
  // The standard members come last: a detail of the same name must not bend them.
  const problem: Problem = { ...membersOf(thrown), ...standard, code, retryable }
  return { problem, headers: headersOf(thrown, status) }
}
