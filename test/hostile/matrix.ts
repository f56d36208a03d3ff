import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '#api/endpoint.ts'
import { SECRET } from '../domain/network/party.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { type Answered, type Caller, createCaller, digestOf, type Prepared, prepare, type World } from './calls.ts'
import { type Guest, stage } from './guests.ts'
import { judged, nobody, type Policy, policyOf, type Target, type Verdict } from './policy.ts'

/** The matrix: every call of an endpoint by everyone, and what must come of it. */

/** The text behind {@link SECRET}. */
const MESH_SECRET = new TextDecoder().decode(SECRET)

/** Settings under which nobody runs out of calls. */
export const settings = {
  'limits.anonymousCallsPerMinute': 1_000_000,
  'limits.keyCallsPerMinute': 1_000_000,
  'http.proxies': ['127.0.0.1'],
  'mesh.secret': MESH_SECRET,
}

/** What may follow after a call was let in: the example is about things that are not there, or that are over. */
const after: Readonly<Record<string, readonly string[]>> = {
  // The node owner's key is the node's identity key, which leaves no node.
  'identity.export-key': ['NOT_FOUND'],
  // Nobody made the example's op, signed it, or was given its challenge.
  'economy.move': ['NOT_FOUND'],
  'economy.token-op': ['BAD_SIGNATURE', 'BAD_PUBLIC_KEY', 'INVALID_INPUT'],
  'economy.claim': ['INVALID_INPUT'],
  // The example's receiver is nobody.
  'economy.send': ['UNKNOWN_ZID'],
  // It is a draft, whose vote nobody opened.
  'network.stake': ['VOTE_CLOSED'],
  'network.resolve': ['VOTE_CLOSED'],
  'network.promote': ['VOTE_CLOSED'],
  // The owner of this node has not what a bond takes.
  'network.contribute-bond': ['BOND_TOO_SMALL'],
  'network.contribute-release': ['NOT_BONDED'],
  // Nobody contributes to this mesh of one.
  'network.contribute-offers': ['NO_WORKER'],
  // No work was published here.
  'network.dispute': ['NOT_FOUND'],
  'network.open-dispute': ['NOT_FOUND'],
  'network.contribute-mode': ['NOT_BONDED'],
  // It was left out already.
  'contracts.skip-next': ['NOTHING_TO_SKIP'],
  // The job is done.
  'compute.job-cancel': ['JOB_FINISHED'],
  // A machine's token is made once, and the first caller who may makes it.
  'machines.token-genesis': ['TOKEN_EXISTS'],
  // Retired for everyone.
  'explorer.source-zip': ['GONE'],
  // Nobody has made the example's claim.
  'compute.reverify': ['BAD_SIGNATURE'],
  'compute.attest': ['BAD_SIGNATURE'],
  // Nothing was ever shown to this witness, and the example shows it nothing.
  'network.witness-add': ['status 400'],
  'network.witness-checkpoint': ['NOT_FOUND'],
}

/** What an endpoint about a machine is asked about; about an envelope, by whose key it was sealed. */
export const targets: readonly Target[] = [
  { slug: 'open', state: 'public' },
  { slug: 'shut', state: 'private' },
  { slug: 'absent', state: 'absent' },
]
const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

const expected = (endpoint: Endpoint, policy: Policy, { guest, target }: Case): Verdict => {
  const { who, origin } = guest
  const acts = UNSAFE.has(endpoint.route.split(' ')[0] ?? '') || endpoint.acts === true
  if (acts && (origin === 'none' || origin === 'foreign')) return 'ORIGIN_REFUSED'
  if (policy.reach.to === 'owner-key') return judged(policy, nobody, target)
  if (!['optional', 'bearer'].includes(policy.credential)) return judged(policy, nobody, target)
  if (who === undefined || (policy.credential === 'bearer' && who.kind === 'nobody')) return 'UNAUTHENTICATED'
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
    const fits = status < 400 || (status === 410 && code === 'GONE') || after[id]?.includes(code) === true
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

/** Everyone and everything on a fresh node. */
export const worldOf = async (node: TestNode): Promise<World> => {
  const stood = await stage(node)
  await node.advanceTicks(60_000)
  const { zid } = await node.client.call('identity.sign-up', {})
  let used = 0
  const ownerKey = readFileSync(join(node.directory, 'owner.key'), 'utf8').trim()
  return { node, stage: stood, ownerKey, spare: zid, next: () => ++used }
}

const casesOf = (policy: Policy, guests: readonly Guest[]): readonly Case[] => {
  const about = ['machine', 'share', 'signer', 'envelope', 'own-envelope'].includes(policy.reach.to)
    ? targets
    : targets.slice(0, 1)
  // Of what is no credential each kind of machine is asked with the first form alone: none of them is looked at.
  const of = ({ who, name }: Guest) => (who !== undefined || name === guests[1]?.name ? about : about.slice(0, 1))
  return guests.flatMap((guest) => of(guest).map((target) => ({ guest, target })))
}

/**
 * Good calls that are made of an endpoint. The solvers' are made by one function, and a run takes a second: two of them
 * answer everyone, the others whoever comes first.
 */
const goodCallsMax = ({ id, describe = {} }: Endpoint): number =>
  describe['x-solver'] === undefined || id === 'compute.heat' || id === 'compute.multibody'
    ? Number.POSITIVE_INFINITY
    : 1

/** What is wrong with an endpoint, in words, and how many calls say so. */
export interface Judgement {
  readonly wrong: readonly string[]
  readonly calls: number
}

/** Every call of one endpoint: first those that must be refused, between two looks at the database, then the rest. */
export const judge = async (world: World, caller: Caller, endpoint: Endpoint): Promise<Judgement> => {
  const policy = policyOf(endpoint)
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
  const good = rows.filter(({ want }) => want === 'ok')
  for (const row of good.slice(0, goodCallsMax(endpoint))) await call(row, await prepare(world, endpoint, row))

  for (const { guest, target, want } of rows) {
    if (target.state !== 'private' || want !== 'NOT_FOUND') continue
    const [hidden, absent] = ['private', 'absent'].map((state) => told.get(`${guest.name} ${state}`)!)
    if (isDeepStrictEqual(essence(hidden!), essence(absent!))) continue
    wrong.push(`${endpoint.id} for ${guest.name}: what is private is not answered as what is absent`)
  }
  return { wrong, calls: rows.length }
}

/** Judges endpoints on a node of their own. @returns what is wrong, which should be nothing. */
export const judgeAll = async (endpoints: readonly Endpoint[]): Promise<readonly string[]> => {
  await using node = await testNode({ settings, keptRuns: true })
  using caller = createCaller(node)
  const world = await worldOf(node)
  const judgements: Judgement[] = []
  for (const endpoint of endpoints) judgements.push(await judge(world, caller, endpoint))
  const calls = judgements.reduce((sum, it) => sum + it.calls, 0)
  console.log(`${endpoints.length} endpoints, ${world.stage.guests.length} credentials, ${calls} calls judged`)
  const failed = node.lines.filter(({ event }) => event === 'call_failed').map((it) => JSON.stringify(it))
  return [...judgements.flatMap((it) => it.wrong), ...failed]
}
