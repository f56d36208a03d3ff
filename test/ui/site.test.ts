/*
 * Goal: hosted HTML, whoever wrote it, runs nothing and reads nothing of the owner's session, neither by itself nor in
 * the page's preview; and pages and oracles are put up and seen on the page. Method: Chromium with the owner's session;
 * a hosted page that would tell by its title and by calls if anything in it ran; files dropped into the page.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { until } from '../kit/until.ts'
import { browserSuite } from './browser.ts'

const test = browserSuite('ui/site')

const hostile = `<!doctype html><title>quiet</title><h1>Pump 7</h1>
<style>h1{color:rgb(1, 2, 3)}</style>
<script>document.title='ran';fetch('/api/auth/account').then(()=>{document.title='read'})</script>
<img src="/api/chain/active" onerror="document.title='ran'">
<form action="/api/chain/pump-7/event" method="post"><input name="type" value="x"><button>go</button></form>
<iframe src="/api/auth/account"></iframe><link rel="stylesheet" href="/api/identity">
<a href="/api/auth/account" target="_top">away</a>`
const sha = createHash('sha256').update(hostile).digest('hex')

test('a hosted page runs nothing, and nothing in it reads what the session may', async ({
  it,
  profile,
  tab,
  signal,
}) => {
  const context = await profile()
  const { page } = await tab(context, it.node.ownerLink())
  await page.locator('.who-name', { hasText: 'owner' }).waitFor()
  const cookies = await context.cookies()
  assert.equal(cookies.length, 1, 'the owner is signed in')
  const { api_key } = await it.client.call('identity.sign-up', {})
  const mine = it.as(api_key)
  await mine.call('machines.create', { slug: 'pump-7', is_public: true })
  await mine.call('machines.site-upload', {
    slug: 'pump-7',
    path: 'x.html',
    content_type: 'text/html',
    content: hostile,
  })
  const events = async () => (await mine.call('machines.stats', { slug: 'pump-7' })).entries
  const before = await events()
  const answered: string[] = []
  context.on('response', (it) => answered.push(new URL(it.url()).pathname))
  const hosted = await tab(context, `${it.url}/api/chain/pump-7/site/file/${sha}`)
  assert.equal(await hosted.page.title(), 'quiet')
  const color = await hosted.page.evaluate(() => getComputedStyle(document.querySelector('h1')!).color)
  assert.equal(color, 'rgb(1, 2, 3)', 'its own styles hold')
  // Even code that is put into it from without has no origin, no cookie, and nobody to ask.
  const found = await hosted.page.evaluate(async () => {
    const tried = async (work: () => unknown): Promise<string> => {
      try {
        return String(await work())
      } catch {
        return 'refused'
      }
    }
    return {
      origin: self.origin,
      cookie: await tried(() => document.cookie),
      storage: await tried(() => localStorage.length),
      read: await tried(async () => (await fetch('/api/auth/account', { credentials: 'include' })).status),
    }
  })
  assert.deepEqual(found, { origin: 'null', cookie: 'refused', storage: 'refused', read: 'refused' })
  await hosted.page.getByRole('button', { name: 'go' }).click()
  // The browser tells of requests that its policy stops, but none of them is sent.
  const outside = answered.filter((path) => path !== `/api/chain/pump-7/site/file/${sha}`)
  const ofPage = outside.filter((path) => /account|active|identity|event/.test(path))
  assert.deepEqual(ofPage, [], 'nothing was answered to it')
  assert.equal(await events(), before)

  await page.goto(`${it.url}/#machine/pump-7/site`)
  await page.getByRole('button', { name: 'x.html' }).click()
  const frame = page.frameLocator('.hosted')
  await frame.getByRole('heading', { name: 'Pump 7' }).waitFor()
  assert.equal(await page.locator('.hosted').getAttribute('sandbox'), '')
  await until(async () => (await frame.locator('h1').count()) === 1, signal)
  assert.equal(await frame.locator('title').textContent(), 'quiet')
})

test('pages are dropped into the page, listed and looked at; oracles are told', async ({ it, visit }) => {
  const { page } = await visit('/#settings')
  await page.getByRole('button', { name: 'New account' }).click()
  const key = await page.getByRole('textbox', { name: 'API key of the new account' }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.locator('[aria-label=Session][data-self=account]').waitFor()
  const mine = it.as(key)
  await mine.call('machines.create', { slug: 'quiet', is_public: false })
  await page.goto(`${it.url}/#machine/quiet/site`)
  const site = page.getByRole('region', { name: 'Site' })
  await site.getByText('No page is up.').waitFor()
  await site.locator('input[type=file]').setInputFiles([
    { name: 'index.html', mimeType: 'text/html', buffer: Buffer.from('<h1>Quiet</h1>') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
  ])
  await site.getByText('2 pages are up.').waitFor()
  const { total } = await mine.call('machines.site-list', { slug: 'quiet' })
  assert.equal(total, 2)
  await site.getByRole('button', { name: 'index.html' }).click()
  await page.frameLocator('.hosted').getByRole('heading', { name: 'Quiet' }).waitFor()
  await site
    .locator('input[type=file]')
    .setInputFiles([{ name: 'run.js', mimeType: 'text/javascript', buffer: Buffer.from('1') }])
  await site.getByText('run.js is no page').waitFor()
  const keys = page.getByRole('region', { name: 'Publish key' })
  await keys.getByRole('button', { name: 'Make a publish key' }).click()
  assert.match(await keys.getByRole('textbox', { name: 'Publish key' }).inputValue(), /^zpk_/)

  const definition = {
    ...{ v: 1, name: 'Reader', context: { n: { type: 'number', initial: 0 } }, events: { look: { data: {} } } },
    oracles: {
      level: {
        from: { kind: 'machine', slug: 'quiet', event: 'level', field: 'v' },
        ...{ type: 'number', unit: 'm', max_age: 600 },
      },
    },
    states: { on: { initial: true } },
    transitions: [
      {
        ...{ id: 'read', from: 'on', to: 'on', trigger: { kind: 'event', event: 'look' } },
        actions: [{ kind: 'set', n: { $: 'oracle.level' } }],
      },
    ],
  }
  await mine.call('contracts.custom', { slug: 'quiet', definition, start: true })
  await mine.call('machines.event', { slug: 'quiet', type: 'level', data: { v: 3.5 } })
  await mine.call('machines.event', { slug: 'quiet', type: 'look', data: {} })
  await it.advanceTicks(1)
  await it.node.services.contracts.idle()
  await page.goto(`${it.url}/#machine/quiet/oracles`)
  await page.locator('[data-oracle=level]').getByText('3.5 m').waitFor()
})

test.run()
