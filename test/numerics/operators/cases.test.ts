// Goal: the normal case of a row is computed, not refused. Method: three cases of each row as a practitioner has them,
// written by readers who were given names, units and relations, but no ranges; each computes and passes the gate, but
// for those listed, which the row rightly refuses.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from '../../kit/suite.ts'
import { casesOf, type OperatorCase, outcomeOf } from './cases.ts'
import { isEvaluable } from './row-rules.ts'
import { registry } from './table.ts'

const test = suite('operator cases')

const cases = casesOf(readFileSync('test/fixtures/operators/cases.jsonl', 'utf8'))
/** Why a row refuses cases of its readers. */
const REFUSED: Readonly<Record<string, string>> = {
  ALBERSHEIM: 'fitted to probabilities of false alarm from 1e-7 to 1e-3',
  ANDREWS_MARTENSITE_START: 'fitted to steels of at most 0.6 % carbon',
  BETHE_STOPPING_POWER: 'slower particles than βγ = 0.1 need the shell corrections, which it leaves out',
  MOTT_CROSS_SECTION: 'the first Born approximation, which is off by a third and more in gold and lead',
  NUSSELT_RANZ_MARSHALL: 'measured on drops at Reynolds numbers up to 200',
  OCONNOR_DOBBINS: 'the streams it was found in were no slower and no faster',
  SHG_EFFICIENCY: 'half of the light is converted: the relation takes the pump as not depleted',
  SZ4: 'the local magnitude saturates below 7.5',
}

test('each row that computes has three cases', () => {
  const counts = Map.groupBy(cases, ({ id }) => id)
  for (const { row } of registry.operators.filter(isEvaluable)) {
    if (!ADDED.includes(row.id)) assert.ok((counts.get(row.id)?.length ?? 0) >= 3, row.id)
  }
})

/** Rows that came after the cases were written. */
const ADDED = ['BIODIVERSITY_INDEX_2', 'BIODIVERSITY_INDEX_4', 'BIODIVERSITY_INDEX_5', 'OBLIQUE_SHOCK_ANGLE']

test('all are computed and pass the gate, but for those that are rightly refused', () => {
  const said = ({ id, inputs, note }: OperatorCase): string => `${id} ${JSON.stringify(inputs)} (${note})`
  const refused = cases.filter((it) => outcomeOf(registry, it).code !== 'computed')
  assert.deepEqual(refused.filter(({ id }) => REFUSED[id] === undefined).map(said), [])
  for (const id of Object.keys(REFUSED))
    assert.ok(
      refused.some((it) => it.id === id),
      `${id} refuses nothing`,
    )
  for (const it of refused) assert.equal(outcomeOf(registry, it).code, 'OUT_OF_RANGE', said(it))
})

test.run()
