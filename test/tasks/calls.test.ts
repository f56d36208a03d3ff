// Goal: what the program prints to be copied works as it stands: the call that `start` shows, the guide's first steps,
// and the calls of a solver's page in curl and in Python's standard library. Method: a node as a process on a port of
// its own; each line goes into a shell as it was printed, with nothing put in but the variables that it names.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { curlOf, pythonOf, tickmeshOf } from '#ui/text/shell.ts'
import { terminalIn } from '../cli/terminal.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { homeWithProgram, typedTask } from './typed.ts'

const test = suite('tasks/calls')
const MS_MAX = 180_000

/** A node as people start it, and what it prints beside its first line: that is told after it. */
const startedNode = async (home: string) => {
  const { child, ended } = terminalIn(home).begin(['start'])
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += String(chunk)
    if (/^next .*\n/m.test(said)) resolve(said)
  })
  ended.then(({ stderr }) => reject(new Error(`the node ended: ${stderr}`)))
  const text = await promise
  const word = (name: string): string => new RegExp(`^${name} +(.*)$`, 'm').exec(text)?.[1] ?? ''
  return {
    url: word('page'),
    curl: word('curl'),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The blocks of a guide in one language. */
const blocksOf = (path: string, language: string): readonly string[] =>
  [...readFileSync(new URL(path, import.meta.url), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , block = '']) => block)

test(
  'call the interface with curl and with Python, as the program prints the calls',
  async () => {
    using home = tempDir()
    const desk = homeWithProgram(home.path)
    await using node = await startedNode(home.path)
    const input = { dim: 1, initial: { kind: 'box' } }
    const path = '/api/svc/heat'
    await typedTask('call the interface as printed', { home: home.path, linesMax: 5 }, async ({ types }) => {
      const first = await types(node.curl)
      const proved = JSON.parse(first.stdout) as { value?: number }
      assert.equal(Number(proved.value).toFixed(4), '2954.0077', first.stdout)

      const minted = await types(`curl -s ${node.url}/api/demo-key`)
      const { key } = JSON.parse(minted.stdout) as { key: string }
      const env = { TICKMESH_KEY: key }
      const byCurl = await types(curlOf(node.url, path, input), env)
      const answer = JSON.parse(byCurl.stdout) as { value: number; unit: string; envelope: { token_id: string } }
      assert.match(answer.envelope.token_id, /^[0-9a-f]{32}$/)

      writeFileSync(join(desk, 'call.py'), pythonOf(node.url, path, input))
      const byPython = await types('python3 call.py', env)
      assert.equal(byPython.code, 0, byPython.stderr)
      assert.match(byPython.stdout, new RegExp(`^${answer.value} ${answer.unit} receipt [0-9a-f]{32}$`, 'm'))

      const byProgram = await types(`${tickmeshOf(node.url, path, input)} --json`, env)
      assert.equal(byProgram.code, 0, byProgram.stderr)
      assert.equal((JSON.parse(byProgram.stdout) as { answer: { value: number } }).answer.value, answer.value)
    })
  },
  MS_MAX,
)

test(
  'from nothing to a verified receipt, by the lines of the quick start',
  async () => {
    using home = tempDir()
    const desk = homeWithProgram(home.path)
    await using node = await startedNode(home.path)
    const at = (text: string): string => text.replaceAll('http://127.0.0.1:7770', node.url)
    const env = { TICKMESH_DATA: join(home.path, 'data') }
    await typedTask('the quick start', { home: home.path, linesMax: 3 }, async ({ types }) => {
      // The answer is there at once and its checkpoint a tick later: whoever copies block by block has waited.
      const shell = blocksOf('../../protocols/guide/quick-start.md', 'sh').map(at)
      const [account = '', run = '', receipt = '', verify = ''] = shell
      const got = await types(`${account}\n${run}\nsleep 2\n${receipt}\n${verify}\necho "$key" > key`, env)
      assert.deepEqual([got.code, got.stderr], [0, ''])
      assert.match(got.stdout, /^heat\.json: verified — heat, value /m)

      const [python = ''] = blocksOf('../../protocols/guide/quick-start.md', 'python').map(at)
      writeFileSync(join(desk, 'quick.py'), python)
      const called = await types('python3 quick.py "$(cat key)"')
      assert.deepEqual([called.code, called.stderr], [0, ''])
      const judged = await types('tickmesh verify epi.json --key node.key --replay')
      assert.equal(judged.code, 0, judged.stdout)
    })
  },
  MS_MAX,
)

test.run()
