/// <reference types="vite/client" />
import { judge, type Question, type Reply } from './judge.ts'

/** The rows of this release, bundled with the page: a re-run asks nobody. */
const rows = Object.values(
  import.meta.glob<string>('../../../protocols/operators/*.jsonl', { eager: true, query: '?raw', import: 'default' }),
)

const tell = (reply: Reply): void => postMessage(reply)

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  tell({ kind: 'verification', verification: judge(data, rows, tell) })
})
