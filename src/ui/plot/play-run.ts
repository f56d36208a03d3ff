import { useEffect, useRef, useState } from 'preact/hooks'
import type { PlayFrame } from './play-frames.ts'
import type { PlayEnd, PlayOrder, PlayReply } from './play-worker.ts'

/** A run that is taken again here, with what came of it so far. */
export interface Playing {
  readonly state: 'idle' | 'running' | 'done' | 'failed'
  readonly share: number
  readonly frames: readonly PlayFrame[]
  readonly end?: PlayEnd
  readonly problem?: string
}

const idle: Playing = { state: 'idle', share: 0, frames: [] }

const after = (old: Playing, reply: PlayReply): Playing => {
  if (reply.kind === 'progress') return { ...old, share: reply.share }
  if (reply.kind === 'end') return { ...old, state: 'done', share: 1, end: reply.end }
  return { ...old, frames: [...old.frames, reply.frame], share: reply.frame.step / reply.frame.steps }
}

/** Runs a solver again in a worker, which ends with the part of the page that asked, or when it is stopped. */
export const usePlayRun = (order: PlayOrder) => {
  const [playing, show] = useState(idle)
  const worker = useRef<Worker>(undefined)
  const end = (): void => worker.current?.terminate()
  useEffect(() => end, [])
  const start = (): void => {
    end()
    show({ ...idle, state: 'running' })
    const its = new Worker(new URL('./play-worker.ts', import.meta.url), { type: 'module' })
    worker.current = its
    its.onmessage = ({ data }: MessageEvent<PlayReply>) => {
      show((old) => after(old, data))
      if (data.kind === 'end') its.terminate()
    }
    its.onerror = (event) =>
      show({ ...idle, state: 'failed', problem: event.message || 'The run could not be loaded.' })
    its.postMessage(order)
  }
  const stop = (): void => {
    end()
    show(idle)
  }
  return { playing, start, stop }
}
