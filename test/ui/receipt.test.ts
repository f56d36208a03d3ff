// Goal: a receipt has a page that its owner opens to others by a link and closes again; a stranger who has the link
// reads it, verifies it and runs it again from there, and one who has not sees no receipt. Method: an owner and a
// stranger in two browser profiles of Chromium, at a wide and at the narrowest width, with axe-core in every state.
import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { stepNames } from '#core/verify.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, open, runHere, verdictOf, WIDE } from './browser.ts'

const test = browserSuite('ui/receipt')

const NARROWEST: BrowserContextOptions = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' }

const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

/** The page of the receipt that is seen. */
const toPage = async (page: Page): Promise<string> => {
  const token = (await page.locator('.receipt:visible').getAttribute('data-token')) ?? ''
  await open(page, `receipt/${token}`)
  await page.locator('.share-card .qr').waitFor()
  await page.locator('.receipt-page .plot svg').first().waitFor()
  return token
}

test('an owner opens a receipt: whoever has the link reads and verifies it, until it is closed again', async (on) => {
  const { page, assertQuiet } = await on.visit()
  await runHere(page)
  const token = await toPage(page)
  await assertAxeClean(page, 'closed')
  assert.equal(await page.locator('a.address').getAttribute('href'), `${on.it.url}/r/${token}`)
  await page.getByLabel('Whoever has the link may read it').check()
  await page.getByText('Whoever has the link can read it now.').waitFor()
  const link = (await page.locator('a.address').getAttribute('href')) ?? ''
  assert.match(link, new RegExp(`/r/${token}#[0-9a-f]{32}$`))

  for (const options of [WIDE, NARROWEST]) {
    const guest = await on.tab(await on.profile(options), link)
    await guest.page.locator('.share-card .qr').waitFor()
    assert.match(await guest.page.locator('.statement').innerText(), /computed Heat diffusion and found .* K/)
    assert.equal(await guest.page.getByLabel('Whoever has the link may read it').count(), 0)
    assert.equal((await verdictOf(guest.page)).outcome, 'verified')
    for (const word of ['KO42', 'soulbound', 'face value', 'the house']) {
      await guest.page.getByRole('button', { name: word, exact: true }).press('Enter')
    }
    assert.equal(await guest.page.getByRole('note').count(), 4, 'each word says what it means')
    await guest.page.getByText('Time stamp', { exact: true }).click()
    await assertAxeClean(guest.page, `open, ${JSON.stringify(options)}`)
    assert(await fits(guest.page))
    assert.match(
      (await guest.page.getByRole('link', { name: 'Run it again with other inputs' }).getAttribute('href')) ?? '',
      /^#solver\/heat\?.*nx=\d+/,
    )
    guest.assertQuiet()
  }

  const lost = await on.tab(await on.profile(), link.replace(/#.*$/, ''))
  await lost.page.getByRole('heading', { name: 'No receipt here' }).waitFor()
  await assertAxeClean(lost.page, 'absent')
  await page.getByLabel('Whoever has the link may read it').uncheck()
  await page.getByText('Closed.').waitFor()
  const late = await on.tab(await on.profile(), link)
  await late.page.getByRole('heading', { name: 'No receipt here' }).waitFor()
  assertQuiet()
})

const stepsOf = (rows: readonly Element[]): readonly (string | null)[] => rows.map((it) => it.getAttribute('data-step'))

const UNCERTAIN = { operators: ['GR37'], inputs: { mass: '5 ± 0.1 kg' } }

test('a receipt of operators has the name of the operator, and is run again with its inputs', async (on) => {
  const { api_key: key } = await on.it.client.call('identity.sign-up', {})
  const { envelope } = await on.it.as(key).call('compute.compute', UNCERTAIN)
  const context = await on.profile()
  await context.addInitScript((it) => localStorage.setItem('tickmesh.account-key', it), key)
  const { page, assertQuiet } = await on.tab(context, `${on.it.url}/#envelopes`)
  await page.locator('li.row').getByRole('link', { name: 'Schwarzschild radius' }).click()
  await page.getByRole('heading', { name: 'Schwarzschild radius: a receipt' }).waitFor()
  await page.getByText('computed Schwarzschild radius and found').waitFor()
  await page.getByRole('button', { name: 'Verify here' }).click()
  await page.locator('.verdict[data-outcome=verified]').waitFor()
  // One digit of its price changed on the way: the steps behind the one that fails are one line, which unfolds.
  await page.route('**/bundle*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('"price":', '"price":1') })
  })
  await page.getByRole('button', { name: 'Verify here' }).click()
  await page.locator('.verdict[data-failing=signature]').waitFor()
  assert.deepEqual(await page.locator('.verdict li:visible').evaluateAll(stepsOf), ['form', 'key', 'signature'])
  await page.getByText('Not looked at: 15 steps after it').click()
  assert.equal(await page.locator('.verdict li:visible').count(), stepNames.length)
  await page.getByText('witnesses', { exact: true }).waitFor()
  await page.unroute('**/bundle*')
  await page.getByRole('link', { name: 'Run it again with other inputs' }).click()
  await page.locator('[data-field=M]:visible input').waitFor()
  assert.equal(await page.locator('[data-field=M]:visible input').inputValue(), '5 ± 0.1')
  // The value is the sealed one, to the last bit.
  assert.equal(await runHere(page), envelope?.value)
  assertQuiet()
})

test('the list shows values, errors and time in words, and two receipts are chosen to be compared', async (on) => {
  const { page, assertQuiet } = await on.visit()
  await runHere(page)
  await open(page, 'solver/lotka')
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  await runHere(page)
  await open(page, 'envelopes')
  const rows = page.locator('li.row')
  await rows.nth(1).waitFor()
  assert.match(await rows.nth(1).innerText(), /Heat diffusion\s+0\.\d+ K\s+± 0\.\d+ %\s+(just now|\d+ (s|min) ago)/)
  const tokens = await rows.evaluateAll((all) => all.map((it) => it.getAttribute('data-token') ?? ''))
  // The four buttons of a row say which receipt they are for, and stand on one line.
  const words = tokens.flatMap((it) =>
    ['Open', 'Copy', 'Download', 'Verify here'].map((word) => `${word} ${it.slice(0, 8)}`),
  )
  for (const name of words) await page.getByRole('button', { name, exact: true }).waitFor()
  const tops = await rows
    .nth(0)
    .locator('.quiet button')
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().top))
  assert.deepEqual([tops.length, new Set(tops).size], [4, 1])
  await rows.nth(0).getByRole('checkbox').check()
  await rows.nth(1).getByRole('checkbox').check()
  const href = await page.getByRole('link', { name: 'Compare these two' }).getAttribute('href')
  assert.equal(href, `#compare?a=${tokens[0]}&b=${tokens[1]}`)
  await assertAxeClean(page, 'list')
  assertQuiet()
})

test.run()
