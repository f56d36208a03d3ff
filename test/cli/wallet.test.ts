// Goal: at a terminal a person sees what the account has, sends by number and by token after a preview that nothing
// skips unasked, keeps a receipt, and reads a history that is verified here, by exit codes. Method: commands in this
// process on a real node whose accounts own envelopes; between them, where an answer must be wrong or a home away, a
// server that passes calls on and changes one answer.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import { verifyTokenReceipt } from '#core/token/verify.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { FACE, wealthyAccount } from '../kit/wealth.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/wallet')
const MS_MAX = 60_000
const UNKNOWN = 'zid1abcdefghijklmnopqrstuvwxyz234567'

/** A node with a rich account and a friend, and a terminal of each. */
const rooms = async (counts: { readonly soulbound?: number; readonly movable: number }) => {
  await using opened = new AsyncDisposableStack()
  const home = opened.use(tempDir()).path
  const it = opened.use(await testNode({ realTime: true }))
  const rich = await wealthyAccount(it, counts)
  const friend = await it.client.call('identity.sign-up', {})
  const { here } = terminalIn(home)
  const envOf = (key: string, url = it.url) => ({ TICKMESH_URL: url, TICKMESH_DATA: `${home}/none`, TICKMESH_KEY: key })
  const as =
    (key: string, url?: string) =>
    (...args: readonly string[]) =>
      here.run(args, { env: envOf(key, url) })
  const json =
    (key: string, url?: string) =>
    (...args: readonly string[]) =>
      here.json(args, { env: envOf(key, url) })
  const resources = opened.move()
  return {
    ...{ home, it, rich, friend, as, json },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Passes calls on to a node, and changes what it answers to one path. */
const between = async (
  url: string,
  change: (path: string, body: string) => readonly [status: number, body: string] | undefined,
) => {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const headers = { ...(request.headers as Record<string, string>), connection: 'close' }
      for (const name of ['host', 'content-length', 'transfer-encoding', 'accept-encoding'])
        delete (headers as Record<string, string | undefined>)[name]
      const body = Buffer.concat(pieces)
      const path = request.url ?? ''
      void fetch(new URL(path, url), {
        method: request.method ?? 'GET',
        headers,
        ...(body.length > 0 && { body }),
      }).then(async (answer) => {
        const text = await answer.text()
        const [status, said] = change(path, text) ?? [answer.status, text]
        response.writeHead(status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(said)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

test(
  'the wallet says what there is; nothing is sent unasked; by number with a receipt that verifies',
  async () => {
    await using on = await rooms({ soulbound: 1, movable: 3 })
    const { rich, friend, home, it } = on
    const [run, json] = [on.as(rich.api_key), on.json(rich.api_key)]
    const shown = await run('wallet')
    assert.equal(shown.code, 0, shown.stderr)
    assert.match(shown.stdout, /free +1 /)
    assert.match(shown.stdout, new RegExp(`coins +${3 * FACE} .*never credits again`))
    assert.match(shown.stdout, /envelopes +5, of which 3 can be sent/)
    assert.match(shown.stdout, /home +tickmesh\.log\/\S+ \(this node\): 5/)
    assert.match(shown.stdout, /folder +Unfiled: 5/)

    const unasked = await run('envelopes', 'send', '--to', friend.zid, '--count', '2')
    assert.equal(unasked.code, 2)
    assert.match(
      unasked.stderr,
      new RegExp(`Send 2 envelopes, drawn at random of the 3 that can be sent, to ${friend.zid}`),
    )
    assert.match(unasked.stderr, new RegExp(`it ends in ${friend.zid.slice(-4)}`))
    assert.equal(it.node.store.balance('coin', friend.zid), 0)

    const file = join(home, 'moved.json')
    const sent = await run('envelopes', 'send', '--to', friend.zid, '--count', '2', '--yes', '--save', file)
    assert.equal(sent.code, 0, sent.stderr)
    assert.match(sent.stdout, new RegExp(`^sent 2 envelopes, weight ${2 * FACE}, to ${friend.zid}\n`))
    const receipt = JSON.parse(readFileSync(file, 'utf8')) as TokenReceiptFile
    assert.equal(verifyTokenReceipt(receipt, { trusted: it.node.nodeId }).outcome, 'verified')
    assert.equal(receipt.list?.length, 2)
    assert.equal(it.node.store.balance('coin', friend.zid), 2 * FACE)

    const after = await json('wallet')
    assert.deepEqual([after.answer['coins'], (after.answer['moves'] as unknown[]).length], [FACE, 1])
    const theirs = await on.as(friend.api_key)('envelopes', 'history', '--key', it.node.nodeId)
    assert.equal(theirs.code, 0, theirs.stderr)
    assert.match(
      theirs.stdout,
      new RegExp(`^\\d{4}-\\d\\d-\\d\\d \\S+ +in +transfer +2 +weight 10 +from ${rich.zid}.* verified`),
    )
    const [token = ''] = receipt.list?.map((place) => place.token_id) ?? []
    const way = await on.json(friend.api_key)('envelopes', 'history', token, '--key', it.node.nodeId)
    const [move] = way.answer['moves'] as readonly { readonly verification: { readonly unchecked: unknown } }[]
    assert.deepEqual([way.code, way.answer['token_id'], move?.verification.unchecked], [0, token, ['list']])
    const trustless = await run('envelopes', 'history')
    assert.equal(trustless.code, 0)
    assert.match(trustless.stdout, /not checked: no trusted key/)
  },
  MS_MAX,
)

test(
  'by token: what stays is named before anybody is asked; wrong words and unknown recipients change nothing',
  async () => {
    await using on = await rooms({ soulbound: 1, movable: 2 })
    const { rich, friend, it } = on
    const json = on.json(rich.api_key)
    const [bound = ''] = rich.bound
    const [first = '', second = ''] = rich.movable
    const send = (...args: readonly string[]) => json('envelopes', 'send', ...args, '--yes')
    const stays = await send(first, bound, '--to', friend.zid)
    assert.deepEqual([stays.code, stays.answer['code']], [1, 'SOULBOUND'])
    assert.deepEqual((stays.answer['details'] as { token_ids: unknown }).token_ids, [bound])
    for (const [to, why] of [
      ['zid2', /begins with zid1/],
      [`${friend.zid}a`, /36 characters; this has 37/],
      [friend.zid.replace(/.$/, '0'), /“0” stands in no ZID/],
    ] as const) {
      const wrong = await send(first, '--to', to)
      assert.equal(wrong.code, 2, to)
      assert.match(String(wrong.answer['error']), why)
    }
    for (const args of [[], [first, '--count', '1'], ['--count', '0']]) {
      const odd = await send('--to', friend.zid, ...args)
      assert.notEqual(odd.code, 0, args.join(' '))
    }
    assert.equal((await send(first)).code, 2, '--to is missing')
    const unknown = await send(first, '--to', UNKNOWN)
    assert.deepEqual([unknown.code, unknown.answer['code']], [1, 'UNKNOWN_ZID'])
    const few = await send('--to', friend.zid, '--count', '3')
    assert.deepEqual([few.code, few.answer['code']], [1, 'TOO_FEW'])
    const nowhere = join(on.home, 'none', 'x.json')
    assert.notEqual((await send(first, '--to', friend.zid, '--save', nowhere)).code, 0)
    assert(!existsSync(nowhere))
    for (const token of [first, second, bound])
      assert.equal(it.node.store.peek('envelope', token)?.listed_under, rich.zid)

    const forced = await send(first, first, '--to', UNKNOWN, '--allow-unknown')
    assert.deepEqual([forced.code, forced.answer['moved']], [0, 1], 'one that is named twice goes once')
    const once = ['--to', friend.zid.toUpperCase(), '--idempotency-key', 'gift'] as const
    const dry = await json('envelopes', 'send', second, '--to', friend.zid, '--dry-run')
    const place = { zid: friend.zid, known: true, node: it.node.nodeId, here: true }
    assert.deepEqual([dry.code, dry.answer['dry_run'], dry.answer['place']], [0, true, place])
    const lost = await on.as(rich.api_key)('envelopes', 'send', second, '--to', UNKNOWN, '--dry-run')
    assert.equal(lost.code, 0)
    assert.match(lost.stdout, /would send 1 envelope, weight \d+, to zid1\w+ \(.*not known here\); nothing is sent/)
    assert.equal(it.node.store.peek('envelope', second)?.listed_under, rich.zid)
    const moved = await send(second, ...once)
    assert.deepEqual([moved.code, moved.answer['weight']], [0, FACE])
    assert.equal(it.node.store.peek('envelope', second)?.listed_under, friend.zid)
    const list = await json('envelopes', '--movable')
    assert.equal(list.answer['total'], 0)
  },
  MS_MAX,
)

test(
  'a receipt that does not hold ends with 3, a home that is away with 75',
  async () => {
    await using on = await rooms({ movable: 3 })
    const { rich, friend, it } = on
    await rich.client.call('economy.send', { to: friend.zid, count: 1 })
    await using altered = await between(it.url, (path, body) =>
      path.startsWith('/api/tally/moves') ? [200, body.replaceAll(`"weight":${FACE}`, '"weight":9999')] : undefined,
    )
    const wrong = await on.as(rich.api_key, altered.url)('envelopes', 'history', '--key', it.node.nodeId)
    assert.equal(wrong.code, 3, wrong.stderr)
    assert.match(wrong.stdout, /NOT verified: signature/)
    const told = await on.json(rich.api_key, altered.url)('envelopes', 'history', '--key', it.node.nodeId)
    assert.deepEqual([told.code, told.answer['ok']], [3, false])

    const problem = { type: 'urn:tickmesh:fault:HOME_UNREACHABLE', title: 'away', status: 503, retryable: true }
    const body = JSON.stringify({ ...problem, code: 'HOME_UNREACHABLE', detail: 'The home is away; nothing changed.' })
    await using away = await between(it.url, (path) => (path.endsWith('transfer-bulk') ? [503, body] : undefined))
    const late = await on.json(rich.api_key, away.url)('envelopes', 'send', '--to', friend.zid, '--count', '1', '--yes')
    assert.deepEqual([late.code, late.answer['code']], [75, 'HOME_UNREACHABLE'])

    // Two are gone: the server between passed the call on before it changed the answer.
    const token = rich.movable.find((id) => it.node.store.peek('envelope', id)?.listed_under === rich.zid) ?? ''
    await using silent = await between(it.url, (path, said) =>
      path.includes(token)
        ? [200, said.replace('"movable":true,"immovable":null', '"movable":false,"immovable":"unconfirmed"')]
        : undefined,
    )
    const alone = await on.json(rich.api_key, silent.url)('envelopes', 'send', token, '--to', friend.zid, '--yes')
    assert.deepEqual([alone.code, alone.answer['code']], [75, 'HOME_UNREACHABLE'])
    assert.match(String(alone.answer['error']), new RegExp(`${token} {2}not now: its home has not answered lately`))
  },
  MS_MAX,
)

test.run()
