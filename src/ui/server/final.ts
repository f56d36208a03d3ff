import { ApiProblem } from './api.ts'

/** Whether a refusal is one that no further attempt changes. */
export const isFinal = (error: unknown): boolean => {
  if (!(error instanceof ApiProblem) || error.members['retryable'] === true) return false
  const status = error.status || Number(error.members['status'])
  return status >= 400 && status < 500 && status !== 401
}
