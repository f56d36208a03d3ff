// Goal: whoever looks for a relation finds it, sees it as books have it, computes any of its variables, and holds a
// receipt. Method: Chromium on a real node with all its rows; the equation is looked at as it is laid out, values are
// held against those of the books, and every request and complaint of the browser is kept.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { until } from '../kit/until.ts'
import { rows } from '../numerics/operators/table.ts'
import { browserSuite, open, runHere, shownValue, verdictOf } from './browser.ts'

const test = browserSuite('ui/operators')

const PHONE = { viewport: { width: 360, height: 780 }, colorScheme: 'dark' } as const

const found = (page: Page): Promise<readonly (string | null)[]> =>
  page
    .locator('[aria-label="Operators found"] li')
    .evaluateAll((all) => all.map((it) => it.getAttribute('data-operator')))

const near = (value: number, wanted: number): void =>
  assert(Math.abs(value - wanted) <= 1e-6 * Math.abs(wanted), `${value}, not ${wanted}`)

/** Names that a reader hears of what can be used, and ids that stand twice. */
const spoken = (page: Page): Promise<{ readonly seen: number; readonly mute: string[]; readonly twice: string[] }> =>
  page.evaluate(() => {
    const used = [...document.querySelectorAll('#page input, #page select, #page button, #page a')].filter((it) =>
      it.checkVisibility(),
    )
    const named = (it: Element): boolean =>
      it.getAttribute('aria-label') !== null ||
      [...((it as HTMLInputElement).labels ?? [])].some((label) => label.textContent?.trim() !== '') ||
      (it.matches('button, a') && it.textContent?.trim() !== '')
    const ids = [...document.querySelectorAll('#page [id]')].map((it) => it.id)
    return {
      seen: used.length,
      mute: used.filter((it) => !named(it)).map((it) => it.outerHTML.slice(0, 90)),
      twice: ids.filter((id, at) => ids.indexOf(id) !== at),
    }
  })

test('search, filters and keys: words rank, filters narrow, Enter opens, the way back keeps what was typed', async ({
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit('/#operators')
  await page.getByText('2,476 found, 20 shown.').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('2,476 found, 40 shown.').waitFor()
  await page.getByLabel('Find', { exact: true }).fill('schwarzschild radius')
  await until(async () => (await found(page))[0] === 'GR37', signal)
  await page.getByLabel('Find', { exact: true }).fill('')
  await page.getByLabel('Domain').selectOption('relativity')
  await page.getByLabel('Symbol').fill('M')
  await page.getByLabel('Unit or one alike').fill('km')
  const fits = (rows as readonly OperatorRow[]).filter(
    ({ domain, variables }) =>
      domain === 'relativity' && 'M' in variables && Object.values(variables).some(({ unit }) => unit === 'm'),
  )
  await until(
    async () =>
      (await found(page)).toSorted().join() ===
      fits
        .map((it) => it.id)
        .sort()
        .join(),
    signal,
  )
  assert(fits.length > 1 && fits.length < 20)
  await page.getByLabel('Unit or one alike').fill('furlongs per')
  await page.locator('.problem:visible').waitFor()
  await page.getByLabel('Unit or one alike').fill('')
  await page.getByLabel('Symbol').fill('')
  await page.getByLabel('Domain').selectOption('')

  await page.getByLabel('Find', { exact: true }).fill('bernoulli')
  await until(async () => (await found(page)).includes('FL2'), signal)
  const order = await found(page)
  const focused = (): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.closest('li')?.getAttribute('data-operator') ?? null)
  await page.keyboard.press('ArrowDown')
  assert.equal(await focused(), order[0])
  await page.keyboard.press('ArrowDown')
  assert.equal(await focused(), order[1])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'operators-words')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 3, name: 'Worked example' }).waitFor()
  assert.equal(new URL(page.url()).hash, `#operators/${order[0]}`)
  assert.equal(await page.title(), `${order[0]} · tickmesh`)
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main')
  await page.goBack()
  await page.getByLabel('Find', { exact: true }).waitFor()
  assert.deepEqual(await found(page), order)
  assert.equal(await page.getByLabel('Find', { exact: true }).inputValue(), 'bernoulli')
  assertQuiet(/400/)
})

test('a relation: its equation laid out, its example, any of its variables, receipts that verify', async ({
  visit,
}) => {
  const { page, assertQuiet } = await visit('/#/operators/gr37')
  const math = page.locator('.relation math').first()
  const laid = await math.evaluate((it) => {
    const [above, below] = [...(it.querySelector('mfrac')?.children ?? [])].map((part) => part.getBoundingClientRect())
    return {
      namespace: it.namespaceURI,
      fraction: (above?.bottom ?? 0) <= (below?.top ?? 0) + 1 && (above?.width ?? 0) > 10,
      text: it.textContent?.replaceAll(/[\u2061\u2062]/g, ' '),
    }
  })
  assert.deepEqual(laid, { namespace: 'http://www.w3.org/1998/Math/MathML', fraction: true, text: 'rs=2 G Mc2' })
  assert.equal(await page.locator('[data-variable]').count(), 2)

  await page.locator('#GR37-M').fill('5 kg')
  await page.getByRole('button', { name: 'Run the example' }).click()
  near(await shownValue(page), Number(await page.locator('[data-example]').getAttribute('data-example')))
  assert.equal(await page.locator('#GR37-M').inputValue(), '1.98892e+30')
  assert.equal((await verdictOf(page)).outcome, 'verified')

  await page.getByLabel('Compute', { exact: true }).selectOption('M')
  await page.locator('#GR37-r_s').fill('2.9540077 km')
  near(await runHere(page), 1.98892e30)
  assert.match((await page.locator('.result:visible').textContent()) ?? '', /kg.*M, mass/)
  assert.equal((await verdictOf(page)).outcome, 'verified')
  await open(page, 'operators/KO42')
  await page.getByRole('heading', { level: 2 }).locator('visible=true').waitFor()
  assert.equal(new URL(page.url()).hash, '#operators/KO42')
  await page.goBack()
  assert.equal(await page.locator('#GR37-r_s').inputValue(), '2.9540077 km')
  const { seen, mute, twice } = await spoken(page)
  assert(seen > 20)
  assert.deepEqual([mute, twice], [[], []])
  assertQuiet()
})

test('uncertain inputs: the result’s uncertainty, and where it comes from', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/#operators/NM23')
  await page.getByLabel('Compute', { exact: true }).selectOption('K')
  await page.locator('#NM23-m').fill('2 kg ± 10 g')
  await page.locator('#NM23-v').fill('3.0 ± 0.03')
  near(await runHere(page), 9)
  // K = m v²/2: relative 0.5 % of the mass, and twice 1 % of the speed.
  const u = Number(await page.locator('[data-uncertainty]').getAttribute('data-uncertainty'))
  near(u, 9 * Math.sqrt(0.005 * 0.005 + 0.02 * 0.02))
  const shares = await page
    .locator('[data-source] [data-label=Share]')
    .evaluateAll((all) => all.map((it) => Number.parseFloat(it.textContent ?? '')))
  assert.equal(shares.length, 2)
  assert(Math.abs(shares.reduce((sum, it) => sum + it, 0) - 100) < 0.01, shares.join(' '))
  assert(Math.max(...shares) > 94 && Math.max(...shares) < 94.2, shares.join(' '))
  assert.equal((await verdictOf(page)).outcome, 'verified')
  assertQuiet()
})

test('what cannot be computed says why and leads on; what is wrong with an input is said', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/#operators/FL3')
  const why = page.locator('[data-refused]')
  await why.waitFor()
  assert((await why.textContent())?.includes('Not computed: differential equation'))
  assert.equal(await page.getByRole('button', { name: 'Run', exact: true }).count(), 0)
  await why.getByRole('link').first().click()
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor()

  await open(page, 'operators/NM23/v')
  await page.getByLabel('Compute', { exact: true }).locator('visible=true').waitFor()
  assert.equal(await page.getByLabel('Compute', { exact: true }).locator('visible=true').inputValue(), 'v')
  await page.locator('#NM23-m').locator('visible=true').fill('')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  assert.match((await page.locator('.problem:visible').textContent()) ?? '', /MISSING_INPUTS.*m: mass/)
  await page.locator('#NM23-m').locator('visible=true').fill('2 m')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('[data-code=DIMENSION_MISMATCH]:visible').waitFor()

  await open(page, 'operators/NO_SUCH_ROW')
  await page.locator('[data-code=NOT_FOUND]').waitFor()
  assertQuiet(/40[04]|422/)
})

test('what gives a quantity from others: ways, what they lack, and the form for the wanted variable', async ({
  visit,
}) => {
  const { page, assertQuiet } = await visit('/#operators')
  await page.getByText('What gives me X from Y and Z?').click()
  await page.getByLabel('Wanted').fill('pressure')
  await page.getByLabel('Known').fill('volume, temperature, amount')
  await page.keyboard.press('Enter')
  const ways = page.getByRole('list', { name: 'Operators that give it' })
  await ways.waitFor()
  const gas = ways.locator('[data-way=TH2]')
  assert((await gas.textContent())?.includes('Nothing else is needed.'))
  await page.getByLabel('Wanted').fill('temperature')
  await page.getByLabel('Known').fill('pressure, volume, amount')
  await page.keyboard.press('Enter')
  await ways.locator('[data-way=TH2]').getByRole('link').filter({ hasText: 'gas' }).first().click()
  await page.getByLabel('Compute', { exact: true }).waitFor()
  assert.equal(new URL(page.url()).hash, '#operators/TH2/T')
  assert.equal(await page.getByLabel('Compute', { exact: true }).inputValue(), 'T')
  await page.goBack()
  await page.getByLabel('Wanted').fill('xyzzyness')
  await page.keyboard.press('Enter')
  await page.locator('details .problem').waitFor()
  assertQuiet(/400/)
})

test('360 px and dark: a long equation scrolls by itself, the page does not', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/#operators/FL2', PHONE)
  const line = page.locator('.relation .math-line')
  await line.waitFor()
  const [inner, outer] = await line.evaluate((it) => [it.scrollWidth, it.clientWidth])
  assert((inner ?? 0) > (outer ?? 0), `${inner} in ${outer}`)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
  near(await runHere(page), Number(await page.locator('[data-example]').getAttribute('data-example')))
  await open(page, 'operators')
  await page.getByText('2,476 found').waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
  assertQuiet()
})

test.run()
