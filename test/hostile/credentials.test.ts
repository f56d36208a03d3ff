// Goal: every endpoint answers every credential as the interface document says, a private machine answers who may not
// know of it exactly as an absent one, and a call that is refused leaves every row of the database as it was. Method:
// all endpoints of the registry × all credentials × a public, a private and an absent machine, over HTTP on a real
// node; the expectation comes from a policy that was written from the document (policy.ts), and no line of it from an
// answer.
import assert from 'node:assert/strict'
import { machineMember } from '#api/access.ts'
import { contractEndpoints } from '#api/contracts/index.ts'
import { machineEndpoints } from '#api/machines/index.ts'
import { makeHandshake } from '#core/handshake.ts'
import { author, body as bodyOf, SECRET } from '../domain/network/party.ts'
import { testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { all, createCaller, prepare } from './calls.ts'
import type { Guest, Lines } from './guests.ts'
import { judgeAll, settings, targets, worldOf } from './matrix.ts'
import { policyOf } from './policy.ts'

const test = suite('hostile: every endpoint × every credential')

/** Those of machines and contracts are judged in files of their own, beside this one. */
const apart = new Set([...machineEndpoints, ...contractEndpoints].map(({ id }): string => id))

test('whatever reads a credential says how far it must reach, and the document is held against what it says', () => {
  const silent = all.filter(
    ({ access }) =>
      !/^(none|handshake|signed-link|stream-session)$/.test(access.credential) && access.reach === undefined,
  )
  assert.deepEqual(
    silent.map(({ id }) => id),
    [],
  )
  for (const { id, route, access, input } of all) {
    const { to } = access.reach ?? { to: 'anyone' }
    // A machine that a path names may be private, so nobody is answered before its reach is known.
    if (/\{(slug|motherSlug)\}/.test(route)) assert(/^(machine|share|signer)$/.test(to), `${id} names a machine`)
    if (to === 'machine' || to === 'share')
      assert(machineMember({ input }) in input.properties, `${id} names no machine`)
  }
  const route = 'POST /api/svc/heat'
  assert.equal(policyOf({ route, access: { credential: 'none' } }).credential, 'bearer', 'the document decides')
})

test('each credential reaches exactly as far as the document says; a refusal changes nothing', async () => {
  // A socket is opened by no call: the test of channels' sockets asks for them with keys and links, and without.
  assert.deepEqual(await judgeAll(all.filter(({ id, socket }) => !apart.has(id) && socket !== true)), [])
}, 200_000)

test('the mesh asks for its own header, and for nothing else that is presented', async () => {
  await using node = await testNode({ settings, keptRuns: true })
  using caller = createCaller(node)
  const { meshTick } = node.node.store.now()
  const random = seeded()
  const [one, two] = [author(random), author(random)]
  const event = bodyOf(one.presence(meshTick))
  const other = bodyOf(two.presence(meshTick))
  const made = (tick = meshTick, of = event, secret = SECRET) =>
    makeHandshake(secret, { sender: one.node, meshTick: tick, body: of })
  const rows: readonly (readonly [string, readonly string[], number, string])[] = [
    ['none', [], 401, 'MISSING_HANDSHAKE'],
    ['empty', [''], 401, 'MISSING_HANDSHAKE'],
    ['garbage', ['hello'], 401, 'BAD_HANDSHAKE'],
    ['another version', [made().replace('v1', 'v2')], 401, 'BAD_HANDSHAKE'],
    ['another secret', [made(meshTick, event, SECRET.with(0, 0))], 401, 'BAD_HANDSHAKE'],
    ['lifted from another body', [made(meshTick, other)], 401, 'BAD_HANDSHAKE'],
    ['another sender', [made().replace(one.node, two.node)], 401, 'BAD_HANDSHAKE'],
    ['another tick', [made().replace(String(meshTick), String(meshTick + 1))], 401, 'BAD_HANDSHAKE'],
    ['old', [made(meshTick - 121)], 401, 'STALE_HANDSHAKE'],
    ['early', [made(meshTick + 121)], 401, 'STALE_HANDSHAKE'],
    ['two of them', [made(), made(meshTick, other)], 401, 'BAD_HANDSHAKE'],
    ['8 KiB', [made() + '0'.repeat(8192)], 401, 'BAD_HANDSHAKE'],
    ['a good one', [made()], 200, 'ok'],
    ['the same again', [made()], 200, 'ok'],
  ]
  const credentials: Lines = [
    ['Authorization', 'Bearer hello'],
    ['Cookie', 'tickmesh=x'],
    ['Origin', node.url],
  ]
  for (const [name, values, status, code] of rows) {
    for (const beside of [[], credentials]) {
      const lines = [...values.map((it) => ['x-node-handshake', it] as const), ...beside]
      const body = new TextDecoder().decode(event)
      const answer = await caller.ask({ method: 'POST', path: '/api/mesh/gossip', body, lines })
      assert.deepEqual([answer.status, answer.code], [status, code], name)
    }
  }
  await using bare = await testNode()
  using stranger = createCaller(bare)
  const shut = await stranger.ask({ method: 'POST', path: '/api/mesh/gossip', body: '{}' })
  assert.deepEqual([shut.status, shut.code], [503, 'MESH_SECRET_MISSING'])
})

test('what is for this machine alone is not there for any other; what is no endpoint asks for no less', async () => {
  await using node = await testNode({ settings, keptRuns: true })
  using direct = createCaller(node, false)
  using proxied = createCaller(node)
  const world = await worldOf(node)
  const wrong: string[] = []
  const expect = async (by: typeof direct, route: string, [guest, want]: readonly [Guest, string]): Promise<void> => {
    const [method = '', path = ''] = route.split(' ')
    const { code } = await by.ask({ method, path, lines: guest.lines() })
    const foreign = method === 'POST' && (guest.origin === 'none' || guest.origin === 'foreign')
    const due = foreign ? 'ORIGIN_REFUSED' : want
    if (code !== due) wrong.push(`${route} for ${guest.name}: ${code}, not ${due}`)
  }
  for (const guest of world.stage.guests) {
    const { who, origin, key } = guest
    // The data of the node leave it for its owner's own key alone: no session, and nobody that a proxy speaks for.
    const withKey = who?.kind === 'node-owner' && key !== undefined && origin === undefined
    const keyed = who !== undefined && who.kind !== 'nobody' && origin === undefined
    const backup = withKey ? 'ok' : keyed ? 'SCOPE_REQUIRED' : 'UNAUTHENTICATED'
    await expect(direct, 'POST /control/snapshot', [guest, backup])
    await expect(proxied, 'POST /control/snapshot', [guest, 'NOT_FOUND'])
    await expect(direct, 'GET /control/snapshot', [guest, 'METHOD_NOT_ALLOWED'])
    await expect(proxied, 'GET /control/snapshot', [guest, 'NOT_FOUND'])
    await expect(direct, 'POST /control/owner-link', [guest, backup])
    await expect(proxied, 'POST /control/owner-link', [guest, 'NOT_FOUND'])
    await expect(direct, 'GET /control/owner-link', [guest, 'METHOD_NOT_ALLOWED'])
    await expect(proxied, 'OPTIONS /control/owner-link', [guest, 'NOT_FOUND'])
    // The rest is the same for everyone.
    await expect(proxied, 'GET /', [guest, 'ok'])
    await expect(proxied, 'GET /docs', [guest, 'ok'])
    await expect(proxied, 'GET /owner?token=x', [guest, 'UNAUTHENTICATED'])
    await expect(proxied, 'HEAD /owner?token=x', [guest, 'status 405'])
  }
  assert.deepEqual(wrong, [])
}, 60_000)

test('HEAD is let in as GET is', async () => {
  await using node = await testNode({ settings, keptRuns: true })
  using caller = createCaller(node)
  const world = await worldOf(node)
  const guests = world.stage.guests.filter(({ name }) =>
    /^none|^wrong: cut|^demo|holder$|another one$|read$/.test(name),
  )
  const target = targets[1]!
  for (const endpoint of all.filter(({ route }) => route.startsWith('GET '))) {
    const headless = endpoint.streams === true || endpoint.socket === true || endpoint.acts === 'by-link'
    for (const guest of guests) {
      const { sent } = await prepare(world, endpoint, { guest, target })
      const [get, head] = [await caller.ask(sent), await caller.ask({ ...sent, method: 'HEAD' })]
      assert.equal(head.text(), '')
      assert.equal(head.status, headless ? 405 : get.status, `${endpoint.id} for ${guest.name}`)
    }
  }
}, 60_000)

test.run()
