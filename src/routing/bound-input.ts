import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'

/** One amount or constant of a call and the input that it was bound to. */
export interface BoundInput {
  /** Path of the solver's input, or symbol of the operator's variable. */
  readonly input: string
  readonly from: 'query' | 'constants' | 'material' | 'body'
  /** As it was written. */
  readonly given: Json
  /** As the route takes it, units converted. */
  readonly value: Json
  readonly unit: string
}

/** What a question was read as, as far as a refusal of its values shows it. */
export interface ReadAs {
  readonly kind: 'solver' | 'operators'
  readonly name: string
  readonly title: string
  readonly bound: readonly BoundInput[]
}

/** Does `work` with what was read. @throws what it throws; a Fault shows in `read_as` what its question was read as. */
export const heardAs = <T>({ kind, name, title, bound }: ReadAs, work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    throw new Fault(cause.code, cause.message, { ...cause.details, read_as: { kind, name, title, bound } })
  }
}
