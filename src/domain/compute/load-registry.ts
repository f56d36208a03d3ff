import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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
