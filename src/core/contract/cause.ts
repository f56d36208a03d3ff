import { digest, purposes } from '#core/digest.ts'

/**
 * What identifies a fire among those of its contract: a due instant of a trigger; an entry of a chain; the fire that
 * entered the state which `after` counts from; an Idempotency-Key, or 16 random bytes, of who asked; an action of
 * another fire.
 */
export type Cause =
  | { readonly trigger: string; readonly due: number }
  | { readonly slug: string; readonly seq: number }
  | { readonly trigger: string; readonly entered: string }
  | { readonly key: string }
  | { readonly fire: string; readonly action: number }

/** Name of a contract in everything that is digested: digest(`tickmesh/contract-id/1`, {id, id_hash}). */
export const contractDigest = (id_hash: string, id: string): string => digest(purposes.contractId, { id, id_hash })

/** digest(`tickmesh/fire/1`, {cause, contract}): neither version nor attempt enters it. @param contract its digest */
export const fireId = (contract: string, cause: Cause): string => digest(purposes.fire, { cause, contract })
