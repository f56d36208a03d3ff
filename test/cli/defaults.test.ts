// Goal: every solver, asked with nothing but its name, is computed, sealed and shown to a person by the command line.
// Method: a real node; the commands in this process, but that of the solver whose answer once was not shown, which is a
// process of its own. The page does the same in `ui/defaults`.
import assert from 'node:assert/strict'
import { solvers } from '#numerics/solvers/index.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/defaults')

/** The one whose members were taken for those of an operator's answer. */
const OWN_PROCESS = 'fracture'
/** All the defaults one after the other, on a machine alone. */
const MS_MAX = 120_000

/** Value, five figures, check, receipt and price, and the end of the last line. */
const LINES_MAX = 10

test(
  'every solver answers its defaults with a value, a check and an envelope, in lines',
  async () => {
    using home = tempDir()
    await using it = await testNode({ realTime: true, keptRuns: true })
    const { run, here } = terminalIn(home.path)
    const env = { TICKMESH_URL: it.url, TICKMESH_KEY_FILE: `${it.directory}/owner.key` }
    for (const { name } of solvers) {
      const { code, stdout, stderr } = await (name === OWN_PROCESS ? run : here.run)(['solve', name], { env })
      assert.equal(code, 0, `${name}: ${stderr}`)
      assert.match(stdout, /^value {2,}\S/m, name)
      assert.match(stdout, /^checked {2,}error \S+ %, against \S/m, name)
      assert.match(stdout, /^receipt {2,}http:\/\/\S+\/r\/[0-9a-f]{32}$/m, name)
      assert.match(stdout, /^price {2,}\d+ credits, /m, name)
      assert.ok(stdout.split('\n').length <= LINES_MAX, `${name}: ${stdout}`)
      assert.ok(!/undefined|NaN|\[object/.test(stdout), `${name}: ${stdout}`)
    }
  },
  MS_MAX,
)

test.run()
