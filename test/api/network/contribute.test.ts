// Goal: contributing over HTTP: each refusal under its status and code, with what a client needs to go on, and nothing
// changed; huge and hostile lists; many bonds at once. Method: a real node whose owner has what a bond takes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyFiles } from '#domain/identity/node-keys.ts'
import { ownerCaller } from '../../domain/house.ts'
import { sealMany } from '../../domain/network/contribution/kit.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { roomsOf } from '../../kit/wealth.ts'

const test = suite('api: contributing')

const ownerKey = ({ directory }: TestNode): string => readFileSync(join(directory, keyFiles.owner), 'utf8').trim()

const post = async (it: TestNode, path: string, body: unknown, key = ownerKey(it)) => {
  const response = await fetch(new URL(`/api/contribute/${path}`, it.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const of = ({ status, body }: Awaited<ReturnType<typeof post>>): string => `${status} ${body['code'] ?? 'ok'}`

test('the table of bad input, and what holds after it', async () => {
  await using it = await testNode()
  const rooms = roomsOf(it)
  const owner = ownerCaller(rooms)
  assert.ok(owner.kind === 'owner')
  const tokens = await sealMany(rooms, owner, { count: 1_010, funding: 'paid' })
  const account = await it.client.call('identity.sign-up', {})
  const before = it.node.store.log.size

  const small = await post(it, 'bond', { count: 999 })
  assert.deepEqual([of(small), small.body['held'], small.body['needed']], ['409 BOND_TOO_SMALL', 999, 1_000])
  const lists: readonly (readonly [unknown, string])[] = [
    [{ token_ids: tokens.slice(0, 999) }, '409 BOND_TOO_SMALL'],
    [{ token_ids: [] }, '409 BOND_TOO_SMALL'],
    [{ token_ids: tokens.slice(0, 1_001) }, '400 INVALID_INPUT'],
    [{ count: 1_001 }, '400 INVALID_INPUT'],
    [{ count: -1 }, '400 INVALID_INPUT'],
    [{ count: 1e300 }, '400 INVALID_INPUT'],
    [{ count: 1_000, token_ids: tokens.slice(0, 1_000) }, '400 INVALID_INPUT'],
    [{ token_ids: [...tokens.slice(0, 999), tokens[0]] }, '400 INVALID_INPUT'],
    [{ token_ids: [...tokens.slice(0, 999), 'F'.repeat(32)] }, '400 INVALID_INPUT'],
    [{ token_ids: [...tokens.slice(0, 999), '../../etc/passwd'] }, '400 INVALID_INPUT'],
    [{ token_ids: [...tokens.slice(0, 999), { toString: 'x' }] }, '400 INVALID_INPUT'],
    [{ token_ids: [...tokens.slice(0, 999), 'f'.repeat(32)] }, '404 NOT_FOUND'],
    [{ token_ids: 'all' }, '400 INVALID_INPUT'],
    [{ count: 1_000, policy: 'open' }, '400 INVALID_INPUT'],
    ['[]', '400 MALFORMED_JSON'],
    [`{"token_ids":${'['.repeat(2_000)}${']'.repeat(2_000)}}`, '400'],
    [{ token_ids: Array.from({ length: 40_000 }, () => tokens[0]) }, '4'],
  ]
  for (const [body, wanted] of lists) {
    const answer = of(await post(it, 'bond', body))
    assert.ok(answer.startsWith(wanted), `${JSON.stringify(body).slice(0, 80)}: ${answer}, not ${wanted}`)
  }
  assert.equal(of(await post(it, 'mode', { mode: 'contributing' })), '409 NOT_BONDED')
  assert.equal(of(await post(it, 'mode', { mode: 'experimenting' })), '409 NOT_BONDED')
  assert.equal(of(await post(it, 'mode', { mode: 'both' })), '400 INVALID_INPUT')
  assert.equal(of(await post(it, 'mode', {})), '400 INVALID_INPUT')
  assert.equal(of(await post(it, 'heartbeat', { mode: 'contributing' })), '400 INVALID_INPUT')
  assert.equal(of(await post(it, 'release', {})), '409 NOT_BONDED')
  for (const path of ['bond', 'release', 'heartbeat'])
    assert.equal(of(await post(it, path, {}, account.api_key)), '403 SCOPE_REQUIRED', path)
  assert.equal(of(await post(it, 'mode', { mode: 'idle' }, account.api_key)), '403 SCOPE_REQUIRED')
  assert.equal(it.node.store.log.size, before, 'nothing was appended')
  assert.equal(it.node.store.peek('contribution', 'own'), undefined)

  // Somebody else's envelope is not there; one that a bond ties is named with it.
  const theirs = await it.as(account.api_key).call('network.contribute-status', {})
  assert.deepEqual([theirs.bond, theirs.held], [null, 0])
  const calls = await Promise.all(
    Array.from({ length: 12 }, (_, i) => post(it, 'bond', i % 2 === 0 ? {} : { token_ids: tokens.slice(5, 1_005) })),
  )
  assert.equal(calls.filter(({ status }) => status === 200).length, 1)
  assert.ok(calls.every((call) => ['200 ok', '409 ALREADY_BONDED'].includes(of(call))))
  const bond = calls.find(({ status }) => status === 200)?.body['bond']
  const signed = of(await post(it, 'bond', { token_ids: tokens.slice(0, 1_000) }))
  assert.equal(signed, '409 ALREADY_BONDED')

  assert.equal((await post(it, 'mode', { mode: 'contributing' })).body['mode'], 'contributing')
  const beat = await post(it, 'heartbeat', {})
  assert.deepEqual([of(beat), beat.body['mode']], ['200 ok', 'contributing'], 'a heartbeat changes no mode')
  assert.equal((await post(it, 'mode', { mode: 'experimenting' })).body['mode'], 'experimenting')
  const first = await post(it, 'release', {})
  const { contribution } = it.node.services
  const end = first.body['unlocks_at'] as number
  await it.node.store.commit((tx) => contribution.load(tx, bond as string, { disputeUntil: end + 400 }))
  const later = await post(it, 'release', {})
  assert.deepEqual([of(later), later.body['unlocks_at']], ['200 ok', end + 400])
  const shown = await it.as(ownerKey(it)).call('network.contribute-status', { limit: 3, offset: 998 })
  assert.deepEqual([shown.mode, shown.attestation.total, shown.attestation.tokens.length], ['idle', 1_000, 2])
  assert.equal(of(await post(it, 'mode', { mode: 'contributing' })), '409 NOT_BONDED')
}, 120_000)

test.run()
