import type { Plot } from '#numerics/plot/plot.ts'
import type { Looking } from './look.ts'
import type { PlotMoment } from './moment.ts'
import type { Room } from './room.ts'

/** What a plot that answers to a hand is given. */
export interface LiveProps extends Looking {
  /** The plot before anybody looked nearer. */
  readonly whole: Plot
  /** Plots of one word have one cursor. */
  readonly linked?: string | undefined
  /** The moment that is looked at, of what goes on. */
  readonly moment?: PlotMoment | undefined
  readonly room: Room
}
