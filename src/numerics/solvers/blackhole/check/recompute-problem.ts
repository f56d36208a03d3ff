import type { Particle } from '#numerics/solvers/blackhole/problem.ts'
import type { BlackholeInput } from '#numerics/solvers/blackhole/schema.ts'

const CLOSE = 1e-9

/**
 * Whether a particle is the one that the input states, in GM/c² and GM/c³: at r0 Schwarzschild radii, with the
 * momentum that was asked for, and at rest there or with the energy that was asked for. Run and check take it from
 * one function, so that this is worked out anew. A particle whose state is given is that state.
 */
export const isProblemOf = ({ mode, r0, orbit, state }: BlackholeInput, it: Particle): boolean => {
  if (state !== undefined) {
    const { r, phi, v, rRate, phiRate } = state
    return it.r === r && it.phi === phi && it.v === v && it.rRate === rRate && it.phiRate === phiRate
  }
  const round = mode === 'orbit' ? orbit.l : 0
  const energy = mode === 'orbit' ? orbit.energy : undefined
  const r = r0 + r0
  // E² = (dr/dτ)² + (1 − 2/r)(1 + L²/r²).
  const barrier = (1 - 2 / r) * (1 + (round / r) * (round / r))
  const square = energy === undefined ? barrier : energy * energy
  const speed = it.rRate * it.rRate
  return (
    it.r === r &&
    it.phi === 0 &&
    Math.abs(it.phiRate * r * r - round) <= CLOSE * Math.abs(round) &&
    it.momentum === round &&
    Math.abs(it.binding + 1 - square) <= CLOSE * Math.max(1, square) &&
    (energy === undefined
      ? speed === 0
      : it.rRate <= 0 && Math.abs(square - barrier - speed) <= CLOSE * Math.max(1, square))
  )
}
