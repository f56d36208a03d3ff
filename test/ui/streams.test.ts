// Goal: a visitor lives with a stream on the page: makes it, ticks it, sees ticks of others as they come, writes a
// template that is judged while it is typed, shows its output where nothing of it runs, hands out a link, closes it;
// over a restart of the node what was missed stands as a gap and nothing is lost. Method: Chromium on real nodes.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { sleep } from '#core/wait.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { assertAxeClean } from './axe.ts'
import { browserSuite, NARROW, open, type Surfing, WIDE } from './browser.ts'

const test = browserSuite('ui/streams')

/** The Schwarzschild radius of a mass that grows with each tick. */
const GROWING = { operators: ['GR37'], inputs: { mass: { $: '1e30 + 1e27 * count' } } } as const

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const countShown = async (page: Page): Promise<number> =>
  Number(await page.locator('[data-count]').getAttribute('data-count'))
const valueShown = async (page: Page): Promise<number> =>
  Number(await page.locator('.stream-value').getAttribute('data-value'))

/** How long a node is away. */
const AWAY_MS = 4_000

/** A browser that is signed in with the key of an account. */
const signedIn = async ({ profile }: Pick<Surfing, 'profile'>, key: string, options = WIDE) => {
  const context = await profile(options)
  await context.addInitScript((it) => localStorage.setItem('tickmesh.account-key', it), key)
  return context
}

test('made on the page, ticked here and elsewhere, listed, closed', async ({ it, profile, tab, signal }) => {
  const { api_key } = await it.client.call('identity.sign-up', {})
  const mine = it.as(api_key)
  const { page, assertQuiet } = await tab(await signedIn({ profile }, api_key), `${it.url}/#streams`)
  await page.getByText('You have none yet.').waitFor()
  await assertAxeClean(page, 'the list and the form')
  await page.getByLabel('Inputs, as JSON').fill('{ "mass": ')
  await page.getByText('The inputs are no JSON object.').waitFor()
  await page.getByLabel('Inputs, as JSON').fill(JSON.stringify(GROWING.inputs))
  await page.getByRole('button', { name: 'Make the stream' }).click()
  const key = await page.getByRole('textbox', { name: 'Key of the stream' }).inputValue()
  assert.match(key, /^sck_/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.locator('[data-link=live]').waitFor()
  const id = page.url().slice(-32)
  assert.equal(await page.locator('.stream-value').textContent(), 'no tick yet')

  await page.getByRole('button', { name: 'Tick', exact: true }).click()
  await until(async () => (await countShown(page)) === 1, signal)
  // Ticks of the stream's own key come by themselves, with their values.
  for (const count of [2, 3]) await it.as(key).call('compute.stream-tick', { id, count })
  await until(async () => (await countShown(page)) === 3, signal)
  const { stream } = await mine.call('compute.stream', { id })
  assert.equal(await valueShown(page), stream.head?.value)
  assert.equal(await page.locator('[data-token]').getAttribute('href'), `#receipt/${stream.head?.token_id}`)
  await part(page, 'Course').and(page.locator('[data-ticks="3"]')).waitFor()
  await page.locator('[data-plot=curves][data-live=true]').waitFor()

  await page.getByLabel('Interval, in mesh ticks').fill('77')
  const day = 1_444 * stream.price
  // 1,444 ticks of 7,000 bytes.
  const cost = `${day.toLocaleString('en')} credits a day, about 10.1 MB of the node’s disk; your `
  await page.locator('[data-cost]').filter({ hasText: cost }).waitFor()
  await page.getByRole('button', { name: 'Let it tick by itself' }).click()
  await page.getByText('It ticks by itself.').waitFor()
  assert.partialDeepStrictEqual((await mine.call('compute.stream', { id })).stream, {
    ...{ autotick: true, tickIntervalTicks: 77 },
  })
  await page.getByRole('button', { name: 'Stop ticking by itself' }).click()
  await page.getByText('It ticks when asked.').waitFor()
  await assertAxeClean(page, 'a stream')

  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.locator('.confirm').getByRole('button', { name: 'Close', exact: true }).click()
  await page.locator('[data-link=over]').waitFor()
  assert(await page.getByRole('button', { name: 'Tick', exact: true }).isDisabled())
  // The list is the node's: it has what was made elsewhere too, and nothing of anyone else.
  const { stream: elsewhere } = await mine.call('compute.stream-create', GROWING)
  const { api_key: another } = await it.client.call('identity.sign-up', {})
  await it.as(another).call('compute.stream-create', GROWING)
  await open(page, 'streams')
  await page.locator(`[data-stream="${id}"]`).getByText('closed').waitFor()
  const listed = await page.locator('[data-stream]').evaluateAll((all) => all.map((it) => it.dataset['stream']))
  assert.deepEqual(listed, [elsewhere.id, id])
  assertQuiet()
})

/** A contract that hears of ticks. */
const LISTENS = {
  ...{ v: 1, name: 'Counts ticks', context: { n: { type: 'integer', initial: 0 } }, states: { on: { initial: true } } },
  events: {
    stream_tick: {
      data: {
        ...{ channel: { type: 'text', chars: 64 }, epoch: { type: 'integer' }, count: { type: 'integer' } },
        ...{ value: { type: 'number', nullable: true }, unit: { type: 'text' }, errorPct: { type: 'number' } },
        token_id: { type: 'text' },
      },
    },
  },
  transitions: [{ id: 'count', from: 'on', to: 'on', trigger: { kind: 'event', event: 'stream_tick' } }],
}

test('made with a contract that hears of its ticks, with an oracle, and ticking by itself', async (surf) => {
  const { it, tab, signal } = surf
  const { api_key } = await it.client.call('identity.sign-up', {})
  const mine = it.as(api_key)
  await mine.call('machines.create', { slug: 'listening' })
  await mine.call('machines.event', { slug: 'listening', type: 'weighed', data: { mass: 1e30 } })
  const { contract } = await mine.call('contracts.custom', { slug: 'listening', definition: LISTENS, start: true })
  const { page, assertQuiet } = await tab(await signedIn(surf, api_key), `${it.url}/#streams`)
  const make = page.getByRole('button', { name: 'Make the stream' })
  const choice = page.getByLabel('Contract that hears of each tick')
  assert(await choice.isDisabled(), 'there is no machine yet whose contract it could be')
  await page.getByLabel('Inputs, as JSON').fill('{ "mass": { "$": "oracle.mass" } }')
  await page.getByLabel('It ticks by itself').check()
  const interval = page.getByLabel('Mesh ticks from one due tick to the next')
  await interval.fill('0')
  await page.getByText('1 to 1,000,000 mesh ticks.').waitFor()
  assert(await make.isDisabled())
  await interval.fill('5000')
  await page.getByLabel('Oracles, as JSON').fill('{ "mass": ')
  await page.getByText('The oracles are no JSON object.').waitFor()
  const from = { kind: 'machine', slug: 'listening', event: 'weighed', field: 'mass' }
  const oracles = { mass: { from, type: 'number', max_age: 100_000 } }
  await page.getByLabel('Oracles, as JSON').fill(JSON.stringify(oracles))
  await page.getByLabel('Machine', { exact: true }).fill('listening')
  await until(() => choice.isEnabled(), signal)
  await choice.selectOption(contract.id)
  await assertAxeClean(page, 'the form with all that is beside a stream')
  await make.click()
  await page.getByRole('textbox', { name: 'Key of the stream' }).waitFor()
  const [listed] = (await mine.call('compute.streams', {})).streams
  const { stream } = await mine.call('compute.stream', { id: listed?.id ?? '' })
  assert.partialDeepStrictEqual(stream, {
    ...{ slug: 'listening', contract: contract.id, autotick: true, tickIntervalTicks: 5_000, oracles },
  })
  const { value } = await mine.call('compute.stream-tick', { id: stream.id })
  assert.equal(value?.toFixed(1), '1485.2')
  assertQuiet()
})

/** A picture whose colour is its own style's. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><style>rect{fill:rgb(1,2,3)}</style>' +
  '<rect width="40" height="20"/><text>{{count}}</text></svg>'

/** The colour in the middle of that picture, once it is there. */
const colourOf = async (picture: Locator): Promise<readonly number[]> => {
  await picture.waitFor()
  return picture.evaluate(async (it: HTMLImageElement) => {
    await it.decode()
    const canvas = new OffscreenCanvas(1, 1).getContext('2d')
    canvas?.drawImage(it, -20, -10)
    return [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])]
  })
}

const HOSTILE = '<b id="shown">{{value|fixed:3}}</b><script>document.body.id = "ran"</script>\n'

test('a template is judged while it is typed, shown where nothing runs, and a link opens it to anyone', async ({
  it,
  profile,
  tab,
  signal,
}) => {
  const { api_key } = await it.client.call('identity.sign-up', {})
  const mine = it.as(api_key)
  const { stream } = await mine.call('compute.stream-create', GROWING)
  const { id } = stream
  await mine.call('compute.stream-tick', { id })
  const context = await signedIn({ profile }, api_key, { ...NARROW, colorScheme: 'dark' })
  const { page } = await tab(context, `${it.url}/#stream/${id}`)
  const template = part(page, 'Template')
  const area = template.getByRole('textbox', { name: 'Template' })
  const save = template.getByRole('button', { name: 'Save the template' })
  const faulty = '{{value|fixed:2}}\nunit {{unit|louder}}\n'
  await area.fill(faulty)
  const fault = template.getByRole('button', { name: 'Line 2, column 13' })
  await fault.waitFor()
  assert.equal(await area.getAttribute('aria-invalid'), 'true')
  assert.equal(await template.locator('.code-gutter b.wrong').textContent(), '2\n')
  assert(await save.isDisabled())
  // From the keyboard to the place of the fault.
  await fault.focus()
  await page.keyboard.press('Enter')
  assert.equal(await area.evaluate((it: HTMLTextAreaElement) => it.selectionStart), faulty.indexOf('louder'))
  assert.equal(await template.locator('.code-marks mark').textContent(), 'louder')
  await assertAxeClean(page, 'a template with a fault')

  await area.fill('{{output.nothing|default:none}} {{value|fixed:2}}\n')
  await template.locator('[data-faults="0"]').waitFor()
  const { head } = (await mine.call('compute.stream', { id })).stream
  const expected = `none ${head?.value?.toFixed(2)}\n`
  const preview = template.getByRole('textbox', { name: 'preview' })
  await until(async () => (await preview.inputValue()) === expected, signal)

  // What the newest tick does not fill is told all at once, each at its place.
  await area.fill('{{nothing}} {{value}}\n{{unit|fixed:2}}\n')
  await template.getByText('Line 1, column 1: nothing: there is no such value').waitFor()
  await template.getByText('Line 2, column 1: unit:').waitFor()

  await template.getByLabel('Type of the output').selectOption('text/html')
  await area.fill(HOSTILE)
  await template.locator('[data-faults="0"]').waitFor()
  const frame = template.locator('iframe')
  assert.equal(await frame.getAttribute('sandbox'), '')
  const inner = template.frameLocator('iframe')
  await inner.locator('#shown').waitFor()
  assert.equal(await inner.locator('#ran').count(), 0)
  await save.click()
  await template.getByText('Saved.').waitFor()
  const saved = (await mine.call('compute.stream', { id })).stream
  assert.deepEqual([saved.outputFormat, saved.contentType, saved.template], ['template', 'text/html', HOSTILE])
  const output = part(page, 'Newest output')
  await output.frameLocator('iframe').locator('#shown').waitFor()
  assert.equal(await output.frameLocator('iframe').locator('#ran').count(), 0)

  await template.getByLabel('Type of the output').selectOption('image/svg+xml')
  await area.fill(PICTURE)
  assert.deepEqual(await colourOf(template.getByRole('img', { name: 'preview' })), [1, 2, 3, 255])

  const links = part(page, 'Links')
  await links.getByLabel('Opens for').fill('2')
  await links.getByLabel('Unit of time').selectOption('hours')
  await links.getByRole('button', { name: 'Make a link' }).click()
  const address = await links.getByLabel('Address', { exact: true }).inputValue()
  assert(address.startsWith(`${it.url}/api/svc/streams/${id}/pull?sig=`), address)
  const embed = await links.getByLabel('Embed code', { exact: true }).inputValue()
  assert.equal(embed, `<iframe src="${address}" sandbox="" title="stream"></iframe>`)
  await assertAxeClean(page, 'a link')
  assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than 390 px')
  const stranger = await tab(await profile(), address)
  assert.equal(await stranger.page.locator('#shown').textContent(), head?.value?.toFixed(3))
  assert.equal(await stranger.page.locator('#ran').count(), 0)
})

/** What browsers write on the console for any answer that is no success. */
const REFUSED = /Failed to load resource: .* (?:401|404)/

test('somebody else’s stream is refused by code, and a visitor is told what a stream needs', async ({
  it,
  profile,
  tab,
}) => {
  const { api_key } = await it.client.call('identity.sign-up', {})
  const { stream } = await it.as(api_key).call('compute.stream-create', GROWING)
  const { api_key: another } = await it.client.call('identity.sign-up', {})
  const stranger = await tab(await signedIn({ profile }, another), `${it.url}/#stream/${stream.id}`)
  await stranger.page.getByText('There is no stream with this id that you may see.').waitFor()
  const visitor = await tab(await profile(), `${it.url}/#streams`)
  await visitor.page.getByText('Streams belong to an account').waitFor()
  assert(await visitor.page.getByRole('button', { name: 'Make the stream' }).isDisabled())
  stranger.assertQuiet(REFUSED)
  visitor.assertQuiet()
})

test.alone('a restart while it ticks: the page goes on by itself, and what was missed is a gap', async (surf) => {
  const { signal } = surf
  using directory = tempDir()
  const start = (port: number): Promise<TestNode> =>
    testNode({ realTime: true, directory: directory.path, settings: { 'http.port': port } })
  const first = await start(0)
  const port = Number(new URL(first.url).port)
  const { api_key } = await first.client.call('identity.sign-up', {})
  const ticking = { autotick: true, tickIntervalTicks: 2 } as const
  const { stream } = await first.as(api_key).call('compute.stream-create', { ...GROWING, ...ticking })
  const { page } = await surf.tab(await signedIn(surf, api_key), `${first.url}/#stream/${stream.id}`)
  try {
    await until(async () => (await page.locator('[data-count]').count()) === 1 && (await countShown(page)) >= 2, signal)
  } finally {
    await first[Symbol.asyncDispose]()
  }
  await page.locator('[data-link=lost]').waitFor()
  const before = await countShown(page)
  // Long enough that ticks are due meanwhile, however fast the node comes back.
  await sleep(AWAY_MS, signal)

  await using second = await start(port)
  await page.locator('[data-link=live]').waitFor()
  await page.locator('[data-gap=down]').first().waitFor()
  await until(async () => (await countShown(page)) > before, signal)
  await second.as(api_key).call('compute.stream-patch', { id: stream.id, autotick: false })
  const { stream: now } = await second.as(api_key).call('compute.stream', { id: stream.id })
  await part(page, 'Course')
    .and(page.locator(`[data-ticks="${now.sealed}"]`))
    .waitFor()
  assert(now.missed >= 1)
  // A busy machine may be late as well: the page has the very gaps that the chain has.
  const { rows } = await second.as(api_key).call('machines.explore', { slug: now.slug, limit: 200 })
  const gaps = rows.filter((it) => it.transitionType === 'stream_gap').length
  await until(async () => (await page.locator('[data-gap]').count()) === gaps, signal)
  // The line is broken where the gap is, which has a curve of its own.
  await page.locator('[data-plot=curves]').getByText('missed').first().waitFor()
})

test.run()
