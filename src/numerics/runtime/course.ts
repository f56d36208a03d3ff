import type { RunOrigin } from './origin.ts'
import type { Outcome, Steppable } from './solver.ts'

/** What is moved on in place. */
export interface Advancing {
  /** Takes the steps `from` (inclusive) to `to` (exclusive); `each` is told after every one how many are taken. */
  readonly advance: (from: number, to: number, each: (step: number) => void) => void
  /** Every bit that the next step depends on: what moves, then the running digests of what was kept. */
  readonly bytes: () => Uint8Array
}

/** A run that works in place and knows its own end. */
export interface Course<O, E> extends Advancing {
  readonly finish: () => Outcome<O, E>
}

/**
 * How a solver runs whose state is moved on in place: so many steps of an input, to `finish`.
 *
 * @param create sets a state up at the start of a run, or where one stopped.
 */
export const courseOf = <I, O, E, M extends Advancing>(
  steps: (input: I) => number,
  create: (input: I, origin: RunOrigin) => M,
  finish: (input: I, moved: M) => Outcome<O, E>,
): { readonly kind: 'steps' } & Steppable<I, M, O, E> => ({
  kind: 'steps',
  steps,
  init: (input, onRecord) => create(input, { onRecord }),
  resume: (input, stopped, onRecord) => create(input, { stopped, onRecord }),
  advance: (input, moving, from, to, progress) => {
    const all = steps(input)
    moving.advance(from, to, (step) => progress({ step, steps: all }))
    return moving
  },
  bytes: (moving) => moving.bytes(),
  finish,
})
