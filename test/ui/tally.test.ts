// Goal: the page shows a machine's token: how much there is, who has which units, how it is minted; its owner sets the
// rate there, and anybody has it added up in the browser, where a lying node is found out. Method: Chromium on a real
// node; units move and are minted as the page looks on, and the lie is the real chain altered on its way.
import assert from 'node:assert/strict'
import { pictures } from '../kit/pictures.ts'
import { until } from '../kit/until.ts'
import { browserSuite } from './browser.ts'

const test = browserSuite('ui/tally')

test('a token is shown, minted by a rate of its owner, and added up here', async ({ it, visit, signal }) => {
  const { page, assertQuiet } = await visit()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'New account' }).click()
  const key = await page.getByRole('textbox', { name: 'API key of the new account' }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  const mine = it.as(key)
  const { zid: to } = await it.client.call('identity.sign-up', {})
  await mine.call('machines.create', { slug: 'pump-7', is_public: true })
  await page.goto(`${it.node.url}/#machine/pump-7/tally`)
  await page.getByText('The machine has no token.').waitFor()
  const genesis = { name: 'Litres', symbol: 'LITRE', max_supply: 1_000, initial: 100 }
  await mine.call('machines.token-genesis', { slug: 'pump-7', ...genesis })
  const image = Buffer.from(pictures.png(8, 8)).toString('base64')
  await mine.call('machines.token-avatar', { slug: 'pump-7', image })
  const { store, services } = it.node
  await store.commit((tx) => {
    const machine = tx.get('machine', 'pump-7')!
    services.machines.transferIn(tx, { machine, to, amount: 30, ref: 'r' })
  })
  await page.reload()
  await page.locator('section[aria-label=Token][data-issued="100"]').waitFor()
  await page.locator('section[aria-label=Token] img').waitFor()
  assert.deepEqual(await page.locator('tr[data-first] td:first-child').allTextContents(), ['1 – 30', '31 – 100'])

  await page.getByLabel('Units of one mint').fill('901')
  await page.getByRole('button', { name: 'Set the rate' }).click()
  await page.locator('[data-code=SUPPLY_EXHAUSTED]').waitFor()
  await page.getByLabel('Units of one mint').fill('5')
  await page.getByLabel('Each so many').fill('1')
  await page.getByRole('button', { name: 'Set the rate' }).click()
  await page.locator('section[aria-label=Mint][data-state=on]').waitFor()
  await until(
    () =>
      Promise.resolve(
        services.machines.tokenSupply({ caller: { kind: 'anonymous', bucket: 'x' }, slug: 'pump-7' }).issued > 100,
      ),
    signal,
  )
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.locator('section[aria-label=Mint][data-state=off]').waitFor()

  await page.getByRole('button', { name: 'Verify here' }).last().click()
  await page.locator('[data-outcome=verified]').waitFor()
  await page.route('**/explore?*', async (route) => {
    const answer = (await (await route.fetch()).json()) as { rows: { transitionType: string; body: object }[] }
    for (const row of answer.rows) {
      if (row.transitionType === 'tally_transfer') row.body = { ...row.body, amount: 1 }
    }
    await route.fulfill({ json: answer })
  })
  await page.getByRole('button', { name: 'Verify here' }).last().click()
  await page.locator('[data-outcome=failed]').waitFor()
  assertQuiet(/ 404 | 409 /)
})

test.run()
