// Goal: who mistypes everything is never at a dead end: each slip, of a solver's name, a relation's, a question, a
// unit, a token, an address, an input, is met by what was meant, one press away. Method: a fresh profile of Chromium at
// a real node; after every slip the one step is taken, and has to lead on.
import assert from 'node:assert/strict'
import { until } from '../kit/until.ts'
import { browserSuite, open, shownValue, type Visiting } from '../ui/browser.ts'
import { ASKED_BACK, askBox, button, type Hand, match, task } from './steps.ts'

const test = browserSuite('tasks/mistype')

/** Refusals on purpose: a question asked back, a receipt, an operator that are not there, a run outside its limits. */
const REFUSED = new RegExp(`${ASKED_BACK.source}|Failed to load resource: .* (?:404|422)`)
/** One step for the slip, and one out of it. */
const SLIP_AND_WAY_OUT = 2

const slip = (name: string, way: (hand: Hand, on: Visiting) => Promise<void>): void =>
  test(name, async (on) => {
    await task(name, { stepsMax: SLIP_AND_WAY_OUT }, (hand) => way(hand, on))
  })

slip('a solver’s name', async (hand, { visit }) => {
  const { page, assertQuiet } = await visit('/')
  await hand.fill(askBox(page), 'hete difusion')
  const near = page.getByRole('region', { name: 'What may be meant' }).getByRole('link', { name: 'Heat diffusion' })
  await hand.click(near)
  await page.getByRole('heading', { level: 2, name: 'Heat diffusion' }).waitFor()
  assertQuiet(REFUSED)
})

slip('a relation’s name', async (hand, { visit }) => {
  const { page, assertQuiet } = await visit('/')
  await hand.fill(askBox(page), 'kinetc enrgy')
  await hand.click(match(page, /^operator Kinetic energy K =/))
  await page.getByRole('heading', { level: 2, name: 'Kinetic energy', exact: true }).waitFor()
  assertQuiet(REFUSED)
})

slip('a question', async (hand, { visit }) => {
  const { page, assertQuiet } = await visit('/')
  await hand.fill(askBox(page), 'kinetc enrgy of 1500 kg at 72 km/h')
  await page.getByText('“kinetc” taken for “kinetic”').waitFor()
  await hand.click(button(page, 'Run'))
  assert.equal(await shownValue(page), 300_000)
  assertQuiet()
})

slip('an address', async (hand, { visit, signal }) => {
  const { page, assertQuiet } = await visit('/')
  await hand.opens(() => open(page, 'solver/heet'))
  await until(async () => (await askBox(page).inputValue()) === 'heet', signal)
  await hand.click(match(page, /^solver Heat diffusion/))
  await page.waitForURL(/#solver\/heat/)
  assertQuiet(REFUSED)
})

slip('a token', async (hand, { visit }) => {
  const { page, assertQuiet } = await visit('/')
  await hand.opens(() => open(page, `r/${'0'.repeat(32)}`))
  const said = page.locator('.receipt-page [role=alert]')
  await hand.click(said.getByRole('link', { name: 'verified' }))
  await page.waitForURL(/#verify/)
  assertQuiet(REFUSED)
})

slip('letters for a number', async (hand, { visit }) => {
  const { page, assertQuiet } = await visit('/#solver/heat?nx=many')
  const field = page.locator('[data-field=nx] input:visible')
  // The button tells that it is not ready, and yet takes a press: it would be one that leads nowhere else.
  await button(page, 'Run').focus()
  await hand.key(page, 'Enter')
  assert.equal(await field.evaluate((it) => it === document.activeElement), true, 'Run leads to what is wrong')
  await hand.fill(field, '64')
  assert.equal(await button(page, 'Run').getAttribute('aria-disabled'), 'false')
  assertQuiet()
})

slip('a grid too coarse', async (hand, { visit }) => {
  const { page, assertQuiet } = await visit('/#solver/heat?nx=24&ny=24')
  await hand.click(button(page, 'Run'))
  await hand.click(button(page, /^Run with /))
  assert((await shownValue(page)) > 0.1)
  assertQuiet(REFUSED)
})

test('a wrong unit: the question stays, what is left out is said, and its place is filled in', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/')
  await task('a wrong unit', { stepsMax: 3 }, async (hand) => {
    await hand.fill(askBox(page), 'kinetic energy of 1500 m at 72 km/h')
    const choice = page.locator('[data-choice=NM23]')
    await choice.getByText('leaving out “1500 m”').waitFor()
    await hand.fill(choice.getByRole('textbox', { name: 'm, mass' }), '1500 kg')
    await hand.click(choice.getByRole('button', { name: 'Run this' }))
    assert.equal(await shownValue(page), 300_000)
  })
  assertQuiet(REFUSED)
})

test.run()
