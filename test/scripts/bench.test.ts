// Goal: the table of solvers beside their peers loses no row to another's crash, hides nobody who is missing, and its
// summary says what the rows say. Method: problems of the test's own with peers that answer, break or are not there;
// no real solver runs and no time is judged.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Case, Peer } from '../../scripts/bench/solvers/frame.ts'
import { orderOf } from '../../scripts/bench/solvers/order.ts'
import { race, type Standing } from '../../scripts/bench/solvers/race.ts'
import { ratioOf, summaryOf } from '../../scripts/bench/solvers/summary.ts'
import { suite } from '../kit/suite.ts'

const test = suite('bench')

const peer = (name: string, kind: Peer['kind'], ms: number, more: Partial<Peer> = {}): Peer => ({
  name,
  kind,
  packages: [],
  prepare: async () => async () => ({ ms, said: 'exact' }),
  ...more,
})

const problem = (peers: readonly Peer[], ours: Case['ours'] = () => ({ ms: 2, said: 'exact' })): Case => ({
  solver: 'it',
  problem: 'a problem',
  ours,
  peers,
})

const raced = async (it: Case, rounds = 3): Promise<Standing> => {
  const folder = mkdtempSync(join(tmpdir(), 'tickmesh-bench-test-'))
  try {
    return await race(it, { rounds, folder })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const breaks = async (): Promise<never> => {
  throw new Error('it broke')
}

test('every counted run of a peer stands beside one of ours', async () => {
  const { ours, pairings } = await raced(problem([peer('one', 'peer', 4), peer('two', 'c', 1)]))
  assert.equal(ours.ms.length, 3)
  assert.deepEqual(
    pairings.map((it) => [it.name, it.ms, it.ours, ratioOf(it).median]),
    [
      ['one', [4, 4, 4], [2, 2, 2], 0.5],
      ['two', [1, 1, 1], [2, 2, 2], 2],
    ],
  )
})

test('a peer that breaks at once or later is named and costs nobody else a row', async () => {
  let runs = 0
  const later = async () => {
    runs++
    return runs < 3 ? { ms: 1, said: '' } : await breaks()
  }
  const peers = [
    peer('at once', 'peer', 1, { prepare: breaks }),
    peer('in a run', 'peer', 1, { prepare: async () => breaks }),
    peer('later', 'peer', 1, { prepare: async () => later }),
    peer('well', 'peer', 1),
  ]
  const { pairings, failed, skipped } = await raced(problem(peers))
  assert.deepEqual(
    pairings.map(({ name, ms }) => [name, ms.length]),
    [['well', 3]],
  )
  assert.deepEqual(
    failed.map(({ name, why }) => [name, why]),
    ['at once', 'in a run', 'later'].map((name) => [name, 'it broke']),
  )
  assert.equal(skipped.length, 0)
})

test('a solver that breaks is a row of its own', async () => {
  const standing = await raced(
    problem([peer('well', 'peer', 1)], () => {
      throw new Error('ours broke')
    }),
  )
  assert.deepEqual(standing.failed, [{ name: 'tickmesh', why: 'ours broke' }])
  assert.match(summaryOf([standing]).join('\n'), /FAILED\n {2}it, tickmesh: ours broke/)
})

test('a peer whose package is missing is skipped by name', async () => {
  const packages = ['tickmesh-no-such-package']
  const standing = await raced(problem([peer('away', 'peer', 1, { packages, prepare: breaks })]))
  assert.deepEqual(standing.skipped, [{ name: 'away', why: 'not installed: tickmesh-no-such-package' }])
  assert.equal(standing.failed.length, 0)
  assert.equal(standing.ours.ms.length, 3)
  assert.match(summaryOf([standing]).join('\n'), /^skipped\n {2}it, away: not installed: tickmesh-no-such-package$/)
})

test('the summary means over the kinds apart, and lists a peer above 1 and a C above 1.5', async () => {
  const peers = [peer('slow', 'peer', 8), peer('fast', 'peer', 1), peer('near C', 'c', 1.5), peer('far C', 'c', 1)]
  const text = summaryOf([await raced(problem(peers))]).join('\n')
  // Ratios 0.25 and 2; 1.33 and 2.
  assert.match(text, /2 peers +0\.707/)
  assert.match(text, /2 programs of the same arithmetic in C 1\.633/)
  assert.match(text, /4 of both +1\.075/)
  const missed = text.slice(text.indexOf('missed'))
  assert.match(missed, /it beside fast/)
  assert.match(missed, /it beside far C/)
  assert.doesNotMatch(missed, /beside slow|beside near C/)
})

test('the summary of one kind alone says nothing of the other', async () => {
  const text = summaryOf([await raced(problem([peer('near C', 'c', 1.5)]))]).join('\n')
  assert.doesNotMatch(text, /NaN|peers|both/)
  assert.match(text, /no row misses its target/)
})

test('words: rounds first, names once, options anywhere', () => {
  const known = ['lotka', 'sat', 'wave']
  assert.deepEqual(orderOf([], known), { rounds: undefined, names: [], install: false, json: undefined })
  assert.deepEqual(orderOf(['2', 'wave', '--json', 'sat', 'wave', '--install'], known), {
    rounds: 2,
    names: ['wave', 'sat'],
    install: true,
    json: '-',
  })
  assert.equal(orderOf(['--json=a/b.json'], known).json, 'a/b.json')
  assert.throws(() => orderOf(['lokta'], known), /No solver lokta has a bench\. Did you mean lotka\?/)
  assert.throws(() => orderOf(['hydrogen'], known), /There are lotka, sat, wave\./)
  assert.throws(() => orderOf(['--jsn'], known), /No option --jsn/)
  for (const rounds of ['0', '1.5', '3x']) assert.throws(() => orderOf([rounds], known), /whole number above 0/)
})

test('a wrong name at the command line ends with 2 and nothing on stdout', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', 'scripts/bench/main.ts', 'solvers', '1', 'acustic'],
    { encoding: 'utf8' },
  )
  assert.equal(status, 2)
  assert.equal(stdout, '')
  assert.match(stderr, /Did you mean acoustic\?/)
})

test.run()
