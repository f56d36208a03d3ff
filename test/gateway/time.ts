import type { Sleep } from '#core/wait.ts'

/** Time that a test moves by hand: waits end when it has been moved far enough, in the order of their ends. */
export interface ManualTime {
  readonly sleep: Sleep
  /** Moves on, ending every wait that falls due, and lets what waited for it run. */
  advance(ms: number): Promise<void>
  /** Waits that are pending. */
  readonly waiting: number
}

interface Wait {
  readonly at: number
  readonly end: () => void
}

/** Turns of the event loop that let a chain of promises and streams settle. */
const TURNS = 8

/** Lets everything that is ready run. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export const manualTime = (): ManualTime => {
  let now = 0
  let waits: Wait[] = []
  return {
    get waiting() {
      return waits.length
    },
    sleep: (ms, signal) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (signal.aborted) return Promise.resolve()
      const wait: Wait = { at: now + ms, end: resolve }
      waits.push(wait)
      signal.addEventListener('abort', () => {
        waits = waits.filter((it) => it !== wait)
        resolve()
      })
      return promise
    },
    async advance(ms) {
      await settle()
      now += ms
      const due = waits.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
      waits = waits.filter(({ at }) => at > now)
      for (const { end } of due) end()
      await settle()
    },
  }
}
