// Goal: the doctor tells of the node that runs, not of the settings that happen to be in its own terminal. Method: a
// node as a process under a policy whose quorum cannot be met, and the doctor asked with its settings and without.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, terminalIn } from './terminal.ts'

const test = suite('cli/doctor')

const MS_MAX = 90_000

test(
  'the policy that counts is that of the running node; other settings here are said to be others',
  async () => {
    using dir = tempDir()
    const terminal = terminalIn(dir.path)
    const findings = async (options: Parameters<typeof terminal.json>[1], check: string) => {
      const { answer } = await terminal.once.json(['doctor'], options)
      const found = (answer['findings'] as readonly Answer[]).filter((it) => it['check'] === check)
      return found.map(({ state, detail }) => `${state} ${detail}`)
    }
    const file = `${dir.path}/mesh.policy`
    const options = { env: { TICKMESH_MESH_POLICY: file } }
    assert.match((await findings(options, 'policy')).join(), /^fail mesh\.policy cannot be read: ENOENT.*mesh\.policy/)
    const first = await terminal.once.run(['init'])
    assert.equal(first.code, 0, first.stderr)

    {
      await using open = await terminal.start()
      const { stdout: vkey } = await terminal.once.run(['keys', 'trusted'])
      const witness = String(((await terminal.once.json(['peers'])).answer['witness'] as Answer)['vkey'])
      writeFileSync(file, `log ${vkey.trim()}\nwitness away ${witness}\nquorum away\n`)
      assert.deepEqual(await findings({}, 'policy'), ['ok open: no policy file'])
      assert.match((await findings({}, 'witnesses')).join(), /the policy asks for none$/)
      await open.end('SIGTERM')
    }
    await using bound = await terminal.start(options)
    const name = createHash('sha256').update(readFileSync(file)).digest('hex')
    assert.deepEqual(await findings({}, 'policy'), [
      'ok open: no policy file',
      `warn the running node goes by ${name}, the settings here by open`,
    ])
    assert.match((await findings({}, 'witnesses')).join(), /the quorum of the policy|short of the quorum/)
    assert.deepEqual(await findings(options, 'policy'), [`ok ${file}`])
    await bound.end('SIGTERM')
  },
  MS_MAX,
)

test.run()
