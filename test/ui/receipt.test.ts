// Goal: a receipt has a page that its owner opens to others by a link and closes again; a stranger who has the link
// reads it, verifies it and runs it again from there, and one who has not sees no receipt. Method: an owner and a
// stranger in two browser profiles of Chromium, at a wide and at the narrowest width, with axe-core in every state.
import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
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

test('the list shows values, errors and time in words, and two receipts are chosen to be compared', async (on) => {
  const { page, assertQuiet } = await on.visit()
  await runHere(page)
  await open(page, 'solver/lotka')
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  await runHere(page)
  await open(page, 'envelopes')
  const rows = page.locator('li.row')
  await rows.nth(1).waitFor()
  assert.match(await rows.nth(1).innerText(), /heat\s+0\.\d+ K\s+± 0\.\d+ %\s+(just now|\d+ (s|min) ago)/)
  const tokens = await rows.evaluateAll((all) => all.map((it) => it.getAttribute('data-token') ?? ''))
  await rows.nth(0).getByRole('checkbox').check()
  await rows.nth(1).getByRole('checkbox').check()
  const href = await page.getByRole('link', { name: 'Compare these two' }).getAttribute('href')
  assert.equal(href, `#compare?a=${tokens[0]}&b=${tokens[1]}`)
  await assertAxeClean(page, 'list')
  assertQuiet()
})

test.run()
