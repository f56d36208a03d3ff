import { creditEndpoints } from './credits.ts'
import { demoEndpoints } from './demo.ts'
import { envelopeEndpoints } from './envelopes.ts'
import { moveEndpoints } from './moves.ts'
import { tallyEndpoints } from './tally.ts'
import { transparencyEndpoints } from './transparency.ts'

export const economyEndpoints = [
  ...demoEndpoints,
  ...envelopeEndpoints,
  ...moveEndpoints,
  ...tallyEndpoints,
  ...transparencyEndpoints,
  ...creditEndpoints,
] as const
