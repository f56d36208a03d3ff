import type { KernelNote } from './views.ts'

/** The seven protocol strings, as the interface document has them. */
export const PROTOCOL_STRINGS = [
  'KO42 mandatory',
  '1 to 3 domain operators plus KO42 (total ≤ 4)',
  'match operators to the domain',
  'tune inputs until error ≤ 0.1 %',
  'compile with the master equation',
  'execute with the functional equation E = P_ϕ · Z(M, R, δ, C, X)',
  'verify state phase, R_t, tick alignment and precision bound',
] as const

/** The formula of the modulation, as text. */
export const MODULATION = 'R(t) = S(t)[1 + α·sin(2π·f·t)]'
/** Amplitude of the modulation. */
export const ALPHA = 0.001
/** The precision bound, in percent. */
export const PRECISION_PCT = 0.1
/** Captions: display rounding of frequency and period. Arithmetic uses the integer nanoseconds. */
export const PULSE_HZ = 1.287
export const TICK_SEC = 0.777

/** Where the kernel is described, as whoever has the routes says it. */
export type KernelPaths = Pick<KernelNote, 'url' | 'prompt' | 'markdown'>

/** The block that every pulse carries. */
export const kernelNote = (version: string, paths: KernelPaths): KernelNote => ({
  notice: 'A result is sealed only when its independently measured error is at most 0.1 %.',
  ...paths,
  version,
  protocol: PROTOCOL_STRINGS,
})
