import { ApiProblem } from './api.ts'

/**
 * Whether a refusal is one that no further attempt changes. A credential that is missing or refused is one: the session
 * has tried whom else it may be, and whoever reads begins anew when it becomes somebody else.
 */
export const isFinal = (error: unknown): boolean => {
  if (!(error instanceof ApiProblem) || error.members['retryable'] === true) return false
  const status = error.status || Number(error.members['status'])
  return status >= 400 && status < 500
}
