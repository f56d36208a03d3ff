// Goal: no more sockets are let in than files may be open beside everything else that a node has open.
// Method: what systems say of the limits of a process, beside the settings.
import assert from 'node:assert/strict'
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
  for (const limits of [undefined, '', limitsOf('unlimited'), limitsOf('1048576'), limitsOf('20000')]) {
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

test.run()
