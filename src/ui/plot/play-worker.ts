import type { Plot } from '#numerics/plot/plot.ts'
import { aided, type Progress, withoutAid } from '#numerics/runtime/solver.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { digestOfPlots, framesOf, type PlayFrame } from './play-frames.ts'

/** Which run is taken again, and the plots of its sealed answer. */
export interface PlayOrder {
  readonly name: string
  readonly input: object
  readonly sealed: readonly Plot[]
}

/** Digests of what the last frame shows, and of what the sealed answer does. */
export interface PlayEnd {
  readonly played: string
  readonly sealed: string
}

export type PlayReply =
  | { readonly kind: 'frame'; readonly frame: PlayFrame }
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'end'; readonly end: PlayEnd }

/** The page draws no more often than this. */
const TELL_EVERY_MS = 100

let toldMs = 0
const tell: Progress = ({ step, steps }) => {
  const now = performance.now()
  if (now - toldMs < TELL_EVERY_MS) return
  toldMs = now
  postMessage({ kind: 'progress', share: step / steps } satisfies PlayReply)
}

addEventListener('message', ({ data: { name, input, sealed } }: MessageEvent<PlayOrder>) => {
  const solver = solverByName(name)
  if (solver === undefined) throw new Error(`There is no solver ${name} here.`)
  let last: PlayFrame | undefined
  for (const frame of framesOf(aided(solver, withoutAid), input, tell)) {
    last = frame
    postMessage({ kind: 'frame', frame } satisfies PlayReply)
  }
  const end = { played: digestOfPlots(last?.plots ?? []), sealed: digestOfPlots(sealed) }
  postMessage({ kind: 'end', end } satisfies PlayReply)
})
