// Goal: what a running node seals is what a verifier without a node takes, and nothing near it. Method: bundles of a
// solver with a field and of operators, fetched over HTTP from a real node, verified and run again; then each value of
// them altered.
import assert from 'node:assert/strict'
import { BUNDLE_BYTES_MAX, parseBundle } from '#core/bundle.ts'
import type { Bundle } from '#core/claim.ts'
import { verifyBundle } from '#core/verify.ts'
import { replayHere } from '#node/offline.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/real-bundle')

const post = async (it: TestNode, path: string, body: object, key = ''): Promise<Record<string, unknown>> => {
  const headers = { 'content-type': 'application/json', ...(key === '' ? {} : { authorization: `Bearer ${key}` }) }
  const answer = await fetch(`${it.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  return JSON.parse(text) as Record<string, unknown>
}

/** Seals one computation and fetches its evidence once the tick is over. */
const sealed = async (it: TestNode, path: string, body: object): Promise<Bundle> => {
  const key = String((await post(it, '/api/demo-key/mint', {}))['key'])
  const { envelope } = await post(it, path, body, key)
  const { token_id: token } = envelope as { readonly token_id: string }
  await it.advanceTicks(2)
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${it.url}/api/envelopes/${token}/bundle`, { headers })
  assert.equal(answer.status, 200)
  return parseBundle(new Uint8Array(await answer.arrayBuffer()))
}

const orders = [
  ['/api/svc/heat', {}],
  ['/api/svc/compute', { operators: ['KO42', 'GR37'], inputs: { mass: 1.98892e30 } }],
  // A quantity whose double is a whole number beyond 2^53 is sealed like any other.
  ['/api/svc/compute', { operators: ['KO42', 'NM23'], inputs: { m: 1e10, v: 4400.5 } }],
] as const

for (const [path, body] of orders) {
  const title = 'verified and run again to the bit, and refused with any value altered'
  test(`${path} ${JSON.stringify(body)}: ${title}`, async () => {
    await using it = await testNode()
    const bundle = await sealed(it, path, body)
    const options = { trusted: bundle.envelope.claim.node, schemas: schemasHere }
    const found = verifyBundle({ ...options, bundle, replay: replayHere })
    assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
    const leaves = leavesOf(bundle)
    assert.ok(leaves.length > 50)
    for (const [where, old] of leaves) {
      const wrong = verifyBundle({ ...options, bundle: replaced(bundle, where, altered(old)) })
      assert.equal(wrong.outcome, 'failed', where.join('.'))
      assert.ok(wrong.failing !== undefined)
    }
    assert.ok(JSON.stringify(bundle).length < BUNDLE_BYTES_MAX)
  }, 60_000)
}

test.run()
