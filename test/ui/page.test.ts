// Goal: a stranger opens the page, runs each solver and an operator, sees plot and receipt, and verifies it there, bit
// for bit. Method: Chromium on a real node; pixels are compared with the sealed field, steps by name, and every request
// and complaint of the browser is kept.
import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { colourAt } from '#numerics/plot/colours.ts'
import { rangeOf } from '#numerics/plot/figures.ts'
import { until } from '../kit/until.ts'
import { browserSuite, downloaded, runHere, verdictOf, WIDE } from './browser.ts'

const test = browserSuite('ui/page')

const stepsOk = [
  'form',
  'key',
  'signature',
  'token',
  'receipt',
  'equations',
  'agreement',
  'precision',
  'price',
  'inputs',
  'question',
  'result',
  'worker',
  'assurance',
  'checkpoint',
  'inclusion',
  'quorum',
  'replay',
].map((step) => `${step} ${['question', 'worker', 'assurance', 'quorum'].includes(step) ? 'skipped' : 'ok'}`)

/** The middle of one thing, seen from another. */
const middleOf = async (one: Locator, other: Locator): Promise<{ x: number; y: number }> => {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  assert(a !== null && b !== null)
  return { x: a.x - b.x + a.width / 2, y: a.y - b.y + a.height / 2 }
}

/** The pixels that a field of this shape is drawn as, upper row first. */
const pixelsOf = (field: readonly number[], rows: number, columns: number): number[] => {
  const [low, high] = rangeOf(field)
  return Array.from({ length: rows * columns }, (_, at) => {
    const row = rows - 1 - Math.floor(at / columns)
    const value = field[row * columns + (at % columns)] as number
    return [...colourAt((value - low) / (high - low)), 255]
  }).flat()
}

test('heat with its defaults: plot of the sealed field, receipt, verification; nothing asked elsewhere', async ({
  visit,
  signal,
}) => {
  const { page, asked, assertQuiet } = await visit(undefined, {
    ...WIDE,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const value = await runHere(page)
  assert(Math.abs(value - 0.102) < 0.001, String(value))
  assert.equal(
    await page
      .locator('.value:visible')
      .textContent()
      .then((it) => it?.startsWith('0.102')),
    true,
  )

  const receipt = page.locator('.receipt:visible')
  const words = await receipt.textContent()
  for (const word of ['measured error', 'KO42', 'TH15', '3 free credits', 'token', 'leaf'])
    assert(words?.includes(word), word)
  assert.deepEqual(await verdictOf(page), { outcome: 'verified', failing: null, steps: stepsOk })

  const text = await downloaded(page)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('The receipt is on the clipboard.').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text)
  const bundle = JSON.parse(text)
  assert.equal(bundle.envelope.claim.value, value)
  assert.equal(bundle.envelope.claim.token_id, await receipt.getAttribute('data-token'))
  const drawn = await page.locator('.field canvas').evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement
    const context = (element as HTMLCanvasElement).getContext('2d')
    return { width, height, pixels: [...(context?.getImageData(0, 0, width, height).data ?? [])] }
  })
  assert.deepEqual([drawn.width, drawn.height], [129, 129])
  assert.deepEqual(drawn.pixels, pixelsOf(bundle.result.output.field, 129, 129))

  await page
    .locator('.touch')
    .hover({ position: await middleOf(page.locator('.field canvas'), page.locator('.touch')) })
  assert.match((await page.locator('figcaption').textContent()) ?? '', /^x 0\.5 m, y 0\.5 m: 0\.\d+ K$/)

  await until(async () => (await receipt.locator('.badge').textContent()) === 'final', signal)
  assert(asked.length > 5)
  assertQuiet()
})

test('multibody with its defaults: paths, receipt, verification', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/#solver/multibody')
  await page.locator('table:visible').getByText('1.9889 × 10³⁰').first().waitFor()
  const value = await runHere(page)
  assert(value > 1e11 && value < 2e11, String(value))
  await page.locator('figure.plot:visible').first().waitFor()
  const orbits = await page
    .locator('figure.plot:visible')
    .first()
    .locator('path[stroke-width="2"]')
    .evaluateAll((all) =>
      all.map((it) => {
        const { width, height } = (it as SVGPathElement).getBBox()
        return width / height
      }),
    )
  // The figure-eight, once for each body, is wider than high.
  assert(orbits.length === 3 && orbits.every((it) => it > 2), orbits.join(' '))
  assert.deepEqual(await verdictOf(page), { outcome: 'verified', failing: null, steps: stepsOk })
  assertQuiet()
})

test('an operator: the Schwarzschild radius of the sun with its digits, verified', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/#operators')
  await page.getByLabel('Find', { exact: true }).fill('schwarzschild radius')
  await page.getByRole('link', { name: 'Schwarzschild radius', exact: true }).click()
  await page.locator('#GR37-M').fill('1.98892e30')
  const value = await runHere(page)
  assert(Math.abs(value - 2954.0077) < 5e-5, String(value))
  assert.equal(await page.locator('.value:visible').textContent(), '2954.0077 m')
  assert.deepEqual(await verdictOf(page), { outcome: 'verified', failing: null, steps: stepsOk })
  assertQuiet()
})

test('a run refused for want of precision: its way out is a button, and passes', async ({ visit }) => {
  const { page, assertQuiet } = await visit()
  for (const name of ['nx', 'ny']) await page.locator(`[data-field=${name}] input`).fill('24')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('[data-code=PRECISION_NOT_MET]').waitFor()
  await page.getByRole('button', { name: /^Use nx = \d+, ny = \d+, steps = \d+, dt = / }).click()
  for (const name of ['nx', 'ny']) {
    assert(Number(await page.locator(`[data-field=${name}] input`).inputValue()) > 24)
  }
  assert((await runHere(page)) > 0.1)
  assert.equal(await page.locator('.problem').count(), 0)
  assertQuiet(/422/)
})

test('heat on a line is drawn as a curve over metres; folded groups open, and only changes are sent', async ({
  visit,
}) => {
  const { page, assertQuiet } = await visit()
  await page.locator('[data-field=dim] select').selectOption('1')
  await page.locator('[data-field=lx] input').fill('3')
  await page.locator('[data-group=initial] summary').first().click()
  await page.locator('[data-field="initial.kind"] select').selectOption('mode')
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/svc/heat'))
  await runHere(page)
  assert.deepEqual((await sent).postDataJSON(), { dim: 1, lx: 3, initial: { kind: 'mode' } })
  await page.locator('figure[data-plot=curves][data-live=true]').waitFor()
  assert.equal(await page.locator('image.map').count(), 0)
  await page.locator('[data-group=boundary] summary').first().waitFor()
  assert.equal((await page.locator('[data-group=initial] summary').first().textContent())?.startsWith('mode'), true)
  assertQuiet()
})

test('the clock goes with the node, and is set right when the tab wakes', async ({ it, visit, signal }) => {
  const { page, asked } = await visit('/#network')
  const shown = async (): Promise<number> => Number(await page.locator('.clock').getAttribute('data-tick'))
  await page.locator('.clock .tick').waitFor()
  const first = await shown()
  await until(async () => (await shown()) >= first + 2, signal)
  const { tick } = it.node.services.identity.describe()
  assert(Math.abs((await shown()) - tick) <= 1, `${await shown()} and ${tick}`)
  const readings = (): number => asked.filter((path) => path === '/api/svc/pulse').length
  const before = readings()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await until(() => readings() > before, signal)
})

test.run()
