// Goal: a solver's page leads a stranger from a problem by name to figures that say something, its inputs live in the
// address, a refusal stands beside Run with a way out of one click, and what the page prints as commands works. Method:
// Chromium on a real node; the history of the browser is gone through; commands are run by curl and Python.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { verifyBatchLines } from '#core/batch/verify.ts'
import { until } from '../kit/until.ts'
import { browserSuite, open, runHere, shownValue } from './browser.ts'

const test = browserSuite('ui/solver-page')
const run = promisify(execFile)

const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash)
const input = (page: Page, name: string) => page.locator(`[data-field="${name}"] input:visible`)
const press = (page: Page, name: string | RegExp): Promise<void> =>
  page
    .locator('main')
    .getByRole('button', { name, exact: typeof name === 'string' })
    .locator('visible=true')
    .click()
/** Waits until the address says this. */
const addressed = (page: Page, hash: string, signal: AbortSignal): Promise<unknown> =>
  until(async () => (await hashOf(page)) === hash, signal)

/** What browsers write on the console for any answer that is no success. */
const REFUSED = /Failed to load resource: .* (?:400|402|404|422|429)/

test('a problem by name runs at once; its figures stand large and compare with those of the next run', async ({
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit('/#solver/epi')
  await page.locator('.presets li').first().waitFor()
  const names = await page.locator('.presets li').evaluateAll((all) => all.map((it) => it.getAttribute('data-preset')))
  assert(names.length >= 3 && names.length <= 5, names.join())
  await press(page, `Run ${names[0]}`)
  await shownValue(page)
  const heads = await page.locator('[data-head]:visible').allTextContents()
  assert(heads.length >= 2 && heads.every((it) => /\d/.test(it)), heads.join())
  assert.equal(await page.locator('.presets [aria-pressed=true]').count(), 1)
  assert.notEqual(await hashOf(page), '#solver/epi')
  assert.equal(await page.locator('.stale:visible').count(), 0)

  const gamma = Number(await input(page, 'gamma').inputValue())
  await input(page, 'gamma').fill(String(gamma * 1.25))
  await page.locator('.stale:visible').waitFor()
  await runHere(page)
  await until(async () => (await page.locator('.comparison').count()) === 1, signal)
  await page.getByText('Compare with the previous run').click()
  const row = page.locator('.comparison tbody tr').first()
  assert.match((await row.textContent()) ?? '', /[+−][\d.]+.*%/)
  assert.match((await page.locator('.comparison .about').textContent()) ?? '', /gamma .* → /)
  assertQuiet(REFUSED)
})

test('an address that is opened wins over what a press has just put into the form', async ({ visit, signal }) => {
  const { page, assertQuiet } = await visit('/#solver/heat?nx=96')
  await page.locator('.presets li').first().waitFor()
  // In one breath: the page has not drawn the problem that runs when the address changes to what it was before.
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('.presets button.small')?.click()
    location.hash = 'solver/heat?nx=96'
  })
  const settled = async (): Promise<boolean> =>
    (await input(page, 'nx').inputValue()) === '96' &&
    (await page.locator('.presets [aria-pressed=true]').count()) === 0
  await until(settled, signal)
  // What was typed before is written after a while: it must not be over the address.
  await input(page, 'steps').fill('210')
  await addressed(page, '#solver/heat?nx=96&steps=210', signal)
  assert(await settled())
  assertQuiet(REFUSED)
})

test('beside Run stands what is wrong, and one press sets the nearest number that passes', async ({
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit('/#solver/heat')
  await input(page, 'nx').fill('8')
  await input(page, 'ny').fill('9999')
  await input(page, 'lx').fill('long')
  const wrong = page.locator('[data-wrong]:visible')
  await until(async () => (await wrong.count()) === 3, signal)
  assert.match((await wrong.first().textContent()) ?? '', /The least is 16\./)
  await press(page, 'Set nx to 16')
  await press(page, 'Set ny to 4096')
  assert.deepEqual([await input(page, 'nx').inputValue(), await input(page, 'ny').inputValue()], ['16', '4096'])
  await press(page, 'Go to lx')
  assert.equal(await input(page, 'lx').evaluate((it) => it === document.activeElement), true)
  await open(page, 'operators/NM23?m=-5')
  await press(page, 'Use m = 5 kg')
  assert.equal(await input(page, 'm').inputValue(), '5')
  await page.locator('.problem:visible').waitFor({ state: 'detached' })
  assertQuiet(REFUSED)
})

test('a sweep lives in the address: a range in a field runs at one press, and its link opens it elsewhere', async ({
  visit,
  it,
  signal,
}) => {
  const { page, assertQuiet } = await visit('/#solver/epi')
  await input(page, 'beta').fill('0.2..0.4 in 3')
  await page
    .locator('.vary-offer')
    .getByText(/from 0\.2 to 0\.4: 3 runs · 9 credits · /)
    .waitFor()
  await press(page, 'Run 3 of them')
  const vary = page.locator('.vary:visible')
  await vary.getByText('Done.').waitFor()
  const pick = vary.getByLabel('Draw')
  const [, second = ''] = await pick
    .locator('option')
    .evaluateAll((all) => all.map((it) => (it as HTMLOptionElement).value))
  await pick.selectOption(second)
  await addressed(page, `#solver/epi?beta=0.2&vary=beta,0.2,0.4,3,${second}`, signal)
  const elsewhere = await visit(page.url().slice(it.url.length))
  const there = elsewhere.page.locator('.vary:visible')
  await there.getByText(/^3 runs · 9 credits · /).waitFor()
  assert.equal(await there.getByLabel('From').inputValue(), '0.2')
  assert.equal(await there.getByLabel('Draw').inputValue(), second)
  // It is not run, and nothing is paid, before somebody presses.
  assert.equal(await there.locator('tr[data-x]').count(), 0)
  await there.getByRole('button', { name: 'Run them all' }).click()
  await there.getByText('Done.').waitFor()
  assert.equal(await there.locator('tr[data-x]').count(), 3)
  assert.equal(await elsewhere.page.getByText('does not take').count(), 0)
  await there.getByText('Vary an input').click()
  await until(async () => (await hashOf(elsewhere.page)) === '#solver/epi?beta=0.2', signal)
  assertQuiet(REFUSED)
})

test('inputs live in the address: typed, run, a problem chosen, back, forward, reload, and as a link', async ({
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit('/#solver/heat')
  await input(page, 'nx').fill('96')
  await input(page, 'ny').fill('96')
  await addressed(page, '#solver/heat?nx=96&ny=96', signal)
  await runHere(page)
  await input(page, 'steps').fill('220')
  await addressed(page, '#solver/heat?nx=96&ny=96&steps=220', signal)
  await page.locator('.presets .name').first().click()
  const preset = await input(page, 'alpha').inputValue()
  await until(async () => !(await hashOf(page)).includes('steps=220'), signal)

  await page.goBack()
  await until(async () => (await input(page, 'steps').inputValue()) === '220', signal)
  await page.goBack()
  await until(async () => (await input(page, 'steps').inputValue()) === '200', signal)
  assert.equal(await hashOf(page), '#solver/heat?nx=96&ny=96')
  await page.goForward()
  await page.goForward()
  await until(async () => (await input(page, 'alpha').inputValue()) === preset, signal)

  await open(page, 'solver/heat?nx=48&initial.kind=box')
  await until(async () => (await input(page, 'nx').inputValue()) === '48', signal)
  await page.reload()
  await input(page, 'nx').waitFor()
  assert.equal(await input(page, 'nx').inputValue(), '48')
  assert.equal(
    await page
      .locator('[data-group=initial] summary')
      .first()
      .textContent()
      .then((it) => it?.slice(0, 3)),
    'box',
  )
  // A link without inputs leaves what was typed, and the address says it again.
  await open(page, 'solver/heat')
  await addressed(page, '#solver/heat?nx=48&initial.kind=box', signal)
  await open(page, 'solver/heat?nx=48&colour=red')
  await page.getByText('does not take: colour').waitFor()
  assertQuiet(REFUSED)
})

test('inputs too long for an address are kept with the history, and shared as a file', async ({ visit, signal }) => {
  const { page, assertQuiet } = await visit('/#solver/sat')
  const clauses = Array.from({ length: 300 }, (_, i) => `${(i % 50) + 1} -${((i + 7) % 50) + 1} 0`)
  const formula = ['p cnf 50 300', ...clauses].join('\n')
  const box = page.locator('[data-field=dimacs] textarea')
  await box.fill(formula)
  await page.getByRole('button', { name: 'Save the inputs' }).waitFor()
  await until(() => page.evaluate(() => history.state?.query?.dimacs !== undefined), signal)
  assert.equal(await hashOf(page), '#solver/sat')
  await page.reload()
  await box.waitFor()
  assert.equal(await box.inputValue(), formula)
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the inputs' }).click()
  const chunks: Buffer[] = []
  for await (const piece of await (await coming).createReadStream()) chunks.push(piece as Buffer)
  assert.deepEqual(JSON.parse(Buffer.concat(chunks).toString('utf8')), { dimacs: formula })
  assertQuiet(REFUSED)
})

test('a refusal stands once, beside Run, marks its fields, takes the focus, and one click runs what passes', async ({
  visit,
}) => {
  const { page, assertQuiet } = await visit('/#solver/heat')
  for (const name of ['nx', 'ny']) await input(page, name).fill('24')
  await press(page, 'Run')
  const refusal = page.locator('.problem:visible')
  await refusal.waitFor()
  assert.equal(await refusal.count(), 1)
  assert.equal(await refusal.evaluate((it) => it === document.activeElement), true)
  assert.equal(await refusal.getAttribute('role'), 'alert')
  assert.equal(await page.locator('form .problem').count(), 1)
  assert.equal(await refusal.getByRole('link').first().getAttribute('href'), '/docs/errors/PRECISION_NOT_MET')
  assert.equal(await input(page, 'nx').getAttribute('aria-invalid'), 'true')
  assert(
    (await input(page, 'nx').getAttribute('aria-describedby'))?.includes((await refusal.getAttribute('id')) ?? '?'),
  )
  const run = await page.getByRole('button', { name: 'Run', exact: true }).boundingBox()
  const place = await refusal.boundingBox()
  assert(run !== null && place !== null && place.y - (run.y + run.height) < 60)
  await press(page, 'Go to ny')
  assert.equal(await input(page, 'ny').evaluate((it) => it === document.activeElement), true)
  await press(page, /^Run with nx = /)
  assert((await shownValue(page)) > 0.1)
  assert.equal(await refusal.count(), 0)
  assert(Number(await input(page, 'nx').inputValue()) > 24)
  assertQuiet(REFUSED)
})

test('an operator’s inputs live in its address, and a missing one is marked', async ({ visit, signal }) => {
  const { page, assertQuiet } = await visit('/#operators/NM19?m=2&a=5')
  await page.locator('#NM19-m').waitFor()
  assert.deepEqual([await page.locator('#NM19-m').inputValue(), await page.locator('#NM19-a').inputValue()], ['2', '5'])
  assert.equal(await runHere(page), 10)
  await page.locator('#NM19-m').fill('3 kg')
  await addressed(page, '#operators/NM19?m=3%20kg&a=5', signal)
  await page.goBack()
  await until(async () => (await page.locator('#NM19-m').inputValue()) === '2', signal)
  await page.locator('#NM19-m').fill('')
  await press(page, 'Run')
  await page.locator('.problem:visible').waitFor()
  assert.equal(await page.locator('#NM19-m').getAttribute('aria-invalid'), 'true')
  assertQuiet(REFUSED)
})

test('what is printed as a command is the same call: curl and Python give the value of the page', async ({
  it,
  visit,
}) => {
  const { key } = await it.client.call('economy.demo-key', {})
  const { page } = await visit('/#solver/heat?nx=96&ny=96&initial.x=0.5&boundary.temperature=0.5')
  const value = await runHere(page)
  await page.getByText('As a command').click()
  const printed = async (language: string): Promise<string> => {
    await press(page, language)
    return (await page.locator(`[data-language=${language}]`).textContent()) ?? ''
  }
  const env = { ...process.env, TICKMESH_KEY: key }
  const answer = JSON.parse((await run('sh', ['-c', await printed('curl')], { env })).stdout)
  assert.equal(answer.value, value)
  const { stdout } = await run('python3', ['-c', await printed('Python')], { env })
  assert.match(stdout, new RegExp(`^${value} K receipt [0-9a-f]{32}\n$`))
  assert.match(
    await printed('tickmesh'),
    /^TICKMESH_URL=http:\S+ tickmesh solve heat nx=96 ny=96 initial\.x=0\.5 boundary\.temperature=0\.5$/,
  )
})

test('one input varied: the price of all, a receipt for each run, a table and a chart', async ({
  it,
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit(it.node.ownerLink().slice(it.url.length))
  await open(page, 'solver/epi')
  await page.getByText('Vary an input').click()
  const vary = page.locator('.vary')
  await vary.getByLabel('Vary').selectOption('beta')
  await vary.getByLabel('From').fill('0.2')
  await vary.getByLabel('To').fill('0.4')
  await vary.getByLabel(/^Points/).fill('13')
  await vary.getByText('Points: 2 to 12.').waitFor()
  await vary.getByLabel(/^Points/).fill('3')
  await vary.getByText(/^3 runs · 9 credits · /).waitFor()
  await vary.getByRole('button', { name: 'Run them all' }).click()
  await vary.getByText('Done.').waitFor()
  assert.equal(await vary.locator('.sweep-chart').getAttribute('data-points'), '3')
  const rows = await vary.locator('tr[data-x]').evaluateAll((all) => all.map((row) => row.getAttribute('data-x')))
  assert.deepEqual(rows, ['0.2', '0.3', '0.4'])
  assert.equal(await vary.locator('tr[data-x] a[href^="/r/"]').count(), 3)
  await until(async () => (await page.locator('.credits').textContent()) === '1278 credits', signal)
  await it.advanceTicks(2)
  const coming = page.waitForEvent('download')
  await vary.getByRole('button', { name: 'Save the proof that no run is missing' }).click()
  const saved = await buffer(await (await coming).createReadStream())
  const { node } = await it.client.call('identity.node', {})
  const found = verifyBatchLines(saved, { trusted: node })
  assert.deepEqual([found.outcome, found.batch?.calls.length], ['verified', 3], JSON.stringify(found.steps))
  assertQuiet(REFUSED)
})

test.run()
