import type { DisputedEvidence, Rechecked } from '#numerics/runtime/recheck.ts'

/** What the worker says: progress as often as it likes, and what it found. */
export type RecheckReply =
  | { readonly kind: 'progress'; readonly step: number; readonly steps: number }
  | { readonly kind: 'found'; readonly found: Rechecked }

/**
 * Checks a dispute in a worker of its own, which the signal ends. `tell` gets the share of the run that is done.
 *
 * @throws Error when the worker meets a defect, or the signal's reason.
 */
export const recheckHere = async (
  evidence: DisputedEvidence,
  tell: (share: number) => void,
  signal: AbortSignal,
): Promise<Rechecked> => {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./recheck-worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<Rechecked>()
  worker.onmessage = ({ data }: MessageEvent<RecheckReply>) => {
    if (data.kind === 'progress') tell(data.step / data.steps)
    else resolve(data.found)
  }
  worker.onerror = (event) => reject(new Error(event.message || 'The check could not be loaded.'))
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  worker.postMessage(evidence)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', stop)
    worker.terminate()
  }
}
