import { useEffect, useRef, useState } from 'preact/hooks'
import { useSettled } from '#ui/front/use-settled.ts'
import { wallClock } from '#ui/part/ago.tsx'
import type { BenchAnswer, BenchQuestion } from './bench.ts'
import type { JudgedText } from './judge.ts'

/** A text is looked at once nothing was typed for this long. */
const SETTLE_MS = 150
const MS_PER_SECOND = 1_000

const startBench = (): Worker => new Worker(new URL('./bench-worker.ts', import.meta.url), { type: 'module' })

/** What is known of a text, and whether it could be looked at. */
export interface Judging {
  /** Of the newest text that was looked at; an earlier one while another is typed. */
  readonly judged: JudgedText | undefined
  /** Why nothing can be looked at: the worker's code does not come, or met a defect. */
  readonly problem: string | undefined
}

/** Now, in Unix seconds. */
export const nowSeconds = (): number => Math.floor(wallClock() / MS_PER_SECOND)

/** Looks at a text while it is typed, in a worker: a large one never holds up the page. */
export const useJudged = (text: string): Judging => {
  const settled = useSettled(text, SETTLE_MS)
  const [state, show] = useState<Judging>({ judged: undefined, problem: undefined })
  const bench = useRef<Worker>(undefined)
  const asked = useRef(0)
  useEffect(
    () => () => {
      bench.current?.terminate()
      bench.current = undefined
    },
    [],
  )
  useEffect(() => {
    if (bench.current === undefined) {
      const worker = startBench()
      worker.onmessage = ({ data: { id, judged } }: MessageEvent<BenchAnswer>) => {
        if (id === asked.current) show({ judged, problem: undefined })
      }
      worker.onerror = (event) => {
        // The next text is looked at by another one.
        worker.terminate()
        bench.current = undefined
        show((old) => ({ ...old, problem: event.message || 'What looks at definitions could not be loaded.' }))
      }
      bench.current = worker
    }
    asked.current += 1
    const question: BenchQuestion = { id: asked.current, text: settled, now: nowSeconds() }
    bench.current.postMessage(question)
  }, [settled])
  return state
}
