import { appendFileSync, readFileSync } from 'node:fs'
import { getHeapStatistics, type HeapInfo } from 'node:v8'
import { isMainThread, type Worker } from 'node:worker_threads'

interface HeapSample {
  readonly heap: number
  readonly used: number
  /** Memory outside of the heap that its objects hold: buffers, and what WebAssembly has. */
  readonly external: number
  readonly malloced: number
}

/** What the process of a node holds, in MB. */
export interface MemorySample {
  readonly seconds: number
  readonly rss: number
  /** Memory of its own, without the pages of files, where the system tells it. */
  readonly anon: number
  /** The main thread's heap. */
  readonly heap: number
  readonly heapUsed: number
  readonly external: number
  readonly workers: readonly HeapSample[]
}

/** Names the file that the samples are appended to, one JSON line each. */
export const memoryFile = 'BENCH_MEMORY_FILE'

const MB = 1e6
const EVERY_MS = 5_000

const anonymous = (): number => {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1000
  } catch {
    return 0
  }
}

const heapOf = (it: HeapInfo): HeapSample => ({
  heap: it.total_heap_size / MB,
  used: it.used_heap_size / MB,
  external: it.external_memory / MB,
  malloced: it.malloced_memory / MB,
})

/** Appends a sample of this process every few seconds. */
const watch = (file: string): void => {
  const workers = new Set<Worker>()
  process.on('worker', (worker: Worker) => {
    workers.add(worker)
    worker.once('exit', () => workers.delete(worker))
  })
  const look = async (): Promise<void> => {
    // A worker that ends meanwhile has nothing to tell.
    const found = await Promise.allSettled([...workers].map((it) => it.getHeapStatistics()))
    const { rss } = process.memoryUsage()
    const { heap, used, external } = heapOf(getHeapStatistics())
    const sample: MemorySample = {
      seconds: process.uptime(),
      rss: rss / MB,
      anon: anonymous(),
      heap,
      heapUsed: used,
      external,
      workers: found.flatMap((it) => (it.status === 'fulfilled' ? [heapOf(it.value)] : [])),
    }
    appendFileSync(file, `${JSON.stringify(sample)}\n`)
  }
  setInterval(() => void look(), EVERY_MS).unref()
}

// Loaded into the node by `--import`; its workers load it too, and have nothing to do.
const file = process.env[memoryFile]
if (isMainThread && file !== undefined) watch(file)
