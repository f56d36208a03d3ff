import type { Particle } from './problem.ts'

/** Energy, angular momentum and norm of a sample, from its rates alone. */
export const invariantsOf = ([, r, , , rRate, phiRate, vRate]: ArrayLike<number> & Iterable<number>): readonly [
  number,
  number,
  number,
] => {
  const [radius, inwards, round, clock] = [r as number, rRate as number, phiRate as number, vRate as number]
  const f = 1 - 2 / radius
  const turn = radius * round
  return [f * clock - inwards, radius * turn, -f * clock * clock + 2 * clock * inwards + turn * turn]
}

/**
 * What the rates of samples keep, rows of 7 numbers: the largest drifts of energy, angular momentum and norm in
 * percent.
 */
export const driftsOf = (it: Particle, rows: Float64Array) => {
  const [energy, momentum] = invariantsOf(rows.subarray(0, 7))
  let worst: readonly [number, number, number] = [0, 0, 0]
  for (let at = 0; at < rows.length; at += 7) {
    const [e, l, norm] = invariantsOf(rows.subarray(at, at + 7))
    worst = [
      Math.max(worst[0], Math.abs(e - energy) / Math.max(Math.abs(it.binding), 2 / rows[at + 1])),
      Math.max(worst[1], momentum === 0 ? Math.abs(l) : Math.abs(l / momentum - 1)),
      Math.max(worst[2], Math.abs(norm + 1)),
    ]
  }
  return { energyDriftPct: 100 * worst[0], momentumDriftPct: 100 * worst[1], normDriftPct: 100 * worst[2] }
}
