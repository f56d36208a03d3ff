import { type Instant, meshTickAt, phaseAt } from './tick.ts'

/** The one source of time. `now` never falls within a process. */
export interface Clock {
  now(): Instant
}

/** A point on a node's own grid: `tick` counts from its genesis, `meshTick` from the Unix epoch. */
export interface Moment {
  readonly instant: Instant
  readonly tick: number
  readonly meshTick: number
  /** In [0, 1). */
  readonly phase: number
}

/** Where an instant lies on the grid of a node born at `genesisMeshTick`. */
export const momentAt = (instant: Instant, genesisMeshTick: number): Moment => {
  const meshTick = meshTickAt(instant)
  return { instant, meshTick, tick: meshTick - genesisMeshTick, phase: phaseAt(instant) }
}
