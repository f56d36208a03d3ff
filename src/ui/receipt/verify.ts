import { startVerifier } from './start-worker.ts'
import type { FileVerdict, VerifyReply, VerifyRequest } from './verify-file.ts'

/**
 * Verifies evidence in a worker of its own, which the signal ends. `tell` gets the share of the re-run that is done.
 *
 * @throws Error when the worker meets a defect, or the signal's reason.
 */
export const verifyHere = async (
  question: VerifyRequest,
  tell: (share: number) => void,
  signal: AbortSignal,
): Promise<FileVerdict> => {
  signal.throwIfAborted()
  const worker = await startVerifier()
  const { promise, resolve, reject } = Promise.withResolvers<FileVerdict>()
  worker.onmessage = ({ data }: MessageEvent<VerifyReply>) => {
    if (data.kind === 'progress') tell(data.step / data.steps)
    else resolve(data.found)
  }
  worker.onerror = (event) => reject(new Error(event.message || 'The verifier could not be loaded.'))
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
