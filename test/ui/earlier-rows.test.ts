// Goal: the page runs a receipt of an earlier operator table again with the rows it names, which it fetches from its
// node alone and only then. Method: bundles that a node of an earlier release sealed, given to the Verify view in
// Chromium with that node's key; then one whose rows the node answers altered by one character.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { browserSuite, shownVerdict } from './browser.ts'

const test = browserSuite('ui/earlier-rows')

const FIXTURES = new URL('../fixtures/registry/82-rows/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, FIXTURES), 'utf8')
const ROWS = /\/assets\/rows-[^/]*\.js$/

const judged = async (page: Page, bundle: string) => {
  await page.locator('#bundle').setInputFiles({
    name: 'bundle.json',
    mimeType: 'application/json',
    buffer: Buffer.from(bundle),
  })
  return shownVerdict(page)
}

test('a bundle of an earlier release is run again with rows fetched from the node', async ({ visit }) => {
  const { page, asked, assertQuiet } = await visit('/#verify')
  await page.getByLabel('Trusted key').fill(read('trusted.vkey').trim())
  assert.ok(!asked.some((path) => ROWS.test(path)), 'nothing is fetched before it is needed')
  const found = await judged(page, read('gr35.json'))
  assert.deepEqual([found.outcome, found.failing], ['verified', null])
  assert.ok(asked.some((path) => ROWS.test(path)))
  assertQuiet()
})

test('rows that the node altered are no rows of that version: the bundle stays unchecked', async ({ visit }) => {
  const { page } = await visit('/#verify')
  await page.context().route(ROWS, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('86400', '86401') })
  })
  await page.getByLabel('Trusted key').fill(read('trusted.vkey').trim())
  const found = await judged(page, read('gr35.json'))
  assert.deepEqual([found.outcome, found.failing], ['unchecked', null])
  await page.getByText(/of GR35, .* is not kept here/).waitFor()
})

test.run()
