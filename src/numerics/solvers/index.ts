import type { Solver } from '#numerics/runtime/solver.ts'
import { acoustic } from './acoustic/index.ts'
import { action } from './action/index.ts'
import { blackhole } from './blackhole/index.ts'
import { buckling } from './buckling/index.ts'
import { climate } from './climate/index.ts'
import { device } from './device/index.ts'
import { dock } from './dock/index.ts'
import { epi } from './epi/index.ts'
import { evolve } from './evolve/index.ts'
import { fea } from './fea/index.ts'
import { flow } from './flow/index.ts'
import { fracture } from './fracture/index.ts'
import { gauge } from './gauge/index.ts'
import { grid } from './grid/index.ts'
import { heat } from './heat/index.ts'
import { kalman } from './kalman/index.ts'
import { lattice } from './lattice/index.ts'
import { lorenz } from './lorenz/index.ts'
import { lotka } from './lotka/index.ts'
import { multibody } from './multibody/index.ts'
import { opt } from './opt/index.ts'
import { quant } from './quant/index.ts'
import { react } from './react/index.ts'
import { sat } from './sat/index.ts'
import { schrodinger } from './schrodinger/index.ts'
import { shift } from './shift/index.ts'
import { solve } from './solve/index.ts'
import { tumor } from './tumor/index.ts'
import { wave } from './wave/index.ts'
import { zeta } from './zeta/index.ts'

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
