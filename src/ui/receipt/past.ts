import { Fault } from '#core/fault.ts'
import { type ProvenSuccession, successionsOf } from '#core/succession.ts'

/**
 * The keys that the node's present one took the place of, as `GET /api/identity` lists them. What does not prove itself
 * counts as unknown: evidence under such a key then fails at its key.
 */
export const provenPast = (past: unknown): readonly ProvenSuccession[] => {
  try {
    return successionsOf(past)
  } catch (error) {
    if (error instanceof Fault) return []
    throw error
  }
}
