import type { Case } from './frame.ts'
import { kalman } from './kalman.ts'
import { quant } from './quant.ts'
import { sat } from './sat.ts'
import { schrodinger } from './schrodinger.ts'

/** Every solver's problems, in the order of the table. */
export const cases: readonly Case[] = [...kalman, ...quant, ...sat, ...schrodinger]
