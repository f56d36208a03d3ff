import type { Outcome, Steppable } from './solver.ts'

/** A run that works in place and knows its own end. */
export interface Course<O, E> {
  /** Takes the steps `from` (inclusive) to `to` (exclusive); `each` is told after every one how many are taken. */
  readonly advance: (from: number, to: number, each: (step: number) => void) => void
  /** Every bit that the next step depends on. */
  readonly bytes: () => Uint8Array
  readonly finish: () => Outcome<O, E>
}

/** How a solver runs whose state is a course: so many steps of an input, begun by `init`. */
export const courseOf = <I, O, E, C extends Course<O, E>>(
  steps: (input: I) => number,
  init: (input: I) => C,
): { readonly kind: 'steps' } & Steppable<I, C, O, E> => ({
  kind: 'steps',
  steps,
  init,
  advance: (input, course, from, to, progress) => {
    const all = steps(input)
    course.advance(from, to, (step) => progress({ step, steps: all }))
    return course
  },
  bytes: (course) => course.bytes(),
  finish: (_, course) => course.finish(),
})
