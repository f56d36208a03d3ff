// Goal: every endpoint about a machine answers every credential as its role says, and a private machine answers who may
// not know of it exactly as an absent one. Method: a table of what each endpoint asks for, crossed with every kind of
// credential on a public and a private machine, over HTTP on a real node.
import assert from 'node:assert/strict'
import type { Endpoint } from '#api/endpoint.ts'
import { machineEndpoints } from '#api/machines/index.ts'
import { outgoing } from '#gateway/client.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: machines and credentials')

const ranks = ['none', 'viewer', 'operator', 'admin', 'owner'] as const
type Standing = (typeof ranks)[number]

/** What each endpoint about one machine asks for. The rest of the machines' endpoints name no machine. */
const needs: Readonly<Record<string, Standing>> = {
  'machines.read': 'none',
  'machines.status': 'admin',
  'machines.settings': 'admin',
  'machines.event': 'operator',
  'machines.record-state': 'operator',
  'machines.file': 'operator',
  'machines.connection': 'operator',
  'machines.rejection-log': 'operator',
  'machines.block': 'none',
  'machines.at': 'none',
  'machines.explore': 'none',
  'machines.events': 'viewer',
  'machines.state': 'none',
  'machines.stats': 'none',
  'machines.analytics': 'none',
  'machines.sources': 'none',
  'machines.validate': 'none',
  'identity.machine-admins': 'viewer',
  'identity.machine-add-admin': 'admin',
  'identity.machine-change-admin': 'admin',
  'identity.machine-remove-admin': 'admin',
  'identity.machine-keys': 'admin',
  'identity.machine-make-key': 'admin',
  'identity.machine-revoke-key': 'admin',
  'machines.share': 'admin',
  'machines.unshare': 'admin',
  'vault.audit-decrypt': 'owner',
  'explorer.machine-stream': 'none',
  'machines.event-stream': 'owner',
  'machines.anchor-config': 'viewer',
  'machines.set-anchor-config': 'admin',
  'machines.rotate-anchor-key': 'admin',
  'machines.anchored': 'none',
  'machines.anchors': 'none',
}

/** Judged by tests of their own: they name no machine, or ask for more than a role in one. */
const apart = [
  'machines.create',
  'machines.list',
  'machines.unlock',
  'machines.anchor',
  'machines.verify-anchor',
  'explorer.active',
  'explorer.newest',
  'explorer.recent',
  'explorer.fleet',
  'explorer.seal',
  'explorer.aggregate-list',
  'explorer.aggregate-stream',
]

/** Refusals that come after the role was found good: what the example names is not there. */
const lacking = ['identity.machine-change-admin', 'identity.machine-remove-admin', 'identity.machine-revoke-key']

interface Credential {
  readonly name: string
  readonly key: string | undefined
  /** False: the credential itself is refused wherever one is read. */
  readonly good: boolean
  readonly standing: Readonly<Record<string, Standing>>
}

const problemOf = async (response: Response): Promise<Record<string, unknown>> => {
  if (response.ok) {
    await response.body?.cancel()
    return {}
  }
  const { instance: _, ...rest } = (await response.json()) as Record<string, unknown>
  return rest
}

const ask = async (node: TestNode, endpoint: Endpoint, slug: string, key: string | undefined) => {
  const name = 'motherSlug' in endpoint.example ? 'motherSlug' : 'slug'
  const { method, path, body } = outgoing(endpoint, { ...(endpoint.example as Record<string, unknown>), [name]: slug })
  const stop = new AbortController()
  const response = await fetch(new URL(path, node.url), {
    method,
    signal: stop.signal,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const problem = await problemOf(response)
  return { status: response.status, problem }
}

const expected = (endpoint: Endpoint, { good, key, standing }: Credential, slug: string): string => {
  const reads = endpoint.auth !== 'none'
  if (reads && !good) return 'UNAUTHENTICATED'
  if (endpoint.auth === 'bearer' && key === undefined) return 'UNAUTHENTICATED'
  const at = reads ? (standing[slug] ?? 'none') : 'none'
  if (slug !== 'open' && at === 'none') return 'NOT_FOUND'
  return ranks.indexOf(at) < ranks.indexOf(needs[endpoint.id]!) ? 'SCOPE_REQUIRED' : 'ok'
}

/** Two machines of one owner, one public and one private, and every kind of credential. */
const stage = async (node: TestNode): Promise<readonly Credential[]> => {
  const account = async () => node.client.call('identity.sign-up', {})
  // The fourth sign-up of an address would cost work.
  const [owner, member, stranger] = [await account(), await account(), await account()]
  await node.as(stranger.api_key).call('machines.create', { slug: 'elsewhere' })
  const first: Record<string, string> = {}
  for (const slug of ['open', 'shut']) {
    const made = await node.as(owner.api_key).call('machines.create', { slug, is_public: slug === 'open' })
    first[slug] = made.api_key
  }
  const keyOf = async (scope: 'read' | 'write' | 'admin', by = owner.api_key, expires_at?: string) =>
    node.as(by).call('identity.machine-make-key', {
      slug: 'shut',
      name: scope,
      scope,
      ...(expires_at === undefined ? {} : { expires_at }),
    })
  const grant = (role: 'admin' | 'operator' | 'viewer', zid = member.zid) =>
    node.as(owner.api_key).call('identity.machine-add-admin', { slug: 'shut', zid, role })
  const revoked = await keyOf('admin')
  await node.as(owner.api_key).call('identity.machine-revoke-key', { slug: 'shut', id: revoked.id })
  const expired = await keyOf('admin', owner.api_key, '2026-12-31T00:00:00Z')
  await grant('admin')
  const ofMember = await keyOf('admin', member.api_key)
  await node.advanceTicks(TICKS_PER_HOUR)
  const [operator, viewer] = [await account(), await account()]
  await grant('operator', operator.zid)
  await grant('viewer', viewer.zid)
  const demo = await node.client.call('economy.mint-demo-key', {})
  const both = (at: Standing) => ({ open: at, shut: at })
  const alone = (at: Standing) => ({ shut: at })
  const it = (name: string, key: string | undefined, standing: Credential['standing'], good = true): Credential => ({
    name,
    key,
    standing,
    good,
  })
  return [
    it('none', undefined, {}),
    it('wrong', `zsm_${'0'.repeat(43)}`, {}, false),
    it('no key at all', 'hello', {}, false),
    it('demo', demo.key, {}),
    it('stranger', stranger.api_key, {}),
    it('owner', owner.api_key, both('owner')),
    it('key: read', (await keyOf('read')).api_key, alone('viewer')),
    it('key: write', (await keyOf('write')).api_key, alone('operator')),
    it('key: admin', (await keyOf('admin')).api_key, alone('admin')),
    it('key of another machine', first['open'], { open: 'admin' }),
    it('revoked', revoked.api_key, {}, false),
    it('expired', expired.api_key, {}, false),
    it('member', member.api_key, alone('admin')),
    it('operator', operator.api_key, alone('operator')),
    it('viewer', viewer.api_key, alone('viewer')),
    it('key of a member', ofMember.api_key, alone('admin')),
  ]
}

const settings = { 'limits.anonymousCallsPerMinute': 100_000, 'limits.keyCallsPerMinute': 100_000 }
/** More than an hour: sign-ups are free again. */
const TICKS_PER_HOUR = 5_000
/** 2027-01-01: later than the end of the key that is to be over. */
const TICKS_TO_NEW_YEAR = 6_000_000

const named = machineEndpoints as unknown as readonly Endpoint[]

test('every endpoint of the machines is in the table, or named as apart', () => {
  const listed = [...Object.keys(needs), ...apart].sort()
  assert.deepEqual(named.map(({ id }) => id).sort(), listed)
})

const judge = async (node: TestNode, credentials: readonly Credential[]): Promise<string[]> => {
  const wrong: string[] = []
  for (const endpoint of named.filter(({ id }) => id in needs)) {
    for (const credential of credentials) {
      for (const slug of ['open', 'shut', 'absent']) {
        const { status, problem } = await ask(node, endpoint, slug, credential.key)
        const code = (problem['code'] as string | undefined) ?? 'ok'
        const want = expected(endpoint, credential, slug)
        const lacks = want === 'ok' && (code === 'NO_BLOCK_AT_TICK' || code === 'UNKNOWN_ZID')
        const missing = want === 'ok' && code === 'NOT_FOUND' && lacking.includes(endpoint.id)
        if (status >= 500 || (code !== want && !lacks && !missing)) {
          wrong.push(`${endpoint.id} of ${slug} for ${credential.name}: ${status} ${code}, not ${want}`)
        }
        if (slug === 'shut' && code === 'NOT_FOUND' && !missing) {
          const absent = await ask(node, endpoint, 'absent', credential.key)
          assert.deepEqual(absent.problem, problem, `${endpoint.id}: a private machine answers as an absent one`)
        }
      }
    }
  }
  return wrong
}

test('each credential reaches exactly as far as its role', async () => {
  await using node = await testNode({ settings })
  const credentials = await stage(node)
  await node.advanceTicks(TICKS_TO_NEW_YEAR)
  assert.deepEqual(await judge(node, credentials), [])
}, 120_000)

test('a role that is lowered or taken takes its keys along', async () => {
  await using node = await testNode({ settings })
  const credentials = await stage(node)
  const keyed = (name: string): string => credentials.find((it) => it.name === name)!.key!
  const owner = node.as(keyed('owner'))
  const byKey = node.as(keyed('key of a member'))
  const zid = (await node.as(keyed('member')).call('identity.account', {})).zid
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
  assert.equal(await code(() => node.as(keyed('member')).call('machines.read', { slug: 'shut' })), 'NOT_FOUND')
})

test('a machine key charges its owner, spends nothing when it may only read, and is no person', async () => {
  await using node = await testNode({ settings })
  const credentials = await stage(node)
  const client = (name: string) => node.as(credentials.find((it) => it.name === name)!.key!)
  const before = await client('owner').call('economy.credits', {})
  const order = { operators: ['GR37'], inputs: { mass: 1.98892e30 } }
  await client('key: write').call('compute.compute', order)
  const after = await client('owner').call('economy.credits', {})
  assert.equal(before.available - after.available, 3)
  const refused = async (work: Promise<unknown>) => assert.rejects(work, { code: 'SCOPE_REQUIRED' })
  await refused(client('key: read').call('compute.compute', order))
  for (const id of ['identity.keys', 'identity.export-key', 'identity.account'] as const) {
    await refused(client('key: admin').call(id, {}))
  }
  await refused(client('key: admin').call('machines.create', { slug: 'another' }))
  await refused(client('key: admin').call('machines.unlock', { slug: 'shut', token: 'x' }))
}, 60_000)

test('a share token makes viewers, and its end unmakes them', async () => {
  await using node = await testNode({ settings })
  const credentials = await stage(node)
  const client = (name: string) => node.as(credentials.find((it) => it.name === name)!.key!)
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
