import Type, { type Static } from 'typebox'
import { equivocationSchema, verifyEquivocation } from '#core/equivocation.ts'
import { Fault } from '#core/fault.ts'
import { closed } from '#core/schema.ts'
import { type TokenProof, tokenProofSchema, verifyTokenProof } from '#core/token/evidence.ts'
import { lastingType } from '#domain/network/event-type.ts'
import { keepTokenProof } from '#domain/network/token-evidence.ts'
import { keepEvidence } from '#domain/network/witness/evidence.ts'

const ofLog = closed({ kind: Type.Optional(Type.Literal('log')), ...equivocationSchema.properties })
const ofReceipts = closed({ kind: Type.Literal('receipt'), ...tokenProofSchema.properties })

const proofIn = ({ kind: _, ...proof }: Static<typeof ofReceipts>): TokenProof => proof

/**
 * Somebody has proof that a log signed two histories, or that a home spent a token twice. It proves itself, so it
 * counts at once and whoever says it; every receiver verifies it, and from then on takes no word of that log beyond the
 * smaller size, or counts no token of that home.
 */
export const evidence = lastingType({
  type: 'evidence',
  payload: Type.Union([ofLog, ofReceipts]),
  atOnce: true,

  check: (_event, payload) => {
    try {
      if (payload.kind === 'receipt') verifyTokenProof(proofIn(payload))
      else verifyEquivocation(payload)
      return undefined
    } catch (cause) {
      if (cause instanceof Fault) return `/payload: ${cause.message}`
      throw cause
    }
  },

  apply: (tx, _event, payload) => {
    if (payload.kind === 'receipt') keepTokenProof(tx, proofIn(payload))
    else keepEvidence(tx, payload)
  },
})
