// Goal: the page lives with its node: refusals say what would pass, credits run out and come back, runs are cancelled,
// tabs share an account, the owner is known, and a node that restarts is found again. Method: Chromium on real nodes
// that are brought into each state by real calls; nothing is stubbed.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type TestNode, testNode } from '../kit/node.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { browserSuite, open, runHere, shownValue } from './browser.ts'

const test = browserSuite('ui/life')

const keyOf = (page: Page): Promise<string | null> => page.evaluate(() => localStorage.getItem('tickmesh.demo-key'))
const creditsOf = async (page: Page): Promise<string | null> => page.locator('.credits').textContent()

/** Calls until a limit of `calls` computations is used up, as the page's own key. */
const spend = async (it: TestNode, key: string, calls: number): Promise<void> => {
  const client = it.as(key)
  const order = { operators: ['GR37'], inputs: { mass: 1 } }
  for (let i = 0; i < calls; i++) await client.call('compute.compute', order)
}

/** What browsers write on the console for any answer that is no success. */
const REFUSED = /Failed to load resource: .* (?:400|402|422|429)/

test('a refusal names its numbers, before and after a run, and a value that passes', async ({ visit }) => {
  const { page, assertQuiet } = await visit()
  const card = page.locator('.problem:visible')
  await page.getByText('Advanced').locator('visible=true').click()
  await page.locator('[data-field=scheme] select').selectOption('ftcs')
  await card.waitFor()
  assert.equal(await card.getAttribute('data-code'), 'UNSTABLE_STEP')
  assert((await card.textContent())?.startsWith('As it stands, the run would be refused.'))
  assert.equal(await card.locator('[data-member=limit] dd').textContent(), '0.5')
  await card.getByRole('button', { name: /^Use dt = / }).click()
  await card.waitFor({ state: 'detached' })
  const dt = Number(await page.locator('[data-field=dt] input').inputValue())
  assert(dt > 0.15 && dt < 0.16, String(dt))
  await runHere(page)

  await page.getByRole('button', { name: 'Defaults' }).click()
  for (const [name, value] of [
    ['nx', '16'],
    ['ny', '16'],
    ['dt', '100'],
    ['steps', '20'],
  ]) {
    await page.locator(`[data-field=${name}] input`).fill(String(value))
  }
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await card.waitFor()
  assert.equal(await card.getAttribute('data-code'), 'PRECISION_NOT_MET')
  assert.equal(await card.locator('[data-member=bound] dd').textContent(), '0.1 %')
  assert(Number.parseFloat((await card.locator('[data-member=measured] dd').textContent()) ?? '') > 1)

  await page.getByRole('link', { name: 'Operators' }).click()
  await open(page, 'operators/NM21')
  await page.locator('#NM21-r').fill('')
  await page.locator('#NM21-m1').fill('')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await card.waitFor()
  assert.match((await card.getAttribute('data-code')) ?? '', /MISSING_INPUTS|AMBIGUOUS_INPUT/)
  assert((await card.locator('[data-member=missing] li').count()) >= 1)
  assertQuiet(REFUSED)
})

test('credits run out: 402 with the price, and a fresh key; the keys of a day: 429 and when to come back', async ({
  it,
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit()
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
  assert.equal(await keyOf(page), null, 'who only looks has no key')
  await runHere(page)
  await until(async () => (await creditsOf(page)) === '97 credits', signal)
  await spend(it, (await keyOf(page)) ?? '', 32)
  const card = page.locator('.problem:visible')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await card.waitFor()
  assert.equal(await card.getAttribute('data-code'), 'INSUFFICIENT_BALANCE')
  assert.equal(await card.locator('[data-member=price] dd').textContent(), '3 credits')
  assert.equal(await card.locator('[data-member=free] dd').textContent(), '1 credits')
  await until(async () => (await creditsOf(page)) === '1 credits', signal)
  await page.getByRole('button', { name: 'Take a fresh demo key' }).click()
  await until(async () => (await creditsOf(page)) === '100 credits', signal)
  await runHere(page)
  await until(async () => (await creditsOf(page)) === '97 credits', signal)

  for (let i = 0; i < 8; i++) await it.client.call('economy.mint-demo-key', {})
  const late = await visit()
  const { key } = await it.client.call('economy.demo-key', {})
  await runHere(late.page)
  await until(async () => (await creditsOf(late.page)) === '9 calls today', signal)
  await spend(it, key, 9)
  await late.page.getByRole('button', { name: 'Run', exact: true }).click()
  const refused = late.page.locator('.problem:visible')
  await refused.waitFor()
  assert.equal(await refused.getAttribute('data-code'), 'DAILY_LIMIT_EXCEEDED')
  assert.match((await refused.textContent()) ?? '', /Try again in \d+ (?:h \d+ min|min|s)\./)
  assertQuiet(REFUSED)
})

test('Escape cancels a long run, which then costs nothing; tabs share one account and see one list', async ({
  profile,
  tab,
  it,
  signal,
}) => {
  const context = await profile()
  // The owner may ask for more than a demo key.
  const { page, assertQuiet } = await tab(context, it.node.ownerLink())
  await page.locator('.credits').waitFor()
  await open(page, 'solver/heat')
  for (const [name, value] of [
    ['nx', '400'],
    ['ny', '400'],
    ['steps', '100000'],
    ['dt', '0.001'],
  ]) {
    await page.locator(`[data-field=${name}] input`).fill(String(value))
  }
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await until(async () => /^step [1-9]/.test((await page.locator('.job .about').textContent()) ?? ''), signal)
  await page.keyboard.press('Escape')
  await page.getByText('Cancelled; nothing was charged.').waitFor()
  assert.equal(await creditsOf(page), '1287 credits')

  const second = await tab(context, `${it.url}/#envelopes`)
  await second.page.getByText('None yet.').waitFor()
  await page.getByRole('button', { name: 'Defaults' }).click()
  await runHere(page)
  const row = second.page.locator('li.row')
  await row.waitFor()
  assert.equal(await row.getAttribute('data-token'), await page.locator('.receipt').getAttribute('data-token'))
  await until(async () => (await row.locator('.badge').textContent()) === 'final', signal)
  await row.getByRole('button', { name: 'Open' }).click()
  await row.locator('.receipt').waitFor()
  await open(second.page, 'solver/heat')
  await runHere(second.page)
  await until(async () => (await creditsOf(second.page)) === '1281 credits', signal)
  assertQuiet()
  second.assertQuiet()
})

test('an address that changed while the page opened is gone to', async ({ it, profile, tab }) => {
  const context = await profile()
  // The last moment before the page hears of changes.
  await context.addInitScript(() => {
    const listen = window.addEventListener
    window.addEventListener = (...args: unknown[]): void => {
      if (args[0] === 'hashchange') history.replaceState(null, '', '#operators')
      Reflect.apply(listen, window, args)
    }
  })
  const { page, assertQuiet } = await tab(context, `${it.url}/#solver/heat`)
  await page.waitForFunction(() => document.title.startsWith('Operators'))
  assertQuiet()
})

test.alone(
  'the owner link makes the page the owner’s; a restart is waited out, and its stale session replaced',
  async (surf) => {
    const { signal } = surf
    using directory = tempDir()
    const start = (port: number): Promise<TestNode> =>
      testNode({ realTime: true, directory: directory.path, settings: { 'http.port': port } })
    const first = await start(0)
    const port = Number(new URL(first.url).port)
    const { page, assertQuiet } = await surf.tab(await surf.profile(), first.node.ownerLink())
    const who = page.locator('.who')
    try {
      await page.locator('.credits').waitFor()
      assert.equal(await who.getAttribute('data-self'), 'owner')
      assert.equal(await creditsOf(page), '1287 credits')
      assert.equal(page.url(), `${first.url}/`)
      await open(page, 'solver/heat')
      await runHere(page)
      const owner = page.locator('.receipt code').first()
      assert.equal(await owner.getAttribute('title'), first.node.services.identity.ownerZid)
      assertQuiet()
    } finally {
      await first[Symbol.asyncDispose]()
    }
    await page.locator('.banner').waitFor()

    await using _second = await start(port)
    await page.locator('.banner').waitFor({ state: 'detached' })
    await until(async () => (await who.getAttribute('data-self')) === 'demo', signal)
    await page.getByRole('button', { name: 'Defaults' }).click()
    await page.locator('[data-field=steps] input').fill('100')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await until(async () => (await page.locator('.receipt:visible').textContent())?.includes('house'), signal)
    assert((await shownValue(page)) > 0)
  },
)

test.alone(
  'a second node shows up among the peers, witnesses and sources while it is looked at, and goes away again',
  async (surf) => {
    const settings = { 'p2p.enabled': true }
    await using first = await testNode({ realTime: true, settings })
    const { page, assertQuiet } = await surf.tab(await surf.profile(), `${first.url}/#network`)
    await page.getByText('0 peers').waitFor()
    const [address = ''] = (await first.client.call('network.mesh-status', {})).addresses
    const second = await testNode({ realTime: true, settings: { ...settings, bootstrap: address } })
    try {
      const peer = page.locator(`[data-peer="${second.node.nodeId}"]`)
      await peer.locator('.badge').getByText('connected').waitFor()
      await peer.getByText('compatible').waitFor()
      // A leaf of the seal log to cosign, and one of the other's event log to bring.
      await first.client.call('economy.mint-demo-key', {})
      await second.client.call('identity.sign-up', {})
      const cosigned = page.locator(`[aria-label=Witnesses] [data-witness$="${second.node.nodeId}"]`)
      await cosigned.first().waitFor()
      assert.match((await cosigned.first().textContent()) ?? '', /\d+ leaves/)
      await page.locator(`[data-source="${second.node.nodeId}"] [data-behind="0"]`).waitFor()
      await page.locator(`[data-head*="${second.node.nodeId}"]`).first().waitFor()
    } finally {
      await second[Symbol.asyncDispose]()
    }
    await page.locator(`[data-peer="${second.node.nodeId}"]`).locator('.badge').getByText('away').waitFor()
    assertQuiet()
  },
)

test.run()
