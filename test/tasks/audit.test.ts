// Goal: whoever was handed a receipt and a key judges it alone: no node, no data directory, no network of ours. Method:
// receipt and key of a real node that is gone by then; a shell in an empty home; one digit altered by sed.
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { terminalIn } from '../cli/terminal.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { homeWithProgram, typedTask } from './typed.ts'

const test = suite('tasks/audit')
const MS_MAX = 120_000

/** What its owner sends: a receipt and the key of the node, as an export has them. */
const handOver = async (desk: string): Promise<void> => {
  using home = tempDir()
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  await it.as(key).call('compute.heat', { dim: 1 }, { prefer: 'wait=60' })
  await it.advanceTicks(2)
  const folder = join(home.path, 'folder')
  const env = { TICKMESH_URL: it.url, TICKMESH_KEY: key }
  const { code, stderr } = await terminalIn(home.path).here.run(['export', folder], { env })
  assert.equal(code, 0, stderr)
  const [receipt = ''] = readdirSync(join(folder, 'receipts'))
  copyFileSync(join(folder, 'receipts', receipt), join(desk, 'receipt.json'))
  copyFileSync(join(folder, 'node.key'), join(desk, 'node.key'))
}

test(
  'audit a receipt with a file and a key',
  async () => {
    using home = tempDir()
    const desk = homeWithProgram(home.path)
    await handOver(desk)
    await typedTask('audit a receipt with a file and a key', { home: home.path, linesMax: 4 }, async ({ types }) => {
      const good = await types('tickmesh verify receipt.json --key node.key --replay')
      assert.deepEqual([good.code, good.stderr], [0, ''])
      assert.match(good.stdout, /^ok +run again +The solver gave the same bits again\.$/m)
      assert.match(good.stdout, /^receipt\.json: verified — heat, value /m)

      await types(`sed -E 's/("value":-?[0-9.]*)[0-8]([^0-9])/\\19\\2/' receipt.json > altered.json`)
      const altered = await types('tickmesh verify altered.json --key node.key --replay')
      assert.equal(altered.code, 3, altered.stdout)
      assert.match(altered.stdout, /^FAILED +signature /m)
      assert.match(altered.stdout, /^not looked at, since that failed: .*time stamp, .*witnesses, run again$/m)
      assert.doesNotMatch(altered.stdout, /quorum|agreement|earlier step/)
      assert.match(altered.stdout, /^altered\.json: NOT verified — signature failed$/m)

      const strange = await types('tickmesh verify receipt.json')
      assert.equal(strange.code, 4, strange.stdout)
      assert.match(strange.stdout, /key/)
    })
    assert(!existsSync(join(home.path, '.local')), 'no data directory came about')
    assert.deepEqual(readdirSync(desk).toSorted(), ['altered.json', 'node.key', 'receipt.json'])
  },
  MS_MAX,
)

test.run()
