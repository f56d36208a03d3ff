// Goal: a plot answers to pointer and keys with the very numbers that were sealed; what is zoomed is what is saved; a
// run that is played ends with the sealed result; two receipts are compared. Method: Chromium on a real node; readings
// are held against the bundle, axes of the saved SVG against those that are seen.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Bundle } from '#core/claim.ts'
import { figure } from '#numerics/plot/figures.ts'
import { until } from '../kit/until.ts'
import { browserSuite, downloaded, open, pressSaveAs, runHere, WIDE } from './browser.ts'

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
  await pressSaveAs(page, plot, 'SVG')
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

test('a field: pointer and keys read it, a rectangle zooms into it, and what is saved is what is seen', async ({
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit()
  await runHere(page)
  const { field: sealed = [] } = outputOf(await bundleOf(page))
  const canvas = page.locator('.field canvas')
  // What stands above the plot moves it down: a pointer is led to where it stays.
  await page.getByRole('button', { name: 'Play it' }).waitFor()
  const touch = page.locator('.touch').first()
  // All of the field is on the screen: nothing scrolls while a rectangle is drawn.
  const centre = (): Promise<void> =>
    canvas.evaluate((it) => it.scrollIntoView({ block: 'center', behavior: 'instant' }))
  /** A place of the field, as shares from its upper left, within what is touched. */
  const placeOf = async (across: number, down: number) => {
    const [outer, box] = await Promise.all([touch.boundingBox(), canvas.boundingBox()])
    assert(outer !== null && box !== null)
    return { position: { x: box.x - outer.x + across * box.width, y: box.y - outer.y + down * box.height } }
  }
  // The middle of the cell of column 80 and row 40, from below.
  await touch.hover(await placeOf(80.5 / 129, 1 - 40.5 / 129))
  const caught = async (): Promise<string> => (await caption(page).textContent()) ?? ''
  await until(async () => (await caught()).startsWith('x '), signal)
  const words = await caught()
  assert.match(words, /^x 0\.625 m, y 0\.3125 m: /)
  assert(near(numberIn(words.split(': ')[1] ?? ''), sealed[40 * 129 + 80]), words)

  const plot = 'Temperature after 100 s'
  const whole = await savedWords(page, plot)
  assert(whole.includes('0') && whole.includes('1'))
  await centre()
  await touch.hover(await placeOf(0.5, 0.5))
  await page.mouse.down()
  await touch.hover(await placeOf(0.75, 0.25))
  await page.mouse.up()
  await page.getByRole('button', { name: 'Reset zoom' }).waitFor()
  const seen = await page.locator('figure.plot svg text').allTextContents()
  const part = await savedWords(page, plot)
  const ticks = (texts: readonly string[]) => texts.filter((it) => /^[\d.]+$/.test(it))
  assert(ticks(part).length > 4 && ticks(part).every((it) => Number(it) >= 0.45 && Number(it) <= 0.8), part.join('|'))
  for (const it of ticks(seen).filter((text) => /^0\.\d$/.test(text)))
    assert(part.includes(it), `${it} in ${part.join('|')}`)
  await page.getByLabel('as seen').uncheck()
  assert.deepEqual(await savedWords(page, plot), whole)

  await canvas.dispatchEvent('dblclick')
  await page.getByRole('button', { name: 'Reset zoom' }).waitFor({ state: 'detached' })
  // A probe shows the lines of the field through it.
  await touch.click(await placeOf(80.5 / 129, 1 - 40.5 / 129))
  const probe = page.getByRole('region', { name: /^Probe of/ })
  assert(near(numberIn((await probe.locator('b').first().textContent()) ?? ''), sealed[40 * 129 + 80]))
  const along = probe.getByRole('application').first()
  await along.locator('canvas').waitFor()
  await along.focus()
  await page.keyboard.press('Home')
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight')
  const read = async (): Promise<string> => (await probe.locator('figcaption').first().textContent()) ?? ''
  await until(async () => (await read()).startsWith(`x ${figure(5 / 128)} m: `), signal)
  const profile = await read()
  assert(near(numberIn(profile.split(': temperature ')[1] ?? ''), sealed[40 * 129 + 5]), profile)
  assertQuiet()
})

test('the wheel zooms a plot that has the focus about the pointer, and pushes the page over one that has not', async ({
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit('/#solver/heat?nx=64')
  await runHere(page)
  const touch = page.locator('.touch').first()
  await touch.waitFor()
  await touch.evaluate((it) => it.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const canvas = page.locator('.field canvas')
  const reset = page.getByRole('button', { name: 'Reset zoom' })
  const onCanvas = async (): Promise<void> => {
    const box = await canvas.boundingBox()
    assert(box !== null)
    await page.mouse.move(box.x + 0.25 * box.width, box.y + 0.25 * box.height)
  }
  await onCanvas()
  const before = await page.evaluate(() => scrollY)
  await page.mouse.wheel(0, -120)
  await until(async () => (await page.evaluate(() => scrollY)) < before, signal)
  assert.equal(await reset.count(), 0)

  await touch.focus()
  await onCanvas()
  await page.mouse.wheel(0, -300)
  await reset.waitFor()
  // A quarter from the left and from above stays where it is: what is seen lies about x = 0.25, y = 0.75.
  const ticks = async (): Promise<readonly number[]> =>
    (await page.locator('figure.plot svg text').allTextContents())
      .filter((it) => /^0?\.\d+$|^0$|^1$/.test(it))
      .map(Number)
  const seen = await ticks()
  assert(seen.length > 3 && !seen.includes(1) && seen.some((it) => it > 0.5 && it < 1), seen.join(' '))
  await onCanvas()
  await page.mouse.wheel(0, 3000)
  await reset.waitFor({ state: 'detached' })
  assert((await ticks()).includes(1))
  assertQuiet()
})

test('a plot fills the screen, is drawn larger there, and comes back', async ({ visit, signal }) => {
  const { page, assertQuiet } = await visit('/#solver/epi', { viewport: { width: 700, height: 900 } })
  await runHere(page)
  const figure = page.locator('figure.plot').first()
  const drawn = figure.locator('.touch canvas')
  await drawn.waitFor()
  const heightOf = async (): Promise<number> => (await drawn.boundingBox())?.height ?? 0
  const before = await heightOf()
  const full = figure.getByRole('button', { name: 'Full screen' })
  await full.click()
  await until(() => page.evaluate(() => document.fullscreenElement?.matches('figure.plot') === true), signal)
  await until(async () => (await heightOf()) > before, signal)
  // There the wheel is the plot's, wherever the focus is.
  await figure.locator('.touch').hover()
  await page.mouse.wheel(0, -300)
  await figure.getByRole('button', { name: 'Reset zoom' }).waitFor()
  await full.click()
  await until(() => page.evaluate(() => document.fullscreenElement === null), signal)
  await until(async () => (await heightOf()) === before, signal)
  assertQuiet()
})

test('plots stand where they stand before the code that plays them is there', async ({ it, profile }) => {
  const page = await (await profile(WIDE)).newPage()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/live-[^/]*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${it.url}/#solver/heat?nx=64`)
  await runHere(page)
  const plot = page.locator('figure.plot')
  const top = (inside: string): Promise<number> =>
    plot.locator(inside).evaluate((element) => element.getBoundingClientRect().top + scrollY)
  await plot.locator('svg image').waitFor()
  const [head, still] = [await top('h3'), await top('svg')]
  release()
  await page.getByRole('button', { name: 'Play it' }).waitFor()
  await plot.locator('.touch').waitFor()
  for (const [now, then] of [
    [await top('h3'), head],
    [await top('svg'), still],
  ] as const) {
    assert(Math.abs(now - then) <= 2, `${then} to ${now}`)
  }
})

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
