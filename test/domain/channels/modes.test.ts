// Goal: a channel that is carried on takes up where its last tick ended, adds the errors, and stops or begins a new
// epoch when they pass the bound; fresh inputs read tick, count, head and oracles; templates make the output; and a
// contract that is attached decides each tick once. Method: a real node; values are compared with those of the
// solver's own route and of the chain.
import assert from 'node:assert/strict'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { accountOf, codeOf, entriesOf, RADIUS, soundStore, tickBy } from './channel-kit.ts'

const test = suite('domain: modes of channels')

test('each tick begins where the last one ended, and the first is what the solver gives alone', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const { client } = await accountOf(it)
    const order = { solver: 'lotka', inputs: {}, mode: 'continue' } as const
    const { stream } = await client.call('compute.stream-create', order)
    const alone = await client.call('compute.lotka', {}, { prefer: 'wait=60' })
    const { reactor } = await client.call('compute.reactor', { solver: 'lotka' })
    const tick = async () => (await client.call('compute.stream-tick', { id: stream.id })) as Record<string, unknown>
    const step = async () =>
      (await client.call('compute.reactor-step', { reactor: reactor.id }, { prefer: 'wait=60' })) as Record<
        string,
        unknown
      >
    const [one, two] = [await tick(), await tick()]
    assert.equal(one['value'], (alone as Record<string, unknown>)['value'])
    assert(typeof one['value'] === 'number' && one['value'] !== two['value'])
    const [first, second] = [await step(), await step()]
    assert.deepEqual([one['value'], two['value']], [first['value'], second['value']])
    const sums = [one['stream'], two['stream'], second['reactor']].map((it) => (it as { errorSum: number }).errorSum)
    assert.equal(sums[1], sums[2])
    assert((sums[1] ?? 0) > (sums[0] ?? Number.NaN), `${sums}`)
    const entries = await entriesOf(it, 'stream_tick')
    assert.equal(entries[1]?.['previous'], entries[0]?.['state'])
    await client.call('compute.stream-patch', { id: stream.id, inputs: {} })
    const { stream: anew } = await client.call('compute.stream', { id: stream.id })
    assert.deepEqual([anew.epoch, anew.count], [2, 0])
    assert.equal((await tick())['value'], one['value'])
    // Begun anew and not yet ticked it has no state, which the check of the store holds it to.
    await client.call('compute.stream-patch', { id: stream.id, inputs: {} })
  }
  await soundStore(dir.path)
}, 60_000)

test('errors that pass the bound stop it, or begin a new epoch from the beginning', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const { client } = await accountOf(it)
    const order = { solver: 'heat', inputs: { dim: 1, nx: 32, steps: 2 }, mode: 'continue' } as const
    const make = async (onBound: 'stop' | 'restart') =>
      (await client.call('compute.stream-create', { ...order, onBound })).stream.id
    const [stops, restarts] = [await make('stop'), await make('restart')]
    const first = await client.call('compute.stream-tick', { id: restarts })
    const { errorPct } = (await client.call('compute.stream', { id: restarts })).stream.head ?? { errorPct: 0 }
    assert(errorPct > 0.01, `the first step errs ${errorPct} %`)
    const codes: string[] = []
    for (let i = 0; i < 8 && codes.at(-1) !== 'PRECISION_NOT_MET'; i++) {
      codes.push(await codeOf(client.call('compute.stream-tick', { id: stops })))
    }
    const { stream: stopped } = await client.call('compute.stream', { id: stops })
    assert.deepEqual([codes.at(-1), stopped.status, stopped.epoch], ['PRECISION_NOT_MET', 'stopped', 1])
    assert((stopped.head?.errorSum ?? 1) <= 0.1)
    for (let i = 1; i < codes.length; i++) await client.call('compute.stream-tick', { id: restarts })
    const { stream: again } = await client.call('compute.stream', { id: restarts })
    assert.deepEqual([again.status, again.epoch, again.count], ['open', 2, 1])
    assert.equal(again.head?.value, first.value)
    await client.call('compute.stream-patch', { id: stops, status: 'open' })
    assert.equal(await codeOf(client.call('compute.stream-tick', { id: stops })), 'ok')
    assert.equal((await client.call('compute.stream', { id: stops })).stream.epoch, 2)
  }
  await soundStore(dir.path)
}, 120_000)

test('inputs of each tick are worked out of tick, count and head', async () => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  const { operators } = RADIUS
  const make = (inputs: Record<string, unknown>, more = {}) =>
    client.call('compute.stream-create', { operators: [...operators], inputs: inputs as never, ...more })
  const { stream } = await make({ mass: { $: 'has(head.value) ? head.value * 1e27 : 1e30 * count' } })
  const tick = async () => (await client.call('compute.stream-tick', { id: stream.id })).value
  const [one, two] = [await tick(), await tick()]
  const of = async (mass: number) =>
    (await client.call('compute.compute', { operators: [...operators], inputs: { mass } })).value
  assert.deepEqual([one, two], [await of(1e30), await of((one ?? 0) * 1e27)])
  for (const inputs of [{ mass: { $: 'count +' } }, { mass: { $: 'nobody * 2.0' } }, { mass: { $: 'head.value' } }]) {
    assert.equal(await codeOf(make(inputs)), 'INVALID_INPUT', JSON.stringify(inputs))
  }
  assert.equal(await codeOf(make({ mass: 1e30 }, { solver: 'heat' })), 'INVALID_INPUT')
  assert.equal(
    await codeOf(client.call('compute.stream-create', { solver: 'quant', mode: 'continue' })),
    'NOT_STEPPABLE',
  )
})

test('a template makes the output of each tick; what is wrong with it is refused with its place', async () => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  const shown = {
    outputFormat: 'template',
    contentType: 'text/csv',
    template: 'n,value\n{{count}},{{value|exp:3}}\n',
  } as const
  const { stream } = await client.call('compute.stream-create', { ...RADIUS, ...shown })
  const { value } = await client.call('compute.stream-tick', { id: stream.id })
  const latest = async () => {
    const response = await fetch(`${it.url}/api/svc/streams/${stream.id}/latest`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    return { text: await response.text(), headers: response.headers }
  }
  const { api_key: key } = await client.call('identity.create-key', { name: 'reader' })
  const { text, headers } = await latest()
  assert.equal(text, `n,value\n1,${(value ?? 0).toExponential(3)}\n`)
  assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(headers.get('content-security-policy') ?? '', /^sandbox/)
  for (const template of ['{{', '{{output.nothing}}', '{{value|no}}']) {
    const refused = client.call('compute.stream-patch', { id: stream.id, template })
    assert.equal(await codeOf(refused), 'TEMPLATE_INVALID', template)
  }
  await client.call('compute.stream-patch', { id: stream.id, template: '"x{{count}}"' })
  assert.equal((await latest()).text, '"x1"')
  // When its mesh tick began, as a number and as a date.
  await client.call('compute.stream-patch', { id: stream.id, template: '{{unix}},{{unix|iso}}' })
  const { head } = (await client.call('compute.stream', { id: stream.id })).stream
  const began = BigInt(head?.mesh_tick ?? 0) * 777_000_777n
  assert.equal((await latest()).text, `${Number(began) / 1e9},${new Date(Number(began / 1_000_000n)).toISOString()}`)
})

test('an attached contract gets an event of each tick, and decides it once', async () => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  await client.call('machines.create', { slug: 'counted' })
  const data = {
    ...{ channel: { type: 'text', chars: 64 }, epoch: { type: 'integer' }, count: { type: 'integer' } },
    ...{ value: { type: 'number', nullable: true }, unit: { type: 'text' }, errorPct: { type: 'number' } },
    token_id: { type: 'text' },
  }
  const definition = {
    v: 1,
    name: 'Ticks',
    context: { n: { type: 'integer', initial: 0 }, last: { type: 'integer', initial: 0 } },
    events: { stream_tick: { data } },
    states: { on: { initial: true } },
    transitions: [
      {
        ...{
          id: 'count',
          from: 'on',
          to: 'on',
          trigger: { kind: 'event', event: 'stream_tick', overlap: { queue: 10 } },
        },
        actions: [{ kind: 'set', n: { $: 'context.n + 1' }, last: { $: 'event.data.count' } }],
      },
    ],
  }
  const { contract } = await client.call('contracts.custom', { slug: 'counted', definition, start: true })
  assert.equal(
    await codeOf(client.call('compute.stream-create', { ...RADIUS, contract: contract.id })),
    'INVALID_INPUT',
  )
  const order = { ...RADIUS, slug: 'counted', contract: contract.id, autotick: true }
  const { stream } = await client.call('compute.stream-create', order)
  await tickBy(it, 3)
  await client.call('compute.stream-tick', { id: stream.id })
  await it.node.services.contracts.idle()
  const { contract: now } = await client.call('contracts.read', { slug: 'counted', id: contract.id })
  assert.deepEqual(now.context, { n: 4, last: 4 })
})

test.run()
