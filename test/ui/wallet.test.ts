// Goal: whoever has envelopes sees what they have, sends by number and by choice, is kept from sending to a wrong ZID,
// and sees what moved with proofs that their own browser verified; all of it by keys alone too. Method: Chromium on a
// real node with accounts that own envelopes which stay and which move, at a wide and at the narrowest width in both
// themes, with axe-core; an answer altered on its way for the proof that must not hold.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { FACE, sealAnother, wealthyAccount } from '../kit/wealth.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, type Visiting, type Watched } from './browser.ts'

const test = browserSuite('ui/wallet')
const ACCOUNT = 'tickmesh.account-key'
const UNKNOWN = 'zid1abcdefghijklmnopqrstuvwxyz234567'

const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

/** A tab at the wallet of an account. */
const walletOf = async (
  { profile, tab, it }: Visiting,
  key: string,
  options?: Parameters<Visiting['profile']>[0],
): Promise<Watched> => {
  const context = await profile(options)
  await context.addInitScript(([name, value]) => localStorage.setItem(name as string, value as string), [ACCOUNT, key])
  const watched = await tab(context, `${it.url}/#wallet`)
  await watched.page.getByRole('heading', { name: 'Wallet' }).waitFor()
  await watched.page.locator('tr[data-token]').first().waitFor()
  return watched
}

const sendTo = async (page: Page, zid: string, end = zid.slice(-4)): Promise<void> => {
  await page.getByLabel('To (ZID)').fill(zid)
  await page.getByLabel('Its last 4 characters').fill(end)
  await page.getByRole('button', { name: 'Preview' }).click()
}

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const moves = (page: Page) => page.getByRole('region', { name: 'Moves' })

test('by number: balances, a preview, the receipt, and a history that the browser verified', async (on) => {
  const { it } = on
  const rich = await wealthyAccount(it, { soulbound: 1, movable: 3 })
  const friend = await it.client.call('identity.sign-up', {})
  const { page, assertQuiet } = await walletOf(on, rich.api_key)
  const balances = await page.getByRole('region', { name: 'Balances' }).innerText()
  assert.match(balances, /free credits\s+1\s+paid credits\s+0\s+coins\s+15/)
  assert.match(balances, /never\s+become credits again/)

  await page.getByLabel('A number of them, drawn at random').check()
  await page.getByLabel('How many').fill('4')
  await sendTo(page, friend.zid)
  assert.match(await preview(page).innerText(), /envelopes\s+4 drawn at random[\s\S]*nothing has moved between you/)
  assert.equal(await preview(page).locator('mark').innerText(), friend.zid.slice(-4))
  await preview(page).getByText('this node', { exact: true }).waitFor()
  await preview(page)
    .getByRole('button', { name: `Send 4 envelopes to …${friend.zid.slice(-4)}` })
    .click()
  await preview(page).locator('[data-code=TOO_FEW]').waitFor()
  await preview(page).getByRole('button', { name: 'Send 3 envelopes' }).click()

  const receipt = page.locator('.wallet-move')
  await receipt.getByText('Done.').waitFor()
  await page.locator('.wallet-move[data-state=final]').waitFor()
  await receipt.getByRole('button', { name: 'Verify here' }).click()
  assert.equal(await receipt.locator('.verdict').getAttribute('data-outcome'), 'verified')
  assert.match(await receipt.innerText(), new RegExp(`weight\\s+${3 * FACE}`))
  const row = moves(page).locator('li[data-op]')
  await row.locator('[data-proof=verified]').waitFor()
  assert.match(await row.innerText(), /3 envelopes sent/)
  await page.getByText('0 envelopes that can be sent').waitFor()
  assert.equal((await it.as(friend.api_key).call('economy.credits', {})).coins, 3 * FACE)
  assert.equal(it.node.store.balance('coin', rich.zid), 0)
  assertQuiet(/409/)

  const theirs = await walletOf(on, friend.api_key)
  await moves(theirs.page).locator('[data-proof=verified]').waitFor()
  assert.match(await moves(theirs.page).innerText(), /3 envelopes came/)
  await theirs.page.locator('tr[data-token]').first().getByRole('button', { name: 'History' }).click()
  const way = theirs.page.getByRole('region', { name: 'The history of one envelope' })
  await way.locator('[data-proof=verified]').waitFor()
  assert.match(await way.innerText(), new RegExp(`Minted to ${rich.zid}`))
  theirs.assertQuiet()
})

test('by choice: what is soulbound stays and is named; wrong last characters go nowhere', async (on) => {
  const { it } = on
  const rich = await wealthyAccount(it, { soulbound: 2, movable: 3 })
  const friend = await it.client.call('identity.sign-up', {})
  const { page, assertQuiet, asked } = await walletOf(on, rich.api_key)
  await page.getByRole('button', { name: 'Choose this page' }).click()
  await page
    .getByText(`6 envelopes chosen; what can be sent of it weighs ${3 * FACE}. 3 of them cannot be sent.`)
    .waitFor()
  await page.getByRole('button', { name: 'Send them …' }).click()
  const wrong = friend.zid.slice(-4) === 'aaaa' ? 'bbbb' : 'aaaa'
  await sendTo(page, friend.zid, wrong)
  await page.getByText('They are not the last 4 characters').waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'send-end')
  for (const [typed, said] of [
    ['zid2', 'A ZID begins with zid1.'],
    [`${friend.zid}a`, 'A ZID has 36 characters; this has 37.'],
    [friend.zid.replace(/.$/, '1'), '“1” stands in no ZID'],
    [rich.zid, 'These envelopes are yours already.'],
  ] as const) {
    await sendTo(page, typed)
    await page.getByText(said).waitFor()
  }
  assert.equal(await preview(page).count(), 0)
  await sendTo(page, ` ${friend.zid.toUpperCase()} `, friend.zid.slice(-4))
  assert.match(await preview(page).innerText(), /left out\s+3 envelopes, soulbound: what free credits bought stays/)
  assert(!asked.some((path) => path.endsWith('transfer-bulk')), 'nothing was sent yet')
  await preview(page)
    .getByRole('button', { name: /^Send 3 envelopes/ })
    .click()
  await page.locator('.wallet-move').getByText('Done.').waitFor()
  await page.getByText('3 envelopes chosen; what can be sent of it weighs 0. 3 of them cannot be sent.').waitFor()
  for (const token of rich.movable) assert.equal(it.node.store.peek('envelope', token)?.listed_under, friend.zid)
  for (const token of rich.bound) assert.equal(it.node.store.peek('envelope', token)?.listed_under, rich.zid)
  assertQuiet()
})

test('a ZID that nobody is known for is refused, and sent to when the sender says so', async (on) => {
  const rich = await wealthyAccount(on.it, { movable: 2 })
  const { page } = await walletOf(on, rich.api_key)
  await page.getByLabel('Only what can be sent').check()
  await page.getByText('1 to 2 of 2').waitFor()
  await page
    .getByRole('checkbox', { name: /^Choose heat/ })
    .first()
    .check()
  await sendTo(page, UNKNOWN)
  await preview(page).getByText('nowhere that is known here').waitFor()
  await preview(page).getByRole('button', { name: 'Send 1 envelope to …4567' }).click()
  await preview(page).locator('[data-code=UNKNOWN_ZID]').waitFor()
  assert.equal(on.it.node.store.balance('coin', UNKNOWN), 0)
  await preview(page).getByRole('button', { name: 'It is right: send all the same' }).click()
  await page.locator('.wallet-move').getByText('Done.').waitFor()
  assert.equal(on.it.node.store.balance('coin', UNKNOWN), FACE)
})

test('thousands: all that match are chosen over pages, filed, found by folder, home and state', async (on) => {
  const rich = await wealthyAccount(on.it, { movable: 2_100 })
  const { page, assertQuiet } = await walletOf(on, rich.api_key)
  await page.getByText('1 to 50 of 2101').waitFor()
  await page.getByRole('button', { name: 'Older' }).click()
  await page.getByText('51 to 100 of 2101').waitFor()
  const boxes = page.getByRole('checkbox', { name: /^Choose heat/ })
  await boxes.nth(2).click()
  await boxes.nth(6).click({ modifiers: ['Shift'] })
  await page.locator('[data-chosen="5"]').waitFor()
  await page.getByRole('button', { name: 'Choose none' }).click()
  await page.getByLabel('Only what can be sent').check()
  await page.getByRole('button', { name: 'Choose all 2100 that match' }).click()
  await page.locator('[data-chosen="2100"]').waitFor()
  await page.getByLabel('File them in').fill('gifts')
  await page.getByRole('button', { name: 'File', exact: true }).click()
  await page.getByText('2100 envelopes filed in gifts.').waitFor()
  await page.getByLabel('Only what can be sent').uncheck()
  await page.getByLabel('Folder').selectOption({ label: 'Unfiled (1)' })
  await page.getByText('1 to 1 of 1').waitFor()
  await page.getByLabel('Folder').selectOption({ label: 'every folder' })
  await page.getByLabel('Home').selectOption({ label: 'this node' })
  await page.getByText('1 to 50 of 2101').waitFor()
  await page.locator('tr[data-token]').first().locator('[data-state=final]').waitFor()
  await page.getByLabel('State').selectOption({ label: 'final' })
  await page.getByText('1 to 50 of 2101').waitFor()
  const friend = await on.it.client.call('identity.sign-up', {})
  await sendTo(page, friend.zid)
  await preview(page)
    .getByRole('button', { name: /^Send 2100 envelopes/ })
    .click()
  await page.locator('.wallet-move').getByText('Done.').waitFor()
  assert.equal(on.it.node.store.balance('coin', friend.zid), 2_100 * FACE)
  assertQuiet()
})

test('what is chosen is what is shown: no row of the page before, and a range where it began', async (on) => {
  const rich = await wealthyAccount(on.it, { movable: 59 })
  const answer = Promise.withResolvers<void>()
  const { page, assertQuiet } = await walletOf(on, rich.api_key)
  await page.getByText('1 to 50 of 60').waitFor()
  await page.route('**/api/tally/envelopes/*offset=50*', async (route) => {
    await answer.promise
    await route.continue()
  })
  const boxes = page.getByRole('checkbox', { name: /^Choose heat/ })
  await page.getByRole('button', { name: 'Older' }).click()
  await page.locator('fieldset:disabled tr[data-token]').first().waitFor()
  await page.getByText('1 to 50 of 60').waitFor()
  assert(await page.getByRole('button', { name: 'Choose this page' }).isDisabled())
  answer.resolve()
  await page.getByText('51 to 60 of 60').waitFor()
  await boxes.nth(2).click()
  await boxes.nth(6).click({ modifiers: ['Shift'] })
  await page.locator('[data-chosen="5"]').waitFor()
  await page.getByRole('button', { name: 'Choose none' }).click()
  await page.getByRole('button', { name: 'Newer' }).click()
  await page.getByText('1 to 50 of 60').waitFor()
  await boxes.nth(2).click()
  await sealAnother(on.it, rich)
  await page.getByText('1 to 50 of 61').waitFor()
  await boxes.nth(7).click({ modifiers: ['Shift'] })
  await page.locator('[data-chosen="5"]').waitFor()
  assertQuiet()
})

test('keys alone: a range is chosen, sent and read; a refusal takes the focus', async (on) => {
  const rich = await wealthyAccount(on.it, { movable: 4 })
  const friend = await on.it.client.call('identity.sign-up', {})
  const { page, assertQuiet } = await walletOf(on, rich.api_key)
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const it = document.activeElement
      return it?.id !== '' ? (it?.id ?? '') : (it.getAttribute('aria-label') ?? it.textContent ?? '')
    })
  const tabTo = async (wanted: RegExp): Promise<void> => {
    for (let i = 0; i < 60; i++) {
      if (wanted.test(await focused())) return
      await press('Tab')
    }
    assert.fail(`the Tab key does not lead to ${wanted}`)
  }
  await page.locator('#wallet-find').focus()
  await tabTo(/^Choose heat/)
  await press('Space', 'Shift+ArrowDown', 'Shift+ArrowDown')
  await page.locator('[data-chosen="3"]').waitFor()
  await press('Escape')
  await page.locator('[data-chosen="0"]').waitFor()
  await press('End', 'Home', 'Control+a')
  await page.locator('[data-chosen="5"]').waitFor()
  await tabTo(/^send-to$/)
  await page.keyboard.type(friend.zid)
  await tabTo(/^send-end$/)
  await page.keyboard.type(friend.zid.slice(-4))
  await press('Enter')
  await page.locator('h4:focus').waitFor()
  await tabTo(/^Send 4 envelopes/)
  await press('Enter')
  await page.locator('.wallet-move').getByText('Done.').waitFor()
  await page.keyboard.press('/')
  assert.equal(await focused(), 'wallet-find')
  assertQuiet()
})

test('a receipt that was altered on its way does not verify, and what fails is named', async (on) => {
  const rich = await wealthyAccount(on.it, { movable: 1 })
  const friend = await on.it.client.call('identity.sign-up', {})
  await rich.client.call('economy.send', { to: friend.zid, count: 1 })
  const context = await on.profile()
  await context.addInitScript(
    ([name, value]) => localStorage.setItem(name as string, value as string),
    [ACCOUNT, rich.api_key],
  )
  await context.route('**/api/tally/moves?*', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(`"weight":${FACE}`, '"weight":9999')
    await route.fulfill({ response, body })
  })
  const { page } = await on.tab(context, `${on.it.url}/#wallet`)
  await moves(page).getByText('✗ does not verify: signature').waitFor()
})

test('who owns nothing is told how to; a receipt and the palette lead to the form', async (on) => {
  const visitor = await on.visit('/#wallet')
  await visitor.page.getByText('Nobody is signed in.').waitFor()
  await assertAxeClean(visitor.page, 'a visitor')
  visitor.assertQuiet()
  const rich = await wealthyAccount(on.it, { movable: 1 })
  const { page, assertQuiet } = await walletOf(on, rich.api_key)
  await page.getByRole('link', { name: 'Receipts', exact: true }).click()
  await page.getByRole('link', { name: /^Send/ }).click()
  await page.locator('[data-chosen="1"]').waitFor()
  await page.getByRole('link', { name: 'Receipts', exact: true }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
  await page.keyboard.type('send env')
  await page.keyboard.press('Enter')
  await page.locator('#send-to:focus').waitFor()
  assert.equal(await page.locator('.who a').getAttribute('href'), '#wallet')
  assertQuiet()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no barrier and nothing pushed sideways from 320 to 1280 px, ${colorScheme}`, async (on) => {
    const rich = await wealthyAccount(on.it, { soulbound: 1, movable: 2 })
    const friend = await on.it.client.call('identity.sign-up', {})
    await rich.client.call('economy.send', { to: friend.zid, count: 1 })
    const { page, assertQuiet } = await walletOf(on, rich.api_key, { colorScheme })
    await moves(page).locator('[data-proof=verified]').waitFor()
    await moves(page)
      .getByRole('button', { name: /^Receipt/ })
      .click()
    await moves(page).getByRole('button', { name: 'Verify here' }).click()
    await page.getByRole('button', { name: 'Choose this page' }).click()
    for (const width of [1280, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      assert(await fits(page), `${width} px`)
      if (width === 1280 || width === 320) await assertAxeClean(page, `${width} px`)
    }
    await page.getByRole('button', { name: 'Preview' }).click()
    await assertAxeClean(page, 'a form that was not filled')
    await sendTo(page, UNKNOWN)
    await preview(page).getByRole('button', { name: /^Send/ }).click()
    await preview(page).locator('[data-code]').waitFor()
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await assertAxeClean(page, `a refusal, ${width} px`)
      assert(await fits(page), `a refusal, ${width} px`)
    }
    assertQuiet(/404/)
  })
}

test.run()
