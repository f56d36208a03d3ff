import Type from 'typebox'
import { claimSchema, tickReceiptSchema } from '#core/bundle.ts'
import { anything, finite, model, orNull, signature } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { envelopeItem } from '#domain/economy/views.ts'

const check = model('Check', {
  against: Type.String({ description: 'What the result was compared with.' }),
  measured: finite({ minimum: 0, description: 'Measured error in percent.' }),
  bound: finite({ description: 'Percent.' }),
  figures: Type.Record(Type.String(), finite()),
})
/** What an independent check found, as the answer shows it. */
export type CheckView = View<typeof check>

/** What every answer of a computation has beside the members of its result. */
export const receiptMembers = {
  value: orNull(finite(), { title: 'ReceiptValue', description: 'The quantity that the check tested.' }),
  unit: Type.String({ title: 'ReceiptUnit', description: 'Unit of the value.' }),
  precisionActual: orNull(finite({ minimum: 0 }), {
    title: 'ReceiptPrecision',
    description: 'Measured error in percent; null when not judged.',
  }),
  check: orNull(check, { title: 'ReceiptCheck' }),
  envelope: orNull(envelopeItem, {
    title: 'ReceiptEnvelope',
    description: 'The sealed envelope; null when the result has none.',
  }),
  tick_receipt: orNull(tickReceiptSchema, { title: 'ReceiptTick' }),
  tick_averaged: orNull(Type.Object({ value: orNull(finite()), unit: Type.String() }), { title: 'ReceiptAverage' }),
  equations: orNull(anything(), {
    title: 'ReceiptEquations',
    description: 'Clock modulation, and the equations of a field.',
  }),
  claim: orNull(claimSchema, { title: 'ReceiptClaim', description: 'What the node signed.' }),
  signature: orNull(signature(), { title: 'ReceiptSignature' }),
  bundle: orNull(Type.String(), {
    title: 'ReceiptBundle',
    description: 'Path of the bundle, once the envelope is under a checkpoint.',
  }),
  unsealed_reason: orNull(Type.String(), {
    title: 'ReceiptUnsealed',
    description: 'Why there is no envelope; nothing was charged then.',
  }),
} as const

const receipt = Type.Object(receiptMembers)

/** An answer of whichever computation: the members of its result, and those of its receipt. */
export type ComputedAnswer = View<typeof receipt> & { readonly [member: string]: unknown }

/** The form of such an answer where the call is not known: what it says depends on the solver. */
export const computedAnswer = Type.Unsafe<ComputedAnswer>(anything())
