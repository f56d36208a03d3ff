import type { Solver } from '#numerics/solver.ts'
import { heat } from './heat.ts'
import { multibody } from './multibody.ts'
import { schrodinger } from './schrodinger.ts'

/** Every sealed solver; endpoint, job, command, form and tests follow from a line here. */
export const solvers: readonly Solver[] = [heat, multibody, schrodinger] as unknown as readonly Solver[]

/** The solver of a name, or undefined. */
export const solverByName = (name: string): Solver | undefined => solvers.find((it) => it.name === name)
