/** Lets one thing at a time happen to each channel. */
export interface ChannelTurns {
  isTaken(id: string): boolean
  /** Waits for its turn, then works. */
  take<T>(id: string, work: () => Promise<T>): Promise<T>
  /** Takes the turn if nobody has it. @returns what gives it back, or undefined */
  tryTake(id: string): (() => void) | undefined
}

/** Turns of one node: what is under way is known in memory alone, and a crash ends it. */
export const createChannelTurns = (): ChannelTurns => {
  const taken = new Map<string, Promise<void>>()
  const tryTake: ChannelTurns['tryTake'] = (id) => {
    if (taken.has(id)) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    taken.set(id, promise)
    return () => {
      taken.delete(id)
      resolve()
    }
  }
  return {
    isTaken: (id) => taken.has(id),
    tryTake,
    take: async (id, work) => {
      let release = tryTake(id)
      while (release === undefined) {
        await taken.get(id)
        release = tryTake(id)
      }
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
