// Goal: a receipt's owner opens it to whoever has its link, and closes it again: then it is, to everyone else, what a
// token is that nobody made. Method: a real node over HTTP, its owner, another account, a demo key, a machine's key and
// nobody; with the nonce and without; repeated, and after a restart.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundle } from '#core/claim.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'

const test = suite('api: receipts that are shared')

const ABSENT = '0'.repeat(32)
const PARTS = ['', '/bundle', '/plot'] as const

const sealed = async (node: TestNode, key: string): Promise<string> => {
  const { envelope } = await node.as(key).call('compute.heat', { dim: 1 }, { prefer: 'wait=60' })
  assert(envelope !== null && envelope !== undefined)
  await node.advanceTicks(2)
  return envelope.token_id
}

const accountOf = async (node: TestNode): Promise<string> => (await node.client.call('identity.sign-up', {})).api_key

interface Asked {
  readonly nonce?: string | undefined
  readonly key?: string | undefined
}

/** An answer without what each request has of its own: its id, which also stands in the problem. */
const answerOf = async (node: TestNode, path: string, { nonce, key }: Asked) => {
  const url = new URL(`/api/envelopes/${path}`, node.url)
  if (nonce !== undefined) url.searchParams.set('nonce', nonce)
  const response = await fetch(url, key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } })
  const { instance: _, ...body } =
    response.headers.get('content-type')?.includes('json') === true
      ? ((await response.json()) as Record<string, unknown>)
      : { text: await response.text() }
  return { status: response.status, body: JSON.stringify(body) }
}

const share = async (node: TestNode, token: string, on: boolean, { key, again }: { key?: string; again?: string }) => {
  const response = await fetch(new URL(`/api/envelopes/${token}/share`, node.url), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(again !== undefined && { 'Idempotency-Key': again }),
    },
    body: JSON.stringify({ on }),
  })
  const body = (await response.json()) as Record<string, unknown>
  return { status: response.status, body, replayed: response.headers.get('idempotency-replayed') }
}

const nonceOf = async (node: TestNode, key: string, token: string): Promise<string> => {
  const bundle = (await node.as(key).send('GET', `/api/envelopes/${token}/bundle`)).body as Bundle
  return bundle.envelope.claim.nonce
}

/** What anyone but the owner is answered must be, to the letter, what is said of a token that nobody made. */
const assertAbsent = async (node: TestNode, token: string, asked: Asked): Promise<void> => {
  for (const part of PARTS) {
    const there = await answerOf(node, `${token}${part}`, asked)
    assert.equal(there.status, 404)
    assert.deepEqual(there, await answerOf(node, `${ABSENT}${part}`, asked), part)
  }
}

test('on: the link opens envelope, bundle and plot; off: a stranger has the answer of an absent token', async () => {
  await using node = await testNode()
  const [key, stranger] = [await accountOf(node), await accountOf(node)]
  const token = await sealed(node, key)
  const nonce = await nonceOf(node, key, token)
  await node.as(key).call('economy.file', { folder: 'my own words', token_ids: [token] })
  for (const asked of [{ nonce }, { nonce, key: stranger }]) await assertAbsent(node, token, asked)

  const opened = await share(node, token, true, { key })
  assert.deepEqual(opened.body, { ok: true, token_id: token, on: true, link: `/r/${token}#${nonce}` })
  for (const asked of [{ nonce }, { nonce, key: stranger }]) {
    for (const part of PARTS) assert.equal((await answerOf(node, `${token}${part}`, asked)).status, 200, part)
  }
  const shown = JSON.parse((await answerOf(node, token, { nonce })).body) as Record<string, unknown>
  assert.deepEqual([shown['shared'], shown['folder']], [true, ''], 'how it was filed is not shown')
  const mine = JSON.parse((await answerOf(node, token, { key })).body) as Record<string, unknown>
  assert.deepEqual([mine['shared'], mine['folder']], [true, 'my own words'])
  for (const asked of [{}, { nonce: nonce.replace(/^./, nonce.startsWith('0') ? '1' : '0') }]) {
    await assertAbsent(node, token, asked)
  }

  assert.deepEqual((await share(node, token, false, { key })).body, {
    ok: true,
    token_id: token,
    on: false,
    link: null,
  })
  for (const asked of [{ nonce }, { nonce, key: stranger }]) await assertAbsent(node, token, asked)
})

test('its owner alone shares it: who may see it is told so, to everyone else it is not there', async () => {
  await using node = await testNode()
  const [key, stranger] = [await accountOf(node), await accountOf(node)]
  const token = await sealed(node, key)
  const owner = readFileSync(join(node.directory, 'owner.key'), 'utf8').trim()
  const code = async (at: string, by: string): Promise<unknown> =>
    (await share(node, at, true, { key: by })).body['code']
  assert.equal(await code(token, stranger), 'NOT_FOUND')
  assert.equal(await code(ABSENT, key), 'NOT_FOUND')
  assert.equal(await code(token, owner), 'SCOPE_REQUIRED')
  assert.equal((await share(node, token, true, {})).status, 401)
  await node.as(key).call('machines.create', { slug: 'pump' })
  const made = await node.as(key).call('identity.machine-make-key', { slug: 'pump', name: 'a', scope: 'write' })
  assert.equal(await code(token, made.api_key), 'NOT_FOUND')
  assert.equal(await code(await sealed(node, made.api_key), made.api_key), 'SCOPE_REQUIRED')
  await assertAbsent(node, token, { nonce: await nonceOf(node, key, token) })

  const demo = (await node.client.call('economy.mint-demo-key', {})).key
  const theirs = await sealed(node, demo)
  assert.equal((await share(node, theirs, true, { key: demo })).status, 200)
  assert.equal((await answerOf(node, theirs, { nonce: await nonceOf(node, demo, theirs) })).status, 200)
})

test('sharing is done once per Idempotency-Key, and what it chose survives a restart', async () => {
  using dir = tempDir()
  const first = await testNode({ directory: dir.path })
  const key = await accountOf(first)
  const token = await sealed(first, key)
  const nonce = await nonceOf(first, key, token)
  const opened = await share(first, token, true, { key, again: 'once' })
  const repeated = await share(first, token, true, { key, again: 'once' })
  assert.deepEqual([opened.replayed, repeated.replayed, repeated.body], [null, 'true', opened.body])
  assert.equal((await share(first, token, false, { key, again: 'once' })).body['code'], 'IDEMPOTENCY_KEY_REUSED')
  await first[Symbol.asyncDispose]()

  await using again = await testNode({ directory: dir.path })
  assert.equal((await answerOf(again, token, { nonce })).status, 200)
  assert.deepEqual((await share(again, token, true, { key, again: 'once' })).replayed, 'true')
  await share(again, token, false, { key })
  await assertAbsent(again, token, { nonce })
})

test('what was made without a key is still read by whoever has its nonce, and nobody can close it', async () => {
  await using node = await testNode()
  const { envelope } = await node.client.call('compute.multibody', {}, { prefer: 'wait=60' })
  assert(envelope !== null && envelope !== undefined)
  await node.advanceTicks(2)
  const path = new URL(envelope.bundle, node.url)
  assert.equal((await fetch(path)).status, 200)
  const key = await accountOf(node)
  assert.equal((await share(node, envelope.token_id, false, { key })).body['code'], 'NOT_FOUND')
  assert.equal(envelope.shared, true)
})

test.run()
