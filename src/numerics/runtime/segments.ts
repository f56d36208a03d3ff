/** A stretch of a run, by the steps at its ends. */
export interface Segment {
  readonly from: number
  readonly to: number
}

/** Stretches of a long run that a check looks at. */
const SEGMENTS = 4

/**
 * The stretches of a run that its check integrates anew: the first, the last and two between; all of a short run.
 *
 * @param length steps of a stretch.
 */
export const segmentsOf = (steps: number, length: number): readonly Segment[] => {
  if (steps <= SEGMENTS * length) {
    return Array.from({ length: Math.ceil(steps / length) }, (_, i) => ({
      from: i * length,
      to: Math.min(steps, (i + 1) * length),
    }))
  }
  return Array.from({ length: SEGMENTS }, (_, i) => {
    const from = Math.floor(((steps - length) * i) / (SEGMENTS - 1))
    return { from, to: from + length }
  })
}

/** The steps after which the state is kept for the check: every end of a stretch but the run's start and end. */
export const keptSteps = (steps: number, length: number): readonly number[] =>
  [...new Set(segmentsOf(steps, length).flatMap(({ from, to }) => [from, to]))].filter(
    (step) => step > 0 && step < steps,
  )
