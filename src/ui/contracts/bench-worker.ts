import type { BenchAnswer, BenchQuestion } from './bench.ts'
import { judgeText } from './judge.ts'

addEventListener('message', ({ data }: MessageEvent<BenchQuestion>) => {
  const { id, text, now } = data
  const answer: BenchAnswer = { id, judged: judgeText(text, now) }
  postMessage(answer)
})
