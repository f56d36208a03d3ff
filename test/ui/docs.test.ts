// Goal: the documentation is found, read, tried and copied by keyboard and by names alone, in every width and both
// themes, and axe has nothing to say.
// Method: Chromium beside a real node; the page's own storage is where a key is kept.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { browserSuite, WIDE } from './browser.ts'

const test = browserSuite('ui/docs')

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
const PAGES = [
  '/docs',
  '/docs/reference',
  '/docs/reference/compute.heat',
  '/docs/reference/explorer.status',
  '/docs/errors',
  '/docs/errors/PRECISION_NOT_MET',
  '/docs/guide/public',
  '/docs/solvers',
  '/docs/solvers/heat',
]

/** What axe finds on the page, a line for each. */
const axe = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const run = Object(globalThis).axe.run as () => Promise<{
      violations: { id: string; nodes: { html: string }[] }[]
    }>
    const { violations } = await run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  })
}

/** By how many pixels the page is wider than its window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('no page is wider than its window, and axe finds nothing, at four widths and in both themes', async ({
  visit,
  it,
}) => {
  for (const [width, colorScheme] of [
    [320, 'light'],
    [390, 'dark'],
    [768, 'light'],
    [1280, 'dark'],
  ] as const) {
    const options: BrowserContextOptions = { viewport: { width, height: 800 }, colorScheme }
    const { page, assertQuiet } = await visit(PAGES[0], options)
    for (const path of PAGES) {
      await page.goto(`${it.url}${path}`)
      assert.equal(await overflow(page), 0, `${path} at ${width}`)
      assert.deepEqual(await axe(page), [], `${path} at ${width}, ${colorScheme}`)
    }
    assertQuiet()
    await page.context().close()
  }
})

test('a word leads to an operation by the keyboard alone, and earlier addresses still do', async ({ visit, it }) => {
  const { page, assertQuiet } = await visit('/docs', WIDE)
  await page.keyboard.press('/')
  await page.keyboard.type('heat svc')
  await page.getByRole('option', { name: /POST \/api\/svc\/heat/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/reference\/compute\.heat$/)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('nothinghasthis')
  await page.getByText('Nothing has these words.').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('#found').isVisible(), false)
  for (const hash of ['#/Solvers/compute.heat', '#compute.heat']) {
    await page.goto(`${it.url}/docs/errors`)
    await page.goto(`${it.url}/docs${hash}`)
    await page.waitForURL(/\/docs\/reference\/compute\.heat$/)
  }
  assertQuiet()
})

test('an operation is called from its page: with a key that is made then, shown masked and copied whole', async ({
  visit,
}) => {
  const { page, asked, assertQuiet } = await visit('/docs/reference/compute.heat', WIDE)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  assert(!asked.some((path) => path.includes('demo-key')), 'no key is made before the first call')
  await page.getByLabel('Body').fill('{"nx": 96, "ny": 96}')
  await page.getByRole('button', { name: 'Send' }).click()
  const outcome = page.getByRole('region', { name: 'What came back' })
  await outcome.getByText(/^200 OK/).waitFor()
  for (const name of ['Figures', 'Receipt', 'Diagnostics', 'Headers']) {
    await outcome.getByRole('heading', { name, exact: true }).waitFor()
  }
  const key = (await page.evaluate(() => localStorage.getItem('tickmesh.demo-key'))) ?? ''
  assert.match(key, /^svc_demo_/)
  await page.getByRole('tab', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await page.getByRole('tab', { name: 'Python' }).getAttribute('aria-selected'), 'true')
  const shown = (await page.locator('.example:visible code').textContent()) ?? ''
  assert(shown.includes('"nx": 96') && shown.includes('••••') && !shown.includes(key))
  await page.locator('.example:visible').getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Copied').first().waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert(copied.includes(key) && copied.includes('"nx": 96'))
  assertQuiet()
})

test('in one column the call comes before what it takes, and every part is a link away', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/docs/reference/compute.heat', { viewport: { width: 390, height: 800 } })
  const top = (id: string): Promise<number> => page.locator(`#${id}`).evaluate((it) => it.getBoundingClientRect().top)
  const ids = await page
    .locator('.jumps a')
    .evaluateAll((all) => all.map((it) => it.getAttribute('href')?.slice(1) ?? ''))
  assert.deepEqual(ids, ['call', 'parameters', 'body', 'answers', 'refusals', 'try', 'example'])
  const tops: number[] = []
  for (const id of ids) tops.push(await top(id))
  assert.deepEqual(
    tops,
    tops.toSorted((a, b) => a - b),
  )
  const cut = await page.locator('.example:visible pre').evaluate((it) => it.scrollWidth - it.clientWidth)
  assert.equal(cut, 0, 'no line of the call has to be pushed sideways')
  assertQuiet()
})

test('a refusal of a call leads to its page, and what is no JSON is not sent', async ({ visit }) => {
  const { page, asked } = await visit('/docs/reference/compute.quote', WIDE)
  await page.getByLabel('Body').fill('{"route": "nothing at all"}')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('link', { name: /^What NOT_FOUND means/ }).click()
  await page.getByRole('heading', { name: 'NOT_FOUND', level: 1 }).waitFor()
  await page.goBack()
  const before = asked.filter((path) => path === '/api/quote').length
  await page.getByLabel('Body').fill('{"route": ')
  await page.getByRole('button', { name: 'Send' }).click()
  assert.equal(await page.getByLabel('Body').evaluate((it: HTMLTextAreaElement) => it.validity.valid), false)
  assert.equal(asked.filter((path) => path === '/api/quote').length, before)
})

test('the theme of the node’s page holds here, and without a script all is there to read', async ({
  profile,
  tab,
  it,
}) => {
  const context = await profile({ ...WIDE, colorScheme: 'light' })
  const { page } = await tab(context, `${it.url}/docs`)
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await paper()
  await page.evaluate(() => localStorage.setItem('tickmesh.theme', 'dark'))
  await page.reload()
  assert.notEqual(await paper(), light)
  const plain = await tab(await profile({ javaScriptEnabled: false }), `${it.url}/docs/reference/compute.heat`)
  for (const language of ['curl', 'Python', 'TypeScript']) {
    await plain.page.getByRole('heading', { name: language, exact: true }).waitFor()
  }
  assert.equal(await plain.page.getByRole('button', { name: 'Send' }).isVisible(), false)
})

test.run()
