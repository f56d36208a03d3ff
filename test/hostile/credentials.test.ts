// Goal: every endpoint answers every credential as the interface document says, a private machine answers who may not
// know of it exactly as an absent one, and a call that is refused leaves every row of the database as it was. Method:
// all endpoints of the registry × all credentials × a public, a private and an absent machine, over HTTP on a real node;
// the expectation comes from a policy that was written from the document (policy.ts), and no line of it from an answer.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '#api/endpoint.ts'
import { makeHandshake } from '#core/handshake.ts'
import { EVENT_STREAM } from '#gateway/sse.ts'
import { author, body as bodyOf, SECRET } from '../domain/network/party.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { type Answered, all, type Caller, createCaller, digestOf, type Prepared, prepare, type World } from './calls.ts'
import { type Guest, type Lines, stage } from './guests.ts'
import { judged, nobody, type Policy, policyOf, type Target, type Verdict } from './policy.ts'

const test = suite('hostile: every endpoint × every credential')

/** The text behind {@link SECRET}. */
const MESH_SECRET = new TextDecoder().decode(SECRET)

const settings = {
  'limits.anonymousCallsPerMinute': 1_000_000,
  'limits.keyCallsPerMinute': 1_000_000,
  'http.proxies': ['127.0.0.1'],
  'mesh.secret': MESH_SECRET,
}

/** What may follow after a call was let in: the example is about things that are not there, or that are over. */
const after: Readonly<Record<string, readonly string[]>> = {
  // The node owner's key is the node's identity key, which leaves no node.
  'identity.export-key': ['NOT_FOUND'],
  // The job is done.
  'compute.job-cancel': ['JOB_FINISHED'],
  // Retired for everyone.
  'explorer.source-zip': ['GONE'],
  // Nobody has made the example's claim.
  'compute.reverify': ['BAD_SIGNATURE'],
  'compute.attest': ['BAD_SIGNATURE'],
}

const targets: readonly Target[] = [
  { slug: 'open', state: 'public' },
  { slug: 'shut', state: 'private' },
  { slug: 'absent', state: 'absent' },
]
const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

const expected = (endpoint: Endpoint, policy: Policy, { guest, target }: Case): Verdict => {
  const { who, origin } = guest
  const acts = UNSAFE.has(endpoint.route.split(' ')[0] ?? '')
  if (acts && (origin === 'none' || origin === 'foreign')) return 'ORIGIN_REFUSED'
  if (policy.auth === 'none' || policy.auth === 'handshake') return judged(policy, nobody, target)
  if (who === undefined || (policy.auth === 'bearer' && who.kind === 'nobody')) return 'UNAUTHENTICATED'
  return judged(policy, who, target)
}

interface Case {
  readonly guest: Guest
  readonly target: Target
}

const STATUS: Readonly<Record<string, number>> = {
  SCOPE_REQUIRED: 403,
  ORIGIN_REFUSED: 403,
  NOT_FOUND: 404,
  UNAUTHENTICATED: 401,
  MISSING_HANDSHAKE: 401,
}

/** What is wrong with an answer; undefined when nothing is. */
const fault = ({ id }: Endpoint, want: Verdict, { code, status, headers, problem }: Answered): string | undefined => {
  if (want === 'ok') {
    const fits = status < 300 || (status === 410 && code === 'GONE') || after[id]?.includes(code) === true
    return fits ? undefined : `${status} ${code} ${problem?.['detail']}, not an answer`
  }
  if (code !== want || status !== STATUS[want]) return `${status} ${code}, not ${want}`
  if (status === 401 && headers['www-authenticate'] !== 'Bearer realm="tickmesh"') return '401 without WWW-Authenticate'
  if (headers['cache-control'] !== 'no-store') return 'a refusal that may be kept'
  if (status === 403 && want === 'SCOPE_REQUIRED' && typeof (problem?.['scope'] ?? problem?.['role']) !== 'string') {
    return 'SCOPE_REQUIRED that names no scope'
  }
  return undefined
}

/** Everything of a refusal but when it was, which one it was, and where its caller stands in its minute. */
const essence = ({ status, headers, problem }: Answered): unknown => {
  const { instance: _, ...rest } = problem ?? {}
  const kept = Object.entries(headers).filter(([name]) => !/^date$|^x-request-id$|^(x-)?ratelimit-/.test(name))
  return [status, Object.fromEntries(kept), JSON.stringify(rest)]
}

const worldOf = async (node: TestNode): Promise<World> => {
  const stood = await stage(node)
  await node.advanceTicks(60_000)
  const { zid } = await node.client.call('identity.sign-up', {})
  let used = 0
  const ownerKey = readFileSync(join(node.directory, 'owner.key'), 'utf8').trim()
  return { node, stage: stood, ownerKey, spare: zid, next: () => ++used }
}

const casesOf = (policy: Policy, guests: readonly Guest[]): readonly Case[] => {
  const about = policy.reach.to === 'machine' || policy.reach.to === 'share' ? targets : targets.slice(0, 1)
  // Of what is no credential each kind of machine is asked with the first form alone: none of them is looked at.
  const of = ({ who, name }: Guest) => (who !== undefined || name === guests[1]?.name ? about : about.slice(0, 1))
  return guests.flatMap((guest) => of(guest).map((target) => ({ guest, target })))
}

/** Every call of one endpoint: first those that must be refused, between two looks at the database, then the rest. */
const judge = async (world: World, caller: Caller, endpoint: Endpoint): Promise<{ wrong: string[]; calls: number }> => {
  const policy = policyOf(endpoint)
  if (policy === undefined) return { wrong: [`${endpoint.id}: policy.ts does not say who may use it`], calls: 0 }
  const wrong: string[] = []
  const rows = casesOf(policy, world.stage.guests).map((it) => ({ ...it, want: expected(endpoint, policy, it) }))
  const told = new Map<string, Answered>()
  const call = async (row: (typeof rows)[number], { sent, after: tidy }: Prepared): Promise<void> => {
    const answer = await caller.ask(sent)
    await tidy()
    told.set(`${row.guest.name} ${row.target.state}`, answer)
    const why = fault(endpoint, row.want, answer)
    if (why !== undefined) wrong.push(`${endpoint.id} of ${row.target.slug} for ${row.guest.name}: ${why}`)
  }
  const refused = rows.filter(({ want }) => want !== 'ok')
  const prepared: Prepared[] = []
  // A call that makes something for itself to be refused makes it before the first look.
  for (const row of refused) prepared.push({ ...(await prepare(world, endpoint, row)), after: async () => undefined })
  const before = await digestOf(world.node.node.store)
  await Promise.all(refused.map((row, i) => call(row, prepared[i]!)))
  if ((await digestOf(world.node.node.store)) !== before) wrong.push(`${endpoint.id}: a refused call changed a row`)
  for (const row of rows.filter(({ want }) => want === 'ok')) await call(row, await prepare(world, endpoint, row))

  for (const { guest, target, want } of rows) {
    if (target.state !== 'private' || want !== 'NOT_FOUND') continue
    const [hidden, absent] = ['private', 'absent'].map((state) => told.get(`${guest.name} ${state}`)!)
    if (isDeepStrictEqual(essence(hidden!), essence(absent!))) continue
    wrong.push(`${endpoint.id} for ${guest.name}: a private machine is not answered as an absent one`)
  }
  return { wrong, calls: rows.length }
}

test('an endpoint that nobody has written a policy for fails', () => {
  const missing = all.filter((it) => policyOf(it) === undefined).map(({ id, route, auth }) => `${id} ${route} ${auth}`)
  assert.deepEqual(missing, [], 'policy.ts does not say who may use these')
  const stranger = { ...all[0]!, id: 'x', route: 'POST /api/new', auth: 'bearer' } as Endpoint
  assert.equal(policyOf(stranger), undefined)
})

test('each credential reaches exactly as far as the document says; a refusal changes nothing', async () => {
  await using node = await testNode({ settings })
  using caller = createCaller(node)
  const world = await worldOf(node)
  const wrong: string[] = []
  let calls = 0
  for (const endpoint of all) {
    const judgement = await judge(world, caller, endpoint)
    wrong.push(...judgement.wrong)
    calls += judgement.calls
  }
  console.log(`${all.length} endpoints, ${world.stage.guests.length} credentials, ${calls} calls judged`)
  assert.deepEqual(wrong, [])
  const failed = node.lines.filter(({ event }) => event === 'call_failed')
  assert.deepEqual(failed, [])
}, 110_000)

test('the mesh asks for its own header, and for nothing else that is presented', async () => {
  await using node = await testNode({ settings })
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

test('HEAD is let in as GET is', async () => {
  await using node = await testNode({ settings })
  using caller = createCaller(node)
  const world = await worldOf(node)
  const guests = world.stage.guests.filter(({ name }) =>
    /^none|^wrong: cut|^demo|holder$|another one$|read$/.test(name),
  )
  const target = targets[1]!
  for (const endpoint of all.filter(({ route }) => route.startsWith('GET '))) {
    const streams = endpoint.produces?.includes(EVENT_STREAM) === true
    for (const guest of guests) {
      const { sent } = await prepare(world, endpoint, { guest, target })
      const [get, head] = [await caller.ask(sent), await caller.ask({ ...sent, method: 'HEAD' })]
      assert.equal(head.text, '')
      assert.equal(head.status, streams ? 405 : get.status, `${endpoint.id} for ${guest.name}`)
    }
  }
}, 60_000)

test.run()
