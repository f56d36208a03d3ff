import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ChannelReader, followChannel } from '../../test/api/compute/followed-channel.ts'
import type { ReaderNotes, ReaderOrder } from '../../test/kit/channel-readers.ts'
import { bench } from './bench.ts'

const READER = fileURLToPath(new URL('./clients/reader.py', import.meta.url))
/** The Python that has the distribution's packages. */
const PYTHON = '/usr/bin/python3'
const LOOK_MS = 20
const MS_MAX = 120_000

type Line = {
  readonly version?: string
  readonly python?: string
  readonly told?: Readonly<Record<string, unknown>>
  readonly code?: number
}

/** Follows in Python. */
const inPython = (python: string, { base, channel, key }: ReaderOrder) => {
  const notes: ReaderNotes = { heard: [], codes: [], over: false }
  const child = spawn(python, [READER, base, channel, key], { stdio: ['ignore', 'pipe', 'inherit'] })
  let name = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { version, python: of, told, code } = JSON.parse(line) as Line
    if (version !== undefined) name = `websockets ${version}, Python ${of}`
    if (told !== undefined) notes.heard.push(told)
    if (told?.['type'] === 'closed') notes.over = true
    if (code !== undefined) notes.codes.push(code)
  })
  const reader: ChannelReader = { name: 'Python', by: 'socket', notes: () => Promise.resolve(notes) }
  return { reader, notes, name: () => name, [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

const countOf = <T>(all: readonly T[]): string =>
  [...Map.groupBy(all, (it) => it)].map(([it, same]) => `${it} × ${same.length}`).join(', ')

/** Clients of other languages, which no test needs to have, through all that the tests' clients go through. */
export const clients = bench({
  name: 'clients',
  summary: 'Python’s websockets follow a channel through cuts, restarts and kill -9, each tick once [python]',
  async run([python = PYTHON]) {
    if (spawnSync(python, ['-c', 'import websockets']).status !== 0) {
      throw new Error(`${python} has no websockets: the package python3-websockets is wanted`)
    }
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
    const late = performance.now() + MS_MAX
    using stack = new DisposableStack()
    stack.defer(() => rmSync(directory, { recursive: true, force: true }))
    let followed: ReturnType<typeof inPython> | undefined
    await followChannel({
      directory,
      begin: async (order) => {
        followed = stack.use(inPython(python, order))
        return [followed.reader]
      },
      until: async (probe) => {
        while (!(await probe())) {
          if (performance.now() > late) throw new Error(`heard last: ${JSON.stringify(followed?.notes.heard.at(-1))}`)
          await pause(LOOK_MS)
        }
      },
    })
    if (followed === undefined) return
    const { notes, name } = followed
    console.log(`${name()}: each tick once and each gap once, in the order of the chain`)
    console.log(`  texts: ${countOf(notes.heard.map(({ type }) => type))}`)
    console.log(`  ends of connections: ${countOf(notes.codes)}`)
  },
})
