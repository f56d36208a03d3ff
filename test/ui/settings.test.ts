// Goal: settings hold: the theme over a reload, keys until they are revoked, what is published, who this browser is;
// and a machine's roles, keys, share and audit are managed on the page. Method: Chromium on a real node; each change is
// read back through the interface, and every secret is used.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { until } from '../kit/until.ts'
import { browserSuite } from './browser.ts'

const test = browserSuite('ui/settings')

const ACCOUNT = 'tickmesh.account-key'
const keyOf = (page: Page): Promise<string> => page.evaluate((name) => localStorage.getItem(name) ?? '', ACCOUNT)

/** Text that is shown once, and put away. */
const secret = async (page: Page, name: string): Promise<string> => {
  const box = page.getByRole('textbox', { name })
  const text = await box.inputValue()
  await page.getByRole('region', { name }).getByRole('button', { name: 'Done' }).click()
  await box.waitFor({ state: 'detached' })
  assert.equal((await page.content()).includes(text), false, 'it is shown once')
  return text
}

const confirm = async (page: Page, row: string, button: string): Promise<void> => {
  await page.locator(row).getByRole('button', { name: button }).click()
  await page.locator(row).getByRole('button', { name: button }).click()
}

test('theme, account, keys, publishing and session: each is kept, and what is ended is over', async ({
  it,
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit('/#settings')
  const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.getByLabel('Dark').check()
  assert.equal(await paper(), 'rgb(15, 22, 21)')
  await page.reload()
  await page.getByLabel('Dark').waitFor()
  assert.deepEqual([await page.getByLabel('Dark').isChecked(), await paper()], [true, 'rgb(15, 22, 21)'])
  await page.getByLabel('As the system').check()
  assert.equal(await paper(), 'rgb(244, 246, 246)')

  await page.getByRole('button', { name: 'New account' }).click()
  const first = await secret(page, 'API key of the new account')
  const mine = it.as(first)
  const { zid } = await mine.call('identity.account', {})
  const account = page.getByRole('region', { name: 'Account' })
  await account.getByText(zid).waitFor()
  assert.equal((await account.textContent())?.includes('The node keeps the secret key'), true)

  await page.getByLabel('New key').fill('laptop')
  await page.getByLabel('Days').fill('30')
  await page.getByRole('button', { name: 'Make' }).click()
  const second = await secret(page, 'API key')
  assert.equal((await it.as(second).call('identity.account', {})).zid, zid)
  const { keys } = await mine.call('identity.keys', {})
  const made = keys.find((key) => key.name === 'laptop')
  assert(made !== undefined && made.expires_mesh_tick !== null)
  await confirm(page, `[data-key="${made.id}"]`, 'Revoke')
  await page.locator(`[data-key="${made.id}"]`).getByText('revoked').waitFor()
  await assert.rejects(it.as(second).call('identity.account', {}), { code: 'UNAUTHENTICATED' })

  await page.getByLabel('Publish new receipts').check()
  await until(async () => (await mine.call('economy.publish-default', {})).publish, signal)
  await page.reload()
  await until(() => page.getByLabel('Publish new receipts').isChecked(), signal)
  const facts = page.getByRole('region', { name: 'This node' })
  const { build, registry_version } = await it.client.call('explorer.status', {})
  for (const words of [build, registry_version]) await facts.getByText(words).waitFor()

  await page.getByRole('region', { name: 'Session' }).getByRole('button', { name: 'Sign out' }).click()
  await page.locator('[aria-label=Session][data-self=demo]').waitFor()
  assert.equal(await keyOf(page), '')
  await page.getByLabel('API key of an account').fill('ztk_nonsense')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('.problem[data-code=UNAUTHENTICATED]').waitFor()
  await page.getByLabel('API key of an account').fill(first)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await account.getByText(zid).waitFor()
  assertQuiet(/ 401 /)
})

test('roles, keys, share, audit and settings of a machine; a private one is absent to strangers', async ({
  it,
  profile,
  tab,
  signal,
}) => {
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const guest = await it.client.call('identity.sign-up', {})
  const mine = it.as(key)
  await mine.call('machines.create', { slug: 'pump-7', purpose: 'secret works' })
  await mine.call('machines.event', { slug: 'pump-7', type: 'reading', note: 'the valve sticks' })
  const browserOf = async (account?: string) => {
    const context = await profile()
    const set = ([name, value]: string[]): void => localStorage.setItem(name ?? '', value ?? '')
    if (account !== undefined) await context.addInitScript(set, [ACCOUNT, account])
    return context
  }
  const stranger = await tab(await browserOf(), `${it.url}/#machine/pump-7`)
  const absent = await tab(await browserOf(guest.api_key), `${it.url}/#machine/nothing`)
  const words = async (page: Page): Promise<string | undefined> => {
    await page.locator('[data-code=NOT_FOUND]').waitFor()
    return (await page.locator('[data-code=NOT_FOUND] p').nth(1).textContent()) ?? undefined
  }
  assert.equal(await words(stranger.page), await words(absent.page))
  assert.equal((await stranger.page.content()).includes('secret works'), false)

  const { page, assertQuiet } = await tab(await browserOf(key), `${it.url}/#machine/pump-7/access`)
  await page.getByLabel('Add a member').fill(guest.zid)
  await page.getByRole('button', { name: 'Add' }).click()
  await page.locator(`[data-member="${guest.zid}"] select`).selectOption('operator')
  await until(async () => {
    const { admins } = await mine.call('identity.machine-admins', { slug: 'pump-7' })
    return admins.some((member) => member.zid === guest.zid && member.role === 'operator')
  }, signal)
  await confirm(page, `[data-member="${guest.zid}"]`, 'Remove')
  await page.locator(`[data-member="${guest.zid}"]`).waitFor({ state: 'detached' })

  const keys = page.getByRole('region', { name: 'Machine keys' })
  await keys.getByLabel('New key').fill('pipeline')
  await keys.getByLabel('Scope').selectOption('write')
  await keys.getByRole('button', { name: 'Make' }).click()
  const made = await secret(page, 'Machine key')
  await it.as(made).call('machines.event', { slug: 'pump-7', type: 'by-key' })
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const token = await secret(page, 'Share token')
  await absent.page.goto(`${it.url}/#machine/pump-7`)
  await absent.page.getByLabel('Share token').fill(token)
  await absent.page.getByRole('button', { name: 'Unlock' }).click()
  await absent.page.getByText('you are a viewer').waitFor()
  assert.equal(await absent.page.getByText('Write to the chain').count(), 0)
  await confirm(page, '[aria-label=Share]', 'End the share')
  await absent.page.locator('[data-code=NOT_FOUND]').waitFor()

  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByLabel('To tick').fill('999999')
  await page.getByRole('button', { name: 'Open, and record it' }).click()
  await page.getByText('the valve sticks').waitFor()
  const { rows } = await mine.call('machines.explore', { slug: 'pump-7', limit: 200 })
  assert.equal(rows.at(-1)?.transitionType, 'audit_decrypted')

  await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
  await page.getByLabel('Name for people').fill('Pump seven')
  await page.getByLabel('Public: everyone').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Pump seven' }).waitFor()
  await page.getByLabel('paused').check()
  await page.locator('[data-status=paused]').waitFor()
  await stranger.page.reload()
  await stranger.page.getByRole('heading', { name: 'Pump seven' }).waitFor()
  await assert.rejects(it.as(made).call('machines.event', { slug: 'pump-7' }), { code: 'MACHINE_NOT_ACTIVE' })
  assertQuiet()
})

test.run()
