// Goal: the answer of a tick is JSON in which no name stands twice, over a solver and over operators, whose result has
// its value and unit among its own members; one that its template cannot show names each place that does not fit.
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

test('a tick that does not fill its template names every place that does not fit', async () => {
  await using it = await testNode()
  const { client, key: Bearer } = await accountOf(it)
  const template = '{{nope}} {{value}}\n{{unit|fixed:2}} {{output.none|upper}}'
  const { stream } = await client.call('compute.stream-create', { ...RADIUS, outputFormat: 'template', template })
  const response = await fetch(`${it.url}/api/svc/streams/${stream.id}/tick`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${Bearer}` },
  })
  const { code, errors } = (await response.json()) as {
    readonly code: string
    readonly errors: readonly { readonly line: number; readonly column: number }[]
  }
  const places = errors.map(({ line, column }) => `${line}:${column}`)
  assert.deepEqual([code, places], ['TEMPLATE_INVALID', ['1:1', '2:1', '2:18']])
})

test.run()
