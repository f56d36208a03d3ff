import { askWorker } from '#ui/part/ask-worker.ts'
import { startVerifier } from './start-worker.ts'
import type { FileVerdict, VerifyRequest } from './verify-file.ts'

/**
 * Verifies evidence in a worker of its own, which the signal ends. `tell` gets the share of the re-run that is done.
 *
 * @throws Error when the worker meets a defect, or the signal's reason.
 */
export const verifyHere = (
  question: VerifyRequest,
  tell: (share: number) => void,
  signal: AbortSignal,
): Promise<FileVerdict> =>
  askWorker(startVerifier, question, { tell, signal, missing: 'The verifier could not be loaded.' })
