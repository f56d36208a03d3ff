// Goal: whoever has data of an earlier release brings them up with one command, sees beforehand what it will do, starts
// the node, and what was given out before verifies still. Method: the stores that releases left; each line typed in a
// shell, the node a process.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SCHEMA } from '#store/rows/basis.ts'
import { terminalIn } from '../cli/terminal.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { expectedOf, fixtures, unpack } from '../store/fixtures.ts'
import { homeWithProgram, typedTask } from './typed.ts'

const test = suite('tasks/upgrade')
const MS_MAX = 180_000
/** Receipts that are verified: whether every one does is asked elsewhere. */
const RECEIPTS = 5

for (const name of fixtures()) {
  test(
    `upgrade a node whose data are of ${name}`,
    async () => {
      using home = tempDir()
      const desk = homeWithProgram(home.path)
      const terminal = terminalIn(home.path)
      mkdirSync(terminal.data)
      const bundles = await unpack(name, terminal.data)
      const { schema, node: nodeId } = expectedOf(name)
      const ofNode = Object.entries(bundles).filter(
        ([, it]) => (it as { envelope: { claim: { node: string } } }).envelope.claim.node === nodeId,
      )
      for (const [token, bundle] of ofNode.slice(0, RECEIPTS)) {
        writeFileSync(join(desk, `${token}.json`), JSON.stringify(bundle))
      }
      const env = { TICKMESH_DATA: terminal.data }
      await typedTask(`upgrade a node from schema ${schema}`, { home: home.path, linesMax: 5 }, async ({ types }) => {
        const before = await types('tickmesh upgrade --check', env)
        assert.equal(before.code, 0, before.stderr)
        assert.match(before.stdout, new RegExp(`^data +schema ${schema} in `, 'm'))
        assert.equal(/^pending /m.test(before.stdout), schema < SCHEMA, before.stdout)
        const done = await types('tickmesh upgrade', env)
        assert.equal(done.code, 0, done.stderr)
        assert.match(done.stdout, schema < SCHEMA ? /before: .*\.backup/ : /nothing to migrate/)
        const after = await types('tickmesh upgrade --check', env)
        assert.match(after.stdout, /nothing to migrate/)

        await using node = await terminal.start()
        const status = await types('tickmesh status', env)
        assert.equal(status.code, 0, status.stderr)
        assert(`${status.stdout}`.includes(nodeId), status.stdout)
        const judged = await types(`tickmesh verify *.json --key ${nodeId}`)
        assert.equal(judged.code, 0, judged.stdout)
        assert.equal(judged.stdout.match(/: verified — /g)?.length, readdirSync(desk).length)
        await node.end('SIGTERM')
      })
    },
    MS_MAX,
  )
}

test.run()
