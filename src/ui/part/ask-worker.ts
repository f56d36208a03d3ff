/** What a worker of the page says: progress as often as it likes, and one answer. */
export type RerunReply<Found> =
  | { readonly kind: 'progress'; readonly step: number; readonly steps: number }
  | { readonly kind: 'found'; readonly found: Found }

interface Asking {
  /** Gets the share of the run that is done. */
  readonly tell: (share: number) => void
  readonly signal: AbortSignal
  /** What is said when the worker's code does not come. */
  readonly missing: string
}

/**
 * Asks a worker of its own one question; it is over with the answer, or with the signal.
 *
 * @throws Error when the worker meets a defect, or the signal's reason.
 */
export const askWorker = async <Found>(
  start: () => Worker | Promise<Worker>,
  question: unknown,
  { tell, signal, missing }: Asking,
): Promise<Found> => {
  signal.throwIfAborted()
  const worker = await start()
  const { promise, resolve, reject } = Promise.withResolvers<Found>()
  worker.onmessage = ({ data }: MessageEvent<RerunReply<Found>>) => {
    if (data.kind === 'progress') tell(data.step / data.steps)
    else resolve(data.found)
  }
  worker.onerror = (event) => reject(new Error(event.message || missing))
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  worker.postMessage(question)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', stop)
    worker.terminate()
  }
}
