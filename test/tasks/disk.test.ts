// Goal: whoever finds a disk full learns whether the node fills it, and which part of the node's data does. Method: a
// large archive lies beside a real node's database; the page in Chromium, `status` and `doctor` tell of it.
import assert from 'node:assert/strict'
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { terminalIn } from '../cli/terminal.ts'
import { tempDir } from '../kit/temp.ts'
import { browserSuite } from '../ui/browser.ts'
import { task } from './steps.ts'

const test = browserSuite('tasks/disk')

const ARCHIVE_BYTES = 7_000_000

test('find out why a disk is full', async ({ it, visit }) => {
  const backups = join(it.directory, 'backups')
  mkdirSync(backups)
  writeFileSync(join(backups, 'before-schema-1-1.backup'), new Uint8Array(ARCHIVE_BYTES))
  const { page, assertQuiet } = await visit('/#overview')
  await task('why a disk is full', { stepsMax: 1 }, async (hand) => {
    const tile = page.locator('main').getByRole('region', { name: 'This node' })
    await hand.click(tile.locator('dt:text-is("data") + dd a'))
    await page.getByText(/archives from before upgrades 7\.0 MB/).waitFor()
  })
  const { storage } = await it.client.call('explorer.status', {})
  const { parts, used_bytes: used } = storage
  assert.equal(parts.backups, ARCHIVE_BYTES)
  assert(parts.database > 0 && parts.other > 0, JSON.stringify(parts))
  assert.equal(used, parts.database + parts.backups + parts.other)
  const { blocks, bsize } = statfsSync(it.directory)
  assert.equal(storage.disk_bytes, blocks * bsize)
  assertQuiet()

  using home = tempDir()
  const { here } = terminalIn(home.path)
  const status = await here.run(['status'], { env: { TICKMESH_URL: it.url } })
  assert.match(status.stdout, /^data .* archives from before upgrades 7\.0 MB, .* free$/m)
  const doctor = await here.run(['doctor', '--data-dir', it.directory], {})
  assert.match(doctor.stdout, /disk +\d[\d.]* GB free/)
})

test.run()
