// `node scripts/operator-cases.ts [--rows FOLDER] FILE.jsonl …`: cases of operators as people have them, written by
// readers who saw no ranges: `{"id", "out", "inputs", "note"}` a line. Prints what is refused, a line each, and how
// many are by code. `--rows` takes the rows of another folder, say of an earlier release. Exits 1 when a case is
// refused.
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { casesOf, outcomeOf } from '../test/numerics/operators/cases.ts'

const { values: flags, positionals } = parseArgs({
  options: { rows: { type: 'string', default: 'protocols/operators' } },
  allowPositionals: true,
})
const rows = globSync(`${flags.rows}/*.jsonl`).flatMap((file) => rowsOfText(readFileSync(file, 'utf8')))
const registry = operatorRegistry(rows)
const counts = new Map<string, number>()
for (const file of positionals) {
  for (const it of casesOf(readFileSync(file, 'utf8'))) {
    const { code, why } = outcomeOf(registry, it)
    counts.set(code, (counts.get(code) ?? 0) + 1)
    if (code !== 'computed')
      console.log([code, it.id, it.out, JSON.stringify(it.inputs), it.note ?? '', why].join('  '))
  }
}
console.log([...counts].map(([code, count]) => `${count} ${code}`).join(', '))
process.exitCode = counts.size > 1 ? 1 : 0
