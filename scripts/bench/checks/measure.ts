import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Problem } from './cases.ts'

const exec = promisify(execFile)

/** Processor milliseconds, round by round. */
export interface Times {
  readonly solve: readonly number[]
  readonly check: readonly number[]
}

/** Runs and checks one problem so often in a process of its own. @throws Error when that ends with a refusal. */
export const measured = async (child: string, { solver, inputs }: Problem, rounds: number): Promise<Times> => {
  const { stdout } = await exec(process.execPath, [child, solver, JSON.stringify(inputs), String(rounds)])
  return JSON.parse(stdout) as Times
}
