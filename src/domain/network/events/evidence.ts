import { equivocationSchema, verifyEquivocation } from '#core/equivocation.ts'
import { Fault } from '#core/fault.ts'
import { lastingType } from '#domain/network/event-type.ts'
import { keepEvidence } from '#domain/network/witness/evidence.ts'

/**
 * Somebody has proof that a log signed two histories. It proves itself, so it counts at once and whoever says it; every
 * receiver verifies it, and from then on takes no word of that log beyond the smaller size.
 */
export const evidence = lastingType({
  type: 'evidence',
  payload: equivocationSchema,
  atOnce: true,

  check: (_event, payload) => {
    try {
      verifyEquivocation(payload)
      return undefined
    } catch (cause) {
      if (cause instanceof Fault) return `/payload: ${cause.message}`
      throw cause
    }
  },

  apply: (tx, _event, payload) => keepEvidence(tx, payload),
})
