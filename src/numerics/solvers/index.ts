import type { Solver } from '#numerics/solver.ts'

/** Every sealed solver; endpoint, job, command, form and tests follow from a line here. */
export const solvers: readonly Solver[] = []

/** The solver of a name, or undefined. */
export const solverByName = (name: string): Solver | undefined => solvers.find((it) => it.name === name)
