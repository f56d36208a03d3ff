// Goal: the wallet says when the daily claim opens, does the work in workers with a meter and a way to cancel, and
// shows what came. Method: Chromium on a real node; an account is brought near its end, and where a search must not
// end, the answer that asks for work is made to ask for more than there is.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { impoverish } from '../kit/claiming.ts'
import { browserSuite } from './browser.ts'

const test = browserSuite('ui/wallet-claim')
const ACCOUNT = 'tickmesh.account-key'
/** More than any search ends with. */
const BITS_WITHOUT_END = 60

const state = (page: Page, name: string) => page.locator(`[data-claim="${name}"]`)

test('who has no account is told so; who is not nearly out is told when', async ({ it, visit }) => {
  const { page, assertQuiet } = await visit('/#wallet')
  await page.getByRole('heading', { name: 'Wallet' }).waitFor()
  await page.getByText('Only an account can claim').waitFor()
  const { api_key } = await it.client.call('identity.sign-up', {})
  await page.evaluate(([name, key]) => localStorage.setItem(name as string, key as string), [ACCOUNT, api_key])
  await page.reload()
  const closed = state(page, 'unlocks when nearly out')
  assert.equal(await closed.textContent(), 'Unlocks when nearly out: at 5 credits or fewer.')
  const button = page.getByRole('button', { name: 'Claim 128 credits' })
  assert.equal(await button.isDisabled(), true)
  assertQuiet()
})

test('a claim works, is cancelled without a trace, and pays', async ({ it, visit }) => {
  const { api_key, zid } = await it.client.call('identity.sign-up', {})
  await impoverish(it, zid)
  const { page, assertQuiet, asked } = await visit('/#wallet')
  await page.evaluate(([name, key]) => localStorage.setItem(name as string, key as string), [ACCOUNT, api_key])
  await page.route('**/api/credits/status', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll('"bits":18', `"bits":${BITS_WITHOUT_END}`)
    await route.fulfill({ response, body })
  })
  await page.reload()
  await state(page, 'claimable').waitFor()
  const button = page.getByRole('button', { name: 'Claim 128 credits' })
  await button.click()
  const meter = page.getByText(/60 bits of work: about \d+ s expected/)
  await meter.waitFor()
  assert.equal(await button.isDisabled(), true)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Cancelled: nothing was spent.').waitFor()
  assert.equal(await meter.count(), 0)
  assert.equal(asked.filter((path) => path === '/api/credits/claim').length, 0)
  assert.equal(it.node.store.balance('free', zid), 3)

  await page.unroute('**/api/credits/status')
  await button.click()
  await page.getByText('128 free credits came.').waitFor()
  const spent = await state(page, 'already claimed today').textContent()
  assert.match(spent ?? '', /^Already claimed today\. The next claim opens in (?:\d+ h )?\d+ min, /)
  await page.getByText('131 free, 0 paid').waitFor()
  assert.equal(await button.isDisabled(), true)
  assert.equal(it.node.store.balance('free', zid), 131)
  assertQuiet()
})

test.run()
