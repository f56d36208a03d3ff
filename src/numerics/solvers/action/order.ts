import { log } from '#numerics/math.ts'

export const RUNGS = 3

/** Slope of log error over log step by least squares; undefined of no rungs. */
export const orderOf = ({
  steps,
  errors,
}: {
  steps: ArrayLike<number>
  errors: ArrayLike<number>
}): number | undefined => {
  const count = steps.length
  if (count < RUNGS) return undefined
  const points = Array.from(steps, (n, i) => ({ x: -log(n), y: log(errors[i] as number) }))
  const mean = (of: (p: { x: number; y: number }) => number): number =>
    points.reduce((sum, p) => sum + of(p), 0) / count
  const [x, y] = [mean((p) => p.x), mean((p) => p.y)]
  return mean((p) => (p.x - x) * (p.y - y)) / mean((p) => (p.x - x) * (p.x - x))
}
