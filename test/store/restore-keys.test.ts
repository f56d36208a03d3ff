/**
 * Goal: key files come out of an archive only where they belong. Method: archives put together by hand that carry a
 * witness key, and a look at what a verification has in its folder when it is over the key files.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { restore, unpackInto } from '#store/backup/restore.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { inChunks, KEY_FILES, storeWith } from './archives.ts'
import { bytes } from './kit.ts'

const test = suite('store: key files of an archive')

const WITNESS = { name: 'witness.key', bytes: bytes(`${'cd'.repeat(32)}\n`) }

test('a witness key in an archive is left there, and the one that was here is moved away', async () => {
  using from = tempDir()
  using to = tempDir()
  const archive = await storeWith(from.path, 8, [...KEY_FILES, WITNESS])
  writeFileSync(join(to.path, WITNESS.name), 'ef'.repeat(32), { mode: 0o600 })
  const { files, aside = '' } = await restore({ directory: to.path, source: inChunks(archive), force: false })
  assert.deepEqual(files, ['identity.key', 'vault.key'])
  assert.equal(existsSync(join(to.path, WITNESS.name)), false)
  assert.ok(existsSync(join(aside, WITNESS.name)))
})

test('who only looks at an archive unpacks no key', async () => {
  using from = tempDir()
  using work = tempDir()
  const archive = await storeWith(from.path, 8)
  const folder = join(work.path, 'look')
  mkdirSync(folder)
  const { files } = await unpackInto(folder, inChunks(archive), { keys: 'leave' })
  assert.deepEqual([files, readdirSync(folder)], [[], ['db']])
})

test.run()
