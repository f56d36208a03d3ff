// Goal: people who use other means than eyes and a mouse meet no barrier that a tool can find. Method: axe-core inside
// the page on a real node, in both themes, over every view and the states that a visitor brings about in them, a
// receipt in the page and, as a stranger sees it on the narrowest screen, at the address it is shared by. The pages of
// the documentation are looked at in docs.test.ts.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { axeFindings } from './axe.ts'
import { browserSuite, open, WIDE } from './browser.ts'

const test = browserSuite('ui/axe')

/** What a page that is magnified four times has left of a usual screen. */
const NARROWEST = { width: 320, height: 700 } as const

const VIEWS: readonly (readonly [string, RegExp])[] = [
  ['ask', /^Ask/],
  ['overview', /^Overview/],
  ['solvers', /^Solvers/],
  ['solver/heat', /^Heat/],
  ['operators', /^Operators/],
  ['operators/GR37', /^Schwarzschild/],
  ['proposals', /^Proposals/],
  ['reactors', /^Reactors/],
  ['streams', /^Streams/],
  ['machines', /^Machines/],
  ['envelopes', /^Receipts/],
  ['wallet', /^Wallet/],
  ['compare', /^Compare/],
  ['log', /^The seal log/],
  ['log/events', /^The event log/],
  ['log/seal/leaf/0', /^Leaf 0/],
  ['network', /^Node/],
  ['registers', /^Registers/],
  ['contribute', /^Contribute/],
  ['verify', /^Verify/],
  ['api', /^API/],
  ['settings', /^Settings/],
]

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every view and the states of the first one, ${colorScheme}: no violation`, async ({ it, profile, tab }) => {
    const context = await profile({ ...WIDE, colorScheme })
    const { page } = await tab(context, it.node.ownerLink())
    await page.locator('.credits').waitFor()
    const all: string[] = []
    const look = async (where: string, at: Page = page): Promise<void> => {
      all.push(...(await axeFindings(at)).map((it) => `${where}: ${it}`))
    }
    for (const [place, title] of VIEWS) {
      await open(page, place)
      await page.getByRole('heading', { level: 2, name: title }).and(page.locator(':visible')).waitFor()
      await page.waitForLoadState('networkidle')
      await look(place)
    }
    await open(page, `ask?${new URLSearchParams({ q: 'kinetic energy of a car at 100 km/h' })}`)
    await page.locator('[data-choice]:visible').first().waitFor()
    await look('a question that is asked back')
    await open(page, `ask?${new URLSearchParams({ q: 'kinetic energy of 1500 kg at 100 km/h' })}`)
    await page.locator('[data-chip=v]').click()
    await look('a chip that is changed')
    await page.keyboard.press('Escape')
    await page.locator('.reading:visible').getByRole('button', { name: 'Run' }).click()
    await page.locator('.receipt:visible').waitFor()
    await look('an answer')
    const token = await page.locator('.receipt:visible').getAttribute('data-token')
    await open(page, `receipt/${token}`)
    await page.getByRole('heading', { level: 2, name: /: a receipt$/ }).waitFor()
    await page.waitForLoadState('networkidle')
    await look('a receipt')
    await page.getByLabel('Whoever has the link may read it').check()
    await page.getByText('Whoever has the link can read it now.').waitFor()
    const link = (await page.locator('a.address').getAttribute('href')) ?? ''
    assert.match(link, new RegExp(`/r/${token}#[0-9a-f]{32}$`))
    await look('a receipt that is open to others')
    const guest = await tab(await profile({ viewport: NARROWEST, colorScheme }), link)
    await guest.page.locator('.share-card .qr').waitFor()
    await guest.page.waitForLoadState('networkidle')
    await look('a receipt at its address', guest.page)
    await guest.page.getByRole('button', { name: 'Verify here' }).click()
    await guest.page.locator('.verdict').waitFor()
    await look('a receipt at its address, verified', guest.page)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    await look('the palette')
    assert.deepEqual(all, [])
  })
}

test.run()
