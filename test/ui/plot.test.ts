// Goal: a plot answers to pointer and keys with the very numbers that were sealed; what is zoomed is what is saved; a
// run that is played ends with the sealed result; two receipts are compared. Method: Chromium on a real node; readings
// are held against the bundle, axes of the saved SVG against those that are seen.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Bundle } from '#core/claim.ts'
import { figure } from '#numerics/plot/figures.ts'
import { until } from '../kit/until.ts'
import { browserSuite, downloaded, open, runHere, WIDE } from './browser.ts'

const test = browserSuite('ui/plot')

const bundleOf = async (page: Page): Promise<Bundle> => JSON.parse(await downloaded(page)) as Bundle
const outputOf = ({ result }: Bundle) => result?.output as Readonly<Record<string, number[]>>

/** A number as it stands in a reading: minus sign and powers of ten as books set them. */
const numberIn = (text: string): number => {
  const raised: Readonly<Record<string, string>> = Object.fromEntries(
    [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁻'].map((it, i) => [it, '0123456789-'[i] ?? '']),
  )
  const [, mantissa = '', power = ''] = /([−\d.]+)(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?/.exec(text) ?? []
  return Number(`${mantissa.replace('−', '-')}e${[...power].map((it) => raised[it]).join('') || 0}`)
}

const near = (a: number, b: number | undefined): boolean =>
  b !== undefined && Math.abs(a - b) <= 1e-4 * Math.max(Math.abs(b), 1e-9)

const caption = (page: Page, i = 0) => page.locator('figure.plot:visible figcaption').nth(i)

/** The words in the SVG that a plot is saved as. */
const savedWords = async (page: Page, plot: string): Promise<readonly string[]> => {
  const coming = page.waitForEvent('download')
  await page
    .getByRole('group', { name: `Export ${plot}` })
    .getByRole('button', { name: 'SVG', exact: true })
    .click()
  const pieces: Buffer[] = []
  for await (const piece of await (await coming).createReadStream()) pieces.push(piece as Buffer)
  return [
    ...Buffer.concat(pieces)
      .toString('utf8')
      .matchAll(/<text[^>]*>([^<]*)<\/text>/g),
  ].map((it) => it[1] ?? '')
}

const field = async (page: Page, name: string, value: string): Promise<void> => {
  await page.locator(`[data-field="${name}"] input:visible`).fill(value)
}

test('curves: one cursor over plots of one x, by pointer and by keys; theme, zoom and log axes are followed', async ({
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit('/#solver/multibody', { ...WIDE, colorScheme: 'light' })
  await page.locator('textarea:visible').first().waitFor()
  await runHere(page)
  const { times = [], energies = [] } = outputOf(await bundleOf(page))
  const plots = page.getByRole('application', { name: /^(Distances|Drift)/ })
  await plots.first().locator('canvas').waitFor()
  await plots.last().locator('canvas').waitFor()
  await page.getByRole('slider', { name: 'Moment' }).waitFor()
  await plots.last().focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await until(
    async () => ((await caption(page, 2).textContent()) ?? '').startsWith(`time ${figure(times[2] ?? 0)} s`),
    signal,
  )
  const drift = (await caption(page, 2).textContent()) ?? ''
  const [first = 0, , third = 0] = energies
  assert(
    Math.abs(numberIn(drift.split(': drift ')[1] ?? '') - (100 * (third - first)) / Math.abs(first)) < 1e-10,
    drift,
  )
  // The other plot over the same time stands at the same place.
  await until(async () => (await caption(page, 1).textContent())?.split(': ')[0] === drift.split(': ')[0], signal)
  assert.equal(await caption(page, 2).getAttribute('aria-live'), 'polite')

  await page.keyboard.press('+')
  await page.getByRole('button', { name: 'Reset zoom' }).waitFor()
  const words = await savedWords(page, 'Drift of the energy')
  assert(!words.includes('9') && words.includes('5'), words.join('|'))
  await plots.last().focus()
  await page.keyboard.press('0')
  await page.getByRole('button', { name: 'Reset zoom' }).waitFor({ state: 'detached' })
  const log = page.locator('figure.plot').nth(1).getByRole('button', { name: 'log y' })
  assert.equal(await log.getAttribute('aria-pressed'), 'true')
  await log.click()
  assert((await savedWords(page, 'Distances between the bodies')).some((it) => it.startsWith('distance / 10¹¹')))

  const pixels = (): Promise<string> =>
    plots
      .last()
      .locator('canvas')
      .evaluate((it) => (it as HTMLCanvasElement).toDataURL())
  const light = await pixels()
  await page.emulateMedia({ colorScheme: 'dark' })
  await until(async () => (await pixels()) !== light, signal)

  // Time goes along the curves that are there: a mark for each body on its path.
  await page.getByRole('slider', { name: 'Moment' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.locator('circle.moment').nth(2).waitFor()
  assertQuiet()
})

test('a run that is played ends with the sealed result; frames are stepped by keys', async ({ visit }) => {
  const { page, assertQuiet } = await visit()
  await runHere(page)
  await page.getByRole('button', { name: 'Play it' }).click()
  await page.locator('[data-play=equal]').waitFor()
  const slider = page.getByRole('slider', { name: 'Moment' })
  await slider.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('heading', { name: 'Temperature, step 10 of 200' }).waitFor()
  assert.equal(await slider.getAttribute('aria-valuetext'), 'step 10 of 200')
  await page.keyboard.press('End')
  await page.getByRole('heading', { name: 'Temperature after 100 s' }).waitFor()
  await page.getByRole('button', { name: 'Back to the sealed result' }).click()
  await page.getByRole('button', { name: 'Play it' }).waitFor()
  assertQuiet()
})

test('two receipts: the inputs that differ, the figures in percent, and how far the fields are apart', async ({
  visit,
}) => {
  const { page, assertQuiet } = await visit()
  const bundles: Bundle[] = []
  for (const steps of ['100', '200']) {
    await field(page, 'steps', steps)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('heading', { name: `Temperature after ${Number(steps) / 2} s` }).waitFor()
    bundles.push(await bundleOf(page))
  }
  const [a, b] = bundles.map((it) => it.envelope.claim)
  await open(page, `compare?a=${a?.token_id}&b=${b?.token_id}`)
  const row = page.locator('tr[data-input]')
  await row.first().waitFor()
  assert.deepEqual(await row.allTextContents(), ['steps100200'])
  const apart = await page.locator('tr[data-figure=value] td').last().textContent()
  const [of = 0, to = 0] = [a?.value ?? 0, b?.value ?? 0]
  assert(near(numberIn(apart ?? ''), (100 * (to - of)) / of), apart ?? '')
  const fields = bundles.map((it) => outputOf(it)['field'] ?? [])
  const most = Math.max(...(fields[0] ?? []).map((it, i) => Math.abs(it - (fields[1]?.[i] ?? 0))))
  const said = page.locator('[data-most]')
  await said.waitFor()
  assert.equal(Number(await said.getAttribute('data-most')), most)
  assert.equal(await page.locator('figure[data-plot=map]:visible').count(), 3)
  assertQuiet()
})

test('where the rest of the plots cannot be loaded, the drawing stands by itself', async ({ it, profile }) => {
  const page = await (await profile()).newPage()
  await page.route(/\/live-[^/]*\.js$/, (route) => route.abort())
  await page.goto(`${it.url}/#solver/heat`)
  await runHere(page)
  await page.locator('figure.plot svg image').waitFor()
  assert.match((await caption(page).textContent()) ?? '', /^Temperature after 100 s: temperature 0 to /)
  assert((await savedWords(page, 'Temperature after 100 s')).includes('x / m'))
})

test.run()
