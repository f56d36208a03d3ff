// Goal: no sealed number is wrong. Method: of the problems of the audit, whose references other programs worked out,
// those of each solver that cost least are run through run and gate; a sealed number beyond the bound fails where
// known.ts does not name its fault, and so does a solver that seals none of them. That the audit itself sees a wrong
// number is tried with a shifted reference.
import assert from 'node:assert/strict'
import { audited, auditProblems, auditWork, type Finding } from '../../scripts/audit/cases.ts'
import { auditPage, isUnexplained, isWrong } from '../../scripts/audit/page.ts'
import { suite } from '../kit/suite.ts'

const test = suite('scripts: audit')

/** Problems of a solver that are run here, the refused ones not counted; all of them are by `npm run audit`. */
const SEALED_HERE = 3
/** Problems that are tried for it. */
const TRIED_MAX = 9

const bySolver = Map.groupBy(auditProblems(), ({ name }) => name)
const cheapest = (name: string) => [...(bySolver.get(name) ?? [])].sort((a, b) => auditWork(a) - auditWork(b))

/** What came of the cheapest problems, until enough of them are sealed. */
const cheapFindings = (name: string): readonly Finding[] => {
  const found: Finding[] = []
  let sealed = 0
  for (const it of cheapest(name).slice(0, TRIED_MAX)) {
    const findings = audited(it)
    found.push(...findings)
    if (findings.some(({ realPct }) => realPct !== undefined)) sealed += 1
    if (sealed === SEALED_HERE) break
  }
  return found
}

for (const name of bySolver.keys()) {
  test(`${name}: what is sealed is true`, () => {
    const findings = cheapFindings(name)
    assert.deepEqual(findings.filter(isUnexplained), [])
    assert.ok(
      findings.some(({ realPct }) => realPct !== undefined),
      'nothing of it was sealed',
    )
  })
}

test('a reference that is 0.2 % off is told, by the page too', () => {
  const [problem] = cheapest('climate')
  assert.ok(problem !== undefined)
  const cases = problem.cases.map((it) => ({ ...it, reference: it.reference * 1.002 }))
  const findings = audited({ ...problem, cases })
  assert.equal(findings.filter(isWrong).length, findings.length)
  assert.match(auditPage(findings), /beyond the bound/)
})

test.run()
