// Goal: the normal form, the version and the meaning of expressions stay as the golden file says. Method: the file read
// as another implementation would read it: digests by hand, and all of it from its stated inputs.
import assert from 'node:assert/strict'
import { toHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { sha256 } from '#crypto'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { compileExpression, NoValue, type ReadValues } from '#numerics/contracts/language/evaluate.ts'
import { parseExpression } from '#numerics/contracts/language/grammar.ts'
import { readVector } from '../../hostile/vectors.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('contracts/vectors')

const { definitions, values, expressions } = readVector<{
  readonly definitions: readonly { readonly given: object; readonly normal: Json; readonly version: string }[]
  readonly values: ReadValues
  readonly expressions: readonly {
    readonly text: string
    readonly value?: unknown
    readonly refused?: string
    readonly position?: number
  }[]
}>('contract')

test('definitions have the normal form and version that the file says', () => {
  assert.ok(definitions.length > 1)
  for (const { given, normal, version } of definitions) {
    assert.equal(toHex(sha256(utf8(`tickmesh/contract/1\n${canonical(normal)}`))), version)
    assert.deepEqual(lintContract(given, { cron: () => undefined }).contract, { definition: normal, version })
  }
})

test('expressions give what the file says', () => {
  assert.ok(expressions.length > 10)
  for (const { text, value, refused, position } of expressions) {
    const found = compileExpression(parseExpression(text))(values)
    if (found instanceof NoValue) assert.deepEqual([found.reason, found.position], [refused, position], text)
    else assert.equal(found, value, text)
  }
})

test.run()
