import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { audited, auditProblems, type Finding } from './audit/cases.ts'
import { auditPage, isWrong, totalsOf } from './audit/page.ts'

// Runs the problems of scripts/audit through the run and the gate of a node and holds every number against the
// reference that another program gave. `npm run audit` writes protocols/solvers/audit.md; `npm run audit -- heat fea`
// runs those alone and prints their tables. Exits 1 when a number was sealed that is beyond the bound.

const PAGE = fileURLToPath(new URL('../protocols/solvers/audit.md', import.meta.url))
/** Slower problems are told: they belong elsewhere. */
const SLOW_MS = 5_000

const names = process.argv.slice(2)
const problems = auditProblems(names)
const findings: Finding[] = []
let last = ''
for (const it of problems) {
  if (it.name !== last) console.error(it.name)
  last = it.name
  const from = performance.now()
  findings.push(...audited(it))
  const ms = performance.now() - from
  if (ms > SLOW_MS) console.error(`  ${(ms / 1e3).toFixed(1)} s: ${JSON.stringify(it.input).slice(0, 200)}`)
}
const page = auditPage(findings)
if (names.length === 0) writeFileSync(PAGE, page)
else process.stdout.write(page)
console.error(totalsOf(findings))
if (findings.some(isWrong)) process.exitCode = 1
