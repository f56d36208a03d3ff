// Goal: every template is one that a person can deploy as it stands: it is a definition without a fault with its
// defaults and with the values of its scenario, and what it computes is taken by the solver or the operators named.
// Method: all files of protocols/contracts, linted; parameters against their own types; names, places and uses counted.
import assert from 'node:assert/strict'
import type { Json } from '#core/canonical.ts'
import { exampleOf, fillTemplate } from '#domain/contracts/templates/fill.ts'
import { loadTemplates } from '#domain/contracts/templates/load.ts'
import { CATEGORIES } from '#domain/contracts/templates/schema.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { parameterValue } from '#routing/contracts/parameter.ts'
import { suite } from '../../../kit/suite.ts'
import { cronHere } from './kit.ts'

const test = suite('contracts/templates')
const all = loadTemplates()

test('24 templates and more in 8 categories and more, each by its own file and id', () => {
  assert(all.length >= 24)
  const categories = new Set(all.map((it) => it.category))
  assert(categories.size >= 8)
  for (const category of CATEGORIES) assert(categories.has(category), `${category} has a template`)
  assert.equal(new Set(all.map((it) => it.id)).size, all.length)
})

for (const it of all) {
  test(`${it.id}: no fault with its defaults`, () => {
    const { definition } = fillTemplate(it.id, exampleOf(it))
    assert.deepEqual(lintContract(definition, { cron: cronHere }).faults, [])
  })
  test(`${it.id}: no fault with the values of its scenario`, () => {
    const { definition } = fillTemplate(it.id, it.scenario.parameters)
    assert.deepEqual(lintContract(definition, { cron: cronHere }).faults, [])
  })
  test(`${it.id}: defaults and examples are values, and every parameter has a place`, () => {
    const places = JSON.stringify(it.definition)
    for (const [name, parameter] of Object.entries(it.parameters)) {
      const standing = parameter.required === true ? parameter.example : parameter.default
      if (standing !== undefined) assert('value' in parameterValue(parameter, standing as Json), `${name}: ${standing}`)
      else assert(parameter.required !== true, `${name} is required and has an example`)
      const used = [`"$param":"${name}"`, `\${${name}}`, `"$if":"${name}"`].some((place) => places.includes(place))
      assert(used, `${name} has a place`)
    }
  })
}

test.run()
