const SEQ_DIGITS = 14

/** A number from 0 to 2^53 − 1 as a key part whose order is the numbers' order: 14 hex digits. */
export const seqKey = (n: number): string => n.toString(16).padStart(SEQ_DIGITS, '0')
/** The number of a key part. */
export const seqOf = (part: string): number => Number.parseInt(part, 16)

/** Between prefix and key, and between the parts of a key; no part contains it. */
export const SEPARATOR = '/'
/** Sorts behind every key of a prefix: the character after the separator. */
export const AFTER = '0'

/** Parts joined to a key. */
export const keyOf = (...parts: readonly string[]): string => {
  // A dozen keys are made for each row that a fire writes: a join of a list costs twice as much.
  let key = parts[0] ?? ''
  for (let i = 1; i < parts.length; i++) key += SEPARATOR + parts[i]
  return key
}
/** A folder's name as a key part: no separator in it, and one spelling. */
export const folderPart = (folder: string): string => encodeURIComponent(folder)
/** Bounds of all keys that begin with the given parts. */
export const under = (...parts: readonly string[]): { readonly gte: string; readonly lt: string } => ({
  gte: `${keyOf(...parts)}${SEPARATOR}`,
  lt: `${keyOf(...parts)}${AFTER}`,
})
