/** Says what only a bug can break. What a caller can break is a Fault. */
export function assert(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(`broken invariant: ${message}`)
}
