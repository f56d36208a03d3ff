// Goal: no sealed number is wrong. Method: of the problems of the audit, whose references other programs worked out,
// those of each solver that cost least are run through run and gate; a sealed number beyond the bound fails, and so
// does a solver that seals none of them. That the audit itself sees a wrong number is tried with a shifted reference.
import assert from 'node:assert/strict'
import { audited, auditProblems, auditWork } from '../../scripts/audit/cases.ts'
import { auditPage, isWrong } from '../../scripts/audit/page.ts'
import { suite } from '../kit/suite.ts'

const test = suite('scripts: audit')

/** Problems of a solver that are run here; all of them are by `npm run audit`. */
const RUN_HERE = 3

const bySolver = Map.groupBy(auditProblems(), ({ name }) => name)
const cheapest = (name: string) =>
  [...(bySolver.get(name) ?? [])].sort((a, b) => auditWork(a) - auditWork(b)).slice(0, RUN_HERE)

for (const name of bySolver.keys()) {
  test(`${name}: what is sealed is true`, () => {
    const findings = cheapest(name).flatMap(audited)
    assert.deepEqual(findings.filter(isWrong), [])
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
