import { TICK_SECONDS } from '#core/tick.ts'
import { cos, sin, TAU } from '#numerics/math.ts'

/** Amplitude of the modulation in KO42's automatic mode. */
export const ALPHA = 0.001
/** Bounds of the amplitude in KO42's manual mode. */
export const BETA_MIN = 1e-4
export const BETA_MAX = 0.1

/**
 * R = S·(1 + α·sin 2π·phase): the modulation that stamps a result and never alters one. Its mean over a tick is S.
 *
 * @param phase in [0, 1).
 */
export const modulated = (S: number, phase: number, amplitude: number = ALPHA): number =>
  S * (1 + amplitude * sin(TAU * phase))

/** R of S = 1 with six decimals, as a tick receipt shows it. */
export const modulationText = (phase: number): string => modulated(1, phase).toFixed(6)

/**
 * KO42's gauge mode: reparametrised time s(t) = t − (α/2πf)·(cos(2πft + φ0) − cos φ0), strictly increasing, with
 * s(t + τ) = s(t) + τ. Time is given as whole ticks and a phase, so that no product of large numbers is rounded.
 *
 * @param phase of t in its tick, in [0, 1); `startPhase` is φ0 as a fraction of a turn.
 * @returns seconds from the tick's beginning: s(t) − tick·τ.
 */
export const gaugeSeconds = (phase: number, startPhase = 0, amplitude: number = ALPHA): number =>
  phase * TICK_SECONDS - ((amplitude * TICK_SECONDS) / TAU) * (cos(TAU * (phase + startPhase)) - cos(TAU * startPhase))
