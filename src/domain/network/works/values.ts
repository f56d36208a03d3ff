import { toHex, utf8 } from '#core/bytes.ts'
import { hmacSha256 } from '#crypto'

/**
 * The values that a node puts into draws. They follow from a secret of the node, so that they are the same after a
 * crash and none has to be kept; nobody else can tell one before it is revealed.
 */
export interface DrawValues {
  /** The worker's n-th value for works under an offer, hex: 0 is what its accept commits to. */
  w(offer: string, n: number): string
  /** The challenger's value for a challenge of a segment of a work, hex. */
  c(work: string, segment: string): string
}

/** @param secret 32 bytes that never leave the node. */
export const drawValuesOf = (secret: Uint8Array): DrawValues => {
  const value = (...parts: readonly (string | number)[]): string => toHex(hmacSha256(secret, utf8(parts.join('/'))))
  return { w: (offer, n) => value('w', offer, n), c: (work, segment) => value('c', work, segment) }
}
