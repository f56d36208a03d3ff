/*
 * Goal: a message reaches the owner's box as it was written, nobody else reads it, and no flood fills the disk.
 * Method: a real node over HTTP; the owner comes by the link that the node prints; bounds are walked up to and over;
 * the store is checked by fsck, whole and with a row taken out.
 */
import assert from 'node:assert/strict'
import { createContact, MESSAGES_PER_DAY } from '#domain/messaging/contact.ts'
import { NodeRefusal } from '#gateway/client.ts'
import { openDatabase } from '#store/database.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { seqKey } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'

const test = suite('api: messaging contact')

const refusal = async (call: Promise<unknown>): Promise<NodeRefusal> => {
  try {
    await call
  } catch (cause) {
    assert.ok(cause instanceof NodeRefusal, String(cause))
    return cause
  }
  return assert.fail('it was answered')
}

interface Box {
  readonly total: number
  readonly messages: readonly { readonly number: number; readonly id: string; readonly message: string }[]
}

/** What the owner sees, by the session that the link of the node opens. */
const owner = async ({ node, url }: TestNode) => {
  const entered = await fetch(node.ownerLink(), { redirect: 'manual' })
  const cookie = entered.headers
    .getSetCookie()
    .map((it) => it.split(';')[0])
    .join('; ')
  return async (query = ''): Promise<Box> => {
    const response = await fetch(`${url}/api/contact${query}`, { headers: { cookie } })
    assert.equal(response.status, 200)
    return (await response.json()) as Box
  }
}

test('what was sent stands in the owner’s box, newest first, and in nobody else’s', async () => {
  await using it = await testNode()
  const read = await owner(it)
  assert.deepEqual(await read(), { ok: true, total: 0, messages: [] })
  const letter = {
    name: 'Ada',
    reply_to: 'ada@example.org',
    subject: 'On bits',
    message: 'two\nlines\tand “quotes” 🙂',
  }
  const first = await it.client.call('messaging.contact', letter)
  await it.advanceTicks(3)
  const second = await it.client.call('messaging.contact', { message: 'again' })
  assert.notEqual(first.id, second.id)
  assert.equal(second.tick, first.tick + 3)
  const { total, messages } = await read()
  assert.equal(total, 2)
  const bare = { name: null, reply_to: null, subject: null, message: 'again' }
  assert.deepEqual(messages, [
    { number: 1, id: second.id, tick: second.tick, ...bare },
    { number: 0, id: first.id, tick: first.tick, ...letter },
  ])
  assert.deepEqual(
    (await read('?limit=1&before=1')).messages.map(({ number }) => number),
    [0],
  )
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  assert.equal((await refusal(it.as(key).call('messaging.contacts', {}))).code, 'SCOPE_REQUIRED')
  assert.equal((await refusal(it.client.call('messaging.contacts', {}))).code, 'UNAUTHENTICATED')
})

test('too long, empty, and what would steer a terminal is refused, and nothing is kept', async () => {
  await using it = await testNode()
  const read = await owner(it)
  const wrong = [
    {},
    { message: '' },
    { message: 'x'.repeat(4_001) },
    { message: 'bell \u0007' },
    { message: 'a\u001b[2J' },
    { message: 'ok', name: 'two\nlines' },
  ]
  for (const letter of wrong) {
    const refused = await refusal(it.client.send('POST', '/api/contact', letter))
    assert.equal(refused.code, 'INVALID_INPUT', JSON.stringify(letter).slice(0, 40))
    await it.advanceTicks(1)
  }
  assert.equal((await read()).total, 0)
})

test('a bucket has so many a minute over HTTP', async () => {
  await using it = await testNode()
  const codes: string[] = []
  for (let i = 0; i < 7; i++) {
    codes.push(
      await it.client.call('messaging.contact', { message: `${i}` }).then(
        () => 'kept',
        (cause: NodeRefusal) => cause.code,
      ),
    )
  }
  assert.deepEqual(codes, [...Array(6).fill('kept'), 'RATE_LIMITED'])
})

test('a bucket has so many a day, which end with the day; another bucket has its own', async () => {
  await using it = await testNode()
  const contact = createContact(it.node.store)
  const send = (bucket: string): Promise<string> =>
    contact.send({ message: 'm' }, bucket).then(
      () => 'kept',
      (cause: { code: string }) => cause.code,
    )
  for (let i = 0; i < MESSAGES_PER_DAY; i++) assert.equal(await send('10.0.0.1'), 'kept')
  assert.equal(await send('10.0.0.1'), 'DAILY_LIMIT_EXCEEDED')
  assert.equal(await send('10.0.0.2'), 'kept')
  await it.advanceTicks(111_197)
  assert.equal(await send('10.0.0.1'), 'kept')
  assert.equal((await it.node.store.get('contactBox', 'all'))?.next, MESSAGES_PER_DAY + 2)
})

test('messages outlive the node, and a missing one is found', async () => {
  using place = tempDir()
  const directory = place.path
  {
    await using it = await testNode({ directory })
    for (const message of ['a', 'b', 'c']) await it.client.call('messaging.contact', { message })
  }
  assert.deepEqual((await fsck({ directory })).bad, null)
  {
    await using it = await testNode({ directory })
    assert.equal((await (await owner(it))()).total, 3)
  }
  {
    await using database = await openDatabase(databaseDirectory(directory), false)
    await database.write([{ table: 'contact', key: seqKey(1), row: undefined }])
  }
  const { bad } = await fsck({ directory })
  assert.deepEqual([bad?.table, bad?.key], ['contact', seqKey(1)])
})

test.run()
