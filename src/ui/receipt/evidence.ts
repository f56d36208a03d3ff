import { sleep } from '#core/wait.ts'
import type { EnvelopeSummary } from '#ui/server/answer.ts'
import { callOf } from '#ui/server/api.ts'
import { TICK_MS } from '#ui/server/pulse.ts'
import type { PageSession } from '#ui/session.ts'

/** Ticks in which an envelope must long be under a checkpoint, even a late one. */
const TICKS_MAX = 20

/** Which receipt is meant; the nonce opens one that is another's. */
export interface NamedReceipt {
  readonly token: string
  readonly nonce?: string | undefined
}

/** The newest state of an envelope. @throws ApiProblem, NodeGone */
export const readEnvelope = (
  session: PageSession,
  { token, nonce }: NamedReceipt,
  signal: AbortSignal,
): Promise<EnvelopeSummary> => session.call('GET /api/envelopes/{token_id}', { token_id: token, nonce }, { signal })

/**
 * The bundle of an envelope as the node sends it, as soon as a checkpoint covers it.
 *
 * @throws ApiProblem, NodeGone, or the signal's reason
 */
export const fetchEvidence = async (session: PageSession, named: NamedReceipt, signal: AbortSignal): Promise<Blob> => {
  for (let attempt = 0; attempt < TICKS_MAX; attempt++) {
    if ((await readEnvelope(session, named, signal)).state !== 'promised') break
    await sleep(TICK_MS, signal)
  }
  const { token, nonce } = named
  return (
    await session.request(callOf('GET /api/envelopes/{token_id}/bundle', { token_id: token, nonce }), { signal })
  ).blob()
}

/** Time that a browser has to read what it was given to save. */
const SAVE_MS_MAX = 60_000

/** Hands a document to the browser as a download. */
export const download = (name: string, document: Blob): void => {
  const link = window.document.createElement('a')
  const url = URL.createObjectURL(document)
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), SAVE_MS_MAX)
}

/** Puts a document on the clipboard. @throws Error where the browser keeps it from pages without TLS. */
export const copy = async (document: Blob): Promise<void> => {
  if (!isSecureContext) throw new Error('The clipboard is closed to pages without TLS; use Download.')
  await navigator.clipboard.writeText(await document.text())
}
