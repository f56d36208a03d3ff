import type { KeyObject } from 'node:crypto'

/** Messages that are signed together: one behind the other in `bytes`, each up to its place in `ends`. */
export interface SignBurst {
  readonly id: number
  readonly key: KeyObject
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly ends: readonly number[]
}

/** Their Ed25519 signatures, one behind the other. */
export interface SignedBurst {
  readonly id: number
  readonly signatures: Uint8Array<ArrayBuffer>
}

export const SIGNATURE_BYTES = 64
