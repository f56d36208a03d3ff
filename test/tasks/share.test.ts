// Goal: a run goes to a friend by its address alone, and a receipt by the code that a telephone reads. Method: two
// fresh profiles of Chromium at a real node; the code is read from a picture of the screen by a decoder, not from the
// page's own text; each step of both hands is counted and bounded.
import assert from 'node:assert/strict'
import { PNG } from 'pngjs'
import { decodeQR } from 'qr/decode.js'
import { until } from '../kit/until.ts'
import { browserSuite, NARROW, shownValue, shownVerdict } from '../ui/browser.ts'
import { ASKED_BACK, askBox, button, match, task } from './steps.ts'

const test = browserSuite('tasks/share')

test('open the code of a receipt on a narrow screen, and verify it there', async ({ visit, tab, profile }) => {
  const { page, assertQuiet } = await visit('/')
  await task('open a code on a narrow screen', { stepsMax: 5 }, async (hand) => {
    await hand.click(button(page, /Schwarzschild radius of 10 solar masses/))
    await hand.click(page.getByRole('link', { name: 'Page of this receipt' }))
    await hand.click(page.getByLabel('Whoever has the link may read it'))
    await page.getByText('Whoever has the link can read it now.').waitFor()
    const code = page.getByRole('img', { name: /^QR code of .*#/ })
    const { width, height, data } = PNG.sync.read(await code.screenshot())
    const read = decodeQR({ width, height, data })
    const phone = await hand.opens(async () => tab(await profile(NARROW), read))
    await hand.click(button(phone.page, 'Verify here'))
    assert.equal((await shownVerdict(phone.page)).outcome, 'verified')
    assert(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is cut off')
    assert.match(await phone.page.locator('.statement').innerText(), /29\s?5\d\d/)
    phone.assertQuiet()
  })
  assertQuiet()
})

test('share a run by its address: another profile gets the same value', async ({ visit, tab, profile, signal }) => {
  const { page, assertQuiet } = await visit('/')
  await task('share a run by its address', { stepsMax: 7 }, async (hand) => {
    await hand.fill(askBox(page), 'epidemic')
    await hand.click(match(page, /^solver Epidemic/))
    await hand.fill(page.locator('[data-field=beta] input:visible'), '0.35')
    await hand.click(button(page, 'Run'))
    const value = await shownValue(page)
    await until(() => page.url().includes('beta=0.35'), signal)
    const friend = await hand.opens(async () => tab(await profile(), page.url()))
    await hand.click(button(friend.page, 'Run'))
    assert.equal(await shownValue(friend.page), value)
    assert.equal(await friend.page.locator('[data-field=beta] input:visible').inputValue(), '0.35')
    friend.assertQuiet()
  })
  assertQuiet(ASKED_BACK)
})

test.run()
