// Goal: what a plot is saved as is what was sealed: the CSV has the bundle's numbers, the SVG is a document of its own,
// the PNG a picture of the size that was asked for. Method: Chromium on a real node; the files are taken as downloads,
// and read by other means than those that wrote them.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Bundle } from '#core/claim.ts'
import { browserSuite, downloaded, open, pressSaveAs, runHere } from './browser.ts'

const test = browserSuite('ui/export')

const PLOT = 'Temperature after 100 s'
const FILE = 'Temperature-after-100-s'

interface Saved {
  readonly name: string
  readonly bytes: Buffer
}

/** Presses a button of a plot's export, and takes the file. */
const saved = async (page: Page, plot: string, button: string): Promise<Saved> => {
  const coming = page.waitForEvent('download')
  await pressSaveAs(page, plot, button)
  const file = await coming
  const pieces: Buffer[] = []
  for await (const piece of await file.createReadStream()) pieces.push(piece as Buffer)
  return { name: file.suggestedFilename(), bytes: Buffer.concat(pieces) }
}

/** Heading and columns of numbers. */
const columnsOf = ({ bytes }: Saved): { readonly heading: string | undefined; readonly columns: number[][] } => {
  const [heading, ...lines] = bytes.toString('utf8').trimEnd().split('\r\n')
  const rows = lines.map((line) => line.split(',').map(Number))
  return { heading, columns: (rows[0] ?? []).map((_, i) => rows.map((row) => row[i] as number)) }
}

/** Width and height in a PNG's own header. */
const sizeOf = ({ bytes }: Saved): readonly [number, number] => {
  assert.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

/** What the browser's own parser and decoder make of a file, and how many different colours it shows. */
const readBack = (page: Page, { bytes }: Saved, type: string) =>
  page.evaluate(
    async ([data, media]) => {
      const binary = Uint8Array.from(atob(data ?? ''), (it) => it.charCodeAt(0))
      if (media === 'image/svg+xml') {
        const document = new DOMParser().parseFromString(new TextDecoder().decode(binary), 'application/xml')
        const texts = [...document.querySelectorAll('text')].map((it) => it.textContent)
        const hrefs = [...document.querySelectorAll('[href]')].map((it) => it.getAttribute('href')?.slice(0, 22))
        return { broken: document.querySelector('parsererror') !== null, texts, hrefs, width: 0, height: 0, colours: 0 }
      }
      const image = await createImageBitmap(new Blob([binary], { type: media ?? '' }))
      const canvas = new OffscreenCanvas(image.width, image.height)
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0)
      const pixels = new Uint32Array(context?.getImageData(0, 0, image.width, image.height).data.buffer ?? [])
      const { width, height } = image
      return { broken: false, texts: [], hrefs: [], width, height, colours: new Set(pixels).size }
    },
    [bytes.toString('base64'), type],
  )

const bundleOf = async (page: Page): Promise<Bundle> => JSON.parse(await downloaded(page)) as Bundle
const outputOf = ({ result }: Bundle) => result?.output as Readonly<Record<string, number[]>>

test('a field: CSV with the numbers of the receipt, SVG that stands alone, PNG in two sizes', async ({ visit }) => {
  const { page, assertQuiet } = await visit()
  await runHere(page)
  const bundle = await bundleOf(page)
  const { token_id: token } = bundle.envelope.claim
  const csv = await saved(page, PLOT, 'CSV')
  assert.equal(csv.name, `heat-${token}-${FILE}.csv`)
  const { heading, columns } = columnsOf(csv)
  assert.equal(heading, '"x (m)","y (m)","temperature (K)"')
  assert.deepEqual(columns[2], outputOf(bundle)['field'])
  assert.deepEqual([columns[0]?.[128], columns[1]?.[129]], [1, 1 / 128])

  const svg = await saved(page, PLOT, 'SVG')
  assert.equal(svg.name, `heat-${token}-${FILE}.svg`)
  const drawing = await readBack(page, svg, 'image/svg+xml')
  assert.equal(drawing.broken, false)
  assert.deepEqual(drawing.hrefs, ['data:image/png;base64,'])
  for (const words of ['x / m', 'y / m', `Heat diffusion: ${PLOT}`]) assert(drawing.texts.includes(words), words)
  assert(drawing.texts.some((it) => it?.includes(token)))

  const once = await saved(page, PLOT, 'PNG')
  const twice = await saved(page, PLOT, 'PNG 2×')
  assert.deepEqual([once.name, twice.name], [`heat-${token}-${FILE}.png`, `heat-${token}-${FILE}@2x.png`])
  const [width, height] = sizeOf(once)
  assert.deepEqual(sizeOf(twice), [2 * width, 2 * height])
  const picture = await readBack(page, once, 'image/png')
  assert.deepEqual([picture.width, picture.height], [width, height])
  assert(picture.colours > 100, `${picture.colours} colours`)
  assertQuiet()
})

test('curves of bound states and paths of bodies: a column for each, times and places as they were sealed', async ({
  visit,
}) => {
  const { page, assertQuiet } = await visit('/#solver/schrodinger')
  await runHere(page)
  const states = outputOf(await bundleOf(page))
  const { heading, columns } = columnsOf(await saved(page, 'Wave functions', 'CSV'))
  assert.equal(heading?.startsWith('"x (m)","level 0 (m^-0.5)","level 1 (m^-0.5)"'), true, heading)
  assert.deepEqual(columns[0], states['x'])
  assert.deepEqual(columns.slice(1).flat(), states['states'])
  const drawing = await readBack(page, await saved(page, 'Energies', 'SVG'), 'image/svg+xml')
  assert.equal(drawing.broken, false)
  assert(drawing.texts.includes('level'), drawing.texts.join('|'))

  await open(page, 'solver/multibody')
  await page.locator('textarea:visible').first().waitFor()
  await runHere(page)
  const { trajectory = [], times = [] } = outputOf(await bundleOf(page))
  const { heading: of, columns: paths } = columnsOf(await saved(page, 'Orbits', 'CSV'))
  assert.equal(of, '"curve","x (m)","y (m)"')
  // Body by body in the table, sample by sample in the answer.
  const bodies = trajectory.length / 3 / times.length
  const [, x = [], y = []] = paths
  for (let row = 0; row < bodies * times.length; row++) {
    const [body, sample] = [Math.floor(row / times.length), row % times.length]
    const at = 3 * (sample * bodies + body)
    assert.deepEqual([x[row], y[row]], [trajectory[at], trajectory[at + 1]])
  }
  assertQuiet()
})

test('a field of 512 by 512 is saved by a worker, whole', async ({ it, profile, tab }) => {
  const { page, assertQuiet } = await tab(await profile(), it.node.ownerLink())
  await open(page, 'solver/heat')
  for (const [name, value] of [
    ['nx', '511'],
    ['ny', '511'],
    ['steps', '4'],
  ]) {
    await page.locator(`[data-field=${name}] input`).fill(String(value))
  }
  await runHere(page)
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  const { columns } = columnsOf(await saved(page, 'Temperature after 2 s', 'CSV'))
  assert.equal(columns[2]?.length, 512 * 512)
  await saved(page, 'Temperature after 2 s', 'PNG 2×')
  assert.equal(workers.filter((it) => it.includes('export-worker')).length, 2)
  assertQuiet()
})

test.run()
