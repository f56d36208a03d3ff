/// <reference types="vite/client" />
import type { KeptTexts } from '#numerics/operators/history.ts'
import { judge, type VerifyReply, type VerifyRequest } from './verify-file.ts'

/** The rows of this release, bundled with the page: a re-run asks nobody. */
const rows = Object.values(
  import.meta.glob<string>('../../../protocols/operators/*.jsonl', { eager: true, query: '?raw', import: 'default' }),
)

/** Earlier rows are files of their own, fetched from the node when a receipt names them. */
const history = import.meta.glob<string>('../../../protocols/operators/history/*.jsonl', {
  query: '?raw',
  import: 'default',
})
const textOf = async (name: string): Promise<string> => {
  const load = history[`../../../protocols/operators/history/${name}.jsonl`]
  if (load === undefined) throw new Error(`the page was built without ${name}.jsonl`)
  return load()
}
const kept = async (): Promise<KeptTexts> => {
  const [ledger, older] = await Promise.all([textOf('versions'), textOf('rows')])
  return { ledger, rows: older }
}

/** Steps of a fast run are many; the page draws no more often than this. */
const TELL_EVERY_MS = 100

let postedMs = 0
const tell = (reply: VerifyReply): void => {
  const now = performance.now()
  if (reply.kind === 'progress' && now - postedMs < TELL_EVERY_MS) return
  postedMs = now
  postMessage(reply)
}

addEventListener('message', ({ data }: MessageEvent<VerifyRequest>) => {
  void judge(data, { rows, kept }, tell).then(
    (found) => tell({ kind: 'verification', found }),
    // Out of the promise, so that the page hears of a defect by the worker's own error event.
    (error: unknown) =>
      queueMicrotask(() => {
        throw error
      }),
  )
})
