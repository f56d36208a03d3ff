// Goal: whoever may not, and whatever is wrong, is refused with the code that says why, and leaves rows, chains and
// balances as they were. Method: a real node over HTTP; everything that contracts leave is compared before and after.
import assert from 'node:assert/strict'
import type { EndpointId } from '#api/result-of.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { byTwos, codeOf, counter, elsewhere, leftIn, stageOf, teller } from './contract-kit.ts'

const test = suite('domain: contracts, refusals')

type Keys = Awaited<ReturnType<typeof stageOf>>['keys']

/** Calls about a contract, by the least role that each takes. */
const calls = {
  viewer: [['contracts.read'], ['contracts.list']],
  operator: [['contracts.pause'], ['contracts.resume'], ['contracts.skip-next']],
  admin: [
    ['contracts.custom', { definition: counter }],
    ['contracts.import', { contract: {} }],
    ['contracts.patch', { definition: byTwos }],
    ['contracts.rollback', { version: 1 }],
    ['contracts.freeze'],
  ],
  owner: [['contracts.export'], ['contracts.next-fires'], ['contracts.versions'], ['contracts.version', { n: 1 }]],
} as const satisfies Readonly<Record<string, readonly (readonly [EndpointId, object?])[]>>

/** What a call is refused with before it is looked at: undefined where it is let in. */
const expected = (need: keyof typeof calls, who: keyof Keys): string | undefined => {
  const reach = { readKey: 1, writeKey: 2, adminKey: 3, owner: 4, member: 1, stranger: 0 }[who]
  if (who === 'stranger') return 'NOT_FOUND'
  const isKey = who.endsWith('Key')
  const needed = { viewer: 1, operator: 2, admin: 3, owner: 4 }[need]
  if (reach < needed || (isKey && needed >= 3)) return 'SCOPE_REQUIRED'
  return undefined
}

test('a private machine is not there for a stranger, and each role and key reaches as far as it does', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const { contract } = await node.as(keys.owner).call('contracts.custom', { slug: 'shut', definition: counter })
  const which = { slug: 'shut', id: contract.id }
  const before = await leftIn(node)
  for (const [need, list] of Object.entries(calls)) {
    for (const [id, more = {}] of list) {
      for (const [who, key] of Object.entries(keys)) {
        const wanted = expected(need as keyof typeof calls, who as keyof Keys)
        if (wanted === undefined) continue
        const input = ['contracts.list', 'contracts.custom', 'contracts.import'].includes(id)
          ? { slug: 'shut', ...more }
          : { ...which, ...more }
        assert.equal(await codeOf(node.as(key).call(id as EndpointId, input as never)), wanted, `${id} by ${who}`)
      }
    }
  }
  assert.equal(await codeOf(node.client.call('contracts.read', which)), 'UNAUTHENTICATED')
  assert.equal(await codeOf(node.client.call('contracts.integrity', which)), 'NOT_FOUND')
  assert.equal(await codeOf(node.client.call('contracts.public-read', { id: contract.id })), 'NOT_FOUND')
  assert.equal(await leftIn(node), before)
})

test('an operator starts and stops, an admin authors, and neither reads what is the owner’s', async () => {
  await using node = await testNode()
  const { keys, makeMember } = await stageOf(node)
  const member = node.as(keys.member)
  const { contract } = await node.as(keys.owner).call('contracts.custom', { slug: 'shut', definition: counter })
  const which = { slug: 'shut', id: contract.id }
  const patch = () => codeOf(member.call('contracts.patch', { ...which, definition: byTwos }))
  assert.equal(await codeOf(member.call('contracts.resume', which)), 'SCOPE_REQUIRED')
  await makeMember('operator')
  assert.equal(await codeOf(member.call('contracts.resume', which)), 'ok')
  assert.equal(await codeOf(node.as(keys.writeKey).call('contracts.skip-next', which)), 'ok')
  assert.equal(await codeOf(node.as(keys.readKey).call('contracts.pause', which)), 'SCOPE_REQUIRED')
  assert.equal(await codeOf(node.as(keys.writeKey).call('contracts.pause', which)), 'ok')
  assert.equal(await patch(), 'SCOPE_REQUIRED')
  await makeMember('admin')
  assert.equal(await patch(), 'ok')
  for (const id of ['contracts.export', 'contracts.next-fires', 'contracts.versions'] as const) {
    assert.equal(await codeOf(member.call(id, which)), 'SCOPE_REQUIRED', id)
  }
  assert.equal((await node.as(keys.readKey).call('contracts.read', which)).contract.version_no, 2)
})

test('a contract is there on its own machine alone', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: counter })
  const before = await leftIn(node)
  for (const which of [
    { slug: 'open', id: contract.id },
    { slug: 'shut', id: '0'.repeat(32) },
    { slug: 'shut', id: `${contract.id}0` },
    { slug: 'absent', id: contract.id },
  ]) {
    for (const id of ['read', 'export', 'versions', 'next-fires', 'pause', 'freeze', 'resume'] as const) {
      assert.equal(await codeOf(owner.call(`contracts.${id}`, which)), 'NOT_FOUND', `${id} ${JSON.stringify(which)}`)
    }
    assert.equal(await codeOf(owner.call('contracts.patch', { ...which, definition: byTwos })), 'NOT_FOUND')
    assert.equal(await codeOf(owner.call('contracts.rollback', { ...which, version: 1 })), 'NOT_FOUND')
  }
  const none = { slug: 'shut', id: contract.id }
  assert.equal(await codeOf(owner.call('contracts.version', { ...none, n: 2 })), 'NOT_FOUND')
  assert.equal(await codeOf(owner.call('contracts.rollback', { ...none, version: 2 })), 'NOT_FOUND')
  assert.equal(await leftIn(node), before)
})

test('what is wrong with a definition is told whole, and nothing is made of it', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const before = await leftIn(node)
  const refused = async (definition: unknown, secrets: Record<string, string> = {}) =>
    owner.call('contracts.custom', { slug: 'shut', definition, secrets }).then(
      () => undefined,
      (it: {
        readonly problem: {
          readonly code: string
          readonly names?: unknown
          readonly faults?: readonly { path: string }[]
        }
      }) => it.problem,
    )
  const broken = {
    ...counter,
    timezone: 'Mars/Olympus',
    transitions: [
      {
        id: 'a',
        from: 'counting',
        to: 'gone',
        trigger: { kind: 'cron', expression: '61 * * * *' },
        guard: 'context.m > 1',
      },
    ],
  }
  const problem = await refused(broken)
  assert.equal(problem?.code, 'CONTRACT_INVALID')
  assert.deepEqual(
    problem?.faults?.map(({ path }) => path),
    ['/transitions/0/trigger/expression', '/transitions/0/to', '/transitions/0/guard'],
  )
  for (const nothing of [null, 'text', 7, [], {}]) assert.equal((await refused(nothing))?.code, 'CONTRACT_INVALID')
  const unknown = await refused(teller, { token: 'x' })
  assert.deepEqual([unknown?.code, unknown?.names], ['SECRET_UNKNOWN', ['body_key']])

  const [tell] = teller.transitions
  const [notify] = tell.actions
  const misplaced = {
    ...teller,
    transitions: [{ ...tell, actions: [{ ...notify, url: 'https://a.example/{{secret.token}}' }] }],
  }
  const place = await refused(misplaced, { token: 'x', body_key: 'y' })
  assert.deepEqual(
    [place?.code, place?.faults?.map(({ path }) => path)],
    ['CONTRACT_INVALID', ['/transitions/0/actions/0']],
  )

  // What the author may not see, the contract may not either.
  const listening = (from: string) => ({
    ...counter,
    transitions: [{ id: 'a', from: 'counting', to: 'counting', trigger: { kind: 'event', event: 'bump', from } }],
  })
  assert.equal((await refused(listening('absent')))?.code, 'CONTRACT_INVALID')
  const reading = {
    ...counter,
    oracles: { o: { from: { kind: 'contract', id: '0'.repeat(32), member: 'n' }, type: 'number', max_age: 10 } },
  }
  assert.deepEqual(
    (await refused(reading))?.faults?.map(({ path }) => path),
    ['/oracles/o/from'],
  )
  assert.equal(await leftIn(node), before)

  await node.as(keys.stranger).call('machines.create', { slug: 'hidden' })
  assert.equal((await refused(listening('hidden')))?.code, 'CONTRACT_INVALID')
  assert.equal(await refused(listening('open')), undefined)
})

test('a change that is refused changes nothing, and a frozen contract takes none', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: counter, start: true })
  const which = { slug: 'shut', id: contract.id }
  const patch = (more: object) => codeOf(owner.call('contracts.patch', { ...which, ...more }))
  let before = await leftIn(node)
  assert.equal(await patch({ definition: { v: 1 } }), 'CONTRACT_INVALID')
  assert.equal(await patch({ definition: elsewhere }), 'CONTRACT_INVALID')
  assert.equal(await patch({ definition: teller, migrate: { state: 'on' } }), 'SECRET_UNKNOWN')
  assert.equal(await patch({ migrate: { context: { n: 5_000 } } }), 'CONTRACT_INVALID')
  assert.equal(await patch({ migrate: { context: { m: 5 } } }), 'CONTRACT_INVALID')
  assert.equal(await patch({}), 'INVALID_INPUT')
  assert.equal(await patch({ secrets: { 'no name': 'x' } }), 'INVALID_INPUT')
  assert.equal(await leftIn(node), before)

  await owner.call('machines.status', { slug: 'shut', status: 'paused' })
  before = await leftIn(node)
  assert.equal(await patch({ definition: byTwos }), 'MACHINE_NOT_ACTIVE')
  assert.equal(
    await codeOf(owner.call('contracts.custom', { slug: 'shut', definition: counter })),
    'MACHINE_NOT_ACTIVE',
  )
  assert.equal(await codeOf(owner.call('contracts.freeze', which)), 'MACHINE_NOT_ACTIVE')
  assert.equal(await leftIn(node), before)
  await owner.call('machines.status', { slug: 'shut', status: 'active' })

  await owner.call('contracts.freeze', which)
  before = await leftIn(node)
  assert.equal(await patch({ definition: byTwos }), 'CONTRACT_FROZEN')
  assert.equal(await codeOf(owner.call('contracts.rollback', { ...which, version: 1 })), 'CONTRACT_FROZEN')
  for (const id of ['pause', 'resume', 'skip-next'] as const) {
    assert.equal(await codeOf(owner.call(`contracts.${id}`, which)), 'CONTRACT_FROZEN', id)
  }
  assert.equal(await leftIn(node), before)
  assert.equal((await owner.call('contracts.read', which)).contract.status, 'frozen')
})

test.run()
