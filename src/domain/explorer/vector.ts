import { Fault } from '#core/fault.ts'

// biome-ignore lint/suspicious/noExplicitAny: golden files are data whose members each check names.
export type Golden = any
/** One vector: whether this node finds what the file says. */
export type Vector = () => boolean
export type Vectors = (it: Golden) => readonly Vector[]

/** A vector for each row. */
export const each = (rows: readonly Golden[], holds: (row: Golden, i: number) => boolean): readonly Vector[] =>
  rows.map((row, i) => () => holds(row, i))
/** Whether something ends with a coded fault. */
export const refuses = (work: () => unknown): boolean => {
  try {
    work()
  } catch (cause) {
    return cause instanceof Fault
  }
  return false
}
/** Whether two values are the same JSON. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
