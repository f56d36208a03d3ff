import type { Json } from '#core/canonical.ts'

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
