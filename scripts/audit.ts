import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { audited, auditProblems, type Finding } from './audit/cases.ts'
import { known, knownOf } from './audit/known.ts'
import { auditPage, isUnexplained, isWrong, totalsOf } from './audit/page.ts'

// Runs the problems of scripts/audit through the run and the gate of a node and holds every number against the
// reference that another program gave. `npm run audit` writes protocols/solvers/audit.md; `npm run audit -- heat fea`
// runs those alone and prints their tables. Exits 1 when a number was sealed that is beyond the
// bound and audit/known.ts does not say why, or says why of none that is.

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
const explained = new Set(findings.filter(isWrong).map(knownOf))
const idle = known.filter((it) => findings.some(({ solver }) => solver === it.solver) && !explained.has(it))
for (const { solver, path } of idle) console.error(`known.ts: nothing is beyond the bound any more: ${solver} ${path}`)
if (findings.some(isUnexplained) || idle.length > 0) process.exitCode = 1
