/*
 * Goal: a hosted page is served so that a browser makes nothing of it but a picture of text, to whoever may see the
 * machine; and a publish key opens the upload of its machine, and not one other endpoint. Method: a real node over
 * HTTP; the headers of every media type; hostile paths and bodies; every endpoint that reads a credential, asked with a
 * publish key.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { siteMediaTypes } from '#domain/machines/views/site.ts'
import { NodeRefusal } from '#gateway/client.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: hosted pages')

const shaOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const stage = async (node: TestNode, is_public = true) => {
  const [owner, stranger] = [
    await node.client.call('identity.sign-up', {}),
    await node.client.call('identity.sign-up', {}),
  ]
  const asOwner = node.as(owner.api_key)
  await asOwner.call('machines.create', { slug: 'pump', is_public })
  const { publish_key } = await asOwner.call('machines.issue-publish-key', { slug: 'pump' })
  return { asOwner, owner: owner.api_key, stranger: stranger.api_key, publisher: publish_key }
}

const get = (node: TestNode, path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, node.url), { headers })

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'ok'
  } catch (refusal) {
    assert.ok(refusal instanceof NodeRefusal, String(refusal))
    return refusal.code
  }
}

/** The least that each media type is. */
const samples: Readonly<Record<(typeof siteMediaTypes)[number], string>> = {
  'text/html': '<!doctype html><h1>Pump</h1><script>alert(1)</script>',
  'text/plain': 'plain é',
  'text/css': 'h1{color:red}',
  'text/csv': 'a,b\r\n=1+1,2\r\n',
  'application/json': '{"a":1}',
  'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'image/png': '\x89PNG\r\n\x1a\n<script>alert(1)</script>',
  'image/jpeg': '\xff\xd8\xff\xe0<html>',
  'image/gif': 'GIF89a/*<script>alert(1)</script>*/',
  'image/webp': 'RIFF\0\0\0\0WEBP',
  'application/pdf': '%PDF-1.7\n',
}

test('each media type goes out as it came, under the policy of pages', async () => {
  await using node = await testNode()
  const { asOwner } = await stage(node)
  for (const type of siteMediaTypes) {
    const isText = !/^image\/(?!svg)|pdf/.test(type)
    const bytes = Buffer.from(samples[type], isText ? 'utf8' : 'latin1')
    const path = `all/${type.replaceAll(/[^a-z]/g, '-')}`
    const content = { content: bytes.toString('base64'), encoding: 'base64' } as const
    const put = await asOwner.call('machines.site-upload', { slug: 'pump', path, content_type: type, ...content })
    assert.equal(put.page.sha, shaOf(bytes))
    const address = `/api/chain/pump/site/file/${put.page.sha}`
    const file = await get(node, address)
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), bytes)
    const header = (name: string) => file.headers.get(name)
    assert.equal(header('Content-Type'), isText && type !== 'application/json' ? `${type}; charset=utf-8` : type)
    assert.equal(
      header('Content-Security-Policy'),
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    )
    assert.equal(header('X-Content-Type-Options'), 'nosniff')
    assert.equal(header('Referrer-Policy'), 'no-referrer')
    assert.equal(header('Cross-Origin-Resource-Policy'), 'same-origin')
    assert.equal(header('Set-Cookie'), null)
    assert.equal(header('ETag'), `"${put.page.sha}"`)
    const known = await get(node, address, { 'If-None-Match': `"${put.page.sha}"` })
    assert.deepEqual([known.status, await known.text()], [304, ''])
    assert.equal((await get(node, address, { 'If-None-Match': '"other"' })).status, 200)
  }
  const { pages, total } = await node.client.call('machines.site-list', { slug: 'pump' })
  assert.deepEqual([pages.length, total], [siteMediaTypes.length, siteMediaTypes.length])
})

test('a private machine has no pages for strangers, with or without their names', async () => {
  await using node = await testNode()
  const { asOwner, stranger } = await stage(node, false)
  const page = { slug: 'pump', path: 'a', content_type: 'text/plain', content: 'secret' } as const
  const { page: put } = await asOwner.call('machines.site-upload', page)
  const address = `/api/chain/pump/site/file/${put.sha}`
  for (const headers of [{}, { Authorization: `Bearer ${stranger}` }]) {
    for (const path of [address, '/api/chain/pump/site/list']) {
      const [shut, absent] = [await get(node, path, headers), await get(node, path.replace('pump', 'none'), headers)]
      assert.deepEqual([shut.status, absent.status], [404, 404])
      const about = async (answer: Response) => {
        const { instance: _, ...rest } = (await answer.json()) as Record<string, unknown>
        return JSON.stringify(rest).replaceAll('none', 'pump')
      }
      assert.equal(await about(shut), await about(absent))
    }
  }
  assert.deepEqual(await codeOf(node.as(stranger).call('machines.site-upload', page)), 'NOT_FOUND')
  assert.equal((await get(node, address, { Authorization: `Bearer ${stranger}` })).status, 404)
})

test('no path climbs, no body is beyond its bound, and nothing of a refusal stays', async () => {
  await using node = await testNode()
  const { asOwner, publisher } = await stage(node)
  const put = (path: string, content = 'x') =>
    codeOf(node.as(publisher).call('machines.site-upload', { slug: 'pump', path, content_type: 'text/plain', content }))
  const hostile = ['', '/', '/etc/passwd', '../x', 'a/../b', 'a/..', './a', '.htaccess', 'a//b', 'a/', 'a\\b', 'a%2f..']
  for (const path of [...hostile, 'a\0', 'a\nb', 'é', 'a b', '%2e%2e', 'a'.repeat(257), 'pump/../../x']) {
    assert.equal(await put(path), 'INVALID_INPUT', JSON.stringify(path))
  }
  assert.equal(await put('ok', '\u0001'.repeat(600_000)), 'BODY_TOO_LARGE')
  assert.equal(await put('ok', 'a'.repeat(2_097_153)), 'INVALID_INPUT')
  const script = { slug: 'pump', path: 'a.js', content_type: 'text/javascript', content: '1' } as never
  assert.equal(await codeOf(asOwner.call('machines.site-upload', script)), 'INVALID_INPUT')
  const { total, bytes } = await node.client.call('machines.site-list', { slug: 'pump' })
  assert.deepEqual([total, bytes], [0, 0])
  assert.equal(await put('a/b.c/d-e_f', 'a'.repeat(2_097_152)), 'ok')
})

test('a publish key opens the upload of its machine, and no other endpoint that reads a credential', async () => {
  await using node = await testNode({ settings: { 'limits.keyCallsPerMinute': 100_000 } })
  const { asOwner, publisher } = await stage(node, false)
  await asOwner.call('machines.create', { slug: 'other', is_public: true })
  const page = { path: 'a', content_type: 'text/plain', content: 'x' } as const
  const upload = (slug: string) => codeOf(node.as(publisher).call('machines.site-upload', { slug, ...page }))
  assert.deepEqual(await Promise.all(['pump', 'other', 'absent'].map(upload)), [
    'ok',
    'SCOPE_REQUIRED',
    'SCOPE_REQUIRED',
  ])
  let asked = 0
  for (const it of endpoints as unknown as readonly Endpoint[]) {
    const { credential, reach } = it.access
    if (credential === 'none' || credential === 'handshake' || it.id === 'machines.site-upload') continue
    if (reach === undefined || reach.to === 'owner-key') continue
    const [method = '', route = ''] = it.route.split(' ')
    const path = route.replace('{slug}', 'pump').replaceAll(/\{[^}]+\}/g, 'x')
    const hasBody = method !== 'GET' && method !== 'DELETE'
    const answer = await fetch(new URL(path, node.url), {
      method,
      headers: { Authorization: `Bearer ${publisher}`, 'Content-Type': 'application/json' },
      ...(hasBody ? { body: '{}' } : {}),
    })
    const { code } = (await answer.json()) as { code?: string }
    assert.deepEqual([answer.status, code], [403, 'SCOPE_REQUIRED'], it.route)
    asked += 1
  }
  assert.ok(asked > 100)
  // What anyone may ask without a credential does not look at one.
  assert.equal((await get(node, '/api/chain/active', { Authorization: `Bearer ${publisher}` })).status, 200)
  await asOwner.call('machines.revoke-publish-key', { slug: 'pump' })
  assert.equal(await upload('pump'), 'UNAUTHENTICATED')
})

test('a publish key is shown again to a repeat of the call that made it, and to nobody else', async () => {
  await using node = await testNode()
  const { asOwner } = await stage(node)
  const make = (key: string) => asOwner.call('machines.issue-publish-key', { slug: 'pump' }, { idempotencyKey: key })
  const first = await make('once')
  assert.equal((await make('once')).publish_key, first.publish_key)
  const told = await asOwner.call('machines.publish-key', { slug: 'pump' })
  assert.deepEqual([told.issued, told.id, JSON.stringify(told).includes('zpk_')], [true, first.id, false])
  assert.notEqual((await make('twice')).publish_key, first.publish_key)
})

test.run()
