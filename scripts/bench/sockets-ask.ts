import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { TICK_SECONDS } from '#core/tick.ts'

/** Milliseconds on a clock that all processes of a machine share. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** Until a part of a mesh tick is over, of this one or of the next. */
export const untilPhase = (phase: number): Promise<unknown> => {
  const tickMs = TICK_SECONDS * 1_000
  return pause(tickMs - ((Date.now() - phase * tickMs) % tickMs))
}

/** A child that answers what it is asked. */
export interface Asked extends AsyncDisposable {
  readonly process: ChildProcess
  ask<T>(work: string, about?: object): Promise<T>
}

interface Answer {
  readonly id: number
  readonly answer?: unknown
  readonly failure?: string
}

/** Starts a file as a child that answers by {@link answering}. */
export const askedChild = (file: string, args: readonly string[] = [], nodeArgs: readonly string[] = []): Asked => {
  const child = fork(file, args, { serialization: 'advanced', execArgv: [...nodeArgs] })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  child.on('message', ({ id, answer, failure }: Answer) => {
    const it = waiting.get(id)
    waiting.delete(id)
    if (failure === undefined) it?.resolve(answer)
    else it?.reject(new Error(failure))
  })
  const ended = once(child, 'exit').then(([code]) => {
    for (const it of waiting.values()) it.reject(new Error(`${file} ended with ${code}`))
  })
  return {
    process: child,
    ask: <T>(work: string, about: object = {}): Promise<T> => {
      last += 1
      const it = Promise.withResolvers<unknown>()
      waiting.set(last, it)
      child.send({ id: last, work, about })
      return it.promise as Promise<T>
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** In a child: does what it is asked, by name. */
export const answering = (works: Readonly<Record<string, (about: never) => unknown>>): void => {
  process.on('message', ({ id, work, about }: { id: number; work: string; about: never }) => {
    const done = (async () => works[work]?.(about))()
    done.then(
      (answer) => process.send?.({ id, answer }),
      (cause: unknown) => process.send?.({ id, failure: String((cause as Error).stack) }),
    )
  })
}
