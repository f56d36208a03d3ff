import Type from 'typebox'
import { claimSchema, tickReceiptSchema } from '#core/bundle.ts'
import { anything, finite, orNull, signature } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { envelopeItem } from '#domain/economy/views.ts'

const check = Type.Object({
  against: Type.String({ description: 'What the result was compared with.' }),
  measured: finite({ minimum: 0, description: 'Measured error in percent.' }),
  bound: finite({ description: 'Percent.' }),
  figures: Type.Record(Type.String(), finite()),
})
/** What an independent check found, as the answer shows it. */
export type CheckView = View<typeof check>

/** What every answer of a computation has beside the members of its result. */
export const receiptMembers = {
  value: orNull(finite(), { description: 'The quantity that the check tested.' }),
  unit: Type.String({ description: 'Unit of the value.' }),
  precisionActual: orNull(finite({ minimum: 0 }), { description: 'Measured error in percent; null when not judged.' }),
  check: orNull(check),
  envelope: orNull(envelopeItem, { description: 'The sealed envelope; null when the result has none.' }),
  tick_receipt: orNull(tickReceiptSchema),
  tick_averaged: orNull(Type.Object({ value: orNull(finite()), unit: Type.String() })),
  equations: orNull(anything(), { description: 'Clock modulation, and the equations of a field.' }),
  claim: orNull(claimSchema, { description: 'What the node signed.' }),
  signature: orNull(signature()),
  bundle: orNull(Type.String(), { description: 'Path of the bundle, once the envelope is under a checkpoint.' }),
  unsealed_reason: orNull(Type.String(), { description: 'Why there is no envelope; nothing was charged then.' }),
} as const

const receipt = Type.Object(receiptMembers)

/** An answer of whichever computation: the members of its result, and those of its receipt. */
export type ComputedAnswer = View<typeof receipt> & { readonly [member: string]: unknown }

/** The form of such an answer where the call is not known: what it says depends on the solver. */
export const computedAnswer = Type.Unsafe<ComputedAnswer>(anything())
