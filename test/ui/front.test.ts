// Goal: a stranger asks in the first box and gets a sealed number, whatever was typed leads somewhere, and a receipt is
// really verified. Method: Chromium on a real node: every example is run, values are changed by their chips, questions
// that are asked back are answered, and what the address says is opened again in another profile.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { solvers } from '#numerics/solvers/index.ts'
import { solversFor } from '#ui/front/match.ts'
import { passingText } from '#ui/front/mended.ts'
import { EXAMPLES, nearestQuestion, QUESTIONS } from '#ui/front/questions.ts'
import { askedIn, type BoundValue, queryOf, replaced } from '#ui/front/reading.ts'
import { saidIn } from '#ui/front/said.ts'
import { amountIn, amountText, unitsLike } from '#ui/front/units.ts'
import { altered, changedDigit } from '#ui/front/worked.ts'
import { leavesByMinute, MINUTES } from '#ui/overview/rate.ts'
import type { ApiProblem } from '#ui/server/api.ts'
import { memoryOf, REMEMBERED_MAX, withOne } from '#ui/server/remembered.ts'
import { agoText } from '#ui/text/ago.ts'
import { bytesText } from '#ui/text/bytes.ts'
import { passingOf } from '#ui/view/passing.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { browserSuite, open, shownValue } from './browser.ts'

const plain = suite('ui/front (parts)')
const test = browserSuite('ui/front')

/** What browsers write on the console where a question is asked back. */
const ASKED_BACK = /Failed to load resource: .* 400/

const box = (page: Page) => page.getByRole('combobox', { name: 'Ask a question, or find anything' })
const reading = (page: Page) => page.getByRole('region', { name: 'How it is read' })

plain('what is typed is told by its form', () => {
  const token = '0123456789abcdef0123456789ABCDEF'
  const cases: readonly (readonly [string, string])[] = [
    ['', 'nothing'],
    ['   ', 'nothing'],
    [token, 'token'],
    [` ${token}\n`, 'token'],
    [`https://node.example/r/${token}#00`, 'token'],
    [token + token, 'leaf'],
    [`sha256:${token}${token}`, 'leaf'],
    ['{"v":1,"envelope":{}}', 'evidence'],
    ['heat', 'words'],
    [`${token}0`, 'words'],
  ]
  for (const [text, kind] of cases) assert.equal(saidIn(text).kind, kind, text)
})

plain('a value is its number and its unit, and units are those of the same quantity', () => {
  assert.deepEqual(amountIn('1 500.5e3 km/h'), { number: '1 500.5e3', unit: 'km/h' })
  assert.deepEqual(amountIn('20 %'), { number: '20', unit: '%' })
  assert.deepEqual(amountIn('ten'), { number: 'ten', unit: '' })
  assert.equal(amountText('5', '1'), '5')
  assert.equal(amountText(' 5 ', 'km'), '5 km')
  assert(unitsLike('km/h').includes('m/s') && !unitsLike('km/h').includes('kg'))
  assert.deepEqual(unitsLike('money'), ['money'])
})

plain('a chip changes the words where they say it, else the values beside them', () => {
  const asked = { text: 'fall from 45 m', given: {} }
  const bound = (from: BoundValue['from'], given: string): BoundValue => ({
    input: 'h',
    from,
    given,
    value: 45,
    unit: 'm',
  })
  assert.deepEqual(replaced(asked, bound('query', '45 m'), '50 ft'), { text: 'fall from 50 ft', given: {} })
  assert.equal(replaced(asked, bound('query', '45 metres'), '50 ft'), undefined)
  assert.deepEqual(replaced(asked, bound('body', 'earth: …'), '9 m'), { text: 'fall from 45 m', given: { h: '9 m' } })
  const told = { text: 'charge', given: { q: '1 C', v: '5 m/s' } }
  assert.deepEqual(askedIn(queryOf(told)), told)
})

plain('a value that passes is written as the refused one was', () => {
  const bound = (given: string, value: unknown, unit: string): BoundValue =>
    ({ input: 'x', from: 'query', given, value, unit }) as BoundValue
  assert.equal(passingText(4096, bound('100000', 100_000, '')), '4096')
  assert.equal(passingText(5, bound('2000 %', 20, 'yr^-0.5')), '500 %')
  assert.equal(passingText(1000, bound('4000 per day', 4000, '1/d')), '1000 per day')
  assert.equal(passingText(5, bound('-5 kg', '-5 kg', 'kg')), '5 kg')
  assert.equal(passingText(300, bound('900 degC', 1173.15, 'K')), '300 K')
})

plain('a bound that is missed is told with the nearest value that passes; other refusals have none', () => {
  const refused = (code: string, members: Record<string, unknown>) =>
    passingOf({ code, members, message: 'said' } as unknown as ApiProblem)
  const errors = [{ path: '/initial/sigma', message: 'must be >= 16' }]
  const least = refused('INVALID_INPUT', { path: '/initial/sigma', limit: 16, errors })
  assert.deepEqual(least, { input: 'initial.sigma', value: 16, sentence: 'The least for initial.sigma is 16.' })
  const range = { symbol: 'm', min: null, max: null, positive: false, integer: false }
  assert.equal(refused('OUT_OF_RANGE', { ...range, value: -5, positive: true })?.value, 5)
  assert.equal(refused('OUT_OF_RANGE', { ...range, value: 0, positive: true }), undefined)
  assert.equal(refused('OUT_OF_RANGE', { ...range, value: 2, max: 1 })?.value, 1)
  assert.equal(refused('OUT_OF_RANGE', { ...range, value: -2, min: 0 })?.value, 0)
  assert.equal(refused('OUT_OF_RANGE', { ...range, value: 2.6, integer: true })?.value, 3)
  assert.equal(refused('OUT_OF_RANGE', { measured: 700, limit: 690 }), undefined)
  assert.equal(refused('INVALID_INPUT', { path: '/constants', limit: 64 }), undefined)
})

plain('a word finds what does the thing before what is only done by it', () => {
  const best = (typed: string): string | undefined => solversFor(solvers as never, typed, 4)[0]?.at
  assert.equal(best('beam'), 'solver/fea')
  assert.equal(best('column'), 'solver/buckling')
  assert.equal(best('heat'), 'solver/heat')
})

plain('one digit is changed and nothing else', () => {
  for (const value of [11186.165197346223, 0.5, -3e-7, 9999]) {
    const { text, at } = changedDigit(value)
    assert.notEqual(text[at], String(value)[at])
    assert.equal(text.slice(0, at) + String(value)[at] + text.slice(at + 1), String(value))
  }
  const bundle = { envelope: { claim: { value: 12345, unit: 'm' } } }
  assert.deepEqual(altered(bundle), { envelope: { claim: { value: 12355, unit: 'm' } } })
})

plain('what is remembered is bounded, newest first, and of sealed answers alone', () => {
  const one = (token: string) => ({ token, nonce: '', kind: 'heat', value: 1, unit: 'K', tick: 1, node: 'n' })
  const many = Array.from({ length: REMEMBERED_MAX }, (_, at) => one(String(at)))
  assert.equal(withOne(many, one('new')).length, REMEMBERED_MAX)
  assert.equal(withOne(many, one('new'))[0]?.token, 'new')
  assert.deepEqual(
    withOne([one('a'), one('b')], one('b')).map(({ token }) => token),
    ['b', 'a'],
  )
  const answer = { envelope: null, claim: null, value: 1, unit: 'm' } as unknown as Parameters<typeof memoryOf>[0]
  assert.equal(memoryOf(answer, 'n'), undefined)
})

plain('leaves are counted into the minute of their checkpoint, times and sizes are told in words', () => {
  const minutes = leavesByMinute(
    [
      { size: 2, tick: 0 },
      { size: 5, tick: 1000 },
      { size: 9, tick: 1001 },
    ],
    1001,
  )
  assert.equal(minutes.length, MINUTES)
  assert.equal(minutes.at(-1), 7)
  assert.equal(
    minutes.reduce((sum, it) => sum + it, 0),
    7,
  )
  assert.deepEqual([0, 30, 61, 7200, 90_000, 300_000].map(agoText), [
    'just now',
    '30 s ago',
    '1 min ago',
    '2 h ago',
    'yesterday',
    '3 days ago',
  ])
  assert.deepEqual([0, 999, 1500, 2_500_000].map(bytesText), ['0 B', '999 B', '1.5 kB', '2.5 MB'])
  assert.equal(nearestQuestion('pendulm perod'), 'period of a pendulum of length 2 m')
})

test('every question that is offered is read without asking back', async ({ it }) => {
  for (const query of QUESTIONS) {
    const quote = await it.client.call('compute.quote', { route: 'POST /api/svc/auto', input: { query } })
    assert(quote.reading_digest !== undefined, query)
  }
})

test('each example runs on one press and is sealed as the answer to its question', async ({ visit, signal }) => {
  const { page, asked, assertQuiet } = await visit('/')
  const examples = page.getByRole('region', { name: 'Examples' })
  await examples.waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('tickmesh.demo-key')), null)
  const tokens = new Set<string | null>()
  for (const { text } of EXAMPLES) {
    await examples.getByRole('button', { name: text }).click()
    await until(async () => (await page.locator('.answers:visible').allTextContents()).includes(text), signal)
    await page.locator('.receipt:visible').waitFor()
    assert(Number.isFinite(await shownValue(page)), text)
    tokens.add(await page.locator('.receipt:visible').getAttribute('data-token'))
  }
  assert.equal(tokens.size, EXAMPLES.length)
  assert.equal(asked.filter((it) => it === '/api/demo-key/mint').length, 1, 'one key, by the first run')
  await examples.getByRole('button', { name: /verify somebody/ }).click()
  const verdict = page.locator('.verdict:visible')
  await verdict.waitFor()
  // The key of another node is not this one's: the visitor has to bring it.
  assert.equal(await verdict.getAttribute('data-failing'), 'key')
  assertQuiet()
})

test('a question is read while it is typed; a chip changes it; Enter runs it; the address carries it', async ({
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit('/')
  await box(page).fill('kinetic energy of 1500 kg at 100 km/h')
  await reading(page).getByText('Kinetic energy').first().waitFor()
  await page.locator('[data-chip=v]').click()
  const edit = page.getByRole('form', { name: 'value of v' })
  await edit.getByRole('textbox').fill('20')
  await edit.getByRole('combobox').selectOption('m/s')
  await edit.getByRole('button', { name: 'Set' }).click()
  assert.equal(await box(page).inputValue(), 'kinetic energy of 1500 kg at 20 m/s')
  await page.locator('[data-chip=v]').getByText('20 m/s').waitFor()
  await box(page).press('Enter')
  await page.locator('.receipt:visible').waitFor()
  assert.equal(await shownValue(page), 300_000)

  await until(() => page.url().includes('20+m'), signal)
  const again = await visit(new URL(page.url()).pathname + new URL(page.url()).hash)
  await again.page.locator('[data-chip=v]').getByText('20 m/s').waitFor()
  assert.equal(await box(again.page).inputValue(), 'kinetic energy of 1500 kg at 20 m/s')

  await box(page).fill('period of a pendulum of length 2 m')
  await until(() => page.url().includes('pendulum'), signal)
  await page.goBack()
  await until(async () => (await box(page).inputValue()) === 'kinetic energy of 1500 kg at 20 m/s', signal)
  assertQuiet()
})

test('what a question lacks is filled in beside it, and a choice runs', async ({ visit }) => {
  const { page, assertQuiet } = await visit(`/#ask?${new URLSearchParams({ q: 'kinetic energy of a car at 72 km/h' })}`)
  const choice = page.locator('[data-choice=NM23]')
  await choice.getByRole('textbox', { name: 'm, mass' }).fill('1500 kg')
  await choice.getByRole('button', { name: 'Run this' }).click()
  await page.locator('.receipt:visible').waitFor()
  assert.equal(await shownValue(page), 300_000)
  assertQuiet(ASKED_BACK)
})

test('a question out of range is shown as it was read, with what does not pass, and one press mends it', async ({
  visit,
}) => {
  const { page, assertQuiet } = await visit(`/#ask?${new URLSearchParams({ q: 'heat diffusion with nx 8' })}`)
  const refused = page.locator('.reading.refused')
  await refused.getByText('The least for nx is 16.').waitFor()
  assert.match((await refused.locator('.chip.refused').textContent()) ?? '', /^nx 8/)
  assert.match((await refused.getByRole('link', { name: 'Open its form' }).getAttribute('href')) ?? '', /\?nx=8$/)
  await box(page).press('Enter')
  const fix = refused.getByRole('button', { name: 'Set nx to 16' })
  assert.equal(await fix.evaluate((it) => it === document.activeElement), true)
  await fix.click()
  assert.equal(await box(page).inputValue(), 'heat diffusion with nx 16')
  await page.locator('.reading:not(.refused) [data-chip=nx]').getByText('16').waitFor()

  await box(page).fill('kinetic energy of -5 kg at 10 m/s')
  await refused.getByText('-5 kg is not positive').waitFor()
  assert.match((await refused.locator('.chip.refused').textContent()) ?? '', /^m -5 kg/)
  await refused.getByRole('button', { name: 'Set m to 5 kg' }).click()
  await reading(page).getByRole('button', { name: 'Run', exact: true }).click()
  await page.locator('.receipt:visible').waitFor()
  assert.equal(await shownValue(page), 250)
  assertQuiet(ASKED_BACK)
})

test('an id that no relation has is met by those that are near', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/#operators/NM99')
  const said = page.getByRole('alert')
  await said.getByText('No relation has the id NM99.').waitFor()
  const near = said.locator('[data-near]')
  await near.first().waitFor()
  const ids = await near.evaluateAll((all) => all.map((it) => it.getAttribute('data-near') ?? ''))
  assert(ids.length >= 3 && ids.every((it) => /^NM\d\d$/.test(it)), ids.join())
  await near.first().getByRole('link').click()
  await page.waitForURL(new RegExp(`#operators/${ids[0]}`))
  await page.getByRole('region', { name: 'The relation' }).waitFor()
  assertQuiet(/404/)
})

test('nothing ends in nothing: box, lists and palette offer the nearest solver, operator and question', async ({
  visit,
}) => {
  const { page, assertQuiet } = await visit('/')
  await box(page).fill('zqxjkv')
  await page.getByText('Nothing here has these words. Nearest are:').waitFor()
  const kinds = async (): Promise<readonly (string | null)[]> =>
    page.locator('main [role=option]:visible .match-kind').allTextContents()
  assert.deepEqual(await kinds(), ['solver', 'operator', 'question'])
  await box(page).press('ArrowDown')
  await box(page).press('Enter')
  await page.waitForURL(/#solver\//)

  await open(page, 'solvers')
  await page.getByLabel('Find', { exact: true }).fill('zqxjkv')
  for (const kind of ['solver', 'operator', 'question']) await page.locator(`[data-nearest=${kind}]`).first().waitFor()
  await open(page, 'operators')
  await page.locator('#operators-words').fill('zqxjkv')
  for (const kind of ['solver', 'operator', 'question'])
    await page.locator(`[data-nearest=${kind}]:visible`).first().waitFor()
  assertQuiet(ASKED_BACK)
})

test('Ctrl-K finds views, solvers and operators by keys alone; / goes to the box', async ({ visit }) => {
  const { page, assertQuiet } = await visit('/')
  await box(page).waitFor()
  await page.keyboard.press('/')
  assert.equal(await box(page).evaluate((it) => it === document.activeElement), true)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Find everything' })
  await palette.getByRole('combobox').fill('netw')
  await palette
    .getByRole('option', { name: /Network/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 2, name: 'Node and peers' }).waitFor()
  await palette.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('heat diffusion')
  await palette.getByRole('option', { name: /^solver Heat diffusion/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/#solver\/heat/)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  assertQuiet()
})

test('the worked receipt verifies here, and with one digit changed its signature does not hold', async ({ visit }) => {
  const { page, asked, assertQuiet } = await visit('/')
  const card = page.getByRole('region', { name: 'A worked receipt' })
  await card.getByRole('button', { name: 'Verify it here' }).click()
  const verdict = card.locator('.verdict')
  await card.locator('.verdict[data-outcome=verified]').waitFor()
  assert.equal(await verdict.locator('[data-step=replay]').getAttribute('data-state'), 'ok')
  assert.equal(await verdict.locator('[data-step=question]').getAttribute('data-state'), 'ok')
  const before = asked.filter((it) => it.startsWith('/api/') && it !== '/api/svc/pulse').length
  await card.getByRole('button', { name: 'Change one digit' }).click()
  await card.locator('.verdict[data-outcome=failed]').waitFor()
  assert.equal(await verdict.getAttribute('data-failing'), 'signature')
  assert.equal(asked.filter((it) => it.startsWith('/api/') && it !== '/api/svc/pulse').length, before)
  assertQuiet()
})

test('who was here before lands on the overview, with their receipt, and finds the first screen by one press', async ({
  visit,
  it,
}) => {
  const { page, assertQuiet } = await visit('/')
  await page.getByRole('button', { name: /Schwarzschild radius/ }).click()
  const token = await page.locator('.receipt:visible').getAttribute('data-token')
  await page.goto(`${it.url}/`)
  await page.reload()
  await page.getByRole('heading', { level: 2, name: 'Overview' }).waitFor()
  await page.locator(`[data-token="${token}"]`).first().waitFor()
  await page.getByRole('region', { name: 'Remembered in this browser' }).waitFor()
  await page.getByRole('link', { name: 'tickmesh' }).click()
  await page.getByRole('heading', { level: 2, name: /^Ask, and get/ }).waitFor()
  assertQuiet()
})

test('demo credits that are spent become an account by one press, and the run goes on', async ({ visit, it }) => {
  const { page, assertQuiet } = await visit('/')
  const example = page.getByRole('button', { name: /Schwarzschild radius/ })
  await example.click()
  await page.locator('.receipt:visible').waitFor()
  const key = (await page.evaluate(() => localStorage.getItem('tickmesh.demo-key'))) ?? ''
  for (let i = 0; i < 32; i++) await it.as(key).call('compute.compute', { operators: ['GR37'], inputs: { mass: 1 } })
  await example.click()
  await page.getByRole('button', { name: 'Make an account and run it' }).click()
  await page.locator('.who[data-self=account]').waitFor()
  await page.locator('.receipt:visible').waitFor()
  await open(page, 'settings')
  await page.getByRole('button', { name: 'Show the key' }).click()
  const shown = await page.getByRole('textbox', { name: 'API key of this account' }).inputValue()
  assert((await it.as(shown).call('identity.account', {})).zid.startsWith('zid1'))
  assertQuiet(/402/)
})

await plain.run()
test.run()
