import { toHex } from '#core/bytes.ts'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import { sha256 } from '#crypto'

/** SHA-256 of a state's canonical bytes, hex. @throws Fault NOT_CANONICAL */
export const stateHash = (state: Json): string => toHex(sha256(canonicalBytes(state)))
