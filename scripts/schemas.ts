import { fileURLToPath } from 'node:url'
import { currentTexts, publish, schemaFiles } from './schemas/published.ts'

/**
 * Publishes the form of input and output of every solver's present revision under protocols/solvers/schemas. With
 * `--check` it writes nothing and fails where something is not published, or is no longer what was published.
 */
const folder = fileURLToPath(new URL('../protocols/solvers/schemas', import.meta.url))
const { written, faults } = publish(folder, currentTexts(), process.argv.includes('--check'))
for (const file of written) console.log(`published: ${file}`)
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? `${schemaFiles(folder).length} revisions stand` : `${faults.length} do not stand`)
if (faults.length > 0) process.exitCode = 1
