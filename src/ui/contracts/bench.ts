import type { JudgedText } from './judge.ts'

/** What the page asks the worker of the editor. */
export interface BenchQuestion {
  readonly id: number
  readonly text: string
  /** Unix seconds: zones are read around it. */
  readonly now: number
}

/** What it answers. */
export interface BenchAnswer {
  readonly id: number
  readonly judged: JudgedText
}
