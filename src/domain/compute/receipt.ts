import type { TickReceipt } from '#core/claim.ts'
import { pulseHmac } from '#core/envelope.ts'
import { continuumField } from '#core/units.ts'
import { modulationText } from '#numerics/runtime/modulation.ts'
import type { Checked } from './task.ts'

/** The caption of the pulse frequency, in Hz. */
export const PULSE_CAPTION_HZ = 1.287

/** The continuum fields of a value, as far as its own unit tells. */
export const continuumFields = (value: number | null, unit: string): Readonly<Record<string, number>> => {
  const name = continuumField(unit)
  return value === null || name === undefined ? {} : { [name]: value }
}

/** Where and when a receipt is made. */
export interface ReceiptPlace {
  readonly tokenId: string
  readonly tick: number
  readonly phase: number
}

/** The stamp of the pulse. R is that of S = 1; the mean of R over a tick is S, hence `tick_averaged` is the value. */
export const tickReceiptOf = (
  pulseSecret: Uint8Array,
  { operators, resultDigest, value, unit }: Pick<Checked, 'operators' | 'resultDigest' | 'value' | 'unit'>,
  { tokenId, tick, phase }: ReceiptPlace,
): TickReceipt => {
  const R_t = modulationText(phase)
  // In the order of the canonical form, as the stamp of the pulse.
  return {
    R_t,
    fields: continuumFields(value, unit),
    hmac: pulseHmac(pulseSecret, { R_t, operators, result_digest: resultDigest, tick, token_id: tokenId }),
    phase,
    pulse: PULSE_CAPTION_HZ,
    tick,
    tick_averaged: { unit, value },
  }
}
