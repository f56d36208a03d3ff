// Goal: at a terminal `fsck` tells on stderr how far it is, leaves no line behind, and says nothing there for whoever
// reads its answer with a program. Method: the data of a stopped node, checked with a terminal and without.
import assert from 'node:assert/strict'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/fsck')

test('progress stands at a terminal alone, and never beside --json', async () => {
  using dir = tempDir()
  const { here, data } = terminalIn(dir.path)
  await (await testNode({ directory: data }))[Symbol.asyncDispose]()
  const seen = await here.run(['fsck'], { watched: true })
  assert.equal(seen.code, 0, seen.stderr)
  const lines = seen.stderr.split('\r\u001B[2K')
  for (const stage of ['files', 'rows', 'ledger', 'logs', 'accounts']) {
    assert(lines.includes(`checking ${stage}: 1 …`), `${stage} in ${JSON.stringify(lines)}`)
  }
  assert.equal(lines.at(-1), '', 'the line is taken away')
  assert.match(seen.stdout, /: clean\n$/)
  const read = await here.json(['fsck'], { watched: true })
  assert.deepEqual([read.code, read.stderr], [0, ''])
  const piped = await here.run(['fsck'])
  assert.deepEqual([piped.code, piped.stderr, piped.stdout], [0, '', seen.stdout])
})

test.run()
