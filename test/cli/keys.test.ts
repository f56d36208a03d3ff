// Goal: keys are shown once, go only where they belong and end when revoked; only the owner grants credits. Method: one
// node as a process, called with the keys that it gave.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, closing, type Ended, terminalIn } from './terminal.ts'

const test = suite('cli/keys')

const MS_MAX = 90_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { data } = terminal
const { json, run } = terminal.here
const node = await terminal.start()

const OWNER_KEY = (): string => readFileSync(`${data}/owner.key`, 'utf8').trim()

const credits = async (): Promise<Answer> => (await json(['credits', 'status'])).answer

test(
  'a new key is shown once, works, and is gone when revoked; nothing else shows a secret',
  async () => {
    const made = await json(['keys', 'create', 'laptop', '--expires-in', '3600'])
    const key = String(made.answer['api_key'])
    assert.match(key, /^svc_ak_/)
    assert.ok(!made.stderr.includes(key))
    const bare = await run(['keys', 'create', 'second'])
    assert.match(bare.stdout, /^svc_ak_\w+\n$/)
    const { url } = node
    const elsewhere = { TICKMESH_URL: url, TICKMESH_DATA: `${dir.path}/none` }
    const withKey = (): Promise<Ended> => run(['credits', 'status'], { env: { ...elsewhere, TICKMESH_KEY: key } })
    assert.equal((await withKey()).code, 0)
    writeFileSync(`${dir.path}/key`, `${key}\n`)
    const fromFile = (file: string): Promise<Ended> =>
      run(['credits', 'status'], { env: { ...elsewhere, TICKMESH_KEY_FILE: `${dir.path}/${file}` } })
    assert.equal((await fromFile('key')).code, 0)
    assert.equal((await fromFile('nowhere')).code, 1)
    const listed = await json(['keys', 'list'])
    assert.equal((listed.answer['keys'] as unknown[]).length, 3)
    assert.equal((await json(['keys', 'revoke', String(made.answer['id'])])).code, 0)
    const after = await withKey()
    assert.equal(after.code, 1)
    assert.match(after.stderr, /UNAUTHENTICATED/)
    const said = [listed, after, await run(['status']), await run(['doctor']), await run(['config', 'show'])]
    for (const { stdout, stderr } of said) {
      for (const secret of [key, OWNER_KEY(), bare.stdout.trim()]) assert.ok(!`${stdout}${stderr}`.includes(secret))
    }
  },
  MS_MAX,
)

test(
  "the owner's key goes to the own node alone: a node named by its address gets none",
  async () => {
    const { url } = node
    const { code, answer } = await json(['credits', 'status'], { env: { TICKMESH_URL: url } })
    assert.deepEqual([code, answer['code']], [1, 'UNAUTHENTICATED'])
    assert.match(String(answer['error']), /TICKMESH_KEY/)
  },
  MS_MAX,
)

test(
  'credits are granted by the owner, in whole numbers',
  async () => {
    const { zid, paid } = await credits()
    const granted = await json(['credits', 'grant', String(zid), '7', '--reason', 'a test'])
    assert.deepEqual([granted.code, granted.answer['credits']], [0, 7])
    assert.equal((await credits())['paid'], Number(paid) + 7)
    for (const amount of ['0', '1.5', '-1', '1e3', 'x']) {
      assert.equal((await json(['credits', 'grant', String(zid), amount])).code, 2, amount)
    }
  },
  MS_MAX,
)

closing(test, node, dir)

test.run()
