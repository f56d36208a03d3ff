import type { ResultAt } from '#api/result-of.ts'
import type { FormSchema } from '#ui/form/schema.ts'
import { call } from './api.ts'

type Said = ResultAt<'GET /api/solvers/{name}'>

/** A solver as the node shows it, its schemas as the forms read them. */
export interface ShownSolver extends Omit<Said, 'input' | 'output'> {
  readonly input: FormSchema
  readonly output: FormSchema
}

/** One solver. @throws ApiProblem, NodeGone, or the signal's reason */
export const readSolver = async (name: string, signal: AbortSignal): Promise<ShownSolver> => {
  const { input, output, ...rest } = await call('GET /api/solvers/{name}', { name }, { signal })
  return { ...rest, input: input as FormSchema, output: output as FormSchema }
}
