/*
 * Goal: pages of a machine are what was put up last at each path, files go with the last path that names them, the
 * bounds hold also for those who come at once, and what is refused changes nothing. Method: seeded uploads against a
 * map kept by hand; hostile paths, contents and media types; uploads at once at the bound; `fsck`, also of stores in
 * which a row was taken out, added or altered; and a store that was carried away in a backup.
 */
import assert from 'node:assert/strict'
import { toBase64, toHex, utf8 } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import { SITE_PAGE_BYTES_MAX, SITE_PAGES_MAX, type SiteUpload } from '#domain/machines/site/pages.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { sitePageKey } from '#store/rows/site.ts'
import type { Transaction } from '#store/transaction.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { callerOf, type House, newAccount, openHouse, refusal } from '../../house.ts'

const test = suite('machines: hosted pages')

const shaOf = (text: string): string => toHex(sha256(utf8(text)))
const page = (path: string, content: string, more: Partial<SiteUpload> = {}): SiteUpload => ({
  ...{ path, content, content_type: 'text/plain', encoding: 'text' },
  ...more,
})

const pump = async (house: House, is_public = true) => {
  const { caller } = await newAccount(house)
  const { api_key } = await house.machines.create(caller, { slug: 'pump', is_public })
  return { caller, asking: { caller, slug: 'pump' }, machineKey: api_key }
}

/** Everything that an upload could change. */
const standing = async (house: House) => {
  const rows: unknown[] = [house.store.peek('machineHead', 'pump')]
  for (const table of ['site', 'sitePage', 'siteFile', 'siteBytes'] as const) {
    for await (const it of house.store.range(table)) rows.push([table, ...it])
  }
  return JSON.stringify(rows)
}

test('the file that was put up last stands at each path, and files go with their last path', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { asking } = await pump(house)
    const random = seeded()
    const paths = ['a.txt', 'b.txt', 'sub/a.txt', 'sub/deep/c']
    const held = new Map<string, string>()
    for (let round = 0; round < 60; round++) {
      const [path, content] = [random.pick(paths), `page ${random.integer(0, 5)}`]
      const before = held.get(path)
      const put = await house.machines.uploadPage(asking, page(path, content))
      assert.equal(put.recorded === null, before === content)
      assert.equal(put.replaced, before === undefined || before === content ? null : shaOf(before))
      if (put.recorded !== null) {
        const { entry } = house.store.peek('machineEntry', keyOf('pump', seqKey(put.recorded.seq)))!
        assert.equal(entry.type, 'site_page')
        const said = { path, sha: shaOf(content), media_type: 'text/plain', bytes: content.length, source: 'owner' }
        assert.deepEqual({ ...(entry.body as object), sealed: 0 }, { ...said, sealed: 0 })
      }
      held.set(path, content)
    }
    const listed = await house.machines.sitePages(asking, { limit: 200 })
    const byPath = Object.fromEntries(listed.pages.map(({ path, sha }) => [path, sha]))
    assert.deepEqual(byPath, Object.fromEntries([...held].map(([path, content]) => [path, shaOf(content)])))
    const files = new Set(held.values())
    assert.equal(listed.total, held.size)
    assert.equal(
      listed.bytes,
      [...files].reduce((sum, it) => sum + it.length, 0),
    )
    for (let i = 0; i <= 5; i++) {
      const asked = house.machines.siteFile(asking, shaOf(`page ${i}`))
      if (files.has(`page ${i}`)) assert.deepEqual((await asked).bytes, utf8(`page ${i}`))
      else assert.equal((await refusal(() => asked)).code, 'NOT_FOUND')
    }
    const first = await house.machines.sitePages(asking, { limit: 1 })
    const rest = await house.machines.sitePages(asking, { limit: 200, after: first.next_after! })
    assert.deepEqual([...first.pages, ...rest.pages], listed.pages)
    assert.equal(rest.next_after, null)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('what is no page is refused with its place, and nothing changes', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { asking } = await pump(house)
  await house.machines.uploadPage(asking, page('a.txt', 'x'))
  const before = await standing(house)
  const png = toBase64(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1))
  const gifScript = 'GIF88a/*<script>*/'
  const cases: readonly (readonly [Partial<SiteUpload>, string])[] = [
    [{ content: 'a'.repeat(SITE_PAGE_BYTES_MAX + 1) }, '/content'],
    [{ content: 'é'.repeat(SITE_PAGE_BYTES_MAX / 2 + 1) }, '/content'],
    [{ content: 'no base64!', encoding: 'base64' }, '/content'],
    [{ content: 'YQ', encoding: 'base64' }, '/content'],
    [{ content: 'YR==', encoding: 'base64' }, '/content'],
    [{ content: ' YQ==', encoding: 'base64' }, '/content'],
    [{ content: '\ud800' }, '/content'],
    [{ content: 'a\0b' }, '/content_type'],
    [{ content: '/w==', encoding: 'base64' }, '/content_type'],
    [{ content: '{', content_type: 'application/json' }, '/content_type'],
    [{ content: '<script>alert(1)</script>', content_type: 'image/svg+xml' }, '/content_type'],
    [{ content: '<h1>no picture</h1>', content_type: 'image/png' }, '/content_type'],
    [{ content: gifScript, content_type: 'image/gif' }, '/content_type'],
    [{ content: png, encoding: 'base64', content_type: 'image/jpeg' }, '/content_type'],
    [{ content: png, encoding: 'base64', content_type: 'text/html' }, '/content_type'],
    [{ content: '', content_type: 'application/pdf' }, '/content_type'],
    [{ path: 'other.html', content: 'x', content_type: 'text/html' }, '/content_type'],
  ]
  for (const [change, place] of cases) {
    const { code, details } = await refusal(() => house.machines.uploadPage(asking, page('a.txt', 'y', change)))
    const [first] = (details as { errors: { path: string }[] }).errors
    assert.deepEqual([code, first!.path], ['INVALID_INPUT', place], JSON.stringify(change).slice(0, 80))
  }
  assert.equal(await standing(house), before)
  // At its only path a file may be said to be something else.
  const { page: now } = await house.machines.uploadPage(asking, page('a.txt', 'x', { content_type: 'text/html' }))
  assert.equal(now.content_type, 'text/html')
  const whole = 'a'.repeat(SITE_PAGE_BYTES_MAX)
  assert.equal((await house.machines.uploadPage(asking, page('whole', whole))).page.bytes, SITE_PAGE_BYTES_MAX)
})

test('of uploads at once no more are taken than a machine may have, and a page may still be replaced', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { asking } = await pump(house)
    await house.machines.uploadPage(asking, page('first', 'first'))
    // As though nearly all had been put up; the entries of a minute would not suffice for them.
    const room = 3
    await house.store.commit((tx) =>
      tx.put('site', 'pump', { ...tx.get('site', 'pump')!, pages: SITE_PAGES_MAX - room }),
    )
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => house.machines.uploadPage(asking, page(`p${i}`, `${i}`))),
    )
    const refused = all.filter((it) => it.status === 'rejected')
    assert.equal(all.length - refused.length, room)
    for (const { reason } of refused)
      assert.deepEqual([reason.code, reason.details.limit], ['RATE_LIMITED', SITE_PAGES_MAX])
    await house.machines.uploadPage(asking, page('first', 'second'))
    assert.equal(house.store.peek('site', 'pump')!.pages, SITE_PAGES_MAX)
    await house.store.commit((tx) => tx.put('site', 'pump', { ...tx.get('site', 'pump')!, pages: room + 1 }))
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('a publish key puts pages up in its machine, and falls with its maker, its successor and its end', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, asking, machineKey } = await pump(house, false)
  const member = await newAccount(house)
  await house.machines.addAdmin(asking, member.zid, 'admin')
  await house.machines.create(caller, { slug: 'other', is_public: true })
  assert.deepEqual(house.machines.publishKey(asking), { slug: 'pump', issued: false, id: null, created_tick: null })
  const { size } = house.store.peek('machineHead', 'pump')!
  assert.equal((await house.machines.revokePublishKey(asking)).issued, false)
  assert.equal(house.store.peek('machineHead', 'pump')!.size, size, 'where none is out nothing is said')
  const first = await house.machines.issuePublishKey(asking)
  assert.match(first.publish_key, /^zpk_[0-9A-Za-z]{43}$/)
  const upload = (key: string, slug = 'pump') =>
    house.machines.uploadPage({ caller: callerOf(house, key), slug }, page('x', `by ${key.slice(-4)}`))
  const { page: put, recorded } = await upload(first.publish_key)
  const { entry } = house.store.peek('machineEntry', keyOf('pump', seqKey(recorded!.seq)))!
  assert.equal((entry.body as { source: string }).source, 'key:publish')
  assert.equal((await refusal(() => upload(first.publish_key, 'other'))).code, 'SCOPE_REQUIRED')
  assert.equal((await refusal(() => upload(first.publish_key, 'absent'))).code, 'SCOPE_REQUIRED')
  // Nobody's rights: neither the pages, nor the members, nor the chain of the private machine.
  const publisher = { caller: callerOf(house, first.publish_key), slug: 'pump' }
  for (const look of [
    () => house.machines.sitePages(publisher, { limit: 1 }),
    () => house.machines.siteFile(publisher, put.sha),
    async () => house.machines.publishKey(publisher),
    () => house.machines.issuePublishKey(publisher),
    () => house.machines.admins(publisher),
    () => house.machines.event({ ...publisher, scope: 'test', idempotencyKey: undefined }, { type: 'x' }),
    async () => house.machines.read(publisher),
  ]) {
    assert.equal((await refusal(look)).code, 'NOT_FOUND')
  }
  const second = await house.machines.issuePublishKey({ caller: member.caller, slug: 'pump' })
  assert.equal((await refusal(() => upload(first.publish_key))).code, 'UNAUTHENTICATED')
  await upload(second.publish_key)
  const late = callerOf(house, second.publish_key)
  await house.machines.removeAdmin(asking, member.zid)
  assert.equal((await refusal(() => upload(second.publish_key))).code, 'UNAUTHENTICATED')
  const asLate = { caller: late, slug: 'pump' }
  assert.equal((await refusal(() => house.machines.uploadPage(asLate, page('x', 'late')))).code, 'UNAUTHENTICATED')
  const third = await house.machines.issuePublishKey({ caller: callerOf(house, machineKey), slug: 'pump' })
  await upload(third.publish_key)
  await house.machines.revokePublishKey(asking)
  assert.equal((await refusal(() => upload(third.publish_key))).code, 'UNAUTHENTICATED')
  for await (const [key] of house.store.range('siteKey')) assert.fail(key)
  await house.machines.setStatus(asking, 'paused')
  assert.equal((await refusal(() => house.machines.uploadPage(asking, page('y', 'y')))).code, 'MACHINE_NOT_ACTIVE')
})

/** What `fsck` says of a store of one machine with two pages and a key, after a change by other hands. */
const badAfter = async (change: (tx: Transaction, sha: string) => void) => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { asking } = await pump(house)
    await house.machines.uploadPage(asking, page('a', 'one'))
    await house.machines.uploadPage(asking, page('b', 'one'))
    await house.machines.issuePublishKey(asking)
    await house.store.commit((tx) => change(tx, shaOf('one')))
  }
  const { bad } = await fsck({ directory: dir.path })
  return bad === null ? null : [bad.table, bad.what]
}

test('fsck names pages without entry, files without page, and keys of nobody', async () => {
  assert.equal(await badAfter(() => undefined), null)
  const file = (sha: string) => keyOf('pump', sha)
  assert.deepEqual(await badAfter((tx) => tx.del('sitePage', sitePageKey('pump', 'a'))), [
    'siteFile',
    'other paths name it than it counts',
  ])
  const seq = await badAfter((tx) =>
    tx.put('sitePage', sitePageKey('pump', 'a'), { ...tx.get('sitePage', sitePageKey('pump', 'a'))!, seq: 0 }),
  )
  assert.deepEqual(seq, ['sitePage', 'no entry of the machine says it'])
  const moved = await badAfter((tx) => {
    const row = tx.get('sitePage', sitePageKey('pump', 'a'))!
    tx.put('sitePage', sitePageKey('pump', 'c'), row)
  })
  assert.deepEqual(moved, ['sitePage', 'it is not at its path'])
  assert.deepEqual(await badAfter((tx, sha) => tx.del('siteBytes', file(sha))), ['siteBytes', 'the bytes are missing'])
  assert.deepEqual(await badAfter((tx, sha) => tx.del('siteFile', file(sha))), [
    'siteFile',
    'a page names it, and it is missing',
  ])
  assert.deepEqual(await badAfter((tx) => tx.put('siteBytes', file('0'.repeat(64)), utf8('x'))), [
    'siteBytes',
    'it is no file',
  ])
  const counted = await badAfter((tx) => tx.put('site', 'pump', { ...tx.get('site', 'pump')!, pages: 3 }))
  assert.deepEqual(counted, ['site', 'it counts other pages'])
  const bytes = await badAfter((tx) => tx.put('site', 'pump', { ...tx.get('site', 'pump')!, bytes: 4 }))
  assert.deepEqual(bytes, ['site', 'it counts other bytes'])
  assert.deepEqual(await badAfter((tx) => tx.del('site', 'pump')), ['sitePage', 'its machine has no pages'])
  const stray = await badAfter((tx) => tx.put('siteKey', '0'.repeat(64), 'pump'))
  assert.deepEqual(stray, ['siteKey', 'the machine has another key'])
  const lost = await badAfter((tx) => tx.del('siteKey', tx.get('site', 'pump')!.key!.hash))
  assert.deepEqual(lost, ['siteKey', 'the row is missing'])
})

test.run()
