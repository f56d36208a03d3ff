import type { RunState } from './use-run.ts'

/** A refusal, and whether it was found before anything ran. */
export interface StandingRefusal {
  readonly problem: Error
  readonly before: boolean
}

/** Whether two inputs say the same: a form gives each the order of its fields. */
export const isSameInput = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The one refusal that stands: of the last run, until the form says something else; then that of the quote. */
export const refusalOf = (
  { busy, refused }: Pick<RunState, 'busy' | 'refused'>,
  input: object,
  quoted: Error | undefined,
): StandingRefusal | undefined => {
  if (busy) return undefined
  if (refused !== undefined && isSameInput(refused.input, input)) return { problem: refused.problem, before: false }
  return quoted === undefined ? undefined : { problem: quoted, before: true }
}
