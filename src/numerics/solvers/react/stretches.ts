import { keptSteps, type Segment, segmentsOf } from '#numerics/runtime/segments.ts'

/** Steps of a stretch of a long run that the check integrates anew. */
export const STRETCH_STEPS = 10
/** Steps up to which it integrates the whole run anew, from its start to its end. */
const WHOLE_STEPS = 40

/** What of a run is integrated anew: all of a short one at once, of a long one the first, the last and two between. */
export const stretchesOf = (steps: number): readonly Segment[] =>
  steps <= WHOLE_STEPS ? [{ from: 0, to: steps }] : segmentsOf(steps, STRETCH_STEPS)

/** The steps after which the fields are kept for it. */
export const keptOf = (steps: number): readonly number[] =>
  steps <= WHOLE_STEPS ? [] : keptSteps(steps, STRETCH_STEPS)
