import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { type Produced, produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
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

const folder = new URL('../../../protocols/solvers/digests/', import.meta.url)

/** Names of the solvers that have published rows. */
export const publishedNames = (): readonly string[] => readdirSync(folder).map((file) => file.replace(/\.json$/, ''))

/** The rows of protocols/solvers/digests/<name>.json. */
export const published = (name: string): readonly Published[] =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as readonly Published[]

/** The row of a solver for some inputs, from what they produced. */
export const rowOf = (
  { name, revision }: Solver,
  inputs: Published['inputs'],
  { inputsDigest, resultDigest, steps, value }: Produced<unknown, unknown>,
): Published => {
  const solver = `${name}@${revision}`
  return { solver, inputs, inputs_digest: inputsDigest, result_digest: resultDigest, steps, value }
}

/** The row of a solver for some inputs, worked out now. */
export const worked = (name: string, inputs: Published['inputs']): Published => {
  const found = solverByName(name.split('@')[0] ?? '')
  if (found === undefined) throw new Error(`no solver ${name}`)
  const solver = aided(found, { registry: loadRegistry })
  return rowOf(solver, inputs, produce(solver, resolveInput(solver, inputs)))
}

// `node test/numerics/solvers/published.ts [names]` writes the files of these solvers (of all) anew: the same inputs,
// and the default case of one that has no file yet. `--add name '<inputs>'` adds a row.
if (import.meta.main) {
  const [first = '', ...words] = process.argv.slice(2)
  const adding = first === '--add'
  const given = adding ? words.slice(0, 1) : [first, ...words].filter((it) => it !== '')
  for (const name of given.length > 0 ? given : solvers.map((it) => it.name)) {
    const known = publishedNames().includes(name) ? published(name).map(({ inputs }) => inputs) : [{}]
    const more = adding ? words.slice(1).map((text) => JSON.parse(text) as Published['inputs']) : []
    const rows = [...known, ...more].map((inputs) => worked(name, inputs))
    const text = `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`
    writeFileSync(new URL(`${name}.json`, folder), text)
  }
}
