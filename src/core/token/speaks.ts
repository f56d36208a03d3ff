import { fromHex } from '#core/bytes.ts'
import { nodeIdOf, zidOf } from '#core/keys.ts'
import { type ProvenSuccession, standsBehind } from '#core/succession.ts'

/** What is known of keys beside the one that signed. */
export interface KnownKeys {
  /** The first public key of an account, raw, in hex; undefined for a ZID that is not known. */
  readonly accountKey: (zid: string) => string | undefined
  readonly successions: readonly ProvenSuccession[]
}

/** Whether a key speaks for an owner: the ZID follows from it, or from a key that named it as its successor. */
export const speaksFor = (publicKey: string, owner: string, { accountKey, successions }: KnownKeys): boolean => {
  const raw = fromHex(publicKey)
  if (zidOf(raw) === owner) return true
  const first = successions.length === 0 ? undefined : accountKey(owner)
  return first !== undefined && standsBehind(successions, nodeIdOf(raw), nodeIdOf(fromHex(first)))
}
