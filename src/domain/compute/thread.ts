import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { assert } from '#core/assert.ts'
import { COLLECTED_BYTES_MIN, type FromThread, type ThreadOrder } from './thread-order.ts'

/** Bytes of this thread: its heap, and what lies outside and is held from there, as memories of WebAssembly do. */
const bytesHeld = (): number => {
  const { total_heap_size: heap, external_memory: outside } = getHeapStatistics()
  return heap + outside
}

/** Node gives `gc` to programs that ask for it at their start; a thread has to ask by this way. */
const collector = (): (() => void) => {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

let collect: (() => void) | undefined

const port = parentPort
assert(port !== null, 'this module runs in a thread')
const tell = (message: FromThread): void => port.postMessage(message)

port.on('message', async ({ file, name, value }: ThreadOrder) => {
  const module = (await import(file)) as Readonly<Record<string, (value: unknown) => unknown>>
  const work = module[name]
  assert(work !== undefined, `${file} has ${name}`)
  tell({ reply: await work(value) })
  if (bytesHeld() > COLLECTED_BYTES_MIN) {
    // What the work has left is rarely looked for while a thread allocates little: kernels' memories would pile up.
    collect ??= collector()
    collect()
  }
  tell({ bytesHeld: bytesHeld() })
})
