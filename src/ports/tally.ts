/** Bytes that went through SHA-256 in this process: what Landauer's bound is asked of. It only ever grows. */
let hashedBytes = 0

/** Adds bytes that were hashed. */
export const countHashed = (bytes: number): void => {
  hashedBytes += bytes
}
/** Bytes hashed since the process began. */
export const hashedSoFar = (): number => hashedBytes
