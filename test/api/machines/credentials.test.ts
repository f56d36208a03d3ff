// Goal: roles, keys and shares of a machine reach as far as those who gave them, and fall with them. Method: a real
// node over HTTP, and the sequences that a table of credentials (test/hostile) cannot hold.
import assert from 'node:assert/strict'
import type { TestNode } from '../../kit/node.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: machines and credentials')

/** Keys by whose they are: of `shut`, which belongs to `owner`. */
const stage = async (node: TestNode) => {
  const account = async () => node.client.call('identity.sign-up', {})
  const [owner, member, stranger] = [await account(), await account(), await account()]
  await node.as(owner.api_key).call('machines.create', { slug: 'shut' })
  const keyOf = async (scope: 'read' | 'write' | 'admin', by = owner.api_key) =>
    (await node.as(by).call('identity.machine-make-key', { slug: 'shut', name: scope, scope })).api_key
  const role = { slug: 'shut', zid: member.zid, role: 'admin' } as const
  await node.as(owner.api_key).call('identity.machine-add-admin', role)
  return {
    owner: owner.api_key,
    member: member.api_key,
    stranger: stranger.api_key,
    read: await keyOf('read'),
    write: await keyOf('write'),
    admin: await keyOf('admin'),
    ofMember: await keyOf('admin', member.api_key),
  }
}

test('a role that is lowered or taken takes its keys along', async () => {
  await using node = await testNode()
  const keys = await stage(node)
  const owner = node.as(keys.owner)
  const byKey = node.as(keys.ofMember)
  const zid = (await node.as(keys.member).call('identity.account', {})).zid
  const code = async (work: () => Promise<unknown>): Promise<string> => {
    try {
      await work()
    } catch (refusal) {
      return (refusal as { code: string }).code
    }
    return 'ok'
  }
  const event = () => byKey.call('machines.event', { slug: 'shut', type: 'x' })
  assert.equal(await code(event), 'ok')
  await owner.call('identity.machine-change-admin', { slug: 'shut', zid, role: 'operator' })
  assert.equal(await code(event), 'ok')
  assert.equal(await code(() => byKey.call('machines.settings', { slug: 'shut', purpose: 'x' })), 'SCOPE_REQUIRED')
  await owner.call('identity.machine-change-admin', { slug: 'shut', zid, role: 'viewer' })
  assert.equal(await code(event), 'SCOPE_REQUIRED')
  assert.equal(await code(() => byKey.call('machines.read', { slug: 'shut' })), 'ok')
  await owner.call('identity.machine-remove-admin', { slug: 'shut', zid })
  assert.equal(await code(event), 'UNAUTHENTICATED')
  assert.equal(await code(() => node.as(keys.member).call('machines.read', { slug: 'shut' })), 'NOT_FOUND')
})

test('a machine key charges its owner, spends nothing when it may only read, and is no person', async () => {
  await using node = await testNode()
  const keys = await stage(node)
  const client = (name: keyof typeof keys) => node.as(keys[name])
  const before = await client('owner').call('economy.credits', {})
  const order = { operators: ['GR37'], inputs: { mass: 1.98892e30 } }
  await client('write').call('compute.compute', order)
  const after = await client('owner').call('economy.credits', {})
  assert.equal(before.available - after.available, 3)
  const refused = async (work: Promise<unknown>) => assert.rejects(work, { code: 'SCOPE_REQUIRED' })
  await refused(client('read').call('compute.compute', order))
  for (const id of ['identity.keys', 'identity.export-key', 'identity.account'] as const) {
    await refused(client('admin').call(id, {}))
  }
  await refused(client('admin').call('machines.create', { slug: 'another' }))
  await refused(client('admin').call('machines.unlock', { slug: 'shut', token: 'x' }))
}, 60_000)

test('a share token makes viewers, and its end unmakes them', async () => {
  await using node = await testNode()
  const keys = await stage(node)
  const client = (name: keyof typeof keys) => node.as(keys[name])
  const [owner, stranger] = [client('owner'), client('stranger')]
  const { share_token: token } = await owner.call('machines.share', { slug: 'shut' })
  const absent = { code: 'NOT_FOUND' }
  await assert.rejects(stranger.call('machines.unlock', { slug: 'shut', token: `${token}x` }), absent)
  await assert.rejects(stranger.call('machines.unlock', { slug: 'absent', token }), absent)
  await assert.rejects(stranger.call('machines.read', { slug: 'shut' }), absent)
  assert.equal((await stranger.call('machines.unlock', { slug: 'shut', token })).role, 'viewer')
  assert.equal((await stranger.call('machines.read', { slug: 'shut' })).machine.role, 'viewer')
  await assert.rejects(stranger.call('machines.event', { slug: 'shut' }), { code: 'SCOPE_REQUIRED' })
  assert.equal((await owner.call('machines.unlock', { slug: 'shut', token })).role, 'owner')
  await owner.call('machines.unshare', { slug: 'shut' })
  await assert.rejects(stranger.call('machines.read', { slug: 'shut' }), absent)
  await assert.rejects(stranger.call('machines.unlock', { slug: 'shut', token }), absent)
})

test.run()
