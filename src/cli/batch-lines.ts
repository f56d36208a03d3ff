import type { InputOf } from '#api/result-of.ts'
import type { SignedClosing, SignedOpening } from '#core/batch/forms.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import { pause } from '#core/wait.ts'
import { type Client, NodeUnreachable } from '#gateway/client.ts'

/** What a batch is opened with. */
export type BatchInput = InputOf<'compute.batch'>

/** The first line: what the node opened. */
export type OpeningLine = SignedOpening & { readonly batch: string; readonly calls: number; readonly price: number }

/** The line of one call. */
export interface CallLine {
  readonly index: number
  readonly ok: boolean
  readonly outcome: 'sealed' | 'refused' | 'failed'
  readonly route: string
  readonly input: Readonly<Record<string, unknown>>
  readonly answer?: {
    readonly value: number | null
    readonly unit: string
    readonly precisionActual: number
    readonly envelope: { readonly token_id: string; readonly kind: string; readonly face_value: number }
  }
  readonly problem?: { readonly code: string; readonly detail: string }
}

/** The last line: how all of them ended. */
export type ClosingLine = SignedClosing & {
  readonly batch: string
  readonly sealed: number
  readonly refused: number
  readonly failed: number
  readonly proofs: { readonly opening: string | null; readonly closing: string | null }
}

/** Any of them. */
export type BatchAnswerLine = OpeningLine | CallLine | ClosingLine

/** Whether it is the first line. */
export const isOpening = (line: BatchAnswerLine): line is OpeningLine => 'opening' in line
/** Whether it is the last one. */
export const isClosing = (line: BatchAnswerLine): line is ClosingLine => 'closing' in line

/** How a batch is asked for: the key is what it is read again by. */
export interface BatchCallOf {
  readonly client: Client
  readonly input: BatchInput
  readonly idempotencyKey: string
  /** Whether what is not sealed is given up. */
  readonly cancel: boolean
  readonly signal: AbortSignal
}

const asked = (of: BatchCallOf, after: number): AsyncGenerator<string> => {
  const { client, input, idempotencyKey, cancel, signal } = of
  const query = { after: String(after), ...(cancel && { cancel: 'true' }) }
  return client.lines('compute.batch', input, { idempotencyKey, signal, query })
}

/** How often an answer that breaks off is taken up again, and how long between. */
const AGAIN_MAX = 10
const AGAIN_MS = MS_PER_SECOND

/**
 * The lines of a batch, from its opening to its closing, each once: an answer that breaks off is taken up where it did.
 *
 * @throws NodeRefusal, NodeUnreachable, the signal's reason
 */
export async function* batchLines(of: BatchCallOf): AsyncGenerator<BatchAnswerLine> {
  let next = 0
  let opened = false
  for (let tried = 0; ; tried++) {
    try {
      for await (const text of asked(of, next)) {
        const line = JSON.parse(text) as BatchAnswerLine
        if (isOpening(line) && opened) continue
        if (isOpening(line)) opened = true
        else if (!isClosing(line)) next = line.index + 1
        yield line
        if (isClosing(line)) return
      }
      throw new NodeUnreachable('the answer breaks off before the batch is closed')
    } catch (cause) {
      if (!(cause instanceof NodeUnreachable) || tried >= AGAIN_MAX) throw cause
      await pause(AGAIN_MS, of.signal)
    }
  }
}

/** How often it is asked whether a checkpoint covers the closing, and how long between. */
const PROOF_ATTEMPTS_MAX = 20
const PROOF_MS = MS_PER_SECOND / 4

/** The closing of a batch with the proofs of both leaves, which come within a tick; as it is where they do not come. */
export const provedClosing = async (of: BatchCallOf, calls: number): Promise<ClosingLine | undefined> => {
  let found: ClosingLine | undefined
  for (let tried = 0; tried < PROOF_ATTEMPTS_MAX; tried++) {
    for await (const text of asked(of, calls)) {
      const line = JSON.parse(text) as BatchAnswerLine
      if (isClosing(line)) found = line
    }
    if (found?.proofs.opening != null && found.proofs.closing !== null) return found
    await pause(PROOF_MS, of.signal)
  }
  return found
}
