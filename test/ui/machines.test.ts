// Goal: a visitor lives with a machine on the page: makes it, sees its chain grow, goes back in time, verifies an entry
// there, and misses nothing over a restart or a flood. Method: Chromium on real nodes; entries are written through the
// interface while the page looks on, and a lying node is the real one whose answer is altered on the way.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Caller } from '#core/caller.ts'
import type { ChainFile } from '#core/chain-file.ts'
import { TICK_NS } from '#core/tick.ts'
import { LIVE_ROWS_MAX } from '#ui/machine/feed.ts'
import { START } from '../kit/clock.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { browserSuite, shownVerdict, verdictOf } from './browser.ts'

const test = browserSuite('ui/machines')

/** Entries of a machine in one minute of ticks, and those ticks. */
const WRITES_MAX = 600
const MINUTE_TICKS = 78

const sizeShown = async (page: Page): Promise<number> =>
  Number(await page.locator('.chain-card').getAttribute('data-size'))
/** Numbers of the entries in the list, newest first. */
const listed = (page: Page): Promise<number[]> =>
  page.locator('.chain-card li[data-seq]').evaluateAll((rows) => rows.map((it) => Number(it.getAttribute('data-seq'))))
const linkIs = (page: Page, link: string) => page.locator(`.chain-card[data-link=${link}]`).waitFor()
const fact = (page: Page, name: string) => page.locator(`.moment [data-fact="${name}"]`)
const atEntry = (page: Page, seq: number) => page.locator(`.time[data-seq="${seq}"]`).waitFor()

const assertWhole = (seqs: readonly number[]): void =>
  assert.deepEqual(
    seqs,
    Array.from({ length: seqs.length }, (_, i) => (seqs[0] ?? 0) - i),
    'no gap and no repeat',
  )

/** Becomes an account by the page itself. @returns its API key. */
const newAccount = async (page: Page): Promise<string> => {
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'New account' }).click()
  const key = await page.getByRole('textbox', { name: 'API key of the new account' }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.locator('[aria-label=Session][data-self=account]').waitFor()
  return key
}

test('made on the page, it grows while the page looks on; the slider goes back, and shows what changed', async ({
  it,
  visit,
  signal,
}) => {
  const { page, assertQuiet } = await visit()
  const mine = it.as(await newAccount(page))
  await page.getByRole('link', { name: 'Machines', exact: true }).click()
  await page.getByText('New machine').click()
  await page.getByLabel('Slug').fill('pump-7')
  await page.getByLabel('Public: everyone').check()
  await page.getByRole('button', { name: 'Create' }).click()
  const key = await page.getByRole('textbox', { name: 'Admin key of the machine' }).inputValue()
  assert.match(key, /^zsm_/)
  await page.getByRole('link', { name: 'pump-7', exact: true }).first().click()
  await linkIs(page, 'live')

  const state = 'ab'.repeat(32)
  for (let i = 0; i < 8; i++) await it.as(key).call('machines.event', { slug: 'pump-7', type: 'reading', payload: i })
  await mine.call('machines.record-state', { slug: 'pump-7', state_hash: state })
  await until(async () => (await sizeShown(page)) === 10, signal)
  assert.deepEqual(await listed(page), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  await atEntry(page, 9)
  assert.equal(await fact(page, 'state hash').getAttribute('data-changed'), 'true')
  assert.equal(await fact(page, 'state hash').locator('code').first().getAttribute('title'), state)

  const slider = page.locator('.slider')
  await slider.focus()
  await page.keyboard.press('Home')
  await atEntry(page, 0)
  assert.equal(await fact(page, 'entries').locator('td').first().textContent(), '1')
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight')
  await atEntry(page, 3)
  assert.equal(await fact(page, 'state hash').locator('td').first().textContent(), 'none yet')
  assert.deepEqual(await fact(page, 'entries').locator('td').allTextContents(), ['4', '3'])
  assert.equal(await page.locator('li[data-seq="3"] .entry').getAttribute('aria-current'), 'true')

  // The place stays while the chain goes on; now is one press away.
  await mine.call('machines.event', { slug: 'pump-7', type: 'later' })
  await until(async () => (await sizeShown(page)) === 11, signal)
  assert.equal(await page.locator('.time').getAttribute('data-seq'), '3')
  await page.getByRole('button', { name: 'Now', exact: true }).click()
  await atEntry(page, 10)
  await page.getByLabel('by tick').check()
  await page.getByLabel('Go to tick').fill('0')
  // What is being typed is not drawn over while the chain grows.
  await mine.call('machines.event', { slug: 'pump-7', type: 'meanwhile' })
  await until(async () => (await sizeShown(page)) === 12, signal)
  await page.getByLabel('Go to tick').press('Enter')
  await page.locator('.time[data-now=false]').waitFor()

  await page.getByText('Write to the chain').click()
  await page.getByLabel('a state').check()
  await page.locator('#event-json').fill('{"b": 1, "a": [2]}')
  await page.getByRole('button', { name: 'Write', exact: true }).click()
  await page.getByText('Written as entry 12.').waitFor()
  await until(async () => (await sizeShown(page)) === 13, signal)
  const { state_hash } = await mine.call('machines.state', { slug: 'pump-7' })
  // SHA-256 of {"a":[2],"b":1}.
  assert.equal(state_hash, '63c9663de90ee828bbda6cd9acf02d0c653986c1ec25aa239920641edc9a1de5')
  assertQuiet(/ 404 /)
})

/** Alters the answer for a block on its way to the page. */
const lying = async (page: Page, change: (answer: Answer) => void): Promise<void> => {
  await page.unroute('**/block?*')
  await page.route('**/block?*', async (route) => {
    const answer = (await (await route.fetch()).json()) as Answer
    if (answer.proof !== null) change(answer)
    await route.fulfill({ json: answer })
  })
}

interface Answer {
  readonly entry: { body: unknown }
  readonly proof: {
    head: { root: string; id_hash: string }
    path: string[]
    head_path: string[]
    checkpoint: string
  } | null
}

const other = (hex: string): string => (hex.startsWith('0') ? '1' : '0') + hex.slice(1)

test('an entry is verified on the page; a node that lies is found out, step by step', async ({ it, visit, signal }) => {
  const mine = it.as((await it.client.call('identity.sign-up', {})).api_key)
  await mine.call('machines.create', { slug: 'pump-7', is_public: true })
  for (let i = 0; i < 3; i++) await mine.call('machines.event', { slug: 'pump-7', payload: i })
  const { page, assertQuiet } = await visit('/#machine/pump-7')
  await page.locator('li[data-seq="1"] button').click()
  await atEntry(page, 1)
  const honest = await verdictOf(page)
  assert.deepEqual(honest, {
    outcome: 'verified',
    failing: null,
    steps: ['form ok', 'key ok', 'entry ok', 'identity ok', 'chain ok', 'checkpoint ok', 'inclusion ok'],
  })
  const lies: readonly (readonly [string, (answer: Answer) => void])[] = [
    ['entry', ({ entry }) => Object.assign(entry, { body: { event: 'nothing happened' } })],
    ['identity', ({ proof }) => Object.assign(proof!.head, { id_hash: other(proof!.head.id_hash) })],
    ['chain', ({ proof }) => Object.assign(proof!, { path: proof!.path.map(other) })],
    [
      'checkpoint',
      ({ proof }) => Object.assign(proof!, { checkpoint: proof!.checkpoint.replace(/\n\d+\n/, '\n999\n') }),
    ],
    ['inclusion', ({ proof }) => Object.assign(proof!, { head_path: [...proof!.head_path, '0'.repeat(64)] })],
    ['form', ({ proof }) => Object.assign(proof!, { path: 'trust me' })],
  ]
  for (const [step, change] of lies) {
    await lying(page, change)
    await page.getByRole('button', { name: 'Verify here' }).click()
    await until(async () => (await page.locator('.verdict').getAttribute('data-failing')) === step, signal)
    assert.equal(await page.locator('.verdict').getAttribute('data-outcome'), 'failed')
  }
  assertQuiet()
})

test('the whole chain is saved as a file that the Verify view judges; each alteration is named', async ({
  it,
  visit,
}) => {
  const mine = it.as((await it.client.call('identity.sign-up', {})).api_key)
  await mine.call('machines.create', { slug: 'pump-7', is_public: true })
  for (let i = 0; i < 3; i++) await mine.call('machines.event', { slug: 'pump-7', payload: i })
  const { page, assertQuiet } = await visit('/#machine/pump-7')
  await linkIs(page, 'live')
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save chain' }).click()
  const file = await coming
  assert.equal(file.suggestedFilename(), 'pump-7.chain')
  const pieces: Buffer[] = []
  for await (const piece of await file.createReadStream()) pieces.push(piece as Buffer)
  const chain = JSON.parse(Buffer.concat(pieces).toString('utf8')) as ChainFile
  assert.equal(chain.entries.length, 4)
  await page.getByRole('link', { name: 'Verify', exact: true }).click()
  const failingOf = async (altered: unknown): Promise<string | null> => {
    const buffer = Buffer.from(JSON.stringify(altered))
    await page.locator('#bundle').setInputFiles({ name: 'pump-7.chain', mimeType: 'application/json', buffer })
    return (await shownVerdict(page)).failing
  }
  assert.equal(await failingOf(chain), null)
  const { entries, proof } = chain
  assert.equal(await failingOf({ ...chain, entries: entries.with(1, { ...entries[1]!, body: {} }) }), 'chain')
  assert.equal(await failingOf({ ...chain, entries: entries.slice(0, -1) }), 'head')
  assert.equal(await failingOf({ ...chain, proof: { ...proof, head_index: proof.head_index + 1 } }), 'inclusion')
  assert.equal(await failingOf({ ...chain, note: 'trust me' }), 'form')
  assertQuiet()
})

const accountOf = async (it: TestNode): Promise<{ readonly key: string; readonly caller: Caller }> => {
  const { api_key: key, zid, key_id: keyId } = await it.client.call('identity.sign-up', {})
  return { key, caller: { kind: 'account', bucket: 'test', zid, keyId, account: zid, shared: false } }
}

/** Entries by the service itself, as many as a machine takes in a minute, then a minute of ticks. */
const flood = async (it: TestNode, caller: Caller, count: number): Promise<void> => {
  const writing = { caller, slug: 'pump-7', scope: 'test', idempotencyKey: undefined }
  for (let done = 0; done < count; done += WRITES_MAX) {
    await it.advanceTicks(MINUTE_TICKS)
    const now = Math.min(WRITES_MAX, count - done)
    await Promise.all(Array.from({ length: now }, () => it.node.services.machines.event(writing, { type: 'flood' })))
  }
}

test.alone('ten thousand entries pass through an open page: it follows to the last, and stays small', async (surf) => {
  const { signal } = surf
  await using it = await testNode()
  const { key, caller } = await accountOf(it)
  await it.as(key).call('machines.create', { slug: 'pump-7', is_public: true })
  const { page, assertQuiet } = await surf.tab(await surf.profile(), `${it.url}/#machine/pump-7`)
  await linkIs(page, 'live')
  const nodes = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)
  const before = await nodes()
  let most = 0
  const flooded = flood(it, caller, 10_000)
  await until(async () => {
    most = Math.max(most, (await listed(page)).length)
    return (await sizeShown(page)) === 10_001
  }, signal)
  await flooded
  const seqs = await listed(page)
  assert.deepEqual([seqs[0], seqs.length], [10_000, LIVE_ROWS_MAX])
  assertWhole(seqs)
  assert(most <= LIVE_ROWS_MAX, String(most))
  assert((await nodes()) < before + LIVE_ROWS_MAX * 12, `${before} to ${await nodes()} elements`)
  await page.getByRole('button', { name: 'Older' }).click()
  await page.locator('li[data-seq="9780"]').waitFor()
  assertWhole(await listed(page))
  await page.getByRole('button', { name: 'Back to live' }).click()
  await page.locator('li[data-seq="10000"]').waitFor()
  assertQuiet()
})

test.alone(
  'a node that restarts: the page goes on where it was; what it can no longer be given is a line',
  async (surf) => {
    const { signal } = surf
    using directory = tempDir()
    let start = START
    const open = (port: number): Promise<TestNode> =>
      testNode({ directory: directory.path, settings: { 'http.port': port }, start })
    const first = await open(0)
    const port = Number(new URL(first.url).port)
    const { key, caller } = await accountOf(first)
    await first.as(key).call('machines.create', { slug: 'pump-7', is_public: true })
    const { page, assertQuiet } = await surf.tab(await surf.profile(), `${first.url}/#machine/pump-7`)
    await linkIs(page, 'live')
    await flood(first, caller, 20)
    await until(async () => (await sizeShown(page)) === 21, signal)
    const away = async (it: TestNode, count: number): Promise<void> => {
      await it[Symbol.asyncDispose]()
      await page.locator('.chain-card[data-link=lost]').waitFor()
      start += 10_000n * TICK_NS
      // While it is away from the page's port, its chain grows at another one.
      await using elsewhere = await open(0)
      await flood(elsewhere, caller, count)
      start += 10_000n * TICK_NS
    }

    await away(first, 30)
    const second = await open(port)
    await until(async () => (await sizeShown(page)) === 51, signal)
    const seqs = await listed(page)
    assert.deepEqual([seqs[0], seqs.at(-1)], [50, 0])
    assertWhole(seqs)
    await linkIs(page, 'live')

    await away(second, 1_100)
    await using third = await open(port)
    await until(async () => (await sizeShown(page)) === 1_151, signal)
    assert.equal(await page.locator('p.gap').getAttribute('data-gap'), '100')
    await flood(third, caller, 1)
    await until(async () => (await sizeShown(page)) === 1_152, signal)
    await page.locator('li[data-seq="1151"]').waitFor()
    assertWhole(await listed(page))
    await page.locator('p.gap').getByRole('button', { name: 'Show' }).click()
    await page.locator('li[data-seq="51"]').waitFor()
    assertWhole(await listed(page))
    assertQuiet(/ERR_|Failed to load resource/)
  },
)

test.run()
