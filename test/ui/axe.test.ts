// Goal: people who use other means than eyes and a mouse meet no barrier that a tool can find. Method: axe-core, read
// from its package and run inside the page on a real node, in both themes, over every view and the states that a
// visitor brings about in them, a receipt in the page and at the address it is shared by among them. The pages of the
// documentation are looked at in docs.test.ts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { browserSuite, open, WIDE } from './browser.ts'

const test = browserSuite('ui/axe')

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Axe {
  run(): Promise<{
    readonly violations: readonly {
      readonly id: string
      readonly nodes: readonly { readonly target: readonly unknown[] }[]
    }[]
  }>
}

/** What axe complains of in the page as it stands. */
const complaintsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { readonly axe: Axe }).axe.run()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  })

const VIEWS: readonly (readonly [string, RegExp])[] = [
  ['ask', /^Ask/],
  ['overview', /^Overview/],
  ['solvers', /^Solvers/],
  ['solver/heat', /^Heat/],
  ['operators', /^Operators/],
  ['operators/GR37', /^Schwarzschild/],
  ['reactors', /./],
  ['machines', /^Machines/],
  ['envelopes', /./],
  ['wallet', /^Wallet/],
  ['compare', /^Compare/],
  ['log', /^The seal log/],
  ['log/events', /^The event log/],
  ['log/seal/leaf/0', /^Leaf 0/],
  ['network', /^Node/],
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
    const look = async (where: string): Promise<void> => {
      all.push(...(await complaintsOf(page)).map((it) => `${where}: ${it}`))
    }
    // Evaluated and not added as an element: the page's policy lets no other script in.
    await page.evaluate(AXE)
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
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    await look('the palette')
    assert.deepEqual(all, [])
  })
}

test.run()
