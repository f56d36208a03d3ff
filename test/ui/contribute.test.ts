// Goal: the owner sees first what contributing costs and risks, decides in two clicks, sees what is at risk and until
// when, and gets out again; others see what is public; by keys alone, and on the narrowest screen in both themes.
// Method: Chromium on a real node whose owner has what a bond takes, with axe-core in every state.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { ownerCaller } from '../domain/house.ts'
import { sealMany } from '../domain/network/contribution/kit.ts'
import { roomsOf } from '../kit/wealth.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, open, type Visiting } from './browser.ts'

const test = browserSuite('ui/contribute')

const NARROWEST = { viewport: { width: 320, height: 700 } } as const

const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

/** The owner's tab at the view, with so many envelopes. */
const ownerAt = async ({ it, profile, tab }: Visiting, count: number, options: Parameters<Visiting['profile']>[0]) => {
  const rooms = roomsOf(it)
  const owner = ownerCaller(rooms)
  assert.ok(owner.kind === 'owner')
  await sealMany(rooms, owner, { count, funding: 'paid' })
  const watched = await tab(await profile(options), it.node.ownerLink())
  await watched.page.locator('.credits').waitFor()
  await watched.page.waitForLoadState('networkidle')
  await open(watched.page, 'contribute')
  await watched.page.getByRole('heading', { level: 2, name: 'Contribute' }).waitFor()
  return watched
}

test('two clicks, after what it costs and risks; then what is at risk and until when, and the way out', async (on) => {
  const { page, assertQuiet } = await ownerAt(on, 1_000, { ...NARROWEST, colorScheme: 'dark' })
  const card = page.getByRole('region', { name: 'Contribute' })
  await card.getByText('You have the 1000 envelopes').waitFor()
  await assertAxeClean(page, 'before')
  await card.getByRole('button', { name: 'What it costs and risks' }).click()
  assert.match(await card.innerText(), /you risk\s+all of them, for good[\s\S]*free 19 min later/)
  await assertAxeClean(page, 'what it costs')
  assert.ok(await fits(page), 'no sideways scroll')
  await card.getByRole('button', { name: 'Bond 1000 envelopes and contribute' }).click()

  const bond = page.getByRole('region', { name: 'Bond' })
  await bond.waitFor()
  await page.locator('[data-mode=contributing]').waitFor()
  assert.match(await bond.innerText(), /1000 envelopes, 3000 in faces[\s\S]*if released now\s+\d{4}-\d\d-\d\d/)
  await bond.getByRole('button', { name: 'Show its envelopes' }).click()
  await bond.getByText('1 to 20 of 1000').waitFor()
  await bond.getByRole('button', { name: 'Later' }).click()
  await bond.getByText('21 to 40 of 1000').waitFor()
  await assertAxeClean(page, 'bonded')
  assert.ok(await fits(page), 'no sideways scroll with the list')
  await page.getByRole('button', { name: 'experimenting' }).click()
  await page.locator('[data-mode=experimenting]').waitFor()
  await bond.getByRole('button', { name: 'Release the bond' }).click()
  await bond.getByRole('button', { name: 'Release the bond' }).click()
  await page.locator('[data-mode=idle]').waitFor()
  assert.notEqual(on.it.node.store.peek('bond', [...(await namesOf(on))][0] ?? '')?.released, null)
  assertQuiet()
})

const namesOf = async ({ it }: Visiting): Promise<readonly string[]> => {
  const names: string[] = []
  for await (const [name] of it.node.store.range('ownBond')) names.push(name)
  return names
}

test('by keys alone; whoever has too few is told how many days are left, and a visitor whom to ask', async (on) => {
  const { page, assertQuiet } = await ownerAt(on, 10, { ...NARROWEST, colorScheme: 'light' })
  const card = page.getByRole('region', { name: 'Contribute' })
  await card.getByText('You have 10 of the 1000 envelopes that a bond takes: 24 days').waitFor()
  const first = card.getByRole('button', { name: 'What it costs and risks' })
  await first.focus()
  await page.keyboard.press('Enter')
  const second = card.getByRole('button', { name: 'Bond 1000 envelopes and contribute' })
  await second.waitFor()
  assert.ok(await second.isDisabled(), 'nothing can be bonded that is not there')
  await page.keyboard.press('Tab')
  await card.getByRole('button', { name: 'Not now' }).focus()
  await page.keyboard.press('Enter')
  await first.waitFor()
  assertQuiet()
  const visitor = await on.visit('/#contribute')
  await visitor.page.getByText('Only the node’s owner decides').waitFor()
  await visitor.page.getByRole('region', { name: 'The rules' }).waitFor()
  await assertAxeClean(visitor.page, 'a visitor')
  visitor.assertQuiet()
})

test.run()
