import type { TickReceipt } from '#core/claim.ts'
import { pulseHmac } from '#core/envelope.ts'
import { modulationText } from '#numerics/modulation.ts'
import type { Checked } from './task.ts'

/** The caption of the pulse frequency, in Hz. */
export const PULSE_CAPTION_HZ = 1.287

/**
 * Which continuum field a unit alone tells of. By spelling and not by dimension, because Pa and J/m³ have one
 * dimension and say different things; a bare J or m says none.
 */
const fieldOfUnit: Readonly<Record<string, string>> = {
  Pa: 'pressure',
  'm/s': 'velocity',
  V: 'potential',
  T: 'magnetic_field',
  'kg.m/s': 'momentum',
  K: 'temperature',
  'V/m': 'electric_field',
  'kg/m^3': 'mass_density',
  'C/m^3': 'charge_density',
  'A/m^2': 'current_density',
  'W/m^2': 'energy_flux',
}

const raised: Readonly<Record<string, string>> = { '²': '^2', '³': '^3' }

/** One spelling for products and powers: `kg m/s`, `kg*m/s` and `kg·m/s` are one unit. */
const spelled = (unit: string): string =>
  unit
    .trim()
    .replace(/\s*[·⋅*]\s*|\s+/g, '.')
    .replace(/[²³]/g, (digit) => raised[digit] ?? digit)

/** The continuum fields of a value, as far as its own unit tells. */
export const continuumFields = (value: number | null, unit: string): Readonly<Record<string, number>> => {
  const name = fieldOfUnit[spelled(unit)]
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
  return {
    pulse: PULSE_CAPTION_HZ,
    tick,
    phase,
    R_t,
    hmac: pulseHmac(pulseSecret, { token_id: tokenId, operators, R_t, tick, result_digest: resultDigest }),
    tick_averaged: { value, unit },
    fields: continuumFields(value, unit),
  }
}
