// Goal: an old receipt is checked with published files alone. Method: the committed schemas are held against the code
// and against JSON Schema; receipts that earlier builds sealed get their digests by the file that their claim names; a
// folder in which something published was changed, removed or added by hand is refused.
import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Bundle } from '#core/claim.ts'
import { verifyBundle } from '#core/verify.ts'
import { resolveInput } from '#numerics/input.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { currentTexts, publish, schemaFiles } from '../../scripts/schemas/published.ts'
import { oldBundles } from '../kit/old-bundles.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('scripts: schemas')

const folder = fileURLToPath(new URL('../../protocols/solvers/schemas', import.meta.url))

interface Published {
  readonly $defs: { readonly input: object; readonly output: object }
}
const publishedOf = (revision: string): Published['$defs'] =>
  (JSON.parse(readFileSync(join(folder, `${revision}.json`), 'utf8')) as Published).$defs

/** Where a schema has typed arrays, and of what type and shape. */
const arraysOf = (schema: unknown, path = ''): Readonly<Record<string, string>> => {
  if (typeof schema !== 'object' || schema === null) return {}
  const { 'x-shape': shape, 'x-type': type } = schema as { readonly 'x-shape'?: unknown; readonly 'x-type'?: unknown }
  const here = shape === undefined ? {} : { [path]: JSON.stringify([shape, type]) }
  const below = Object.entries(schema).map(([name, part]) => arraysOf(part, `${path}/${name}`))
  return Object.assign(here, ...below)
}

test('what stands there is what the code gives, and every file is in the index', () => {
  assert.deepEqual(publish(folder, currentTexts(), true), { written: [], faults: [] })
  assert.ok(schemaFiles(folder).length >= 38)
})

test('each file is a JSON Schema 2020-12, and takes the default case of its solver', () => {
  const ajv = new Ajv2020({ strict: false })
  for (const file of schemaFiles(folder)) ajv.addSchema(JSON.parse(readFileSync(join(folder, file), 'utf8')), file)
  for (const it of solvers) {
    const revision = `${it.name}@${it.revision}`
    const takes = ajv.getSchema(`${revision}.json#/$defs/input`)
    assert.ok(takes !== undefined, revision)
    const inputs = JSON.parse(JSON.stringify(resolveInput(it, {}))) as object
    assert.ok(takes(inputs), `${revision}: ${JSON.stringify(takes.errors)}`)
    assert.ok(!takes({ ...inputs, unheard_of: 1 }), revision)
  }
})

test('receipts of earlier builds verify by the file that their claim names', async () => {
  const solversSeen = new Set<string>()
  for (const { bundle, trusted } of await oldBundles()) {
    const schemas = ({ code }: Bundle['envelope']['claim']) => publishedOf(code.solver)
    const found = verifyBundle({ bundle, trusted, schemas })
    assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
    solversSeen.add(bundle.envelope.claim.code.solver)
  }
  for (const it of ['schrodinger@1', 'multibody@1', 'sat@1', 'heat@1']) assert.ok(solversSeen.has(it), it)
})

test('arrays of an earlier revision are those of today: one code gives both their digests', () => {
  let compared = 0
  for (const file of schemaFiles(folder)) {
    const revision = file.replace('.json', '')
    const claim = { code: { solver: revision } } as Bundle['envelope']['claim']
    const today = schemasHere(claim)
    if (today === undefined) continue // Operators have no arrays.
    const published = publishedOf(revision)
    for (const part of ['input', 'output'] as const) {
      const ours = arraysOf(JSON.parse(JSON.stringify(today[part])))
      for (const [path, form] of Object.entries(arraysOf(published[part]))) {
        assert.equal(ours[path], form, `${revision} ${part}${path}`)
        compared += 1
      }
    }
  }
  assert.ok(compared > 50, `${compared} arrays were compared`)
})

test('what was published is not written again, and a file that was changed or removed is named', () => {
  using dir = tempDir()
  const texts = { 'a@1': '{"a":1}\n', 'b@1': '{"b":1}\n' }
  assert.deepEqual(publish(dir.path, texts, true).faults.length, 2)
  assert.deepEqual(publish(dir.path, texts, false), { written: ['a@1.json', 'b@1.json'], faults: [] })
  assert.deepEqual(publish(dir.path, texts, true), { written: [], faults: [] })
  const changed = publish(dir.path, { ...texts, 'a@1': '{"a":2}\n' }, false)
  assert.match(changed.faults.join(), /^a@1\.json is published and would change: raise the revision$/)
  assert.equal(readFileSync(join(dir.path, 'a@1.json'), 'utf8'), texts['a@1'])
  // The older revision stays when the code has a newer one.
  const raised = { 'a@2': '{"a":2}\n', 'b@1': texts['b@1'] }
  assert.deepEqual(publish(dir.path, raised, false), { written: ['a@2.json'], faults: [] })
  assert.deepEqual(readdirSync(dir.path).sort(), ['a@1.json', 'a@2.json', 'b@1.json', 'index.json'])
  using copy = tempDir()
  const altered = copy.path
  cpSync(dir.path, altered, { recursive: true })
  writeFileSync(join(altered, 'a@1.json'), '{"a":3}\n')
  assert.match(publish(altered, raised, false).faults.join(), /^a@1\.json is in the index, and was changed or removed$/)
  writeFileSync(join(altered, 'a@1.json'), texts['a@1'])
  assert.deepEqual(publish(altered, raised, true).faults, [])
  writeFileSync(join(altered, 'c@1.json'), '{}')
  assert.match(publish(altered, raised, true).faults.join(), /^c@1\.json is not in the index$/)
  rmSync(join(altered, 'a@1.json'))
  assert.match(publish(altered, raised, false).faults.join(), /^a@1\.json is in the index, and was changed or removed$/)
})

test.run()
