// Goal: the table of solvers is whole.
// Method: names, published rows and pages are held against the table; each solver's own test adds the common rules.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { solverByName, solvers } from '#numerics/solvers/index.ts'
import { suite } from '../../kit/suite.ts'
import { publishedNames } from './published.ts'

const test = suite('numerics/solvers')

test('names are unique, and the registry finds each by its name', () => {
  assert.equal(new Set(solvers.map(({ name }) => name)).size, solvers.length)
  for (const it of solvers) assert.equal(solverByName(it.name), it)
  assert.equal(solverByName('nothing'), undefined)
})

test('every solver has published digests, a page, and a test that holds it to the common rules', () => {
  assert.deepEqual([...publishedNames()].sort(), solvers.map(({ name }) => name).sort())
  for (const { name } of solvers) {
    assert(existsSync(new URL(`../../../protocols/solvers/${name}.md`, import.meta.url)), `${name} has a page`)
    const own = readFileSync(new URL(`./${name}/${name}.test.ts`, import.meta.url), 'utf8')
    assert(own.includes(`keepsTheRules(test, ${name}`), `${name}.test.ts holds it to the rules`)
  }
})

test.run()
