// Goal: the register page in the browser moves with the node, shows bits by their names, and shows a visitor nothing of
// the owner's; on the narrowest screen in both themes. Method: Chromium on a real node, with axe-core.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { controlOf } from '#cli/register-page.ts'
import { CONTROL_FILE, modeValues, pageRegisters } from '#core/mmio/table.ts'
import { atEnd } from '../kit/end.ts'
import { tempDir } from '../kit/temp.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, open } from './browser.ts'

const dir = tempDir()
atEnd(() => Promise.resolve(dir[Symbol.dispose]()))
const files = join(dir.path, 'registers')
const test = browserSuite('ui/registers', { settings: { 'mmio.enabled': true, 'mmio.directory': files } })

const NARROWEST = { viewport: { width: 320, height: 700 } } as const

const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

const heldBy = (page: Page, name: string): Promise<string> =>
  page.locator(`[data-register=${name}] [data-label=value]`).innerText()

test('the owner sees every register, and a page that is written anew', async ({ it, profile, tab }) => {
  const { page, assertQuiet } = await tab(await profile({ ...NARROWEST, colorScheme: 'dark' }), it.node.ownerLink())
  await page.locator('.credits').waitFor()
  await open(page, 'registers')
  await page.locator('[data-register=zid]').waitFor()
  const shown = await page.locator('[data-register]').evaluateAll((all) => all.map((row) => row.dataset['register']))
  assert.deepEqual(
    shown,
    pageRegisters.map(({ name }) => name),
  )
  assert.equal(await heldBy(page, 'mode'), 'idle')
  assert.equal(await page.locator('[data-register=state] [data-bit=ready]').getAttribute('data-set'), 'true')
  assert.equal(await page.locator('[data-register=state] [data-bit=held]').getAttribute('data-set'), 'false')
  assert.equal(await heldBy(page, 'zid'), it.node.services.identity.ownerZid)
  // Before the first receipt there is none to name, and before a refusal no code.
  assert.deepEqual([await heldBy(page, 'last_seal'), await heldBy(page, 'error')], ['none yet', 'none'])
  assert.ok(await page.getByText(join(files, CONTROL_FILE)).isVisible())
  controlOf(join(files, CONTROL_FILE)).ring(1, modeValues.indexOf('contributing'), 0n)
  const refusal = page.locator('[data-register=error]').getByRole('link', { name: 'NOT_BONDED' })
  await refusal.waitFor()
  assert.equal(await refusal.getAttribute('href'), '/docs/errors/NOT_BONDED')
  const tick = await heldBy(page, 'tick')
  await page.waitForFunction(
    (was) => document.querySelector<HTMLElement>('[data-register=tick] [data-label=value]')?.innerText !== was,
    tick,
  )
  await assertAxeClean(page, 'the owner')
  assert.ok(await fits(page), 'no sideways scroll')
  assertQuiet()
})

test('a visitor sees what is public and nothing of the owner', async ({ it, profile, tab }) => {
  const { page, assertQuiet } = await tab(await profile({ ...NARROWEST, colorScheme: 'light' }), it.url)
  await open(page, 'network')
  await page.getByRole('link', { name: 'Registers' }).click()
  await page.locator('[data-register=tick]').waitFor()
  const shown = await page.locator('[data-register]').evaluateAll((all) => all.map((row) => row.dataset['register']))
  assert.deepEqual(
    shown,
    pageRegisters.filter(({ view }) => view === 'all').map(({ name }) => name),
  )
  await assertAxeClean(page, 'a visitor')
  assert.ok(await fits(page), 'no sideways scroll')
  assertQuiet()
})

test.run()
