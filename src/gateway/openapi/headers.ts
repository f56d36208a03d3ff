import type { AnswerHeader, Endpoint } from '#api/endpoint.ts'
import type { Described } from './json.ts'

const text = (description: string, example: string): Described => ({
  description,
  schema: { type: 'string' },
  example,
})
const whole = (description: string, example: number): Described => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
})

/** What an endpoint may say that its answers carry beside the headers of all. */
const own: Readonly<Record<AnswerHeader, Described>> = {
  'Access-Control-Allow-Origin': text('`*`: a page of any origin may read the answer.', '*'),
  'Cache-Control': text('How long the answer may be kept; every other answer says `no-store`.', 'no-cache'),
  'Content-Disposition': text('Name of the file.', 'attachment; filename="envelope.json"'),
  'Content-Security-Policy': text(
    'What a browser may do with a hosted page, or with what a channel shows: no script runs and nothing is loaded.',
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  ),
  ETag: text('Digest of the bytes.', '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"'),
  Location: text('Where the answer leads: the page, or the job.', '/api/jobs/00112233445566778899aabbccddeeff'),
  'Set-Cookie': text('The session of the page.', 'tickmesh=…; Path=/; HttpOnly; SameSite=Strict'),
  'X-Source-Digest': text('SHA-256 over the source, as receipts name the release.', `sha256:${'0'.repeat(64)}`),
  'X-Svc-Sealed': text(
    'State of the envelope: `promised`, `sealed` or `final`; absent when nothing was sealed. Beside it stand ' +
      '`X-Svc-Proof` (leaf hash in the seal log), `X-Svc-Token` (token id), `X-Svc-Tick` and `X-Svc-Verify` (path of ' +
      'the bundle).',
    'promised',
  ),
}

/** Every header that is described, by its name. */
export const headers = {
  ...own,
  Deprecation: text('Under an earlier name of the path: since when it is outdated (RFC 9745).', '@1795132800'),
  'Idempotency-Replayed': text(
    '`true` when this is the answer of an earlier call with the same Idempotency-Key.',
    'true',
  ),
  Link: text(
    'What took the place of an earlier name.',
    '</api/svc/streams/00112233445566778899aabbccddeeff>; rel="successor-version"',
  ),
  'Preference-Applied': text('What of `Prefer` was followed.', 'respond-async'),
  'RateLimit-Limit': whole('Calls that this caller has in a minute. `X-RateLimit-Limit` says the same.', 120),
  'RateLimit-Remaining': whole(
    'Calls left of `RateLimit-Limit` until `RateLimit-Reset`; all three stand under `X-RateLimit-…` as well.',
    119,
  ),
  'RateLimit-Reset': whole('Seconds until all are there again. `X-RateLimit-Reset` says the same.', 60),
  'Retry-After': whole('Seconds to wait before the call is sent again.', 1),
  'WWW-Authenticate': text('The credential that is asked for.', 'Bearer realm="tickmesh"'),
  'X-Request-Id': text(
    'Id of the call: the log has it, and `instance` of a refusal.',
    '3f0c8a52-6d0e-4c57-9c7b-2f1f0f7b9a10',
  ),
} as const satisfies Readonly<Record<string, Described>>

/** Names of the headers. */
export type HeaderName = keyof typeof headers

const allowance = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

const referred = (names: readonly HeaderName[]): Described =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Headers of a refusal with this status. */
export const refusalHeaders = (status: number): Described =>
  referred([
    'X-Request-Id',
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 ? allowance : []),
    ...(status === 409 || status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ])

/** Of a counted call. What every answer has, and what stands beside this, is described once, at the refusals. */
const counted = ({ limits }: Endpoint): readonly HeaderName[] =>
  limits?.unlimited === true ? [] : ['RateLimit-Remaining']

/** Headers of an answer. */
export const answerHeaders = (endpoint: Endpoint, alias = false): Described =>
  referred([
    ...(alias ? (['Deprecation', 'Link'] as const) : []),
    ...counted(endpoint),
    ...(endpoint.idempotent === true ? (['Idempotency-Replayed'] as const) : []),
    ...(endpoint.sends ?? []),
  ])

/** Headers of an answer that is a job to come back to. */
export const deferredHeaders = referred([
  'RateLimit-Remaining',
  'Idempotency-Replayed',
  'Location',
  'Preference-Applied',
])
