import type { Static, TObject } from 'typebox'
import { fullInput } from '#core/input.ts'

/**
 * The full input of a solver: the caller's members, the defaults of its schema for the rest.
 *
 * @throws Fault INVALID_INPUT with `errors[] {path, message}`. Unknown members are refused.
 */
export const resolveInput = <I extends TObject>(solver: { readonly input: I }, raw: unknown): Static<I> =>
  fullInput(solver.input, raw)
