/// <reference types="vite/client" />
import { judge, type Question, type Reply } from './judge.ts'

/** The rows of this release, bundled with the page: a re-run asks nobody. */
const rows = Object.values(
  import.meta.glob<string>('../../../protocols/operators/*.jsonl', { eager: true, query: '?raw', import: 'default' }),
)

/** Steps of a fast run are many; the page draws no more often than this. */
const TELL_EVERY_MS = 100

let told = 0
const tell = (reply: Reply): void => {
  const now = performance.now()
  if (reply.kind === 'progress' && now - told < TELL_EVERY_MS) return
  told = now
  postMessage(reply)
}

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  void judge(data, rows, tell).then(
    (found) => tell({ kind: 'verification', found }),
    // Out of the promise, so that the page hears of a defect by the worker's own error event.
    (error: unknown) =>
      queueMicrotask(() => {
        throw error
      }),
  )
})
