// Goal: a person says on the page where a contract is to stand when a version does not fit, sets and forgets secrets
// that nobody is shown, takes contracts out and in as files, and has everything decided and computed again in the
// browser, what was tampered with named. Method: Chromium on real nodes, by keys alone, at 390 px in the dark;
// axe-core; an answer that is changed on its way.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { writtenOut } from '#ui/contracts/examples.ts'
import type { TestNode } from '../kit/node.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, NARROW, open, type Surfing } from './browser.ts'

const test = browserSuite('ui/contracts-forms')
const ACCOUNT = 'tickmesh.account-key'
const DARK = { ...NARROW, colorScheme: 'dark' } as const
/** What the browser itself says of a call that is refused. */
const REFUSED = /Failed to load resource: .*status of 40[09]/

const withMachine = async (it: TestNode, surf: Surfing) => {
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const mine = it.as(key)
  await mine.call('machines.create', { slug: 'pump-7', is_public: true })
  const context = await surf.profile({ ...DARK, acceptDownloads: true })
  await context.addInitScript(([name, value]) => localStorage.setItem(name as string, value as string), [ACCOUNT, key])
  return { mine, go: (place: string) => surf.tab(context, `${it.url}/#${place}`) }
}

const press = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).first().focus()
  await page.keyboard.press('Enter')
}
const unfold = async (page: Page, summary: string): Promise<void> => {
  await page.locator('summary', { hasText: summary }).focus()
  await page.keyboard.press('Enter')
}
const assertFine = async (page: Page, at: string): Promise<void> => {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, at)
  await assertAxeClean(page, at)
}

const counter = (states: readonly string[], max: number) => ({
  ...{ v: 1, name: 'counter', context: { n: { type: 'integer', initial: 1, max } }, events: { up: { data: {} } } },
  states: Object.fromEntries(states.map((name, i) => [name, { initial: i === 0 }])),
  transitions: [
    {
      ...{ id: 'up', from: states[0], to: states[1], trigger: { kind: 'event', event: 'up' } },
      actions: [{ kind: 'set', n: { $: 'context.n + 6' } }],
    },
  ],
})

test('what does not carry over is asked for, filled with what the version begins with', async ({ it, ...surf }) => {
  const { mine, go } = await withMachine(it, surf)
  const definition = counter(['low', 'high'], 100)
  const { contract } = await mine.call('contracts.custom', { slug: 'pump-7', definition, start: true })
  await mine.call('contracts.transition', { slug: 'pump-7', id: contract.id, event: 'up' })
  const { page, assertQuiet } = await go(`contracts/editor?slug=pump-7&id=${contract.id}`)
  await page.locator('[data-version]').waitFor()
  await page.locator('#contract-text').fill(writtenOut(counter(['calm', 'loud'], 5)))
  // It can be pressed once the new text was looked at.
  await page.locator('button:enabled', { hasText: 'Make it version 2' }).waitFor()
  await press(page, 'Make it version 2')
  await page.locator('[data-code=CONTRACT_INVALID]').waitFor()
  await page.locator('.migrate[open][data-wanted="2"]').waitFor()
  assert.equal(await page.getByLabel('State', { exact: true }).inputValue(), 'calm')
  assert.equal(await page.getByLabel('n, integer').inputValue(), '1')
  await page.locator('.migrate').getByText('7 now').waitFor()
  await assertFine(page, 'the form of what does not fit')
  await page.getByLabel('State', { exact: true }).selectOption('loud')
  await page.getByLabel('n, integer').fill('4')
  await page.keyboard.press('Enter')
  await page.locator('tr[data-version="2"]').waitFor()
  const { contract: now } = await mine.call('contracts.read', { slug: 'pump-7', id: contract.id })
  assert.deepEqual([now.state, now.context, now.version_no], ['loud', { n: 4 }, 2])
  await press(page, 'Roll back to 1')
  await page.getByText('It comes back as a new version').waitFor()
  await press(page, 'Roll back to 1')
  await page.locator('.migrate[open][data-wanted="1"]').waitFor()
  assert.equal(await page.getByLabel('State', { exact: true }).inputValue(), 'low')
  await press(page, 'Bring version 1 back so')
  await page.locator('tr[data-version="3"]').waitFor()
  assertQuiet(REFUSED)
})

/** The counter with events that nothing reacts to: it is taken, and warned of. */
const heedless = (names: readonly string[]) => {
  const it = counter(['low', 'high'], 100)
  const states = { low: { initial: true }, high: { terminal: true } }
  return { ...it, states, events: { ...it.events, ...Object.fromEntries(names.map((name) => [name, { data: {} }])) } }
}

test('what the node warns of when it takes a contract is shown, until it is put away', async ({ it, ...surf }) => {
  const { go } = await withMachine(it, surf)
  const { page, assertQuiet } = await go('contracts/editor?slug=pump-7')
  const warned = async (names: readonly string[]): Promise<void> => {
    const card = page.getByRole('region', { name: 'Warnings' })
    await card.and(page.locator(`[data-warnings="${names.length}"]`)).waitFor()
    for (const name of names) await card.getByText(`Nothing reacts to event ${name}.`).waitFor()
  }
  await page.locator('#contract-text').fill(writtenOut(heedless(['left'])))
  await page.locator('button:enabled', { hasText: /^Deploy$/ }).waitFor()
  await press(page, 'Deploy')
  await page.locator('[data-status=live]').waitFor()
  await warned(['left'])
  await assertFine(page, 'warnings')
  await press(page, 'Put away')
  await page.locator('[data-warnings]').waitFor({ state: 'detached' })
  const place = (await page.evaluate(() => location.hash)).slice(1)
  const [, , id] = place.split('/')

  await open(page, `contracts/editor?slug=pump-7&id=${id}`)
  await page.locator('[data-version]').waitFor()
  await page.locator('#contract-text').fill(writtenOut(heedless(['left', 'right'])))
  await page.locator('button:enabled', { hasText: 'Make it version 2' }).waitFor()
  await press(page, 'Make it version 2')
  await page.locator('tr[data-version="2"]').waitFor()
  await warned(['left', 'right'])
  await press(page, 'Roll back to 1')
  await page.getByText('It comes back as a new version').waitFor()
  await press(page, 'Roll back to 1')
  await page.locator('tr[data-version="3"]').waitFor()
  await warned(['left'])
  await press(page, 'Put away')
  await open(page, place)
  await unfold(page, 'Secrets')
  await page.getByLabel('Name of a secret').fill('token')
  await page.getByLabel('Its value').fill('a')
  await page.getByLabel('Its value').press('Enter')
  await page.locator('[data-secret=token]').waitFor()
  await warned(['left'])

  await open(page, 'machine/pump-7/contracts')
  await unfold(page, 'Import a contract')
  const buffer = Buffer.from(writtenOut(heedless(['up', 'down', 'left'])))
  const field = page.getByLabel('Saved contract, export or definition')
  await field.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer })
  await press(page, 'Import it')
  await page.locator('article[data-contract] [data-status=live]').waitFor()
  await warned(['down', 'left'])
  assertQuiet()
})

const VALUE = 'a value that is never shown'
const notifier = {
  ...{ v: 1, name: 'notifier', states: { on: { initial: true } } },
  transitions: [
    {
      ...{ id: 'tell', from: 'on', to: 'on', trigger: { kind: 'recurring', every_ticks: 100_000 } },
      actions: [
        {
          ...{ kind: 'notify', url: 'https://example.org/', body: {} },
          headers: { Authorization: 'Bearer {{secret.token}}' },
        },
      ],
    },
  ],
}

test('secrets are set, listed by name, forgotten, and never shown; files go out and come in', async ({
  it,
  ...surf
}) => {
  const { mine, go } = await withMachine(it, surf)
  const secrets = { token: VALUE }
  const order = { slug: 'pump-7', definition: notifier, start: true, secrets }
  const { contract } = await mine.call('contracts.custom', order)
  const place = `contract/pump-7/${contract.id}`
  const { page, assertQuiet } = await go(place)
  await unfold(page, 'Secrets')
  await page.locator('[data-secret=token]').waitFor()
  await page.getByLabel('Name of a secret').fill('other')
  const value = page.getByLabel('Its value')
  assert.equal(await value.getAttribute('type'), 'password')
  await value.fill(VALUE)
  await value.press('Enter')
  await page.locator('[data-secret=other]').waitFor()
  assert.equal(await value.inputValue(), '')
  await assertFine(page, 'secrets')
  assert.ok(!(await page.content()).includes(VALUE))
  await press(page, 'Forget other')
  await page.getByText('Its value cannot be brought back').waitFor()
  await press(page, 'Forget other')
  await page.locator('[data-secrets="1"]').waitFor()
  await press(page, 'Forget token')
  await press(page, 'Forget token')
  await page.locator('[data-code=SECRET_UNKNOWN]').waitFor()

  await open(page, `${place}/versions`)
  const saving = page.waitForEvent('download')
  await press(page, 'Save what it says')
  const file = await (await saving).path()
  assert.ok(!readFileSync(file, 'utf8').includes(VALUE))
  await open(page, 'machine/pump-7/contracts')
  await unfold(page, 'Import a contract')
  const field = page.getByLabel('Saved contract, export or definition')
  await field.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') })
  await press(page, 'Import it')
  await page.getByText('The file is no contract.').waitFor()
  await field.setInputFiles(file)
  await press(page, 'Import it')
  await page.getByLabel('Secret token').waitFor()
  await assertFine(page, 'import')
  await page.getByLabel('Secret token').fill(VALUE)
  await page.keyboard.press('Enter')
  await page.locator('article[data-contract] [data-status=live]').waitFor()
  const { total } = await mine.call('contracts.list', { slug: 'pump-7' })
  assert.equal(total, 2)
  await open(page, 'contracts/editor')
  await page.locator('#open-contract').setInputFiles(file)
  await page.locator('[data-version]').getByText('notifier').waitFor()
  assertQuiet(REFUSED)
})

const reader = {
  ...{ v: 1, name: 'reader', context: { v: { type: 'number', initial: 0 }, f: { type: 'number', initial: 0 } } },
  oracles: {
    last: { from: { kind: 'machine', slug: 'pump-7', event: 'reading', field: 'p' }, type: 'number', max_age: 90_000 },
  },
  states: { on: { initial: true } },
  transitions: [
    {
      ...{ id: 'look', from: 'on', to: 'on', trigger: { kind: 'recurring', every_ticks: 100_000 } },
      actions: [
        { kind: 'set', v: { $: 'oracle.last' } },
        { kind: 'compute', operators: ['nm19'], inputs: { m: { $: 'oracle.last' }, a: 2 }, bind: { f: '/value' } },
      ],
    },
  ],
}

test('the browser computes again, tells what attests readings, and names what was tampered with', async ({
  it,
  ...surf
}) => {
  const { mine, go } = await withMachine(it, surf)
  await mine.call('machines.event', { slug: 'pump-7', type: 'reading', data: { p: 3 } })
  const { contract } = await mine.call('contracts.custom', { slug: 'pump-7', definition: reader, start: true })
  const { row } = await mine.call('contracts.fire-now', { slug: 'pump-7', id: contract.id })
  assert.equal(row.outcome, 'fired')
  const { page, assertQuiet } = await go(`contract/pump-7/${contract.id}/audit`)
  await page.locator('tr[data-outcome=fired]').waitFor()
  await press(page, 'Replay here')
  const said = page.locator('[data-replayed]')
  await said.waitFor()
  const text = await said.innerText()
  assert.equal(await said.getAttribute('data-replayed'), 'true', text)
  assert.match(text, /1 computations done again in this browser\./)
  assert.match(text, /1 attested by their source's chain, 0 by this node's word, 0 withheld/)
  assert.match(text, /The chain is signed by this node/)
  await assertFine(page, 'audit')
  await page.route(/\/export\?.*history=true/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { history: { attested: { says: Record<string, number> }[] } }
    for (const source of body.history.attested) source.says['p'] = 4
    await route.fulfill({ response: answer, json: body })
  })
  await press(page, 'Replay here')
  await page.locator('[data-replayed=false]').getByText('readings/last/entry.data_digest').waitFor()
  assertQuiet()
})

test.run()
