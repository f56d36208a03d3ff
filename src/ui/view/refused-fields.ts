import { ApiProblem } from '#ui/server/api.ts'

/** `/initial/kind`, `initial.kind` and `/` as the name of an input. */
const nameIn = (path: string): string => path.replace(/^\//, '').replaceAll('/', '.')

const pathsOf = (errors: unknown): readonly string[] =>
  Array.isArray(errors)
    ? errors.flatMap((it: { readonly path?: unknown }) => (typeof it?.path === 'string' ? [nameIn(it.path)] : []))
    : []

/** Symbols of an operator's variables that it misses. */
const missingOf = (missing: unknown): readonly string[] =>
  Array.isArray(missing)
    ? missing.flatMap((it: { readonly symbol?: unknown }) => (typeof it?.symbol === 'string' ? [it.symbol] : []))
    : []

/** The nearest input that a path leads to or through: what is wrong in a list is wrong with its field. */
const inputOfPath = (path: string, known: readonly string[]): string | undefined =>
  known.find((name) => path === name || path.startsWith(`${name}.`))

/** Inputs that a refusal is about: those whose paths it names, and those that it has a value for. */
export const refusedFields = (problem: Error, known: readonly string[]): readonly string[] => {
  if (!(problem instanceof ApiProblem)) return []
  const { errors, missing, suggestion, symbol, ...members } = problem.members
  const suggested = typeof suggestion === 'object' && suggestion !== null ? Object.keys(suggestion) : []
  // The figures of a check are named like inputs, too; only what it suggests is about them.
  const named = problem.status === 422 ? suggested : Object.keys(members)
  const found = [
    ...[...pathsOf(errors), ...missingOf(missing), ...missingOf([{ symbol }])].map((it) => inputOfPath(it, known)),
    ...named.filter((it) => known.includes(it)),
  ]
  return [...new Set(found.filter((it) => it !== undefined))]
}
