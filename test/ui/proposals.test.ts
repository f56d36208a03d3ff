// Goal: a person drafts a proposal on the page, opens its vote, stakes, and sees what counts and where its weight is
// from; by keys alone, at 320 px, in both themes. Method: Chromium on a real node with an account that owns envelopes,
// and axe-core.
import assert from 'node:assert/strict'
import { readCases, readVariables } from '#ui/proposals/read-lines.ts'
import { wealthyAccount } from '../kit/wealth.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, open } from './browser.ts'

const test = browserSuite('ui/proposals')
const ACCOUNT = 'tickmesh.account-key'
const NARROWEST = { width: 320, height: 700 } as const

const texts = [
  ['Id', 'xp1'],
  ['Name', 'Kinetic energy of a body'],
  ['Domain', 'mechanics'],
  ['Equation', 'E = m*v^2/2'],
  ['Source', 'A textbook, section 7.2'],
  ['Variables', 'E: energy, J\nm: mass, kg, positive\nv: speed, m/s'],
] as const
const good = 'm = 2, v = 3 -> E = 9 J\nm = 1 kg, v = 36 km/h -> E = 50 J\nE = 8, v = 4 -> m = 1 kg'

test('from a form to a stake that counts, without a mouse', async ({ it, profile, tab }) => {
  const rich = await wealthyAccount(it, { movable: 3 })
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await profile({ viewport: NARROWEST, colorScheme })
    await context.addInitScript(
      ([name, value]) => localStorage.setItem(name as string, value as string),
      [ACCOUNT, rich.api_key],
    )
    const { page, assertQuiet } = await tab(context, `${it.url}/#proposals`)
    await page.getByRole('heading', { name: 'Proposals' }).waitFor()
    const press = async (label: string): Promise<void> => {
      await page.getByRole('button', { name: label, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await page.getByText('New proposal').focus()
    await page.keyboard.press('Enter')
    for (const [label, text] of texts) await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByLabel('Known values').fill('m = 2, v = 3 gives 9')
    await press('Draft')
    await page.getByText('Known values, line 1: write it like').waitFor()
    await page.getByLabel('Known values').fill(good.split('\n').slice(1).join('\n'))
    await press('Draft')
    await page.getByText('A proposal has 3 to 32 reference cases').waitFor()
    await assertAxeClean(page, 'proposals')
    await page.getByLabel('Known values').fill(good)
    await press('Draft')

    await page.locator('.badge[data-state=draft]').waitFor()
    await press('Open the vote')
    await page.getByText('Its close is fixed then').waitFor()
    await press('Open the vote')
    await page.locator('.badge[data-state=voting]').waitFor()
    await page.getByLabel('no', { exact: true }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('Envelopes').fill('1')
    await press('Stake')
    await page.getByText('1 staked for no').waitFor()
    const stake = page.locator('tr[data-counting=unwitnessed]')
    await stake.waitFor()
    assert.match(await stake.innerText(), /no[\s\S]*zid1[\s\S]*tickmesh\.log[\s\S]*counts, by its own word of when/)
    const count = page.getByRole('region', { name: 'Count' })
    assert.match(await count.innerText(), /It does not pass: fewer than three stakers/)
    assert.match(await count.innerText(), /indicative[\s\S]*tickmesh\.log/)
    const fits = await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
    assert.equal(fits, true, 'nothing stands out to the right')
    await assertAxeClean(page, 'a proposal')
    assertQuiet(/400/)
    await open(page, 'proposals')
    await page.locator('[data-proposal][data-state=voting]').first().waitFor()
    await context.close()
  }
})

test('an owner sees the votes, and one of another address that is none', async ({ it, visit }) => {
  const { page } = await visit()
  await page.getByRole('link', { name: 'Proposals', exact: true }).click()
  await page.getByText('No vote was opened yet.').waitFor()
  await page.getByText('Sign in or make an account').first().waitFor()
  await open(page, `proposal/${'f'.repeat(64)}`)
  await page.locator('[data-code=NOT_FOUND]').waitFor()
  assert.equal((await it.client.call('network.proposals', {})).total, 0)
})

test('lines are read as they are written, and a wrong one is named', async () => {
  assert.deepEqual(readVariables('E: energy, J\n\n m : mass, kg, positive '), {
    E: { name: 'energy', unit: 'J' },
    m: { name: 'mass', unit: 'kg', positive: true },
  })
  assert.deepEqual(readCases('m = 2, v = 3 m/s -> E = 9 J\nx=1->y=2'), [
    { inputs: { m: 2, v: '3 m/s' }, output: 'E', value: 9, unit: 'J' },
    { inputs: { x: 1 }, output: 'y', value: 2, unit: '1' },
  ])
  for (const text of ['E', 'E: energy', 'E: energy, J, big'])
    assert.throws(() => readVariables(text), /Variables, line 1/)
  for (const text of ['m = 2', 'm -> E = 1', 'm = 2 -> E', 'm = 2 -> E = x J', 'a=1 -> b=2 -> c=3']) {
    assert.throws(() => readCases(`m = 1 -> E = 1\n${text}`), /Known values, line 2/)
  }
})

test.run()
