// Goal: who has never been here asks in words and has a verified receipt, with the mouse, and with keys and accessible
// names alone. Method: a fresh profile of Chromium at a real node; each step of the hand is counted and bounded.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserSuite, shownValue, shownVerdict } from '../ui/browser.ts'
import { askBox, button, type Hand, task } from './steps.ts'

const test = browserSuite('tasks/ask')

/** The first question of a node and the first run: waited for as long as the test may take. */
const TO_THE_END = 0

test('ask a question in words, and have a verified receipt', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/')
  await task('ask a question', { stepsMax: 3 }, async (hand) => {
    await hand.fill(askBox(page), 'escape velocity of mars')
    await hand.key(page, 'Enter')
    await page.locator('.receipt:visible').waitFor({ timeout: TO_THE_END })
    await hand.click(button(page, 'Verify here'))
    assert.equal((await shownVerdict(page)).outcome, 'verified')
  })
  // √(2GM/R) with G = 6.674e-11, M = 6.417e23 kg, and Mars’s mean or equatorial radius.
  const value = await shownValue(page)
  assert(value > 5_020 && value < 5_035, String(value))
  assertQuiet()
})

/** What has the focus, as it is read out: role and name; nothing where it has left the page. */
const focused = async (page: Page): Promise<string> => {
  const it = page.locator(':focus')
  return (await it.count()) === 0 ? '' : it.ariaSnapshot()
}

/** Presses Tab until what has the focus is read out as this. */
const tabTo = async (page: Page, hand: Hand, name: string): Promise<void> => {
  /** Stops between a receipt and whatever is wanted next, at most: the bound of the task is below it. */
  for (let presses = 0; presses < 40; presses += 1) {
    await hand.key(page, 'Tab')
    if ((await focused(page)).includes(name)) return
  }
  assert.fail(`no Tab leads to ${name}`)
}

test('a whole run by keys and accessible names alone', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/')
  await askBox(page).waitFor()
  await task('by keyboard alone', { stepsMax: 20 }, async (hand) => {
    await hand.key(page, '/')
    assert.match(await focused(page), /combobox "Ask a question, or find anything"/)
    await hand.type(page, 'period of a pendulum of length 2 m')
    await hand.key(page, 'Enter')
    await page.getByRole('region', { name: 'Receipt', exact: true }).waitFor({ timeout: TO_THE_END })
    await tabTo(page, hand, 'button "Verify here"')
    await hand.key(page, 'Enter')
    assert.equal((await shownVerdict(page)).outcome, 'verified')
  })
  assert(Math.abs((await shownValue(page)) - 2 * Math.PI * Math.sqrt(2 / 9.80665)) < 1e-3)
  assertQuiet()
})

test.run()
