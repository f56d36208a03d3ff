// Goal: what was computed with earlier operator rows is computed again with them and with no others; nothing that was
// released is lost or rewritten. Method: the committed history; bundles that nodes of earlier releases sealed
// (test/fixtures/registry, make.sh beside them), run again here and with texts altered by one character.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { canonical, type Json } from '#core/canonical.ts'
import type { Bundle } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { verifyBundle } from '#core/verify.ts'
import { loadHistory, loadRegistry, readKept } from '#domain/compute/load-registry.ts'
import { constantsDigest } from '#numerics/operators/constants.ts'
import { type KeptTexts, type RowsAt, registryHistory } from '#numerics/operators/history.ts'
import { parseLedger, releaseLine, rowsAtVersion, walkLedger } from '#numerics/operators/ledger.ts'
import { operatorOf, operatorRegistry, rowsOfText, textDigest } from '#numerics/operators/registry.ts'
import { rerun, schemasHere } from '#numerics/runtime/rerun.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/operators/history')

const FIXTURES = new URL('../../fixtures/registry/', import.meta.url)
const RELEASES = ['118-rows', '82-rows'] as const

const read = (path: string): string => readFileSync(new URL(path, FIXTURES), 'utf8')
const bundleOf = (path: string): Bundle => JSON.parse(read(path)) as Bundle

const judged = (release: string, bundle: Bundle, registry: RowsAt) =>
  verifyBundle({
    bundle,
    trusted: read(`${release}/trusted.vkey`).trim(),
    schemas: schemasHere,
    replay: (claim, inputs) => rerun(claim, inputs, { registry }),
  })

/** The history as its texts say, with today's registry, read anew. */
const historyOf = (texts: KeptTexts) => registryHistory(loadRegistry(), () => texts)
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** The row of a version that is kept, not today's: what a receipt of that version needs of the history. */
const GR35_OF_82 = 'sha256:e020958ba045fafb15c1cbba448ab0b45748839bf7f24fd7dace3e030be9d200'

for (const release of RELEASES) {
  for (const name of readdirSync(new URL(release, FIXTURES)).filter((it) => it.endsWith('.json'))) {
    test(`${release}/${name}, sealed by an earlier release, is run again with its own rows`, () => {
      const bundle = bundleOf(`${release}/${name}`)
      const { code } = bundle.envelope.claim
      assert.notEqual(code.registry, loadRegistry().version)
      const found = judged(release, bundle, loadHistory().at)
      assert.deepEqual(
        [found.outcome, found.steps.at(-1)?.detail],
        ['verified', 'The solver gave the same bits again.'],
      )
    })
  }
}

test('the version of a claim decides the row: an earlier form of GR35 is what its receipt is run with', () => {
  const { claim } = bundleOf('82-rows/gr35.json').envelope
  const rows = loadHistory().at(claim.code.registry)
  assert.ok('operators' in rows)
  assert.equal(rows.version, claim.code.registry)
  assert.equal(rows.ids.length, 82)
  assert.equal(rows.operator('GR35').row.example?.output, 'dt')
  assert.notEqual(rows.operator('GR35').digest, loadRegistry().operator('GR35').digest)
  assert.equal(rows.operator('GR35').digest, GR35_OF_82)
})

test('a kept row that was altered by one character is no row of any version, and its digest is named', () => {
  const { ledger, rows } = readKept()
  const line = linesOf(rows).find((it) => textDigest(it) === GR35_OF_82)
  assert.ok(line !== undefined)
  for (const altered of [line.replace('86400', '86401'), line.replace('2*@G', '3*@G'), `${line} `]) {
    assert.notEqual(altered, line)
    const { at } = historyOf({ ledger, rows: rows.replace(line, altered) })
    const found = judged('82-rows', bundleOf('82-rows/gr35.json'), at)
    assert.deepEqual([found.outcome, found.unchecked], ['unchecked', ['replay']])
    assert.match(found.steps.at(-1)?.detail ?? '', new RegExp(`${GR35_OF_82} of GR35, .* is not kept here`))
  }
})

test('a ledger that names other rows for a version is not believed: the version is their digest', () => {
  const { ledger, rows } = readKept()
  const { registry } = bundleOf('82-rows/gr35.json').envelope.claim.code
  const [today, then] = [loadRegistry().operator('GR35').digest, GR35_OF_82]
  // A forger writes the lines after the one that he bends anew, so that each follows from the one before.
  let previous: string | null = null
  const bent = linesOf(ledger).map((line) => {
    const text = canonical({ ...(JSON.parse(line.replace(then, today)) as object), previous } as Json)
    previous = textDigest(text)
    return text
  })
  assert.notDeepEqual(bent, linesOf(ledger))
  const found = historyOf({ ledger: `${bent.join('\n')}\n`, rows }).at(registry)
  assert.ok('missing' in found)
  assert.match(found.missing, /have the digest sha256:/)
})

test('a version that nobody here knows is named, and neither confirmed nor refused', () => {
  const bundle = bundleOf('118-rows/nm21.json')
  const unknown = `sha256:${'5'.repeat(64)}`
  const { claim } = bundle.envelope
  const replayed = rerun({ ...claim, code: { ...claim.code, registry: unknown } }, bundle.inputs as object, {
    registry: loadHistory().at,
  })
  assert.ok('unavailable' in replayed)
  assert.match(replayed.unavailable, new RegExp(unknown))
})

test('another table of constants, math module or kernel is named with both digests', () => {
  const bundle = bundleOf('118-rows/nm21.json')
  const { claim } = bundle.envelope
  const other = 'e'.repeat(64)
  for (const changed of [{ constants: other }, { math: other }, { kernels: { heat: other } }]) {
    const code = { ...claim.code, ...changed }
    const agrees = rerun({ ...claim, code }, bundle.inputs as object, { registry: loadHistory().at })
    assert.ok('otherCode' in agrees, JSON.stringify(agrees))
    assert.match(agrees.otherCode ?? '', new RegExp(`${Object.keys(changed)[0]?.slice(0, 4)}.* ${other}; here is `))
  }
})

test('every row of every released version is kept, whole', () => {
  const { ledger, rows } = readKept()
  const here = new Set([...linesOf(rows).map(textDigest), ...loadRegistry().operators.map((it) => it.digest)])
  for (const row of rowsOfText(rows)) assert.ok(linesOf(rows).includes(operatorOf(row).text), 'a row is not canonical')
  const history = historyOf({ ledger, rows })
  for (const [version, stood] of walkLedger(parseLedger(ledger))) {
    for (const [id, digest] of stood) {
      assert.ok(
        here.has(digest),
        `${id} ${digest} of ${version} was changed: node scripts/registry.ts --release keeps it`,
      )
    }
    assert.ok('operators' in history.at(version), version)
  }
})

/** The ledger of the release before the table grew: its lines stand as they are for ever. */
const LANDED = {
  lines: 13,
  version: 'sha256:771b1543a952d2ce7c8f63d44a0077f2b8e200d8e0f7473cb6d386c56a2f7a0e',
  sha256: 'sha256:c826a813385a0ddac0d7fda0f6a755b5bdb3fae0f6723dca096d3493d07ac2df',
}

test('the ledger only grows: what landed stands in it byte by byte, and every line names the one before', () => {
  const { ledger } = readKept()
  const landed = linesOf(ledger).slice(0, LANDED.lines)
  assert.equal(textDigest(landed.map((line) => `${line}\n`).join('')), LANDED.sha256)
  assert.equal(parseLedger(ledger)[LANDED.lines - 1]?.version, LANDED.version)
  const [first = '', second = '', third = ''] = linesOf(ledger)
  const bad: readonly (readonly [string, RegExp])[] = [
    [[first, third].join('\n'), /Line 2 .* does not follow/],
    [[second, first].join('\n'), /Line 1 .* does not follow/],
    [[first.replace('2026', '2027'), second].join('\n'), /Line 2 .* does not follow/],
    [`${first} `, /Line 1 .* canonical/],
    [first.replace('"drop":[]', '"drop":[],"extra":1'), /Line 1 .* no version/],
    ['{', /Line 1 .* not JSON/],
    ['null', /Line 1 .* no version/],
    [first.replace('sha256:', 'sha255:'), /Line 1 .* no digest/],
  ]
  for (const [text, why] of bad) {
    assert.throws(
      () => parseLedger(text),
      (it) => it instanceof Fault && why.test(it.message),
      text.slice(0, 80),
    )
  }
})

test('a history that cannot be read leaves a claim unchecked', () => {
  const { registry } = bundleOf('118-rows/nm21.json').envelope.claim.code
  for (const texts of [
    { ledger: '{', rows: '' },
    { ...readKept(), rows: '{' },
  ]) {
    const found = historyOf(texts).at(registry)
    assert.ok('missing' in found)
    assert.match(found.missing, /cannot be read/)
  }
})

test('a release is appended once, and names what is new, changed and gone', () => {
  const [a, b, c] = loadRegistry()
    .operators.slice(0, 3)
    .map(({ row }) => row)
  assert.ok(a !== undefined && b !== undefined && c !== undefined)
  const changed = { ...b, name: `${b.name}, again` }
  const [one, two] = [operatorRegistry([a, b]), operatorRegistry([changed, c])]
  const about = { constants: constantsDigest, released: '2026-01-02' }
  const first = `${releaseLine('', { registry: one, ...about })}\n`
  assert.equal(releaseLine(first, { registry: one, ...about }), undefined)
  const second = `${first}${releaseLine(first, { registry: two, ...about })}\n`
  const [, line] = parseLedger(second)
  assert.deepEqual([line?.drop, Object.keys(line?.put ?? {}), line?.count], [[a.id], [b.id, c.id].sort(), 2])
  assert.deepEqual(
    [...(rowsAtVersion(parseLedger(second), one.version) ?? [])].sort(),
    one.operators.map((it) => [it.row.id, it.digest]),
  )
  const kept = one.operators.map(({ text }) => `${text}\n`).join('')
  const history = registryHistory(two, () => ({ ledger: second, rows: kept }))
  const before = history.at(one.version)
  assert.ok('operators' in before)
  assert.equal(before.operator(b.id).row.name, b.name)
  assert.deepEqual(
    history.forms(b.id).map((it) => it.operator.row.name),
    [b.name, changed.name],
  )
  assert.deepEqual(
    history.forms(a.id).map((it) => it.versions),
    [[one.version]],
  )
  assert.deepEqual(history.forms('NOTHING'), [])
  const without = registryHistory(two, () => ({ ledger: second, rows: '' })).at(one.version)
  assert.ok('missing' in without && without.missing.includes(one.operator(a.id).digest))
})

test.run()
