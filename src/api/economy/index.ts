import { creditEndpoints } from './credits.ts'
import { demoEndpoints } from './demo.ts'
import { envelopeEndpoints } from './envelopes.ts'
import { tallyEndpoints } from './tally.ts'

export const economyEndpoints = [...demoEndpoints, ...envelopeEndpoints, ...tallyEndpoints, ...creditEndpoints] as const
