// Goal: the answer of a tick is JSON in which no name stands twice, over a solver and over operators, whose result has
// its value and unit among its own members.
// Method: a real node, asked by fetch; the bytes are read by the reader that refuses such names in what callers send.
import assert from 'node:assert/strict'
import { parseObject } from '#gateway/json.ts'
import { accountOf, RADIUS } from '../../domain/channels/channel-kit.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: the answer of a tick')

const SIR = { solver: 'epi', inputs: { beta: 0.4, gamma: 0.1 } } as const

test('no name stands twice in the answer of a tick', async () => {
  await using it = await testNode()
  const { client, key: Bearer } = await accountOf(it)
  for (const asked of [RADIUS, SIR]) {
    const { stream } = await client.call('compute.stream-create', asked)
    const response = await fetch(`${it.url}/api/svc/streams/${stream.id}/tick`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${Bearer}` },
    })
    assert.equal(response.status, 200)
    const { value, unit, claim } = parseObject(new Uint8Array(await response.arrayBuffer()))
    const sealed = claim as { readonly value: number; readonly unit: string }
    assert.deepEqual([value, unit], [sealed.value, sealed.unit])
  }
})

test.run()
