// Goal: `tickmesh export` writes a folder that anyone can verify, goes on where it was broken off, and never writes
// over what is not its own. Method: receipts of an account on a real node; the folder is read, verified by the command
// of its own instructions, damaged in one way after the other, and exported into again.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/export')
const MS_MAX = 120_000

/** A node with three receipts of an account, and the account's terminal. */
const scene = async () => {
  const home = tempDir()
  const it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  for (const mass of [1e24, 2e24]) {
    await it.as(key).call('compute.compute', { operators: ['KO42', 'GR37'], inputs: { mass } })
  }
  await it.as(key).call('compute.heat', { dim: 1 }, { prefer: 'wait=60' })
  await it.advanceTicks(2)
  const env = { TICKMESH_URL: it.url, TICKMESH_KEY: key }
  const { here } = terminalIn(home.path)
  return {
    folder: join(home.path, 'folder'),
    key,
    json: (args: readonly string[]) => here.json(args, { env }),
    run: (args: readonly string[]) => here.run(args, { env }),
    [Symbol.asyncDispose]: async () => {
      await it[Symbol.asyncDispose]()
      home[Symbol.dispose]()
    },
  }
}

const receiptsIn = (folder: string): readonly string[] => readdirSync(join(folder, 'receipts')).toSorted()

/** Every file of a folder with what it holds. */
const contents = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => [join(it.parentPath, it.name), readFileSync(join(it.parentPath, it.name), 'utf8')]),
  )

test(
  'a folder has receipts, verifier, key and instructions, and its own command verifies it',
  async () => {
    await using at = await scene()
    const { code, answer } = await at.json(['export', at.folder])
    assert.equal(code, 0)
    assert.deepEqual([answer['receipts'], answer['written'], answer['kept']], [3, 3, 0])
    assert.deepEqual(readdirSync(at.folder).toSorted(), ['README.txt', 'node.key', 'receipts', 'verify.html'])
    assert.match(receiptsIn(at.folder).join(), /^compute-\w{32}\.json,compute-\w{32}\.json,heat-\w{32}\.json$/)
    const files = receiptsIn(at.folder).map((name) => join(at.folder, 'receipts', name))
    const verified = await at.json(['verify', ...files, '--key', join(at.folder, 'node.key'), '--replay'])
    assert.deepEqual([verified.code, verified.answer['outcome']], [0, 'verified'])
    assert.match(
      readFileSync(join(at.folder, 'README.txt'), 'utf8'),
      /verify receipts\/\*\.json --key node\.key --replay/,
    )
    const before = contents(at.folder)
    assert(!Object.values(before).some((it) => it.includes(at.key)), 'no key that calls a node leaves it')

    rmSync(files[0] ?? '')
    const again = await at.json(['export', at.folder])
    assert.deepEqual([again.answer['written'], again.answer['kept']], [1, 2], 'what is there is kept')
    assert.deepEqual(contents(at.folder), before)
  },
  MS_MAX,
)

test(
  '--kind and --limit choose, and what is no number is refused before anything is made',
  async () => {
    await using at = await scene()
    const { answer } = await at.json(['export', at.folder, '--kind', 'compute', '--limit', '1'])
    assert.equal(answer['receipts'], 1)
    assert.match(receiptsIn(at.folder).join(), /^compute-\w{32}\.json$/)
    for (const limit of ['0', 'many']) {
      const other = `${at.folder}-${limit}`
      assert.equal((await at.run(['export', other, '--limit', limit])).code, 2)
      assert(!existsSync(other))
    }
  },
  MS_MAX,
)

test(
  'a file of another hand is never written over: the command refuses by its name, and changes nothing',
  async () => {
    await using at = await scene()
    await at.json(['export', at.folder])
    const [receipt = ''] = receiptsIn(at.folder)
    for (const name of ['README.txt', 'verify.html', 'node.key', join('receipts', receipt)]) {
      const path = join(at.folder, name)
      const own = readFileSync(path, 'utf8')
      writeFileSync(path, 'my own notes')
      rmSync(join(at.folder, 'receipts', receiptsIn(at.folder).at(-1) ?? ''))
      const before = contents(at.folder)
      const { code, answer } = await at.json(['export', at.folder])
      assert.deepEqual(
        [code, answer['code'] ?? (answer['error'] as { code?: string })?.code],
        [1, 'FOREIGN_FILE'],
        name,
      )
      assert.deepEqual(contents(at.folder), before, name)
      writeFileSync(path, own)
      assert.equal((await at.run(['export', at.folder])).code, 0)
    }
    mkdirSync(`${at.folder}-2/node.key`, { recursive: true })
    assert.equal((await at.run(['export', `${at.folder}-2`])).code, 1)
  },
  MS_MAX,
)

test.run()
