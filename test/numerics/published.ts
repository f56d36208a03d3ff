import { readFileSync, writeFileSync } from 'node:fs'
import { produce } from '#numerics/gate.ts'
import { resolveInput } from '#numerics/input.ts'
import { solverByName, solvers } from '#numerics/solvers/index.ts'

/** What other nodes compare their own solvers with: changes only together with a solver's revision. */
export interface Published {
  readonly solver: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly inputs_digest: string
  readonly result_digest: string
  readonly steps: { readonly root: string; readonly every: number; readonly count: number } | null
  readonly value: number | null
}

const file = new URL('../../protocols/solvers/digests.json', import.meta.url)

/** The rows of protocols/solvers/digests.json. */
export const published = (): readonly Published[] => JSON.parse(readFileSync(file, 'utf8')) as readonly Published[]

/** The row of a solver for some inputs, worked out now. */
export const worked = (name: string, inputs: Published['inputs']): Published => {
  const solver = solverByName(name.split('@')[0] ?? '')
  if (solver === undefined) throw new Error(`no solver ${name}`)
  const { inputsDigest, resultDigest, steps, value } = produce(solver, resolveInput(solver, inputs))
  const revision = `${solver.name}@${solver.revision}`
  return { solver: revision, inputs, inputs_digest: inputsDigest, result_digest: resultDigest, steps, value }
}

// Run by itself it writes the file anew: the same inputs, and the default case of every solver that has no row yet.
if (import.meta.main) {
  const known = published()
  const fresh = solvers.filter((it) => !known.some((row) => row.solver.startsWith(`${it.name}@`)))
  const rows = [...known.map((row) => worked(row.solver, row.inputs)), ...fresh.map((it) => worked(it.name, {}))]
  writeFileSync(file, `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`)
}
