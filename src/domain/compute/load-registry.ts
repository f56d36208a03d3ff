import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KeptTexts, type RegistryHistory, registryHistory } from '#numerics/operators/history.ts'
import { type OperatorRegistry, operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'

const DIRECTORY = fileURLToPath(new URL('../../../protocols/operators', import.meta.url))

let loaded: OperatorRegistry | undefined

const read = (): OperatorRegistry => {
  const files = readdirSync(DIRECTORY).filter((name) => name.endsWith('.jsonl'))
  return operatorRegistry(files.flatMap((name) => rowsOfText(readFileSync(`${DIRECTORY}/${name}`, 'utf8'))))
}

/**
 * The registry of all rows in `protocols/operators`, read once a process: nothing changes it.
 *
 * @throws Fault INVALID_INPUT naming the first malformed row.
 */
export const loadRegistry = (): OperatorRegistry => {
  loaded ??= read()
  return loaded
}

/** What is kept of earlier registries, in `protocols/operators/history`. */
export const readKept = (): KeptTexts => ({
  ledger: readFileSync(`${DIRECTORY}/history/versions.jsonl`, 'utf8'),
  rows: readFileSync(`${DIRECTORY}/history/rows.jsonl`, 'utf8'),
})

let history: RegistryHistory | undefined

/** Today's registry and all earlier ones; these are read when one of them is asked for. */
export const loadHistory = (): RegistryHistory => {
  history ??= registryHistory(loadRegistry(), readKept)
  return history
}
