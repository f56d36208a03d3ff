import { fromUtf8 } from '#core/bytes.ts'
import type { Scalar } from '#core/contract/standing.ts'
import type { OutwardCaller } from './call.ts'
import { OutwardProblem } from './problem.ts'

/** Bytes of a document that is read. */
export const DOCUMENT_BYTES_MAX = 262_144

/** What of a document is read, and how. */
export interface UrlOrder {
  readonly url: string
  /** JSON pointer, RFC 6901. */
  readonly pointer: string
  /** Sent as `Authorization: Bearer <secret>`. */
  readonly secret?: string | undefined
}

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(fromUtf8(body))
  } catch {
    throw new OutwardProblem('unreadable', 'The answer is no JSON in UTF-8.')
  }
}

const stepInto = (value: unknown, part: string): unknown => {
  const isIndex = !Array.isArray(value) || /^(0|[1-9][0-9]*)$/.test(part)
  if (typeof value !== 'object' || value === null || !isIndex || !Object.hasOwn(value, part)) {
    throw new OutwardProblem('absent', 'Nothing stands at that place of the answer.')
  }
  return (value as Readonly<Record<string, unknown>>)[part]
}

/** The single value at a place of a document. @throws OutwardProblem absent */
const valueAt = (document: unknown, pointer: string): Scalar => {
  const parts = pointer.split('/').slice(1)
  const unescaped = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const found = unescaped.reduce(stepInto, document)
  if (typeof found === 'object' && found !== null) {
    throw new OutwardProblem('absent', 'At that place of the answer stands no single value.')
  }
  if (typeof found === 'number' && !Number.isFinite(found)) {
    throw new OutwardProblem('absent', 'At that place of the answer stands a number that is none.')
  }
  return found as Scalar
}

/** Reads one value of a JSON document elsewhere. @throws OutwardProblem */
export const readValue = async (
  call: OutwardCaller,
  { url, pointer, secret }: UrlOrder,
  signal: AbortSignal,
): Promise<Scalar> => {
  const { status, encoding, body } = await call(
    {
      method: 'GET',
      url,
      headers: secret === undefined ? {} : { authorization: `Bearer ${secret}` },
      own: { accept: 'application/json', 'user-agent': 'tickmesh' },
      answerBytesMax: DOCUMENT_BYTES_MAX,
      whole: true,
    },
    signal,
  )
  if (status < 200 || status >= 300) throw new OutwardProblem('status', `The answer has the status ${status}.`, status)
  if (encoding !== undefined && encoding !== 'identity') {
    throw new OutwardProblem('unreadable', 'The answer is in an encoding that was not asked for.')
  }
  return valueAt(parsed(body), pointer)
}
