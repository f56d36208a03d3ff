// Goal: no input, however broken, brings a 5xx or an answer without a code, to whomever it is sent; every refusal is
// one that the endpoint declares; and a call that is refused for its form leaves every row as it was. Method: all
// endpoints of the registry, called by who may use them, with each member of the input bent in turn (fixed oddities
// and seeded random JSON), and with bodies that are none.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLocal } from '#api/access.ts'
import type { Endpoint } from '#api/endpoint.ts'
import { faults } from '#core/fault.ts'
import { splitRoute } from '#core/route.ts'
import { faultsOf } from '#gateway/openapi/refusals.ts'
import { fsck } from '#node/fsck.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { type Random, seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answered, all, type Caller, createCaller, digestOf, prepare, type Sent, type World } from './calls.ts'
import { type Guest, stage } from './guests.ts'
import { type Policy, policyOf } from './policy.ts'

const test = suite('hostile: every endpoint × broken inputs')

const settings = {
  'limits.anonymousCallsPerMinute': 1_000_000,
  'limits.keyCallsPerMinute': 1_000_000,
  'http.proxies': ['127.0.0.1'],
  // What a bent member makes long is not waited for.
  'compute.waitMs': 500,
}

/** Random values for each member, beside the fixed ones. */
const RANDOM_VALUES = 4

const nested = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1)

/** What nobody would send, and what somebody might. */
const odd: readonly unknown[] = [
  null,
  '',
  '\u0000',
  '..',
  '%2e%2e%2f',
  '__proto__',
  'constructor',
  '\ud83d\ude00'.repeat(40),
  'x'.repeat(5_000),
  -1,
  1.5,
  2 ** 53,
  1e308,
  [],
  [null],
  {},
  JSON.parse('{"toString":1,"then":1}'),
  nested(20),
  true,
]

const WORDS = ['open', 'shut', 'house', 'zid1', 'a b', '1e999', '-0', 'é', 'KO42', '\u202e', '"', '\\', '\r\n']

const randomJson = (random: Random, depth = 0): unknown => {
  const kind = random.integer(0, depth < 3 ? 7 : 4)
  if (kind === 0) return random.next() * 10 ** random.integer(-12, 12) * random.pick([1, -1])
  if (kind === 1) return random.integer(-10, 1_000_000)
  if (kind === 2) return random.pick(WORDS)
  if (kind === 3) return random.pick([true, false, null])
  if (kind === 4)
    return String.fromCodePoint(...Array.from({ length: random.integer(0, 40) }, () => random.integer(1, 0xd7ff)))
  const parts = Array.from({ length: random.integer(0, 4) }, () => randomJson(random, depth + 1))
  if (kind === 5) return parts
  return Object.fromEntries(parts.map((part) => [random.pick([...WORDS, 'length', 'answer', 'body']), part]))
}

/** As a path or a query spells it. JSON can hold {"toString": false}, which `String` dies of. */
const spelt = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()

/** A call with these members, as a careless client would write it. */
const written = ({ route }: Endpoint, members: Readonly<Record<string, unknown>>): Sent => {
  const { method, path, names } = splitRoute(route)
  const filled = path.replace(
    /\{(\w+)(?:\.{3})?\}/g,
    (_, name: string) => encodeURIComponent(spelt(members[name] ?? 'x')) || 'x',
  )
  const rest = Object.entries(members).filter(([name]) => !names.includes(name))
  if (method !== 'GET' && method !== 'DELETE') {
    return { method, path: filled, body: JSON.stringify(Object.fromEntries(rest)) }
  }
  const query = rest.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(spelt(value))}`)
  return { method, path: query.length > 0 ? `${filled}?${query.join('&')}` : filled }
}

/** Members of a good call, path parameters among them. */
const membersOf = (endpoint: Endpoint, { path, body }: Sent): Record<string, unknown> => {
  const { path: template, names } = splitRoute(endpoint.route)
  const [place = '', query = ''] = path.split('?')
  const values =
    new RegExp(`^${template.replace(/\{\w+\.{3}\}/g, '(.+)').replace(/\{\w+\}/g, '([^/]+)')}$`).exec(place)?.slice(1) ??
    []
  return {
    ...Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i] ?? '')])),
    ...Object.fromEntries(new URLSearchParams(query)),
    ...(body === undefined ? {} : (JSON.parse(String(body)) as object)),
  }
}

/** What is wrong with an answer, whatever was asked; undefined when nothing is. */
const fault = (endpoint: Endpoint, { status, code, problem, text }: Answered): string | undefined => {
  if (status < 400) return undefined
  if (problem === undefined) return `${status} without a problem document: ${text().slice(0, 200)}`
  if (!(code in faults)) return `${status} with a code of no catalogue: ${text().slice(0, 300)}`
  if (status !== faults[code as keyof typeof faults].status) return `${code} with status ${status}`
  if (!(faultsOf(endpoint) as readonly string[]).includes(code)) return `${code}, which it does not declare`
  // The node is alone: nothing that it waits for can be away.
  if (status >= 500 && !['NODE_BUSY', 'NO_WORKER'].includes(code) && code !== 'MESH_SECRET_MISSING')
    return `${status} ${code}`
  return undefined
}

/** Who may use an endpoint as far as anyone may. */
const guestFor = ({ reach }: Policy, guests: readonly Guest[]): Guest => {
  const name = reach.to === 'node-owner' ? 'node owner' : 'account: the holder'
  return guests.find((it) => it.name === name)!
}

interface Room {
  readonly world: World
  readonly caller: Caller
  readonly wrong: string[]
  calls: number
}

const roomOf = async (node: TestNode, caller: Caller): Promise<Room> => {
  const stood = await stage(node)
  await node.advanceTicks(60_000)
  const { zid } = await node.client.call('identity.sign-up', {})
  const ownerKey = readFileSync(join(node.directory, 'owner.key'), 'utf8').trim()
  let used = 0
  const world: World = { node, stage: stood, ownerKey, spare: zid, next: () => ++used }
  return { world, caller, wrong: [], calls: 0 }
}

const target = { slug: 'open', state: 'public' } as const

const ask = async (room: Room, endpoint: Endpoint, sent: Sent): Promise<Answered> => {
  room.calls += 1
  const answer = await room.caller.ask({ ...sent, here: isLocal(endpoint) })
  const why = fault(endpoint, answer)
  if (why !== undefined) {
    room.wrong.push(
      `${endpoint.id}: ${why}; ${sent.method} ${sent.path.slice(0, 200)} ${String(sent.body).slice(0, 300)}`,
    )
  }
  return answer
}

/**
 * The members that are bent: all, but of most solvers one. Their calls are made and read by one function, each that
 * passes takes up to a second, and what a solver does with any input has a test of its own (numerics/any-input).
 */
const bentOf = ({ id, input, describe = {} }: Endpoint, random: Random): readonly string[] => {
  // It waits for ticks, which do not come here; its inputs are those of the other reads of a reactor.
  if (id === 'compute.reactor-observe' || id === 'compute.reactor-watch') return []
  const names = Object.keys(input.properties)
  const whole = describe['x-solver'] === undefined || ['compute.heat', 'compute.sat', 'compute.compute'].includes(id)
  return whole || names.length === 0 ? names : [random.pick(names)]
}

const bend = async (room: Room, endpoint: Endpoint, random: Random): Promise<void> => {
  const policy = policyOf(endpoint)
  if (policy === undefined) return
  const guest = guestFor(policy, room.world.stage.guests)
  const { sent, after } = await prepare(room.world, endpoint, { guest, target })
  const good = membersOf(endpoint, sent)
  const lines = sent.lines ?? []
  for (const name of bentOf(endpoint, random)) {
    // A wait that is left out, or drawn and in its range, is waited for: half a minute, or more.
    const waited = name === 'wait'
    const values = [...odd, ...Array.from({ length: waited ? 0 : RANDOM_VALUES }, () => randomJson(random))]
    const calls = values.map((value) => ({ ...written(endpoint, { ...good, [name]: value }), lines }))
    await Promise.all(calls.map((it) => ask(room, endpoint, it)))
    if (waited) continue
    const { [name]: _, ...rest } = good
    await ask(room, endpoint, { ...written(endpoint, rest), lines })
  }
  await after()
}

/** Bodies that hold no input at all, whatever the endpoint; with what they are refused with. */
const bodies: readonly (readonly [string, string])[] = [
  ['null', 'MALFORMED_JSON'],
  ['[]', 'MALFORMED_JSON'],
  ['"x"', 'MALFORMED_JSON'],
  ['{', 'MALFORMED_JSON'],
  ['\ufeff{}', 'MALFORMED_JSON'],
  ['{"a":1,"a":2}', 'MALFORMED_JSON'],
  ['{"__proto__":{"x":1}}', 'MALFORMED_JSON'],
  ['{"a":1e400}', 'MALFORMED_JSON'],
  ['{"a":"\\ud800"}', 'MALFORMED_JSON'],
  [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'MALFORMED_JSON'],
  ['{"no such member":1}', 'INVALID_INPUT'],
]

/** More than any endpoint takes; once, as bytes, since to write so long a text takes longer than to refuse it. */
const LARGE = Buffer.from(`{"a":"${'x'.repeat(20_000_000)}"}`)

/** Where a body may be a list alone, an empty one has a form, and too few members. */
const isList = ({ listed }: Endpoint, body: string): boolean => listed !== undefined && body === '[]'

/** Calls whose form alone must have them refused. */
const formless = (endpoint: Endpoint, sent: Sent): readonly (readonly [Sent, string])[] => {
  const lines = sent.lines ?? []
  const more = `${sent.path}${sent.path.includes('?') ? '&' : '?'}`
  const asked: (readonly [Sent, string])[] = [
    [{ ...sent, path: `${more}no_such_member=1` }, 'INVALID_INPUT'],
    [{ ...sent, path: `${more}${'a=1&'.repeat(65)}` }, 'INVALID_INPUT'],
    [{ ...sent, lines: [...lines, ['Idempotency-Key', 'x'.repeat(256)]] }, 'INVALID_INPUT'],
    [{ ...sent, lines: [...lines, ['Idempotency-Key', 'a b']] }, 'INVALID_INPUT'],
    [{ ...sent, lines: [...lines, ['Accept', 'audio/ogg']] }, 'NOT_ACCEPTABLE'],
  ]
  if (sent.body === undefined) return asked
  const encoded = { ...sent, lines: [...lines, ['Content-Encoding', 'gzip'] as const] }
  const large = { ...sent, body: LARGE }
  return [
    ...asked,
    ...bodies.map(([body, code]) => [{ ...sent, body }, isList(endpoint, body) ? 'INVALID_INPUT' : code] as const),
    [encoded, 'UNSUPPORTED_MEDIA_TYPE'],
    ...(endpoint.limits?.bodyBytes === undefined ? [[large, 'BODY_TOO_LARGE'] as const] : []),
  ]
}

const bendAll = async (directory: string): Promise<void> => {
  await using node = await testNode({ settings, directory, keptRuns: true })
  using caller = createCaller(node)
  const room = await roomOf(node, caller)
  const random = seeded()
  for (const endpoint of all) await bend(room, endpoint, random)
  console.log(`${room.calls} calls with one member bent`)
  assert.deepEqual(room.wrong, [])
  assert.deepEqual(
    node.lines.filter(({ level }) => level === 'error'),
    [],
  )
  const mine = node.as(room.world.stage.holder.key)
  for (const slug of ['open', 'shut']) assert.equal((await mine.call('machines.validate', { slug })).valid, true)
}

test('whatever is bent in an input is answered or refused as declared, and the data stay whole', async () => {
  using dir = tempDir()
  await bendAll(dir.path)
  const report = await fsck({ directory: dir.path })
  assert.equal(report.ok, true, JSON.stringify(report))
}, 110_000)

test('a call that has no form is refused as such, and changes no row', async () => {
  await using node = await testNode({ settings, keptRuns: true })
  using caller = createCaller(node)
  const room = await roomOf(node, caller)
  // Bytes have no form but what their handler makes of them.
  for (const endpoint of all.filter(({ takes }) => takes !== 'bytes')) {
    const policy = policyOf(endpoint)
    if (policy === undefined) continue
    const guest = guestFor(policy, room.world.stage.guests)
    const { sent, after } = await prepare(room.world, endpoint, { guest, target })
    const before = await digestOf(node.node.store)
    for (const [it, code] of formless(endpoint, sent)) {
      const answer = await ask(room, endpoint, it)
      if (answer.code === code) continue
      room.wrong.push(
        `${endpoint.id}: ${answer.status} ${answer.code}, not ${code}; ${it.path} ${String(it.body).slice(0, 60)}`,
      )
    }
    if ((await digestOf(node.node.store)) !== before) room.wrong.push(`${endpoint.id}: a refused call changed a row`)
    await after()
  }
  console.log(`${room.calls} calls without a form`)
  assert.deepEqual(room.wrong, [])
}, 60_000)

test.run()
