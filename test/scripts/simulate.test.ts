/*
 * Goal: the simulated mesh holds the rules of disputes up under faults and cheats, each rule is needed, and a run
 * replays bit for bit. Method: a few seeds of small worlds, a model gone through to a small depth, and the seed that is
 * known to find each broken rule; the whole hunt is `node scripts/simulate.ts --broken all`.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { trustRules } from '#core/dispute/rules.ts'
import { brokenRules, hunt, huntedWorld } from '../../scripts/simulate/broken.ts'
import { explore } from '../../scripts/simulate/model.ts'
import { simulate } from '../../scripts/simulate/run.ts'
import { suite } from '../kit/suite.ts'

const test = suite('scripts/simulate')

/** The seed that finds each broken rule, and the invariant that does not hold there. */
const FOUND: Readonly<Record<string, readonly [seed: number, invariant: string]>> = {
  'believe the first ruling': [4, 'honest bond'],
  'unlock at release': [4, 'locks'],
  'no spend_seq check': [1, 'locks'],
  'votes of the pool': [4, 'honest bond'],
  'arrival decides': [1, 'agreement'],
  'no cap of works': [2, 'locks'],
  'reveal c first': [1, 'blind draw'],
  'one dispute per job': [64, 'proven'],
}

test('with the rules as they are every invariant holds', () => {
  assert.equal(hunt(trustRules, { from: 1, to: 2 }), undefined)
}, 30_000)

test('each of eight broken rules is found', () => {
  assert.deepEqual(Object.keys(FOUND).sort(), Object.keys(brokenRules).sort())
  for (const [name, rules] of Object.entries(brokenRules)) {
    const [seed = 0, invariant] = FOUND[name] ?? []
    assert.equal(hunt(rules, { from: seed, to: seed })?.invariant, invariant, name)
  }
}, 60_000)

test('a seed is one world, bit for bit', () => {
  const rules = brokenRules['unlock at release'] ?? trustRules
  const [a, b] = [0, 1].map(() => simulate(huntedWorld(4, rules)).violations)
  assert.deepEqual(a, b)
  assert.equal(a?.length, 1)
}, 30_000)

test('a small world whole: every invariant in every interleaving; a broken rule is found there too', () => {
  assert.equal(explore(5).broken, undefined)
  const rules = brokenRules['believe the first ruling'] ?? trustRules
  assert.notEqual(explore(5, rules).broken, undefined)
}, 30_000)

test('the command: its help, what it measured as JSON, and what it does not take', () => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['scripts/simulate.ts', ...args], { encoding: 'utf8' })
  const help = run('--help')
  assert.deepEqual([help.status, help.stdout.startsWith('usage: ')], [0, true])
  const small = ['--nodes', '10', '--jobs', '5', '--segments', '8', '--json']
  const said = run(...small)
  assert.equal(said.status, 0, said.stderr)
  const found = JSON.parse(said.stdout) as { readonly honestBondsLost: number; readonly seed: number }
  assert.deepEqual([found.honestBondsLost, found.seed], [0, 1])
  assert.equal(run(...small).stdout, said.stdout, 'the same words, the same line')
  for (const wrong of [
    ['--nodes', '7'],
    ['--cheats', '2'],
    ['--mode', 'both'],
    ['--seed', 'x'],
    ['--strange'],
    ['--broken', 'none'],
  ]) {
    const refused = run(...wrong)
    assert.deepEqual([refused.status, /usage: /.test(refused.stderr)], [2, true], wrong.join(' '))
  }
}, 60_000)

test.run()
