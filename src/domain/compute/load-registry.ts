import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type OperatorRegistry, operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'

const DIRECTORY = fileURLToPath(new URL('../../../protocols/operators', import.meta.url))

/** The registry of all rows in `protocols/operators`. @throws Fault INVALID_INPUT naming the first malformed row. */
export const loadRegistry = (): OperatorRegistry => {
  const files = readdirSync(DIRECTORY).filter((name) => name.endsWith('.jsonl'))
  return operatorRegistry(files.flatMap((name) => rowsOfText(readFileSync(`${DIRECTORY}/${name}`, 'utf8'))))
}
