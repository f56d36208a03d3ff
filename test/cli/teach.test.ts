// Goal: words that are no call are read as what they were meant as, and never as what was not: a question in quotes is
// one, loose words only where a person is asked, a slip of a command never. Method: words and what they become.
import assert from 'node:assert/strict'
import { solverInputs, solverNames } from '#cli/solver-inputs.ts'
import { asInputs, firstWord, otherCommand, questionCall } from '#cli/teach.ts'
import { namedRows, wrapped } from '#cli/wrap.ts'
import { suite } from '../kit/suite.ts'

const test = suite('cli/teach')

const commands = ['solve', 'status', 'stop', 'start', 'keys', 'auto', 'operators']
const asked = (words: readonly string[], asks = true) => questionCall(words, { commands, asks })
const MARS = ['escape', 'velocity', 'of', 'mars']

test('a text in quotes is a question, wherever it is asked; what stands around it stays', () => {
  for (const asks of [true, false]) {
    assert.deepEqual(asked(['escape velocity of mars'], asks), ['auto', 'escape velocity of mars'])
    assert.deepEqual(asked(['--json', 'a b', 'm=1', '--yes'], asks), ['--json', 'auto', 'a b', 'm=1', '--yes'])
  }
})

test('loose words are one where a person is asked, with the values behind them; a single word never', () => {
  assert.deepEqual(asked(MARS), ['auto', 'escape velocity of mars'])
  assert.deepEqual(asked([...MARS, 'm=1', '--dry-run']), ['auto', 'escape velocity of mars', 'm=1', '--dry-run'])
  assert.equal(asked(MARS, false), undefined)
  assert.equal(asked(['gravity']), undefined)
})

test('a command, a slip of one, an option or nothing is no question', () => {
  for (const words of [
    ['solve', 'heat'],
    ['slove', 'heat'],
    ['stauts', 'of', 'it'],
    ['--help'],
    ['-q', '--json'],
    [],
  ]) {
    assert.equal(asked(words), undefined, words.join(' '))
  }
  assert.equal(firstWord(['-q', '--json', 'solve']), 2)
})

test('what is no command is answered with what to write', () => {
  const other = (...words: readonly string[]) => otherCommand(words, { commands, solvers: ['heat'] })
  assert.equal(other('slove', 'heat'), 'did you mean solve?')
  assert.equal(other('heat', 'nx=64', 'name=a b'), 'heat is a solver; write: tickmesh solve heat nx=64 "name=a b"')
  assert.match(other(...MARS), /"escape velocity of mars"$/)
  assert.match(other('gravity'), /tickmesh operators gravity/)
})

test('inputs that are written as options are told as inputs, values with them', () => {
  assert.deepEqual(asInputs(['solve', 'heat', '--nx', '64'], []), ['nx=64'])
  assert.deepEqual(asInputs(['--nx=64', '--t-max', '-3', '--json', '--flag'], ['--json']), [
    'nx=64',
    't_max=-3',
    'flag=true',
  ])
  assert.deepEqual(asInputs(['--initial.kind', 'box', '--label', 'a b'], []), ['initial.kind=box', '"label=a b"'])
})

test('the inputs of every solver are known without a node, with the few words that one may be', () => {
  assert.ok(solverNames().includes('heat') && !solverNames().includes('compute'))
  const heat = solverInputs('heat')
  for (const word of ['nx=', 'scheme=adi', 'scheme=ftcs', 'initial.kind=box']) assert.ok(heat.includes(word), word)
  assert.ok(!heat.includes('scheme='))
  assert.deepEqual(solverInputs('nothing'), [])
  for (const name of solverNames()) assert.ok(solverInputs(name).length > 0, name)
})

test('text goes on below itself within the columns there are, and a long address stays whole', () => {
  assert.deepEqual(wrapped('aa bb cc', 5), ['aa bb', 'cc'])
  assert.deepEqual(wrapped('a http://127.0.0.1/r/0123 b', 9), ['a', 'http://127.0.0.1/r/0123', 'b'])
  assert.equal(
    namedRows(
      [
        ['check', 'one two three four'],
        ['a', 'b'],
      ],
      23,
    ),
    'check  one two three\n       four\na      b',
  )
  assert.equal(namedRows([['check', 'one two three']], undefined), 'check  one two three')
})

test.run()
