// Goal: a template does what it says. Method: the scenario that stands in each, played by the decision that fires real
// contracts, with every computation really run and judged; the end is held against what the file says that comes of it.
import assert from 'node:assert/strict'
import { loadTemplates } from '#domain/contracts/templates/load.ts'
import type { Simulation } from '#numerics/contracts/fire/simulation.ts'
import type { Template } from '#numerics/contracts/templates/template.ts'
import { suite } from '../../../kit/suite.ts'
import { play } from './play.ts'

const test = suite('contracts/templates: scenarios')

/** Numbers of a scenario are written by hand. */
const NEAR = 1e-6

const isNear = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= NEAR * Math.max(1, Math.abs(b)) : a === b

const effectsOf = ({ timeline }: Simulation) => timeline.flatMap(({ effects }) => effects)

const held = ({ scenario: { expect } }: Template, got: Simulation): void => {
  const effects = effectsOf(got)
  const kinds = (kind: string) => effects.filter((it) => it.kind === kind)
  const fired = got.timeline.filter(({ outcome }) => outcome === 'fired').flatMap(({ steps }) => steps)
  const refused = got.timeline.flatMap(({ problem }) => (problem === null ? [] : [problem.reason]))
  assert.deepEqual(fired, expect.fired)
  assert.deepEqual(refused, expect.refused ?? [], JSON.stringify(got.timeline.map(({ problem }) => problem)))
  assert.equal(got.standing.state, expect.state)
  for (const [name, value] of Object.entries(expect.context ?? {}))
    assert(isNear(got.standing.context[name], value), `${name} is ${got.standing.context[name]}, not ${value}`)
  assert.deepEqual(
    effects.flatMap((it) => (it.kind === 'emit' ? [it.event] : [])),
    expect.emits ?? [],
  )
  assert.deepEqual(
    effects.flatMap((it) => (it.kind === 'transfer' ? [{ to: it.to, amount: it.amount }] : [])),
    expect.transfers ?? [],
  )
  assert.equal(kinds('notify').length, expect.notifies ?? 0)
  assert.equal(kinds('call').length, expect.calls ?? 0)
  assert.deepEqual([got.broken, got.stopped, got.too_deep], [[], 'until', 0])
}

for (const template of loadTemplates()) {
  test(`${template.id}: ${template.scenario.says}`, () => held(template, play(template)))
}

test('all scenarios together take two transitions of three, and nothing that is called is left unfilled', () => {
  const all = loadTemplates().map((it) => play(it))
  const taken = all.flatMap(({ coverage }) => coverage.transitions).length
  const missed = all.flatMap(({ coverage }) => coverage.transitions_missed).length
  assert(taken >= 2 * missed, `${taken} taken, ${missed} not`)
  for (const it of all.flatMap(effectsOf)) assert(!/\$\{|\$param|\$if/.test(JSON.stringify(it)))
})

test.run()
