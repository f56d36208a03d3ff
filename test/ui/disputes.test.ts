// Goal: the owner sees what others computed for the node and what was found of it; anybody sees a dispute step by step
// and runs the disputed part again in the browser, to the bits of the node. Method: Chromium on one of five nodes, of
// which one lied; axe-core in every state; the answer of the node altered on its way.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { passing } from '../mesh/token-kit.ts'
import { disputesAt, disputing, lying } from '../mesh/works-kit.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, open } from './browser.ts'

const test = browserSuite('ui/disputes')

const NARROWEST = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const

const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

const foundOf = async (page: Page): Promise<readonly (string | null)[]> => {
  const found = page.locator('[data-found]')
  await found.waitFor()
  const last = found.locator('li').last()
  return [await found.getAttribute('data-found'), await last.getAttribute('data-step')]
}

test.alone(
  'a wrong work among the works, its dispute step by step, and the run again in this browser',
  async (surf) => {
    await using it = await disputing({ 'contribute.auditRate': 1_000_000 }, surf.signal)
    const { all, a, b } = it
    lying(b, 7)
    assert.equal(await it.offered(40), 'failed')
    await passing(all, async () => it.isFallen(), surf.signal)
    const { page, assertQuiet } = await surf.tab(await surf.profile(NARROWEST), a.node.ownerLink())
    await page.locator('.credits').waitFor()
    await open(page, 'contribute')
    const works = page.getByRole('region', { name: 'Works' })
    const row = works.locator('tr[data-state=wrong]')
    await row.waitFor()
    assert.match(await row.innerText(), /kalman[\s\S]*by[\s\S]*found wrong[\s\S]*run again whole: wrong/)
    const disputes = page.getByRole('region', { name: 'Disputes' })
    await disputes.locator('tr[data-dispute]').waitFor()
    assert.match(
      await disputes.innerText(),
      /of 1 known here[\s\S]*segment 6[\s\S]*this node ran it: the work is wrong/,
    )
    await assertAxeClean(page, 'works and disputes')
    assert.ok(await fits(page), 'no sideways scroll')
    await disputes.getByRole('link').click()

    await page.locator('article[data-verdict=proven]').waitFor()
    const steps = page.getByRole('region', { name: 'Step by step' })
    assert.match(
      await steps.innerText(),
      /published the work[\s\S]*challenged it[\s\S]*ran it again: the challenge is right/,
    )
    await page.getByRole('button', { name: 'Check it here' }).click()
    assert.deepEqual(await foundOf(page), ['upheld', 'run'])
    await assertAxeClean(page, 'a dispute, checked')
    assert.ok(await fits(page), 'no sideways scroll')
    assertQuiet()

    // Whoever is in the way may alter what is shown: the check sees it.
    const id = (await disputesAt(a)).items[0]?.id ?? ''
    const other = await surf.profile()
    await other.route('**/api/contribute/disputes/*', async (route) => {
      const answer = await route.fetch()
      const said = (await answer.json()) as object
      await route.fulfill({ response: answer, json: { ...said, inputs: { steps: 41 } } })
    })
    const altered = await surf.tab(other, `${a.url}/#dispute/${id}`)
    await altered.page.getByRole('button', { name: 'Check it here' }).click()
    assert.deepEqual(await foundOf(altered.page), ['unchecked', 'inputs'])
    altered.assertQuiet()
  },
)

test.run()
