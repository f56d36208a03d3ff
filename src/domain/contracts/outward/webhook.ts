import { toBase64, utf8 } from '#core/bytes.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import type { Signer } from '#ports/crypto.ts'
import type { ContractOutboxRow } from '#store/rows/contract.ts'
import type { OutwardCall } from './call.ts'
import { OutwardProblem } from './problem.ts'
import { filledBody, filledText, hasPlaces, writtenFor } from './secrets.ts'

/** Bytes of a notification's body. */
export const BODY_BYTES_MAX = 65_536
/** What of an answer is read: it says nothing. */
const ANSWER_BYTES_MAX = 16_384

/** What a notification is called at its receiver, however often it comes: `<fire>.<index>`. */
export const webhookId = ({ fire, index }: Pick<ContractOutboxRow, 'fire' | 'index'>): string => `${fire}.${index}`

export interface WebhookParts {
  readonly row: ContractOutboxRow
  /** The definition that its fire went by; undefined when it is not to be found, and nothing is filled in. */
  readonly definition: Definition | undefined
  readonly secretOf: (name: string) => string | undefined
  readonly signer: Signer
  /** Unix seconds. */
  readonly time: number
}

/**
 * The call that delivers a notification, by Standard Webhooks: `webhook-signature` is `v1a,` and base64 of the Ed25519
 * signature over `<webhook-id>.<webhook-timestamp>.<body>`. Secrets are put in here, and live no longer than the call.
 *
 * @throws OutwardProblem secret, too-large
 */
export const webhookCall = async ({ row, definition, secretOf, signer, time }: WebhookParts): Promise<OutwardCall> => {
  const headers = Object.entries(row.headers).map(([name, value]) => [name, filledText(value, secretOf)])
  const written = hasPlaces(row.body) && definition !== undefined ? writtenFor(definition, row.url) : new Set<string>()
  const text = JSON.stringify(filledBody(row.body, written, secretOf))
  const body = utf8(text)
  if (body.length > BODY_BYTES_MAX) {
    throw new OutwardProblem('too-large', `The body has ${body.length} bytes, and ${BODY_BYTES_MAX} are the most.`)
  }
  const id = webhookId(row)
  const signature = toBase64(await signer.sign(utf8(`${id}.${time}.${text}`)))
  const own = { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': `v1a,${signature}` }
  return {
    method: 'POST',
    url: row.url,
    headers: Object.fromEntries(headers) as Record<string, string>,
    own: { ...own, 'user-agent': 'tickmesh' },
    body,
    answerBytesMax: ANSWER_BYTES_MAX,
    whole: false,
  }
}
