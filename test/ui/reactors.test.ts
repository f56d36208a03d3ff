// Goal: a visitor lives with a reactor on the page: starts it from a solver's form, steps it, sees steps that others
// take, verifies the trajectory and takes half of it again, over a restart of the node and past a refusal. Method:
// Chromium on real nodes; a lying node is the real one whose answer is altered on the way.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type TestNode, testNode } from '../kit/node.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { browserSuite, open, verdictOf } from './browser.ts'

const test = browserSuite('ui/reactors')

const card = (page: Page) => page.locator('.reactor-card:visible')
/** Steps in the list, newest first. */
const listed = (page: Page): Promise<number[]> =>
  page.locator('table.trajectory tr[data-step]').evaluateAll((rows) => rows.map((it) => Number(it.dataset['step'])))
const stepShown = async (page: Page): Promise<number> =>
  Number(await card(page).locator('[data-step]').getAttribute('data-step'))
const downTo0 = (step: number): number[] => Array.from({ length: step + 1 }, (_, i) => step - i)

/** Fills the contract's fields in the view of a solver, and starts. */
const startHere = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  await page.getByText('Step by step').locator('visible=true').click()
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Start a reactor' }).click()
}

const idIn = async (page: Page): Promise<string> => {
  await card(page).waitFor()
  return page.url().slice(-32)
}

const runSteps = async (page: Page, steps: number): Promise<void> => {
  await page.getByLabel('Steps to run').fill(String(steps))
  await page.getByRole('button', { name: /^Run \d+ steps$/ }).click()
}

test('started from a form, stepped here and elsewhere, drawn, listed, verified, and half of it run again', async ({
  it,
  profile,
  tab,
  signal,
}) => {
  const { api_key } = await it.client.call('identity.sign-up', {})
  const mine = it.as(api_key)
  const context = await profile()
  await context.addInitScript((key) => localStorage.setItem('tickmesh.account-key', key), api_key)
  const { page, assertQuiet } = await tab(context, `${it.url}/#solver/lotka`)
  await page.locator('[data-field] input').first().waitFor()
  await startHere(page, { Steps: '8', 'Observed, with commas': 'errorSum' })
  const id = await idIn(page)
  assert.equal(await stepShown(page), 0)
  assert.deepEqual(await listed(page), [0])

  await page.getByRole('button', { name: 'Step', exact: true }).click()
  await until(async () => (await stepShown(page)) === 1, signal)
  await runSteps(page, 3)
  await until(async () => (await stepShown(page)) === 4, signal)
  await page
    .getByRole('heading', { name: /^Step 4: / })
    .first()
    .waitFor()
  // Somebody else's step comes by itself, with its plots.
  await mine.call('compute.reactor-step', { reactor: id, step: 5 })
  await until(async () => (await stepShown(page)) === 5, signal)
  assert.deepEqual(await listed(page), downTo0(5))
  await page
    .getByRole('heading', { name: /^Step 5: / })
    .first()
    .waitFor()
  await page.getByRole('heading', { name: 'Errors added up' }).waitFor()

  const said = await mine.call('compute.reactor-trajectory', { reactor: id })
  const states = await page
    .locator('table.trajectory tr[data-step]')
    .evaluateAll((rows) => rows.map((row) => row.dataset['state']))
  assert.deepEqual(states, said.rows.map((row) => row.state).toReversed())
  const sum = Number(await card(page).locator('[data-error-sum]').getAttribute('data-error-sum'))
  assert.equal(sum, said.reactor.errorSum)
  assert(sum > 0 && sum < 0.1, String(sum))

  const verdict = await verdictOf(page)
  assert.deepEqual(verdict, {
    outcome: 'verified',
    failing: null,
    steps: ['digests', 'errors', 'entries', 'form', 'key', 'entry', 'identity', 'chain', 'checkpoint', 'inclusion'].map(
      (step) => `${step} ok`,
    ),
  })
  await page.getByRole('button', { name: 'Run the second half again' }).click()
  await page.locator('.verdict li[data-step="step 3"]').waitFor()
  assert.equal(await page.locator('.verdict').getAttribute('data-outcome'), 'verified')
  assert.equal(await page.locator('.verdict li[data-state=ok]').count(), 3)

  await runSteps(page, 100)
  await page.locator('[data-status=complete]').first().waitFor()
  await page.getByText('All 8 steps of the contract are taken.').waitFor()
  assert.deepEqual(await listed(page), downTo0(8))
  await page.getByRole('link', { name: 'Reactors', exact: true }).click()
  await page.locator(`[data-reactor="${id}"]`).getByText('step 8 of 8').waitFor()

  // Another browser of the same account sees all of them, those made elsewhere as well.
  const elsewhere = await mine.call('compute.reactor', { solver: 'heat', inputs: { dim: 1, nx: 64, steps: 2 } })
  const other = await profile()
  await other.addInitScript((key) => localStorage.setItem('tickmesh.account-key', key), api_key)
  const second = await tab(other, `${it.url}/#reactors`)
  await second.page.locator(`[data-reactor="${id}"]`).getByText('complete').waitFor()
  await second.page.locator(`[data-reactor="${elsewhere.reactor.id}"]`).getByText('step 0 of 10').waitFor()
  assertQuiet()
  second.assertQuiet()
})

interface Answer {
  readonly reactor: { solver: string; contract: string; ended: unknown; status: string; machine: string }
  readonly rows: {
    state: string
    errorPct: number
    entry: { slug: string; entry: { body: object }; proof: { checkpoint: string; path: string[] } } | null
  }[]
}

const altered = async (page: Page, change: (answer: Answer) => void): Promise<void> => {
  await page.unroute('**/reactor/trajectory?*')
  await page.route('**/reactor/trajectory?*', async (route) => {
    const answer = (await (await route.fetch()).json()) as Answer
    if (answer.rows !== undefined) change(answer)
    await route.fulfill({ json: answer })
  })
}

const other = (hex: string): string => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)

test('a node that lies about a trajectory is found out', async ({ it, profile, tab, signal }) => {
  const { api_key } = await it.client.call('identity.sign-up', {})
  const mine = it.as(api_key)
  const { reactor } = await mine.call('compute.reactor', { solver: 'lotka', steps: 4 })
  for (let step = 1; step <= 4; step++) await mine.call('compute.reactor-step', { reactor: reactor.id, step })
  const context = await profile()
  await context.addInitScript((key) => localStorage.setItem('tickmesh.account-key', key), api_key)
  const { page, assertQuiet } = await tab(context, `${it.url}/#reactor/${reactor.id}`)
  await card(page).waitFor()
  const lies: readonly (readonly [string, (answer: Answer) => void])[] = [
    ['digests', ({ rows }) => Object.assign(rows[2]!, { errorPct: 0 })],
    ['digests', ({ rows }) => Object.assign(rows[2]!, { state: other(rows[2]!.state) })],
    ['digests', ({ reactor: it }) => Object.assign(it, { contract: other(it.contract) })],
    ['digests', ({ rows }) => void rows.pop()],
    ['entries', ({ rows }) => Object.assign(rows[3]!.entry!.entry, { body: { state: rows[3]!.state } })],
    ['entries', ({ rows }) => Object.assign(rows[3]!, { entry: null })],
    ['identity', ({ rows }) => Object.assign(rows[1]!.entry!, { slug: 'another' })],
    ['chain', ({ rows }) => Object.assign(rows[1]!.entry!.proof, { path: rows[1]!.entry!.proof.path.map(other) })],
    [
      'checkpoint',
      ({ rows }) =>
        Object.assign(rows[4]!.entry!.proof, {
          checkpoint: rows[4]!.entry!.proof.checkpoint.replace(/\n\d+\n/, '\n999\n'),
        }),
    ],
  ]
  assert.equal((await verdictOf(page)).outcome, 'verified')
  for (const [step, change] of lies) {
    await altered(page, change)
    await page.getByRole('button', { name: 'Verify here' }).click()
    await until(async () => (await page.locator('.verdict').getAttribute('data-failing')) === step, signal)
    assert.equal(await page.locator('.verdict').getAttribute('data-outcome'), 'failed')
  }
  await page.unroute('**/reactor/trajectory?*')
  await page.getByRole('button', { name: 'Verify here' }).click()
  await page.locator('.verdict[data-outcome=verified]').waitFor()
  assertQuiet()
})

test.alone(
  'a restart in mid-trajectory: the page waits, the steps go on, none is lost or taken twice',
  async (surf) => {
    const { signal } = surf
    using directory = tempDir()
    const start = (port: number): Promise<TestNode> =>
      testNode({ realTime: true, directory: directory.path, settings: { 'http.port': port } })
    const first = await start(0)
    const port = Number(new URL(first.url).port)
    const { api_key } = await first.client.call('identity.sign-up', {})
    const context = await surf.profile()
    await context.addInitScript((key) => localStorage.setItem('tickmesh.account-key', key), api_key)
    const { page } = await surf.tab(context, `${first.url}/#solver/lorenz`)
    try {
      await page.locator('[data-field] input').first().waitFor()
      await startHere(page, { Steps: '6', 'Length of a step': '0.5' })
      await card(page).waitFor()
      await runSteps(page, 6)
      await until(async () => (await listed(page)).length > 1, signal)
    } finally {
      await first[Symbol.asyncDispose]()
    }
    await page.locator('.banner').waitFor()
    await page.locator('[data-link=lost]').waitFor()

    await using second = await start(port)
    await page.locator('.banner').waitFor({ state: 'detached' })
    const id = await idIn(page)
    await until(async () => (await listed(page)).length === 7, signal)
    assert.deepEqual(await listed(page), downTo0(6))
    const { verified, reactor } = await second.as(api_key).call('compute.reactor-trajectory', { reactor: id })
    assert.deepEqual([verified.valid, verified.count, verified.entries], [true, 7, 7])
    await until(async () => (await card(page).getAttribute('data-status')) === 'complete', signal)
    assert.equal(reactor.status, 'complete')
  },
)

/** What browsers write on the console for any answer that is no success. */
const REFUSED = /Failed to load resource: .* (?:400|401|404|409|422)/

test('refusals: a step whose errors add up too far', async ({ visit, signal }) => {
  const { page, assertQuiet } = await visit('/#solver/heat')
  await page.locator('[data-field=dim] select').waitFor()
  for (const [name, value] of Object.entries({ nx: '16', ny: '16', dt: '20', steps: '20' })) {
    await page.locator(`[data-field=${name}] input`).fill(value)
  }
  await startHere(page, { Steps: '40' })
  const problem = page.locator('.problem:visible')
  await runSteps(page, 40)
  await problem.waitFor()
  assert.equal(await problem.getAttribute('data-code'), 'PRECISION_NOT_MET')
  assert.equal(await problem.locator('[data-member=bound] dd').textContent(), '0.1 %')
  await until(async () => (await card(page).getAttribute('data-status')) === 'refused', signal)
  const at = await stepShown(page)
  assert.deepEqual(await listed(page), downTo0(at))
  // A demo key has no machine: what no chain says is not called verified.
  const { outcome, steps } = await verdictOf(page)
  assert.deepEqual([outcome, steps], ['unchecked', ['digests ok', 'errors ok', 'entries skipped']])
  assertQuiet(REFUSED)
})

test('somebody else’s reactor is refused by code, and who has no key is told so and has none in the list', async ({
  it,
  profile,
  tab,
}) => {
  const { api_key } = await it.client.call('identity.sign-up', {})
  const { reactor } = await it.as(api_key).call('compute.reactor', { solver: 'lotka', steps: 4 })
  const visitor = await tab(await profile(), `${it.url}/#reactor/${reactor.id}`)
  await visitor.page.locator('[data-code=UNAUTHENTICATED]').getByText('This browser has no key.').waitFor()
  assert.equal(await visitor.page.getByText('reading …').count(), 0)
  await visitor.page.getByRole('link', { name: 'All reactors you may see' }).click()
  await visitor.page.getByText('There is none yet.').waitFor()
  assert.equal(await visitor.page.locator('.problem').count(), 0)

  const { api_key: another } = await it.client.call('identity.sign-up', {})
  const context = await profile()
  await context.addInitScript((key) => localStorage.setItem('tickmesh.account-key', key), another)
  const stranger = await tab(context, `${it.url}/#reactor/${reactor.id}`)
  await stranger.page.locator('[data-code=NOT_FOUND]').getByText('no reactor with this id that you may see').waitFor()
  // Whoever signs in with the key that began it sees it where the refusal stood.
  await visitor.page.evaluate((key) => localStorage.setItem('tickmesh.account-key', key), api_key)
  await visitor.page.goto(`${it.url}/#reactor/${reactor.id}`)
  await visitor.page.reload()
  await card(visitor.page).waitFor()
  visitor.assertQuiet(REFUSED)
  stranger.assertQuiet(REFUSED)
})

test('two who step at once: the second is told that the step is taken', async ({ it, visit }) => {
  const { page, assertQuiet } = await visit('/#solver/lotka')
  await page.locator('[data-field] input').first().waitFor()
  await startHere(page, {})
  const id = await idIn(page)
  const key = (await page.evaluate(() => localStorage.getItem('tickmesh.demo-key'))) ?? ''
  // The page learns nothing of what others do, and takes the step that it sees before it.
  await page.route('**/reactor/next?*', () => new Promise(() => undefined))
  await page.reload()
  await card(page).waitFor()
  await it.as(key).call('compute.reactor-step', { reactor: id, step: 1 })
  await page.getByRole('button', { name: 'Step', exact: true }).click()
  await page.locator('[data-code=STEP_TAKEN]').waitFor()
  assertQuiet(REFUSED)
})

const HOSTILE = '<img src=x onerror="window.stung=1">'

test('names that are markup are shown as they are, and nothing of them runs', async ({ visit }) => {
  const { page } = await visit('/#solver/lotka')
  await page.locator('[data-field] input').first().waitFor()
  await startHere(page, { 'Observed, with commas': HOSTILE })
  await page.locator('[data-code=INVALID_INPUT]').waitFor()
  assert((await page.locator('[data-code=INVALID_INPUT]').textContent())?.includes(HOSTILE))
  await page.getByLabel('Observed, with commas').fill('')
  await page.getByLabel('Machine', { exact: true }).fill(`${HOSTILE}`)
  await page.getByRole('button', { name: 'Start a reactor' }).click()
  await page.locator('[data-code=INVALID_INPUT]').waitFor()
  await page.getByLabel('Machine', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Start a reactor' }).click()
  const id = await idIn(page)

  const disguise = (reactor: object): void => {
    const ended = { kind: 'refused', why: HOSTILE, code: HOSTILE, details: { [HOSTILE]: HOSTILE, limit: [HOSTILE] } }
    Object.assign(reactor, { solver: HOSTILE, machine: HOSTILE, status: HOSTILE, unit: HOSTILE, value: 1, ended })
  }
  await altered(page, ({ reactor }) => disguise(reactor))
  await page.route('**/api/svc/reactor', async (route) => {
    const answer = (await (await route.fetch()).json()) as { reactors: object[] }
    answer.reactors.forEach(disguise)
    await route.fulfill({ json: answer })
  })
  await open(page, 'reactors')
  await page.locator(`[data-reactor="${id}"]`).getByText(HOSTILE).first().waitFor()
  await open(page, `reactor/${id}`)
  await page.getByRole('heading', { name: `Reactor of ${HOSTILE}` }).waitFor()
  await page.locator('.problem').getByText(HOSTILE).first().waitFor()

  await page.evaluate((it) => {
    const place = Object.keys(localStorage).find((name) => name.startsWith('tickmesh.reactors.')) ?? ''
    localStorage.setItem(place, JSON.stringify([it, { toString: null }, 7, null]))
  }, HOSTILE)
  await page.unroute('**/reactor/trajectory?*')
  await page.unroute('**/api/svc/reactor')
  await open(page, 'reactors')
  await page.locator(`[data-reactor="${id}"]`).waitFor()
  await page.evaluate((it) => {
    location.hash = `reactor/${it}`
  }, HOSTILE)
  await page.getByRole('heading', { name: /^Ask, and get/ }).waitFor()
  assert.equal(await page.evaluate(() => (window as { stung?: number }).stung), undefined)
})

test.run()
