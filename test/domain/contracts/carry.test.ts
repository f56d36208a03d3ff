// Goal: what fits another version goes over, what does not is named, and a fire that ends under it leaves what fits.
// Method: definitions by hand against random contexts and declarations.
import assert from 'node:assert/strict'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { carried } from '#domain/contracts/carry.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { unfit } from '#numerics/contracts/definition/members.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { readyContract } from '#numerics/contracts/fire/ready.ts'
import { settled } from '#numerics/contracts/fire/settled.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { byTwos, counter } from './contract-kit.ts'

const test = suite('domain: contracts, carrying over')

const lint = (given: unknown): Definition => {
  const { contract, faults } = lintContract(given, { cron: () => undefined })
  assert(contract !== undefined, JSON.stringify(faults))
  return contract.definition
}
const entered = { fire: 'f'.repeat(64), tick: 9 }
const standing: ContractStanding = {
  state: 'counting',
  entered: { fire: '0'.repeat(64), tick: 1 },
  context: { n: 12, label: 'here' },
  windows: { bumps: [{ part: 0, count: 3, sum: 0, min: null, max: null, last: null }] },
  marks: { a: 7 },
}

test('windows of the same rule go on, others begin anew, and marks stay', () => {
  const from = lint(counter)
  const to = lint({ ...byTwos, windows: { ...counter.windows, more: { event: 'stop', fn: 'count', ticks: 60 } } })
  const same = carried({ from, to, standing, entered })
  assert.deepEqual(same, { standing: { ...standing, context: { ...standing.context, step: 2 } }, faults: [] })
  const other = lint({ ...byTwos, windows: { bumps: { event: 'bump', fn: 'count', ticks: 601 } } })
  assert.deepEqual(carried({ from, to: other, standing, entered }).standing.windows, {})
})

test('a state that is said anew begins with the change', () => {
  const [from, to] = [lint(counter), lint(byTwos)]
  const moved = carried({ from, to, standing, entered }, { state: 'resting' })
  assert.deepEqual([moved.faults, moved.standing.state, moved.standing.entered], [[], 'resting', entered])
  const gone = carried({ from, to, standing, entered }, { state: 'nowhere' })
  assert.deepEqual(
    gone.faults.map(({ path }) => path),
    ['/migrate/state'],
  )
})

const { next: random, pick } = seeded()
const members = [
  { type: 'integer', initial: 3, min: 0, max: 9 },
  { type: 'number', initial: 0.5, max: 4 },
  { type: 'boolean', initial: true },
  { type: 'text', initial: 'ab', chars: 3 },
  { type: 'choice', of: ['ab', 'cd'], initial: 'cd' },
  { type: 'text', initial: null, nullable: true },
] as const
const values: readonly Scalar[] = [0, 3, 3.5, -1, 12, true, false, 'ab', 'cd', 'abcd', null]
const randomDefinition = (): Definition =>
  lint({
    v: 1,
    name: 'r',
    context: Object.fromEntries(['a', 'b', 'c'].filter(() => random() < 0.7).map((name) => [name, pick(members)])),
    states: Object.fromEntries(
      ['s', 't', 'u'].filter((it) => it === 's' || random() < 0.6).map((it) => [it, { initial: it === 's' }]),
    ),
    transitions: [],
  })

test('whatever carries over fits, and whatever does not fit is named once', () => {
  for (let i = 0; i < 2_000; i += 1) {
    const [from, to] = [randomDefinition(), randomDefinition()]
    const context = Object.fromEntries(['a', 'b', 'd'].map((name) => [name, pick(values)]))
    const before: ContractStanding = { ...standing, state: pick(['s', 't', 'u']), context, windows: {} }
    const given = random() < 0.5 ? {} : { context: { [pick(['a', 'b', 'c', 'd'])]: pick(values) } }
    const after = carried({ from, to, standing: before, entered }, given)
    const paths = after.faults.map(({ path }) => path)
    assert.equal(new Set(paths).size, paths.length)
    assert.equal(paths.includes('/migrate/state'), !Object.hasOwn(to.states, before.state))
    for (const [name, member] of Object.entries(to.context)) {
      const value = after.standing.context[name]
      if (value === undefined) assert(paths.includes(`/migrate/context/${name}`))
      else assert.equal(unfit(member, value), undefined)
    }
    if (after.faults.length > 0) continue
    assert.deepEqual(Object.keys(after.standing.context).sort(), Object.keys(to.context).sort())

    // A fire of the version before, whatever it came to, leaves a standing that the new one has a place for.
    const { standing: present } = after
    const value = pick(values)
    const isMoved = random() < 0.5
    const outcome = {
      ...{ ...before, context: { ...context, a: value }, marks: { a: 5, b: 1 } },
      ...(isMoved ? { state: pick(['s', 't', 'u']), entered: { fire: 'e'.repeat(64), tick: 8 } } : {}),
    }
    const [by, now] = [from, to].map((definition) => readyContract({ definition, version: '', zones: {} }))
    assert(by !== undefined && now !== undefined)
    const end = settled(now, present, { by, began: before, after: outcome, since: 9, isNext: true })
    assert(Object.hasOwn(to.states, end.state))
    const goes = isMoved && present.entered.fire === before.entered.fire && Object.hasOwn(to.states, outcome.state)
    assert.deepEqual(
      [end.state, end.entered],
      goes ? [outcome.state, outcome.entered] : [present.state, present.entered],
    )
    for (const [name, member] of Object.entries(to.context)) {
      assert.equal(unfit(member, end.context[name]), undefined)
      const takes = name === 'a' && present.context[name] === context['a'] && unfit(member, value) === undefined
      assert.equal(end.context[name], takes ? value : present.context[name])
    }
    assert.deepEqual(Object.keys(end.context).sort(), Object.keys(to.context).sort())
    // No trigger of the version has these names but for the one that it has a mark of already.
    assert.deepEqual(end.marks, { a: 7 })
  }
})

test.run()
