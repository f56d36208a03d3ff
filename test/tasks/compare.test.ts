// Goal: who knows no solver by name finds one by a word, compares two beams, and prices ten options at once. Method: a
// fresh profile of Chromium at a real node, from the first screen; what the page says is held against beam theory and
// against an integral over the price of the stock; each step of the hand is counted and bounded.
import assert from 'node:assert/strict'
import { browserSuite, shownValue } from '../ui/browser.ts'
import { ASKED_BACK, askBox, button, match, task } from './steps.ts'

const test = browserSuite('tasks/compare')

/** Tip of a cantilever by Timoshenko: bending, and shear over 5/6 of the section. */
const tip = ({ P, L, h, t, E, nu }: Readonly<Record<'P' | 'L' | 'h' | 't' | 'E' | 'nu', number>>): number =>
  (P * L ** 3) / (3 * E * ((t * h ** 3) / 12)) + (P * L) / ((5 / 6) * (E / (2 * (1 + nu))) * h * t)

test('compare two beams', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/')
  await task('compare two beams', { stepsMax: 6 }, async (hand) => {
    await hand.fill(askBox(page), 'beam')
    await hand.click(match(page, /^solver Finite elements in plane stress/))
    await hand.click(button(page, 'Run Steel bracket with 100 kg'))
    await shownValue(page)
    await hand.click(button(page, 'Run Concrete balcony'))
    await page.locator('.comparison').waitFor()
    await hand.click(page.getByText('Compare with the previous run'))
  })
  const row = page.locator('[data-compared="Deflection"] td')
  const shown = await row.evaluateAll((all) => all.map((it) => Number(it.getAttribute('title'))))
  const theory = [
    tip({ P: 5000, L: 1.5, h: 0.2, t: 1, E: 3e10, nu: 0.2 }),
    tip({ P: 981, L: 1, h: 0.1, t: 0.01, E: 210e9, nu: 0.3 }),
  ]
  theory.forEach((it, at) => {
    assert(Math.abs((shown[at] ?? 0) / it - 1) < 0.01, `${shown[at]} for ${it}`)
  })
  assert.match((await row.nth(2).textContent()) ?? '', /[−-]\d+.*%/)
  assertQuiet(ASKED_BACK)
})

/** What a European call is worth: its payoff over the normal law of the stock's logarithm, by the midpoint rule. */
const callPrice = ({ S, K, r, sigma, T }: Readonly<Record<'S' | 'K' | 'r' | 'sigma' | 'T', number>>): number => {
  const [points, reach] = [20_000, 9]
  const width = (2 * reach) / points
  let sum = 0
  for (let i = 0; i < points; i += 1) {
    const z = -reach + (i + 0.5) * width
    const price = S * Math.exp((r - sigma ** 2 / 2) * T + sigma * Math.sqrt(T) * z)
    sum += Math.max(0, price - K) * Math.exp(-(z ** 2) / 2) * width
  }
  return (Math.exp(-r * T) * sum) / Math.sqrt(2 * Math.PI)
}

test('price ten options', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/')
  const vary = page.locator('.vary:visible')
  await task('price ten options', { stepsMax: 5 }, async (hand) => {
    await hand.fill(askBox(page), 'option')
    await hand.click(match(page, /^solver Option prices/))
    await hand.click(button(page, /^One-month at-the-money call/))
    await hand.fill(page.locator('[data-field=K] input:visible'), '91..109')
    await hand.click(button(page, 'Run 10 of them'))
    await vary.getByText('Done.').waitFor()
  })
  const rows = await vary
    .locator('tr[data-x]')
    .evaluateAll((all) => all.map((it) => [it.getAttribute('data-x'), it.querySelector('td')?.textContent]))
  assert.deepEqual(
    rows.map(([strike]) => strike),
    ['91', '93', '95', '97', '99', '101', '103', '105', '107', '109'],
  )
  for (const [strike, price] of rows) {
    const worth = callPrice({ S: 100, K: Number(strike), r: 0.04, sigma: 0.2, T: 0.0833333333 })
    assert(Math.abs(Number.parseFloat(price ?? '') / worth - 1) < 0.01, `${strike}: ${price} for ${worth}`)
  }
  assert.equal(await vary.locator('tr[data-x] a[href^="/r/"]').count(), 10)
  assertQuiet(ASKED_BACK)
})

test.run()
