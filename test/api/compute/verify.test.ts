// Goal: a node's verifier says what the offline one says. Method: a real node is given what a trusted key signed
// against the rules, row for row of the golden refusals, and every bundle of earlier builds; its answer is compared
// with that of core under the same key.
import assert from 'node:assert/strict'
import { bundleText } from '#core/bundle.ts'
import { verifyBundle } from '#core/verify.ts'
import { NodeRefusal } from '#gateway/client.ts'
import { advisoriesHere } from '#numerics/runtime/advisories.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { refusedRows, resealed } from '../../../scripts/vectors/refused.ts'
import { bundleVectors } from '../../../scripts/vectors/wire.ts'
import { testNode } from '../../kit/node.ts'
import { oldBundles } from '../../kit/old-bundles.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: verify')

const golden = bundleVectors()
const [key] = golden.trusted

test('what no rule allows is refused at its step, and is no claim to be judged again', async () => {
  await using it = await testNode()
  const verify = async (bundle: object) => it.client.call('compute.verify', { bundle: { ...bundle }, key })
  const honest = await verify(golden.bundle)
  assert.deepEqual([honest.outcome, honest.unchecked], ['unchecked', ['result']], 'the sample’s solver is made up')
  for (const [failing, why, changes] of refusedRows) {
    // Digests of a solver that is not known accuse nobody.
    if (failing === 'inputs' || failing === 'result') continue
    const { envelope, proof } = resealed(changes, golden.bundle.envelope.equations)
    const found = await verify({ ...golden.bundle, envelope, proof })
    assert.deepEqual([found.outcome, found.failing], ['failed', failing], why)
    if (failing !== 'form' || changes.claim === undefined) continue
    const refusal = await it.client.call('compute.reverify', { claim: envelope.claim as never }).catch((it) => it)
    assert.ok(refusal instanceof NodeRefusal && refusal.code === 'INVALID_INPUT', why)
  }
}, 60_000)

test('every bundle of earlier builds verifies, at a node as without one', async () => {
  await using it = await testNode()
  const revisions = new Set<string>()
  const withdrawn = new Set<string>()
  const bundles = await oldBundles()
  for (const { name, bundle, trusted } of bundles) {
    const here = verifyBundle({ bundle, trusted, schemas: schemasHere, advisories: advisoriesHere() })
    const outcome = here.advisories.length === 0 ? 'verified' : 'withdrawn'
    assert.equal(here.outcome, outcome, `${name}: ${JSON.stringify(here.steps)}`)
    assert.equal(verifyBundle({ bundle, trusted, schemas: schemasHere }).outcome, 'verified', name)
    const sent = JSON.parse(bundleText(bundle)) as Record<string, unknown>
    const there = await it.client.call('compute.verify', { bundle: sent, key: trusted })
    assert.deepEqual([there.ok, there.outcome], [outcome === 'verified', outcome], name)
    const ids = there.advisories.map(({ id }) => id)
    assert.deepEqual(
      ids,
      here.advisories.map(({ id }) => id),
    )
    for (const id of ids) withdrawn.add(id)
    assert.deepEqual(there.steps, here.steps, name)
    revisions.add(bundle.envelope.claim.code.solver)
  }
  assert.ok(bundles.length >= 33, `${bundles.length} bundles`)
  assert.ok(withdrawn.size > 0, 'some of them were found wrong by now')
  assert.ok(revisions.has('sat@1') && revisions.has('schrodinger@1'), 'some are of earlier revisions')
}, 60_000)

test.run()
