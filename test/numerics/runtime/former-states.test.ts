// Goal: receipts of a revision that told its states in other bytes are replayed to the bit, states included.
// Method: the published digests of those revisions, as they were, each worked out anew and replayed by a claim; and a
// receipt that a node of then sealed.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parseBundle } from '#core/bundle.ts'
import { utf8 } from '#core/bytes.ts'
import type { Claim } from '#core/claim.ts'
import { verifyBundle } from '#core/verify.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { codeOf, replay } from '#numerics/runtime/replay.ts'
import { rerun, schemasHere } from '#numerics/runtime/rerun.ts'
import { asSealed, beginRun, runSegment } from '#numerics/runtime/segment.ts'
import { solverByName, solvers } from '#numerics/solvers/index.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { type Published, published, rowOf } from '../solvers/published.ts'

const test = suite('numerics/former states')

const folder = new URL('../../fixtures/former-states/', import.meta.url)
const textOf = (name: string): string => readFileSync(new URL(`${name}.json`, folder), 'utf8')
const former = JSON.parse(textOf('digests')) as readonly Published[]

/** Today's solver of a row, and as it was when the row was published. */
const of = ({ solver: named }: Published) => {
  const today = solverByName(named.split('@')[0] ?? '')
  assert(today !== undefined)
  return { today, earlier: asSealed(today, named) }
}

test('every earlier form of states has a fixture', () => {
  const named = solvers.flatMap(({ name, run }) =>
    run.kind === 'steps' ? (run.formerly ?? []).map(({ revision }) => `${name}@${revision}`) : [],
  )
  assert.deepEqual(named, ['evolve@1', 'kalman@1'])
  assert.deepEqual([...new Set(former.map(({ solver }) => solver))].sort(), named.sort())
})

for (const row of former) {
  const title = `${row.solver} ${JSON.stringify(row.inputs).slice(0, 60)}`

  test(`${title}: the bits of then, and of today but for the states`, () => {
    const { today, earlier } = of(row)
    assert.deepEqual(rowOf(earlier, row.inputs, produce(earlier, resolveInput(earlier, row.inputs))), row)
    const now = published(today.name).find(({ inputs_digest }) => inputs_digest === row.inputs_digest)
    assert.equal(now?.result_digest, row.result_digest)
    assert.notEqual(now?.steps?.root, row.steps?.root)
  }, 60_000)

  test(`${title}: a claim is replayed as by its own code`, () => {
    const { earlier } = of(row)
    const code = { ...codeOf(earlier), registry: '', constants: '' }
    assert.equal(code.solver, row.solver)
    const claim = { kind: earlier.name, phase: 0.25, code } as unknown as Claim
    const found = replay(solvers, { kind: earlier.name, inputs: row.inputs, claim })
    assert(!('unavailable' in found))
    assert.equal(found.otherCode, undefined)
    assert.deepEqual([found.result_digest, found.steps], [row.result_digest, row.steps])
  }, 60_000)
}

test('a solver is itself for its own revision and for those it knows nothing of', () => {
  for (const it of solvers) {
    for (const named of [`${it.name}@${it.revision}`, `${it.name}@${it.revision + 1}`, 'nothing@1', '']) {
      assert.equal(asSealed(it, named), it)
    }
  }
})

for (const name of ['evolve', 'kalman']) {
  test(`a receipt of ${name}@1 is replayed to the bit, by whoever holds it and by a node`, async () => {
    const bundle = parseBundle(utf8(textOf(`${name}-1`)))
    const { claim } = bundle.envelope
    assert.equal(claim.code.solver, `${name}@1`)
    const replayed = (it: Claim, inputs: object) => rerun(it, inputs, { registry: () => ({ missing: 'none is read' }) })
    const found = verifyBundle({ bundle, trusted: claim.node, schemas: schemasHere, replay: replayed })
    assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
    const { detail } = found.steps.find(({ step }) => step === 'replay') ?? {}
    assert.equal(detail, 'The solver gave the same bits again.')
    await using it = await testNode()
    const { verdict } = (await it.client.call('compute.reverify', { bundle: JSON.parse(textOf(`${name}-1`)) })) as {
      readonly verdict: { readonly verdict: string; readonly code: { readonly solver: string } }
    }
    assert.deepEqual([verdict.verdict, verdict.code.solver], ['agree', `${name}@1`])
    const other = { ...claim, steps: { ...claim.steps, root: '0'.repeat(64) } }
    const against = await it.client.call('compute.reverify', { claim: other, inputs: bundle.inputs } as never)
    assert.equal((against as { readonly verdict: { readonly verdict: string } }).verdict.verdict, 'disagree')
  }, 60_000)
}

test('states of an earlier form cannot be taken up', () => {
  const { earlier } = of(former[0] as Published)
  const input = resolveInput(earlier, {})
  const { bytes } = beginRun(earlier, input)
  assert.throws(() => runSegment(earlier, input, { index: 0, bytes }), { code: 'INVALID_INPUT' })
})

test.run()
