// Goal: one number names a release wherever it stands. Method: package.json against the lock file, the changelog and
// what a node says of itself.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readRelease } from '#node/process-view.ts'
import { suite } from '../kit/suite.ts'

const test = suite('scripts/release')

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const jsonOf = (name: string) =>
  JSON.parse(read(name)) as {
    readonly version: string
    readonly packages?: Readonly<Record<string, { version?: string }>>
  }

test('package, lock file, changelog and node name the same version', () => {
  const { version } = jsonOf('package.json')
  const lock = jsonOf('package-lock.json')
  assert.deepEqual([lock.version, lock.packages?.['']?.version, readRelease().version], [version, version, version])
  const [newest] = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+) - \d{4}-\d{2}-\d{2}$/gm)]
  assert.equal(newest?.[1], version)
})

test('the changelog has a line a change, under the heads that Keep a Changelog knows, the newest release first', () => {
  const heads = new Set(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'])
  const [, ...releases] = read('CHANGELOG.md').split(/^## /m)
  const versions = releases.map((text) => text.split(/[ \n]/)[0] ?? '')
  assert.deepEqual(versions.slice(0, 1), ['Unreleased'])
  assert.deepEqual(versions.slice(1), versions.slice(1).sort().reverse())
  for (const line of releases.flatMap((text) => text.split('\n').slice(1))) {
    const fits = line === '' || line.startsWith('- ') || heads.has(line.replace(/^### /, ''))
    assert(fits, line)
  }
})

test.run()
