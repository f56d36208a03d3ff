// Goal: the page's shell: views come when they are opened and not before, one that does not come is said and asked for
// again, addresses carry what is said to a view, and the path of a receipt is the page. Method: Chromium on a real
// node; bytes are what the browser counted, and a piece is kept back by its name.
import assert from 'node:assert/strict'
import { readAddress, spellAddress } from '#ui/address.ts'
import { suite } from '../kit/suite.ts'
import { browserSuite, open } from './browser.ts'

const test = browserSuite('ui/shell')
const plain = suite('ui/shell (addresses)')

/** All that a first opening may take of the wire: page, code, styles and what it asks of the node. */
const FIRST_BYTES_MAX = 100_000

plain('an address is a place and what is said to it', () => {
  const cases: readonly (readonly [string, string, Record<string, string>])[] = [
    ['#solver/heat?nx=64&initial.kind=box', 'solver/heat', { nx: '64', 'initial.kind': 'box' }],
    ['solver/heat', 'solver/heat', {}],
    ['#/machines', 'machines', {}],
    ['#ask?q=how+far+is+5%20km%3F', 'ask', { q: 'how far is 5 km?' }],
    ['#ask?q=a&q=b', 'ask', { q: 'b' }],
    ['#ask?__proto__=x', 'ask', Object.fromEntries([['__proto__', 'x']])],
    ['', '', {}],
  ]
  for (const [text, place, query] of cases) assert.deepEqual(readAddress(text), { place, query }, text)
  assert.equal(spellAddress('ask', { q: 'a & b', empty: '' }), 'ask?q=a+%26+b')
  assert.deepEqual(readAddress(spellAddress('ask', { q: '1 + 1 = 2 %' })).query, { q: '1 + 1 = 2 %' })
})

test('the first screen takes little of the wire, and no code of a view that is not open', async ({ visit }) => {
  const { page, asked, assertQuiet } = await visit('/')
  await page.locator('main h2').waitFor()
  await page.waitForLoadState('networkidle')
  const bytes = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .map((it) => (it as PerformanceResourceTiming).transferSize)
      .reduce((sum, it) => sum + it, 0),
  )
  assert(bytes > 10_000 && bytes < FIRST_BYTES_MAX, `${bytes} bytes`)
  assert.deepEqual(
    asked.filter((it) => /plot|machine-view|reactor|operator-view|solvers-[\w-]+\.js|verify-worker/.test(it)),
    [],
  )
  await open(page, 'machines')
  await page.getByRole('heading', { level: 2, name: 'Machines' }).waitFor()
  assert(asked.some((it) => /machines-view/.test(it)))
  const carried = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((it) => it.name.includes('/assets/') && (it as PerformanceResourceTiming).transferSize > 0)
      .map((it) => it.name),
  )
  assert(carried.some((it) => /machines-view/.test(it)))
  assert.deepEqual(carried, [...new Set(carried)], 'no piece takes the wire twice')
  assertQuiet()
})

test('a view whose code does not come says so, is asked for again, and opens when it comes', async ({ visit }) => {
  const { page } = await visit('/')
  await page.locator('main h2').waitFor()
  let kept = true
  await page.route(/\/assets\/machines-view-/, (route) => (kept ? route.abort() : route.continue()))
  await open(page, 'machines')
  await page.getByRole('alert').getByText('“Machines” could not be loaded. Trying again.').waitFor()
  kept = false
  await page.getByRole('heading', { level: 2, name: 'Machines' }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 0)
})

test('a view comes whole when what it imports, or its styles, did not come at first', async ({ visit }) => {
  for (const kept of [/\/assets\/(?!room-view-|index-)[\w-]+\.js$/, /\/assets\/[\w-]+\.css$/]) {
    const { page } = await visit('/')
    await page.locator('main h2').waitFor()
    await page.waitForLoadState('networkidle')
    await page.route(kept, (route) => route.abort())
    await open(page, 'contracts')
    await page.getByRole('alert').getByText('“Contracts” could not be loaded. Trying again.').waitFor()
    await page.unroute(kept)
    await page.getByRole('heading', { level: 2, name: 'Contracts' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    const styled = await page.evaluate(() =>
      [...document.styleSheets].flatMap((it) => {
        try {
          return it.cssRules.length > 0 ? [it.href ?? ''] : []
        } catch {
          return [] // It did not come, and nobody may look at it.
        }
      }),
    )
    assert(
      styled.some((it) => /\/contracts-[\w-]+\.css$/.test(it)),
      styled.join(),
    )
  }
})

test('a place with something said to it is that place; a kept view keeps its state whatever it is told', async ({
  visit,
}) => {
  const { page, assertQuiet } = await visit('/#solver/heat?nx=64')
  const field = page.locator('[data-field=dt] input')
  await field.fill('0.5')
  await open(page, 'solver/heat?nx=32')
  await open(page, 'machines')
  await page.getByRole('heading', { level: 2, name: 'Machines' }).waitFor()
  await open(page, 'solver/heat')
  await field.waitFor()
  assert.equal(await field.inputValue(), '0.5')
  assertQuiet()
})

test('what the page kept once and reads no more is gone from the browser, and all else is there', async ({
  it,
  ...surf
}) => {
  const context = await surf.profile()
  const names = ['tickmesh.streams.one', 'tickmesh.streams.two', 'tickmesh.reactors.one', 'tickmesh.streams', 'other']
  await context.addInitScript((all) => {
    for (const name of all) localStorage.setItem(name, '[]')
  }, names)
  const { page } = await surf.tab(context, it.url)
  await page.locator('main h2').waitFor()
  const left = await page.evaluate(() => Object.keys(localStorage))
  assert.deepEqual(
    names.filter((name) => left.includes(name)),
    names.slice(2),
  )
})

test('the path of a receipt is the page, with its pieces from the root', async ({ it, visit }) => {
  const { page, assertQuiet } = await visit(`/r/${'0'.repeat(32)}`)
  await page.locator('main h2').first().waitFor()
  await page.getByRole('link', { name: 'Machines' }).click()
  await page.getByRole('heading', { level: 2, name: 'Machines' }).waitFor()
  assert.equal(page.url(), `${it.url}/#machines`)
  assert.equal((await fetch(`${it.url}/r/${'g'.repeat(32)}`)).status, 404)
  // There is no such receipt, which the node says when it is asked for it.
  assertQuiet(/status of 404/)
})

await plain.run()
test.run()
