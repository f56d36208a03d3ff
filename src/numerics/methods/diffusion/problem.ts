import type { Boundary } from './lines.ts'

/** The unknowns of a diffusion problem and the numbers of its scheme: deviations from the steady state, in kelvin. */
export interface DiffusionProblem {
  readonly rows: number
  readonly columns: number
  /** α·dt/dx² along the rows and α·dt/dy² across them; the second is 0 on a line. */
  readonly rAlong: number
  readonly rAcross: number
  readonly boundary: Boundary
  readonly scheme: 'adi' | 'ftcs'
  /** Whether the first two steps are damped ones (Rannacher). */
  readonly damped: boolean
}

/** A field that is moved on in place. */
export interface Engine {
  /** The unknowns, row-major, as they are after the last step that was asked for. */
  readonly field: Float64Array
  readonly advance: (from: number, to: number, each: (step: number) => void) => void
}
