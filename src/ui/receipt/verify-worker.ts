/// <reference types="vite/client" />
import type { KeptTexts } from '#numerics/operators/history.ts'
import { createTellPage } from '#ui/part/tell-page.ts'
import { type FileVerdict, judge, type VerifyRequest } from './verify-file.ts'

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

const tell = createTellPage<FileVerdict>()

addEventListener('message', ({ data }: MessageEvent<VerifyRequest>) => {
  void judge(data, { rows, kept }, tell).then(
    (found) => tell({ kind: 'found', found }),
    // Out of the promise, so that the page hears of a defect by the worker's own error event.
    (error: unknown) =>
      queueMicrotask(() => {
        throw error
      }),
  )
})
