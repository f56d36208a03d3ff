// Goal: a call that makes a key has its effect once, however often it is sent under one Idempotency-Key, and shows the
// key again to who sent it; to nobody else, and nothing that is stored gives the key away. Method: each such endpoint
// on a real node over HTTP, repeated, at once and after a restart; the files of the node searched for what was shown.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('api: repeated calls that make keys')

const KEY = '3f0d7a52-93d1-4d9e-8a26-0c4c0a6f3d11'

interface Answer {
  readonly status: number
  readonly replayed: boolean
  readonly body: Record<string, unknown>
}

const post = async (
  node: TestNode,
  path: string,
  body: object,
  idempotencyKey: string,
  key?: string,
): Promise<Answer> => {
  const response = await fetch(new URL(path, node.url), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  })
  const replayed = response.headers.get('idempotency-replayed') === 'true'
  return { status: response.status, replayed, body: (await response.json()) as Record<string, unknown> }
}

const code = ({ status, body }: Answer): readonly unknown[] => [status, body['code']]

interface Making {
  readonly path: string
  readonly body: object
  readonly other: object
  readonly status: number
  readonly member: string
  /** Whether it asks for an account's key. */
  readonly bearer: boolean
}

const makings: readonly Making[] = [
  { path: '/api/auth/keys', body: { name: 'a' }, other: { name: 'b' }, status: 201, member: 'api_key', bearer: true },
  {
    path: '/api/chain/pump/api-keys',
    body: { name: 'a', scope: 'write' },
    other: { name: 'a', scope: 'admin' },
    status: 201,
    member: 'api_key',
    bearer: true,
  },
  { path: '/api/chain/state-machines', body: {}, other: { slug: 'x' }, status: 201, member: 'api_key', bearer: true },
  { path: '/api/auth/sign-up', body: {}, other: { mesh_tick: 1 }, status: 201, member: 'api_key', bearer: false },
  { path: '/api/demo-key/mint', body: {}, other: { x: 1 }, status: 200, member: 'key', bearer: false },
]

const ready = async (node: TestNode): Promise<string> => {
  const { api_key } = await node.client.call('identity.sign-up', {})
  await node.as(api_key).call('machines.create', { slug: 'pump' })
  return api_key
}

for (const { path, body, other, status, member, bearer } of makings) {
  test(`POST ${path}: once under one key, and shown again`, async () => {
    await using node = await testNode()
    const account = await ready(node)
    const key = bearer ? account : undefined
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => post(node, path, body, KEY, key)))
    const answers = [one!, two!, three!]
    // Of calls at once one has the effect, and the others are told that it is under way or what it answered.
    for (const it of answers) assert(it.status === status || code(it)[1] === 'IDEMPOTENCY_IN_PROGRESS', `${code(it)}`)
    const first = answers.find((it) => it.status === status && !it.replayed)
    assert(first !== undefined)
    const again = await post(node, path, body, KEY, key)
    assert.deepEqual([again.status, again.replayed], [status, true])
    assert.deepEqual(again.body, first.body)
    const shown = String(again.body[member])
    assert.equal(typeof (await node.as(shown).call('economy.credits', {})).account, 'string')
    if (!bearer && path.includes('demo')) return
    assert.deepEqual(code(await post(node, path, other, KEY, key)), [409, 'IDEMPOTENCY_KEY_REUSED'])
    const fresh = await post(node, path, body, `${KEY}-2`, key)
    assert.deepEqual([fresh.status, fresh.replayed], [status, false])
    assert.notEqual(fresh.body[member], shown)
  })
}

test('a repeat under a key that a neighbour could guess has no second effect, and shows nothing', async () => {
  await using node = await testNode()
  for (const path of ['/api/auth/sign-up', '/api/demo-key/mint']) {
    const first = await post(node, path, {}, 'retry-1')
    assert(first.status < 300 && !first.replayed)
    const again = await post(node, path, {}, 'retry-1')
    assert.deepEqual(code(again), [409, 'IDEMPOTENCY_KEY_REUSED'])
    assert(!JSON.stringify(again.body).includes('svc_'))
  }
})

test('an Idempotency-Key is its account’s own, and its endpoint’s', async () => {
  await using node = await testNode()
  const [mine, other] = [await ready(node), (await node.client.call('identity.sign-up', {})).api_key]
  const first = await post(node, '/api/auth/keys', { name: 'a' }, KEY, mine)
  const theirs = await post(node, '/api/auth/keys', { name: 'a' }, KEY, other)
  assert.deepEqual([theirs.status, theirs.replayed], [201, false])
  assert.notEqual(theirs.body['api_key'], first.body['api_key'])
  const elsewhere = await post(node, '/api/chain/pump/api-keys', { name: 'a' }, KEY, mine)
  assert.deepEqual([elsewhere.status, elsewhere.replayed], [201, false])
})

test('refusals are not kept: what was refused may succeed under the same key', async () => {
  await using node = await testNode()
  const mine = await ready(node)
  const refused = await post(node, '/api/chain/later/api-keys', { name: 'a' }, KEY, mine)
  assert.deepEqual(code(refused), [404, 'NOT_FOUND'])
  await node.as(mine).call('machines.create', { slug: 'later' })
  assert.equal((await post(node, '/api/chain/later/api-keys', { name: 'a' }, KEY, mine)).status, 201)
})

const bytesUnder = (directory: string): Buffer =>
  Buffer.concat(
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .map((name) => join(directory, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path)),
  )

test('after a restart the key is shown again, and until then it stood in no file', async () => {
  using dir = tempDir()
  const first = await testNode({ directory: dir.path })
  const made = await post(first, '/api/auth/sign-up', {}, KEY)
  const key = String(made.body['api_key'])
  await first[Symbol.asyncDispose]()
  const files = bytesUnder(dir.path)
  assert(files.includes(String(made.body['key_id'])), 'the files of the node were read')
  assert(!files.includes(key) && !files.includes(key.slice('svc_ak_'.length)) && !files.includes(KEY))
  await using again = await testNode({ directory: dir.path })
  const repeat = await post(again, '/api/auth/sign-up', {}, KEY)
  assert.deepEqual([repeat.status, repeat.replayed, repeat.body['api_key']], [201, true, key])
})

test.run()
