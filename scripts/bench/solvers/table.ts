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
import type { Case } from './frame.ts'
import { gauge } from './gauge.ts'
import { grid } from './grid.ts'
import { heat } from './heat.ts'
import { kalman } from './kalman.ts'
import { lorenz } from './lorenz.ts'
import { lotka } from './lotka.ts'
import { multibody } from './multibody.ts'
import { opt } from './opt.ts'
import { quant } from './quant.ts'
import { react } from './react.ts'
import { sat } from './sat.ts'
import { schrodinger } from './schrodinger.ts'
import { solve } from './solve.ts'
import { tumor } from './tumor.ts'
import { wave } from './wave.ts'
import { zeta } from './zeta.ts'

/** Every solver's problems, in the order of the table. */
export const cases: readonly Case[] = [
  ...acoustic,
  ...action,
  ...blackhole,
  ...buckling,
  ...climate,
  ...device,
  ...dock,
  ...epi,
  ...evolve,
  ...fea,
  ...flow,
  ...fracture,
  ...gauge,
  ...grid,
  ...heat,
  ...kalman,
  ...lorenz,
  ...lotka,
  ...multibody,
  ...opt,
  ...quant,
  ...react,
  ...sat,
  ...schrodinger,
  ...solve,
  ...tumor,
  ...wave,
  ...zeta,
]
