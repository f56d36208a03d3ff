import type { Solver } from '#numerics/solver.ts'
import { acoustic } from './acoustic.ts'
import { action } from './action.ts'
import { blackhole } from './blackhole.ts'
import { buckling } from './buckling.ts'
import { climate } from './climate.ts'
import { device } from './device.ts'
import { dock } from './dock.ts'
import { epi } from './epi.ts'
import { evolve } from './evolve.ts'
import { fea } from './fea.ts'
import { flow } from './flow.ts'
import { fracture } from './fracture.ts'
import { gauge } from './gauge.ts'
import { grid } from './grid.ts'
import { heat } from './heat.ts'
import { kalman } from './kalman.ts'
import { lattice } from './lattice.ts'
import { lorenz } from './lorenz.ts'
import { lotka } from './lotka.ts'
import { multibody } from './multibody.ts'
import { opt } from './opt.ts'
import { quant } from './quant.ts'
import { react } from './react.ts'
import { sat } from './sat.ts'
import { schrodinger } from './schrodinger.ts'
import { shift } from './shift.ts'
import { solve } from './solve.ts'
import { tumor } from './tumor.ts'
import { wave } from './wave.ts'
import { zeta } from './zeta.ts'

/** Every sealed solver under its name; endpoint, client, job, command, form and tests follow from a word here. */
export const solverTable = {
  acoustic,
  action,
  blackhole,
  buckling,
  climate,
  device,
  dock,
  epi,
  evolve,
  fea,
  flow,
  fracture,
  gauge,
  grid,
  heat,
  kalman,
  lattice,
  lorenz,
  lotka,
  multibody,
  opt,
  quant,
  react,
  sat,
  schrodinger,
  shift,
  solve,
  tumor,
  wave,
  zeta,
} as const

/** The sealed solvers, in the order of the table. */
export const solvers: readonly Solver[] = Object.values(solverTable) as unknown as readonly Solver[]

/** The solver of a name, or undefined. */
export const solverByName = (name: string): Solver | undefined => solvers.find((it) => it.name === name)
