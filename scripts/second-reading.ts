// `node scripts/second-reading.ts [--worksheet] [--answers FILE]`: a tenth of the operators read a second time.
// `--worksheet` prints the drawn rows without equation and value, for a reader who has not seen them. Without it the
// answers (the committed ones, or FILE in the same form) are held against today's rows, family by family.
// Exits 1 when an answer is missing, stands too much, or differs without a finding that says why.
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { rowsOfText } from '#numerics/operators/registry.ts'
import {
  deviationOf,
  drawnRows,
  READING_TOLERANCE,
  type SecondReading,
} from '../test/numerics/operators/second-reading.ts'

const COMMITTED = 'protocols/operators/second-reading.json'

const { values: flags } = parseArgs({
  options: { worksheet: { type: 'boolean' }, answers: { type: 'string', default: COMMITTED } },
})

const reading = JSON.parse(readFileSync(flags.answers, 'utf8')) as SecondReading
const rows = globSync('protocols/operators/*.jsonl')
  .sort()
  .flatMap((file) => rowsOfText(readFileSync(file, 'utf8'))) as readonly OperatorRow[]
const drawn = drawnRows(
  rows.filter(({ id }) => !reading.later.includes(id)),
  reading.seed,
  reading.share,
)

const printWorksheet = (): void => {
  for (const { id, name, domain, source, variables, example } of drawn) {
    console.log(`${id}  ${name}  (${domain})\n  source: ${source}`)
    for (const [symbol, it] of Object.entries(variables)) console.log(`  ${symbol}: ${it.name} [${it.unit}]`)
    console.log(`  given ${JSON.stringify(example?.inputs)}; asked ${example?.output} in ${example?.unit}\n`)
  }
}

const compare = (): boolean => {
  const byId = new Map(reading.readings.map((it) => [it.id, it]))
  const ids = new Set(drawn.map(({ id }) => id))
  const [missing, extra] = [drawn.filter(({ id }) => !byId.has(id)), reading.readings.filter(({ id }) => !ids.has(id))]
  for (const { id } of missing) console.log(`MISSING   ${id}`)
  for (const { id } of extra) console.log(`NOT DRAWN ${id}`)
  let open = 0
  for (const row of drawn) {
    const it = byId.get(row.id)
    if (it === undefined) continue
    const off = deviationOf(it, row)
    const said = it.finding === undefined ? '' : `  ${it.finding.wrong}: ${it.finding.why}`
    if (off <= READING_TOLERANCE) console.log(`agrees    ${row.id}  ${off.toExponential(1)}${said}`)
    else
      console.log(`differs   ${row.id}  read ${it.value}, row ${row.example?.value} (${off.toExponential(1)})${said}`)
    if (off > READING_TOLERANCE && (it.finding === undefined || it.finding.wrong === 'row')) open += 1
  }
  const found = (wrong: string): number => reading.readings.filter(({ finding }) => finding?.wrong === wrong).length
  console.log(`${drawn.length} rows of ${rows.length} drawn by "${reading.seed}"; ${open} differ with no reason`)
  console.log(`found: ${found('row')} rows wrong, ${found('unclear row')} unclear, ${found('reading')} readings wrong`)
  return missing.length + extra.length + open === 0
}

if (flags.worksheet === true) printWorksheet()
else process.exitCode = compare() ? 0 : 1
