import { Fault } from '#core/fault.ts'
import { NS_PER_MS } from '#core/time.ts'
import type { Sleep } from '#core/wait.ts'

/** Bounds of waits, and what is waited for, in words. */
export interface WaitBounds {
  /** Waits at one time, and of one caller. */
  readonly most: number
  readonly perOwner: number
  /** A plural: `reactors`. */
  readonly things: string
}

/** The waits of calls for something that comes of itself, within their bounds. */
export interface Waits {
  readonly count: number
  /** Waits for one thing. */
  of(thing: string): number
  /** Takes a place at once. @returns what gives it back. @throws Fault NODE_BUSY, RATE_LIMITED */
  enter(owner: string, thing: string): Disposable
  /** A time that begins now: `over` aborts when it has passed, when the signal does, or when it is disposed. */
  limit(ms: number, signal?: AbortSignal): Disposable & { readonly over: AbortSignal }
  /** Resolves with the first of the things awaited, or when the time is over or a signal aborts; never throws. */
  until(things: readonly Promise<unknown>[], ms: number, signals: readonly AbortSignal[]): Promise<void>
}

/** Milliseconds from now, never below 0, that an instant in the future is away. */
export const millisUntil = (now: bigint, then: bigint): number =>
  then <= now ? 0 : Number((then - now) / NS_PER_MS) + 1

/** Waits of one node; none yet. */
export const createWaits = (sleep: Sleep, { most, perOwner, things }: WaitBounds): Waits => {
  const open = new Set<{ readonly owner: string; readonly thing: string }>()
  const counted = (holds: (it: { readonly owner: string; readonly thing: string }) => boolean): number =>
    [...open].filter(holds).length
  return {
    get count() {
      return open.size
    },
    of: (thing) => counted((it) => it.thing === thing),
    enter: (owner, thing) => {
      if (open.size >= most) throw new Fault('NODE_BUSY', `${most} calls already wait for ${things}.`)
      if (counted((it) => it.owner === owner) >= perOwner) {
        const detail = `One caller may have ${perOwner} waits for ${things}.`
        throw new Fault('RATE_LIMITED', detail, { limit: perOwner })
      }
      const it = { owner, thing }
      open.add(it)
      return { [Symbol.dispose]: () => void open.delete(it) }
    },
    limit: (ms, signal) => {
      const over = new AbortController()
      const end = (): void => over.abort()
      if (signal?.aborted === true) end()
      signal?.addEventListener('abort', end, { once: true })
      void sleep(ms, over.signal).then(end)
      return {
        over: over.signal,
        [Symbol.dispose]: () => {
          signal?.removeEventListener('abort', end)
          end()
        },
      }
    },
    until: async (things, ms, signals) => {
      if (signals.some((it) => it.aborted)) return
      const over = new AbortController()
      const end = (): void => over.abort()
      for (const it of signals) it.addEventListener('abort', end, { once: true })
      try {
        await Promise.race([...things, sleep(ms, over.signal)])
      } finally {
        over.abort()
        for (const it of signals) it.removeEventListener('abort', end)
      }
    },
  }
}
