// Goal: no more sockets are let in than files may be open beside everything else that a node has open.
// Method: what systems say of the limits of a process, beside the settings; and a node in a process that may have few
// files open, whose sockets are opened until there is no place more.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bounded } from '#node/open-files.ts'
import { suite } from '../kit/suite.ts'

const test = suite('node: open files')

const limitsOf = (files: string): string =>
  [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max processes             96282                96282                processes ',
    `Max open files            ${files.padEnd(20)} ${files.padEnd(20)} files     `,
    'Max locked memory         8388608              8388608              bytes     ',
  ].join('\n')

const settings = { http: { connectionsMax: 1_024 }, sockets: { clientsMax: 16_384, pingMs: 25_000 } }

const found = (limits: string | undefined) => {
  const warned: object[] = []
  const { http, sockets } = bounded(settings, { warn: (fields) => void warned.push(fields) }, limits)
  assert.deepEqual([http, sockets.pingMs], [settings.http, 25_000])
  return { clientsMax: sockets.clientsMax, warned }
}

test('there are as many sockets as are set, or fewer where a process may have few files open', () => {
  // The last one has room for exactly as many as are set.
  const enough = ['unlimited', '1048576', '20000', '18688'].map(limitsOf)
  for (const limits of [undefined, '', ...enough]) {
    assert.deepEqual(found(limits), { clientsMax: 16_384, warned: [] })
  }
  const rows = [
    [18_687, 16_383],
    [4_096, 1_792],
    [1_024, 256],
  ] as const
  for (const [files, sockets] of rows) {
    const warned = [{ open_files: files, sockets, wanted: 16_384 }]
    assert.deepEqual(found(limitsOf(String(files))), { clientsMax: sockets, warned })
  }
})

const FILES = 1_024
const FEW = 'a node that may have few files open lets in no more sockets than it said at its start'

if (existsSync('/proc/self/limits')) {
  test(FEW, async (signal) => {
    const child = fileURLToPath(new URL('./few-files-child.ts', import.meta.url))
    const command = `ulimit -n ${FILES} && exec "$0" --no-warnings "$1"`
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, child], { signal })
    const { open, problem, said } = JSON.parse(stdout)
    assert.deepEqual(said, [{ open_files: FILES, sockets: 256, wanted: 16_384 }])
    // One address may have a quarter of them.
    assert.deepEqual([open, problem.code, problem.limit], [64, 'RATE_LIMITED', 64])
  }, 30_000)
} else test.skip(FEW, 'this system says nothing of open files')

test.run()
