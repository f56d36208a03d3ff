import type { BucklingInput } from './schema.ts'

/** A piece of a column of one stiffness. */
export interface Segment {
  readonly length: number
  /** E·I in N·m². */
  readonly stiffness: number
}

/** The segments of a column from its lower end. */
export const segmentsOf = ({ L, E, I, segments }: BucklingInput): readonly Segment[] =>
  segments?.map((it) => ({ length: it.length, stiffness: (it.E ?? E) * it.I })) ?? [{ length: L, stiffness: E * I }]

/** Unknowns of an end that are held: displacement, then slope. */
export const heldAt = (end: BucklingInput['lower']): readonly [boolean, boolean] => [end !== 'free', end === 'fixed']
