// Goal: a command that needs no solver loads none, nor the schema library, and a file that cannot be verified is told
// for what it is. Method: the program as a process that names every module it loads, in an empty home; the words of
// `verify` in this one.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { forEach, terminalIn } from './terminal.ts'

const test = suite('cli/start-up')

const MS_MAX = 60_000

/** Names every module on stderr as it is loaded. */
const NAMING = `import { registerHooks } from 'node:module'
import { writeSync } from 'node:fs'
registerHooks({ load: (url, context, next) => { writeSync(2, 'loaded ' + url + '\\n'); return next(url, context) } })`

test(
  'commands that only ask a node load no solver, no schema library and no curves',
  async () => {
    using dir = tempDir()
    const { run } = terminalIn(dir.path)
    const runtime = ['--import', `data:text/javascript,${encodeURIComponent(NAMING)}`]
    const calls = [['status'], ['stop'], ['peers'], ['solve', 'heat'], ['config', 'show'], ['keys', 'list']]
    await forEach(calls, async (args) => {
      const { stderr } = await run(args, { runtime })
      const loaded = stderr.split('\n').filter((line) => line.startsWith('loaded '))
      assert.ok(
        loaded.some((line) => line.endsWith('/src/cli/main.ts')),
        args.join(' '),
      )
      const heavy = loaded.filter((line) => /\/src\/(?:numerics|api|domain)\/|\/node_modules\/(?!commander)/.test(line))
      assert.deepEqual(heavy, [], args.join(' '))
    })
  },
  MS_MAX,
)

test(
  'a directory, an address and a file that is not there are told for what they are, with what to do',
  async () => {
    using dir = tempDir()
    const { run } = terminalIn(dir.path).here
    mkdirSync(`${dir.path}/bundles`)
    for (const [file, words] of [
      ['bundles', /bundles is a directory: name the files in it/],
      ['https://127.0.0.1/heat.json', /is an address, and nothing is fetched here: save what it gives/],
      ['heat.json', /There is no file heat\.json: .* saves a bundle/],
    ] as const) {
      const { code, stdout } = await run(['verify', file])
      assert.equal(code, 4, stdout)
      assert.match(stdout, words)
    }
  },
  MS_MAX,
)

test.run()
