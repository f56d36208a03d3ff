// Goal: the log explorer shows what the log shows, finds leaves by anything one has of them, and checks in the browser,
// from tiles alone, that a leaf is in the signed tree and that a later tree continues an earlier one; altered tiles and
// notes are found out. Method: Chromium on a real node whose log has more leaves than a tile; answers of the read paths
// are altered on their way; axe looks at each view.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { purposes, signedBytes } from '#core/digest.ts'
import { meaningsOf, readPlace, spellPlace } from '#ui/log/place.ts'
import type { TestNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, NARROW, open } from './browser.ts'

const test = browserSuite('ui/log')
const plain = suite('ui/log (places)')

plain('places are read as they are spelled, and nothing else is one', () => {
  const good = ['seal', 'events', 'seal.0', 'seal/leaf/0', 'events.12/leaf/9007199254740991', 'seal/tick/77']
  good.push(`seal/hash/${'a'.repeat(64)}`, `seal/token/${'0'.repeat(32)}`, 'seal/consistency/3-40')
  for (const at of good) assert.equal(spellPlace(readPlace(at)!), `log/${at}`)
  assert.deepEqual(readPlace(''), { show: 'newest', log: 'seal' })
  const bad = ['sealed', 'seal/', 'seal/leaf', 'seal/leaf/', 'seal/leaf/01', 'seal/leaf/-1', 'seal/leaf/1/2', 'seal.x']
  bad.push(
    'seal/leaf/9007199254740993',
    'seal/hash/abc',
    'seal/token/xyz',
    'seal/consistency/3',
    'seal/consistency/a-b',
  )
  for (const at of bad) assert.equal(readPlace(at), undefined, at)
})

plain('what is typed means what it can mean, the likeliest first', () => {
  const meant = (text: string): readonly string[] => meaningsOf(text, 'events').map(({ to }) => spellPlace(to))
  assert.deepEqual(meant(' 12 '), ['log/events/leaf/12', 'log/events/tick/12'])
  assert.deepEqual(meant('tick 12'), ['log/events/tick/12'])
  assert.deepEqual(meant('#12'), ['log/events/leaf/12'])
  assert.deepEqual(meant('F'.repeat(64)), [`log/events/hash/${'f'.repeat(64)}`])
  // Tokens are of receipts, and those are in the seal log.
  assert.deepEqual(meant('0a'.repeat(16)), [`log/seal/token/${'0a'.repeat(16)}`])
  assert.deepEqual(meant('words'), [])
})

const order = { operators: ['GR37'], inputs: { mass: 1.98892e30 } }

/** Waits until all leaves are under a checkpoint. */
const sealed = ({ node: { store } }: TestNode, signal: AbortSignal) =>
  until(() => store.log.checkpoint?.size === store.log.size, signal)

/** More leaves than a tile has, in some ticks. */
const grow = async (it: TestNode, signal: AbortSignal): Promise<void> => {
  for (const count of [3, 300, 20]) {
    await it.node.store.commit((tx) => {
      for (let i = 0; i < count; i++) tx.append(purposes.ledger, (index) => signedBytes(purposes.ledger, { index }))
    })
    await sealed(it, signal)
  }
}

const verdict = (page: Page) => page.getByRole('region', { name: 'Checked in this browser' }).locator('.verdict')
const outcomeOf = async (page: Page): Promise<readonly (string | null)[]> => {
  await verdict(page).waitFor()
  return [await verdict(page).getAttribute('data-outcome'), await verdict(page).getAttribute('data-failing')]
}

test('a leaf is found, its way to the root drawn and checked from tiles, step by step', async ({
  it,
  visit,
  signal,
}) => {
  await grow(it, signal)
  const { page, asked, assertQuiet } = await visit('/#log')
  await page.getByRole('heading', { level: 2, name: 'The seal log' }).waitFor()
  await page.locator('[data-signature="ok"]').waitFor()
  await assertAxeClean(page, page.url())
  const box = page.getByRole('searchbox', { name: 'Find a leaf by index, hash, token or tick' })
  await box.fill('280')
  await box.press('Enter')
  await page.getByRole('heading', { level: 2, name: 'Leaf 280 of the seal log' }).waitFor()
  assert.deepEqual(await outcomeOf(page), ['verified', null])
  const size = it.node.store.log.checkpoint!.size
  const path = await it.node.store.log.inclusion(280, size)
  assert.equal(await page.locator('.path-tree .sibling').count(), path.length)
  await page.getByText('Each step in words').click()
  assert.equal(await page.locator('.path-steps li').count(), path.length)
  const words = (await page.locator('.path-steps').innerText()).replace(/\s+/g, '')
  for (const hash of path) assert(words.includes(Buffer.from(hash).toString('hex')))
  assert(asked.some((at) => at === '/log/seal.0/tile/1/000.p/1'))
  assert(asked.some((at) => at === `/log/seal.0/tile/0/001.p/${size - 256}`))
  await assertAxeClean(page, page.url())
  // By hash, and by tick.
  const hash = Buffer.from((await it.node.store.log.leafHash(280))!).toString('hex')
  await open(page, `log/seal/hash/${hash}`)
  await page.waitForFunction(() => location.hash === '#log/seal.0/leaf/280')
  await open(page, `log/seal/tick/2`)
  await page.getByRole('region', { name: 'Leaves' }).waitFor()
  assertQuiet()
})

test('a tile that was altered, or a note that another key signed, is found out', async ({ it, visit, signal }) => {
  await grow(it, signal)
  const { page } = await visit('/#log')
  await page.locator('[data-signature="ok"]').waitFor()
  await page.route(/\/tile\/0\//, async (route) => {
    const response = await route.fetch()
    const body = await response.body()
    body[40] = (body[40] ?? 0) ^ 1
    await route.fulfill({ response, body })
  })
  await open(page, 'log/seal/leaf/3')
  assert.deepEqual(await outcomeOf(page), ['failed', 'inclusion'])
  await page.unroute(/\/tile\/0\//)
  await page.route(/\/checkpoint$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace(/\n(\d+)\n/, '\n1$1\n') })
  })
  await open(page, 'log/seal/leaf/4')
  assert.deepEqual(await outcomeOf(page), ['failed', 'checkpoint'])
})

test('between any two checkpoints it is proved that the log only grew', async ({ it, visit, signal }) => {
  await grow(it, signal)
  const { page, assertQuiet } = await visit('/#log')
  const sizes = (await it.client.call('explorer.log-checkpoints', { log: 'seal' })).checkpoints.map((row) => row.size)
  const [newer = 0, older = 0] = sizes
  await page.getByLabel('Leaves then').fill(String(older))
  await page.getByLabel('Leaves later').fill(String(newer))
  await page.getByRole('button', { name: 'Prove that it only grew' }).click()
  assert.deepEqual(await outcomeOf(page), ['verified', null])
  const proof = await it.node.store.log.consistency(older, newer)
  assert.equal(await page.getByRole('region', { name: 'Proof' }).locator('[data-from]').count(), proof.length)
  await assertAxeClean(page, page.url())
  await open(page, `log/seal/consistency/${older - 1}-${newer}`)
  await page.locator(`[data-missing="${older - 1}"]`).waitFor()
  assertQuiet()
})

test('what is private shows place, hash and time; its owner sees the receipt; and all fits 390 px', async ({
  it,
  visit,
  signal,
}) => {
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const { envelope } = await it.as(key).call('compute.compute', order)
  const { token_id: token, index } = envelope as { token_id: string; index: number }
  await sealed(it, signal)
  const { page, assertQuiet } = await visit(`/#log/seal/leaf/${index}`, NARROW)
  assert.deepEqual(await outcomeOf(page), ['verified', null])
  const shown = await page.locator('main').innerText()
  assert(shown.includes('private') && !shown.includes(token) && !shown.includes('compute'))
  await open(page, `log/seal/token/${token}`)
  await page.locator('[data-nothing]').waitFor()
  await open(page, `log/seal/leaf/${it.node.store.log.size + 5}`)
  await page.locator('[data-waiting]').waitFor()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  assert(wide <= 0, `${wide} px too wide`)
  // Signed in, the same leaf is a receipt.
  await page.evaluate((it) => localStorage.setItem('tickmesh.account-key', it), key)
  await page.reload()
  await open(page, `log/seal/token/${token}`)
  await page.getByRole('link', { name: 'open the receipt' }).waitFor()
  assert.deepEqual(await outcomeOf(page), ['verified', null])
  assert.equal(await page.locator('[data-step="token"]').getAttribute('data-state'), 'ok')
  // The event log shows what each leaf says.
  await open(page, 'log/events/leaf/0')
  await page.getByRole('region', { name: 'Entry' }).getByText('identity.assert').waitFor()
  assert.deepEqual(await outcomeOf(page), ['verified', null])
  await assertAxeClean(page, page.url())
  assertQuiet()
})

await plain.run()
test.run()
